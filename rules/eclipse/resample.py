"""Another state that looks the same to a viewer: what he cannot know is drawn anew.

Hidden are the reputation tiles of others (and so what the bag holds), what tiles others put back into it, and which outer
tiles are in the game. Other stacks, the technology bag and the discovery tiles have no hidden order.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec

from rules.engine.chance import Chance
from rules.engine.pile import Pile

from .components import REPUTATION_TILES, stack_of
from .state import State, seats


def resample(state: State, viewer: int | None, chance: Chance) -> State:
    """Others' reputation tiles and the outer stack are drawn anew; what the viewer knows for certain stays."""
    s = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    if s.phase != "over":
        redraw_reputation(s, viewer, chance)
    redraw_outer_tiles(s, chance)
    return s


def redraw_reputation(s: State, viewer: int | None, chance: Chance) -> None:
    """All tiles but the viewer's own, those of players who left, and those the viewer knows to be in the bag."""
    hidden = [seat for seat in seats(s) if seat != viewer and not s.boards[seat].out]
    drawn_by_others = s.battle is not None and s.battle.drawing != viewer
    pool = Counter({int(value): n for value, n in s.reputation.counts().items()})
    in_bag = Counter(() if viewer is None else s.boards[viewer].returned) & pool
    for seat in hidden:
        pool += Counter(s.boards[seat].reputation)
    if s.battle is not None and drawn_by_others:
        pool += Counter(s.battle.drawn)
    loose = chance.shuffled(spread(pool - in_bag))
    for seat in hidden:
        s.boards[seat].reputation = [loose.pop() for _ in s.boards[seat].reputation]
    if s.battle is not None and drawn_by_others:
        s.battle.drawn = [loose.pop() for _ in s.battle.drawn]
    bag = Counter(loose) + in_bag
    s.reputation = Pile.of(str(value) for value in spread(bag))
    for seat in hidden:
        s.boards[seat].returned = spread(Counter(s.boards[seat].returned) & bag)


def spread(tiles: Counter[int]) -> list[int]:
    """Every single tile, by value."""
    return [int(value) for value in REPUTATION_TILES.tiles for _ in range(tiles[int(value)])]


def redraw_outer_tiles(s: State, chance: Chance) -> None:
    """Which outer tiles are in the stack, as long as it has not been renewed from discards everybody saw."""
    stack = s.stacks["III"]
    if not stack.known:
        seen = [*(hex_.number for hex_ in s.hexes.values()), *stack.discards, *s.turned]
        stack.pile = Pile.of(some(chance, [tile for tile in stack_of("III") if tile not in seen], len(stack.pile)))


def some(chance: Chance, tiles: Iterable[str], n: int) -> list[str]:
    """So many of them."""
    return chance.shuffled(list(tiles))[:n]
