"""The pictures in words, for people who cannot see them."""

from collections import Counter
from collections.abc import Mapping

from rules.throne_of_the_world.views import SeatView, View

from .. import text
from ..canvas import ALT_LENGTH
from .conflict import attack_words, notes
from .wording import name_of, race_name, say, team_name, turn_words

#: a longer name is cut, so that there is room for everything else; where even that is not enough, at the second number
NAME, SHORT_NAME = 24, 10


def short_names(view: View, names: Mapping[int, str], most: int = NAME) -> dict[int, str]:
    """Every seat's name, of bearable length."""
    found = {seat.seat: name_of(view, names, seat.seat) for seat in view.seats}
    return {seat: name if len(name) <= most else name[: most - 1] + text.ELLIPSIS for seat, name in found.items()}


def board_alt(view: View, names: Mapping[int, str]) -> str:
    """Turn, conflict, players with their sets, trading area and piles; with fewer details when they are too long."""
    for most, details in ((NAME, True), (NAME, False), (SHORT_NAME, False)):
        told = _board(view, short_names(view, names, most), details)
        if len(told) < ALT_LENGTH:
            break
    return told


def _board(view: View, names: Mapping[int, str], details: bool) -> str:
    parts = [f"Round {view.round}. {turn_words(view, names).rstrip('.')}{_how(view)}."]
    if view.active is not None and view.phase == "play":
        parts[0] = f"{parts[0][:-1]}, action points {view.seats[view.active].points}."
    parts += [f"{note}." for note in notes(view)]
    parts += [attack_words(view, names)] if view.attack or view.demand else []
    parts += [seat_words(view, seat, names, details) for seat in view.seats]
    parts.append(f"Trading area: {', '.join(say('card', card.id) for card in view.area) or 'empty'}.")
    parts.append(f"Draw pile {view.deck}, discards {len(view.discards)}.")
    return " ".join(parts)


def _how(view: View) -> str:
    return f" with {say('victory', view.victory)}" if view.victory else ""


def seat_words(view: View, seat: SeatView, names: Mapping[int, str], details: bool) -> str:
    """A player in words; with `details` also what each set gives."""
    team = f", {team_name(seat.team)}" if view.teams else ""
    name = f"{name_of(view, names, seat.seat)} ({race_name(seat)}{team})"
    if not seat.playing:
        return f"{name} is out."
    sets = [
        f"{say('short', held.profession)} {held.units + held.virtual}/{held.complete}"
        + (f" giving {held.efficiency}" if details else "")
        for held in seat.sets
        if held.units + held.virtual
    ]
    return f"{name}, coins {seat.money}, cards {seat.cards}: {', '.join(sets) or 'no units'}."


def hand_alt(view: View, names: Mapping[int, str]) -> str:
    """Every card with what it does; only their names when there are too many."""
    if view.viewer is None or not view.hand:
        return "No cards in hand."
    head = f"Hand of {short_names(view, names)[view.viewer]}, {len(view.hand)} cards"
    counts = Counter(view.hand).items()
    full = "; ".join(f"{n}x {say('card', card.id)}: {say('card_text', card.id).rstrip('.')}" for card, n in counts)
    if len(head) + len(full) + 3 < ALT_LENGTH:
        return f"{head}. {full}."
    return f"{head}: {', '.join(f'{n}x ' + say('card', card.id) for card, n in counts)}."


def draft_alt(view: View) -> str:
    """The races to choose from."""
    return (
        " ".join(f"{say('race', race)}: {say('race_text', race)}" for race in view.draft) or "No races to choose from."
    )


def attack_alt(view: View, names: Mapping[int, str]) -> str:
    """The attack or demand, and what the victim has."""
    names = short_names(view, names)
    found = view.attack or view.demand
    if found is None:
        return "No attack under way."
    return f"{attack_words(view, names)} {seat_words(view, view.seats[found.victim], names, True)}"
