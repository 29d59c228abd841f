"""Optional rule: Thought Admirals must hold their home planets."""

from .state import State


def set_up(s: State) -> None:
    """Everybody starts in control of the own home planets."""
    if s.options.home_control:
        for seat, homes in enumerate(s.homes):
            for planet in homes:
                s.control[planet] = seat
                s.arrivals[planet] = [seat]


def arrive(s: State, seat: int, planet: str) -> None:
    """A seat's first unit came to the planet."""
    if planet in s.control:
        s.arrivals[planet].append(seat)
        _settle(s, planet)


def leave(s: State, seat: int, planet: str) -> None:
    """A seat's last unit left the planet."""
    if planet in s.control:
        s.arrivals[planet].remove(seat)
        _settle(s, planet)


def _settle(s: State, planet: str) -> None:
    """The first to have come of those present is in control; who leaves stays so until another is there."""
    if s.arrivals[planet]:
        s.control[planet] = s.arrivals[planet][0]


def controls_home(s: State, seat: int) -> bool:
    """Whether the seat controls its home planets (all of them); always so without the optional rule."""
    return all(s.control.get(planet, seat) == seat for planet in s.homes[seat])


def combat_bonus(s: State, against: int) -> int:
    """What every opponent adds to a combat against this seat."""
    return 0 if controls_home(s, against) else 1
