"""Combat Phase: reputation tiles for the battles of a hex. Their values are known to their owners only."""

from collections.abc import Iterable

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import Option

from .battles import battle
from .components import REPUTATION_TILES
from .ships import REPUTATION
from .state import State, species


def draw_all(game: Game[State]) -> Flow[None]:
    """All who took part in a battle of the hex, in order of entry, one after the other (ruling 91)."""
    s = game.state
    battle(s).step = "reputation"
    for seat in [seat for seat in battle(s).entered if seat in battle(s).fought]:
        yield from draw(game, seat, earned(s, seat))


def earned(s: State, seat: int) -> int:
    """How many tiles the seat draws: for taking part, unless its last ships retreated (ruling 92), and for its kills."""
    b = battle(s)
    kills = sum(REPUTATION[ship] * n for ship, n in b.kills.get(str(seat), {}).items())
    return min(REPUTATION_TILES.most, kills + (0 if seat in b.retreated else REPUTATION_TILES.took_part))


def room(s: State, seat: int) -> int:
    """How many reputation tiles fit on the track beside its ambassadors."""
    slots = species(s, seat).slots
    return slots.reputation + slots.either - max(0, len(s.boards[seat].ambassadors) - slots.ambassador)


def draw(game: Game[State], seat: int, n: int) -> Flow[None]:
    """Draw as many as there are (ruling 94), keep one (ruling 95), return the rest. With a full track any one tile goes
    back (ruling 96). Whether something is asked depends on numbers everybody sees, not on the values."""
    s = game.state
    drawn = [int(value) for _ in range(n) if (value := s.reputation.draw(game.chance)) is not None]
    if not drawn:
        return
    forget(s, seat, drawn)
    battle(s).drawing, battle(s).drawn = seat, list(drawn)
    game.tell("reputation.drew", seat=seat, n=len(drawn))
    game.tell("reputation.values", to=[seat], owner=seat, values=tuple(drawn))
    kept = drawn[0]
    if len(drawn) > 1:
        kept = int(
            (yield from choose(seat, "reputation.keep", lambda: values(battle(s).drawn, best=True), private=True))
        )
    battle(s).drawn.remove(kept)
    held = len(s.boards[seat].reputation)
    s.boards[seat].reputation.append(kept)
    while len(s.boards[seat].reputation) > room(s, seat):
        returned = kept
        if held:
            returned = int(
                (
                    yield from choose(
                        seat, "reputation.return", lambda: values(s.boards[seat].reputation, best=False), private=True
                    )
                )
            )
        s.boards[seat].reputation.remove(returned)
        battle(s).drawn.append(returned)
    s.reputation.shuffle_in(map(str, battle(s).drawn))
    s.boards[seat].returned += battle(s).drawn
    battle(s).drawing, battle(s).drawn = None, []
    gained = len(s.boards[seat].reputation) > held
    game.tell("reputation.kept" if gained else "reputation.full" if held else "reputation.no_room", seat=seat)
    game.tell("reputation.now", to=[seat], owner=seat, values=tuple(sorted(s.boards[seat].reputation)))


def forget(s: State, seat: int, drawn: Iterable[int]) -> None:
    """What lay in the bag may have been drawn now; only who draws knows what was."""
    for other, board in enumerate(s.boards):
        if other != seat:
            board.returned = []
    for value in drawn:
        if value in s.boards[seat].returned:
            s.boards[seat].returned.remove(value)


def values(tiles: Iterable[int], *, best: bool) -> list[Option]:
    """Tiles by value, the best or the worst first."""
    return [Option(str(n), "option.reputation.tile", {"n": n}) for n in sorted(dict.fromkeys(tiles), reverse=best)]
