"""Upgrade: part tiles go back and others are taken; only ways that can still end in allowed blueprints are open.

The energy and drive rules are checked at the end for all four blueprints (ruling 50). So that nobody gets stuck, each step
is offered only if the parts that may still be taken can make every blueprint allowed. While tiles may still go back that
is always so, since the printed blueprints are allowed.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import SKIP, Arg, Option

from .common import must_choose
from .ships import BLUEPRINTS, PART_TILES, PARTS, SHIP_TYPES, lying, may_take
from .state import PlayerBoard, State

STARBASE = "starbase"
DRIVE = "drive"
Tiles = Sequence[str]
"""The tiles on a blueprint by square, "" where the printed part shows."""


def upgrade(game: Game[State], seat: int, parts: int) -> Flow[None]:
    """The action or reaction: return any tiles, then take up to so many parts and place them (rulings 49 to 53)."""
    s = game.state
    while returnable(s, seat):
        square = yield from choose(
            seat, "upgrade.return", lambda: [*returnable(s, seat), *way_on(s, seat, parts, "option.upgrade.kept")]
        )
        if square == SKIP:
            break
        give_back(game, seat, *split(square))
    while parts and (yield from take_one(game, seat, parts)):
        parts -= 1


def take_one(game: Game[State], seat: int, left: int) -> Flow[bool]:
    """Take a part and place it; whether one was taken."""
    s = game.state
    after = left - 1
    part = yield from must_choose(
        seat, "upgrade.take", lambda: [*takeable(s, seat, after), *way_on(s, seat, 0, "option.upgrade.done")],
        n=left, short=int(not can_end(s, seat, {}, s.boards[seat].parts, 0)),
    )  # fmt: skip
    if part == SKIP:
        return False
    square = yield from must_choose(seat, "upgrade.square", lambda: placings(s, seat, part, after), part=part, n=left)
    place(game, seat, part, *split(square))
    return True


def way_on(s: State, seat: int, parts: int, words: str) -> list[Option]:
    """The way out of a question, if so many more parts can make all blueprints allowed."""
    return [Option(SKIP, words)] if can_end(s, seat, {}, s.boards[seat].parts, parts) else []


# Returning


def returnable(s: State, seat: int) -> list[Option]:
    """The tiles on the seat's blueprints, equal ones over equal parts once."""
    board, found = s.boards[seat], dict[tuple[str, str, str], Option]()
    for ship in SHIP_TYPES:
        for at, (tile, printed) in enumerate(covers(board, ship)):
            if tile:
                found.setdefault((ship, tile, printed), square_option(board, ship, at))
    return list(found.values())


def give_back(game: Game[State], seat: int, ship: str, at: int) -> None:
    """A tile leaves its square: to the supply board, an ancient part for good."""
    tiles = game.state.boards[seat].blueprints[ship]
    game.tell("upgrade.returned", seat=seat, part=tiles[at], ship=ship)
    tiles[at] = ""


# Taking


def takeable(s: State, seat: int, after: int) -> list[Option]:
    """The parts that may be taken now, if `after` more may be taken then."""
    board = s.boards[seat]
    parts = [part for part in PART_TILES if may_take(part, board.technologies)] + board.parts
    return [
        Option(part, "option.upgrade.part", {"part": part})
        for part in parts
        if any(fits(s, seat, part, *at, after) for at in squares(s, seat))
    ]


def placings(s: State, seat: int, part: str, after: int) -> list[Option]:
    """The squares for a part, if `after` more parts may be taken then."""
    board = s.boards[seat]
    return [square_option(board, ship, at) for ship, at in squares(s, seat) if fits(s, seat, part, ship, at, after)]


def fits(s: State, seat: int, part: str, ship: str, at: int, after: int) -> bool:
    """Whether a part can be placed on a square, if `after` more parts may be taken then."""
    board = s.boards[seat]
    if ship == STARBASE and PARTS[part].kind == DRIVE:
        return False
    tiles, kept = board.blueprints[ship], [other for other in board.parts if other != part]
    return can_end(s, seat, {ship: [*tiles[:at], part, *tiles[at + 1 :]]}, kept, after)


def place(game: Game[State], seat: int, part: str, ship: str, at: int) -> None:
    """A part is put on a square."""
    board = game.state.boards[seat]
    if part in board.parts:
        board.parts.remove(part)
    board.blueprints[ship][at] = part
    game.tell("upgrade.placed", seat=seat, part=part, ship=ship)


# Squares


def squares(s: State, seat: int) -> Iterator[tuple[str, int]]:
    """The squares without a tile: type of ship and index, equal ones of a blueprint once."""
    board = s.boards[seat]
    for ship in SHIP_TYPES:
        seen: list[str] = []
        for at, (tile, printed) in enumerate(covers(board, ship)):
            if not tile and printed not in seen:
                seen.append(printed)
                yield ship, at


def square_option(board: PlayerBoard, ship: str, at: int) -> Option:
    """A square by what is to be seen there, and what lies below a tile."""
    tile, printed = covers(board, ship)[at]
    words = ("tile" if printed else "lone") if tile else ("printed" if printed else "empty")
    args: dict[str, Arg] = {"ship": ship, "n": at + 1, "tile": tile, "printed": printed}
    return Option(f"{ship}.{at}", f"option.upgrade.{words}", args)


def covers(board: PlayerBoard, ship: str) -> list[tuple[str, str]]:
    """For each square of a blueprint the tile on it and the printed part, "" for none."""
    return list(zip(board.blueprints[ship], BLUEPRINTS[board.species][ship].parts, strict=True))


def split(square: str) -> tuple[str, int]:
    """The type of ship and the index of a square."""
    ship, _, at = square.partition(".")
    return ship, int(at)


# What is allowed


def can_end(s: State, seat: int, changed: Mapping[str, Tiles], kept: Sequence[str], parts: int) -> bool:
    """Whether all blueprints, with these ones changed, can become allowed by so many more parts from the supply board and
    from the ancient ones kept aside."""
    board = s.boards[seat]
    best = max(net(part) for part in PART_TILES if may_take(part, board.technologies))
    ancient = max((net(part) for part in kept), default=0)
    supply = [best] * parts
    needed, saved = 0, 0
    for ship in SHIP_TYPES:
        tiles = changed.get(ship, board.blueprints[ship])
        if short := shortage(board.species, ship, tiles, supply):
            needed += short
            if ancient > best:
                saved = max(saved, short - shortage(board.species, ship, tiles, [ancient, *supply][:parts]))
    return needed - saved <= parts


def shortage(species: str, ship: str, tiles: Tiles, sources: Sequence[int]) -> int:
    """How many more parts a blueprint needs at least: energy sources of so much each, the best first, and a drive. One
    more than there are sources if they are not enough. A part may not lie on a tile, nor on the last drive."""
    parts = lying(species, ship, tiles)
    nets = [net(part) for part in parts]
    energy = BLUEPRINTS[species][ship].bonus.production + sum(nets)
    drives = [at for at, part in enumerate(parts) if part and PARTS[part].kind == DRIVE]
    if energy >= 0 and bool(drives) != (ship == STARBASE):
        return 0
    free = sorted((at for at, tile in enumerate(tiles) if not tile), key=nets.__getitem__)
    spared = [] if any(tiles[at] for at in drives) else sorted(drives, key=nets.__getitem__)[-1:]
    for n in range(1, len(sources) + 1):
        for new_drive in (False, True):
            if (new_drive and ship == STARBASE) or not (new_drive or drives or ship == STARBASE):
                continue
            covered = [at for at in free if new_drive or at not in spared][:n]
            gained = sum(sources[: n - 1]) + LIGHTEST_DRIVE if new_drive else sum(sources[:n])
            if len(covered) == n and energy + gained >= sum(nets[at] for at in covered):
                return n
    return len(sources) + 1


def net(part: str) -> int:
    """The energy a part brings, less what it needs."""
    return PARTS[part].production - PARTS[part].consumption if part else 0


LIGHTEST_DRIVE = max(net(part) for part in PART_TILES if PARTS[part].kind == DRIVE)
