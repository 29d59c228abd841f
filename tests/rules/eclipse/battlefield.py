"""Positions that end in combat, and the dice to go with them."""

from collections.abc import Mapping
from typing import Any

from rules.eclipse.state import Battle, State

from .helpers import Played, position, put, step, turned

HERE, NORTH_EAST, SOUTH_EAST = "3,-1", "4,-2", "4,-1"
"""Far from all start hexes; the hexes at its edges 1 and 2."""


def field(
    *species: str, number: str = "201", ships: Mapping[int, Mapping[str, int]], disc: int | None = None, **more: Any
) -> State:
    """The last turn of an Action Phase, with a hex to be fought over, ships in order of entry."""
    s = position(*species)
    more = {"ancients": 0, "discovery": False} | more
    put(s, number, HERE, disc=disc, ships=ships, **more)
    for board in s.boards:
        board.passed = True
    s.boards[0].passed = False
    return s


def refuge(s: State, seat: int, place: str = NORTH_EAST, number: str = "202") -> str:
    """A hex of the seat, connected to the one fought over; its number."""
    edge = 1 if place == NORTH_EAST else 2
    hex_ = s.hexes[HERE]
    hex_.rotation = turned(hex_.number, *(e for e, at in ((1, NORTH_EAST), (2, SOUTH_EAST)) if at in (place, *s.hexes)))
    put(s, number, place, turned(number, edge + 3), disc=seat)
    assert step(HERE, edge) == place
    return number


def fit(s: State, seat: int, ship: str, *parts: str) -> None:
    """A blueprint with these tiles on it, from the first square on, "" for none."""
    tiles = s.boards[seat].blueprints[ship]
    s.boards[seat].blueprints[ship] = [*parts, *tiles[len(parts) :]]


def dice(*rolls: int) -> list[int]:
    """What chance must draw for these rolls."""
    return [roll - 1 for roll in rolls]


def fight(s: State, *draws: int) -> Played:
    """The last player passes, and combat begins."""
    return Played(s, *draws)(0, "pass")


def battle(game: Played) -> Battle:
    """What is being fought out."""
    assert game.s.battle is not None
    return game.s.battle


def story(game: Played) -> list[str]:
    """Who fought whom, attacker first."""
    return [f"{event.args['attacker']}>{event.args['defender']}" for event in game.told("combat.battle")]


def volleys(game: Played) -> list[str]:
    """The volleys fired, as party, type and number of dice."""
    fired = [event for event in game.events if event.kind in ("combat.missiles", "combat.cannons")]
    return [f"{event.args['party']} {event.args['ship']} {len(event.args['rolls'])}" for event in fired]  # type: ignore[arg-type]


def drew(game: Played) -> dict[int, int]:
    """How many reputation tiles each seat drew, in the order of drawing."""
    return {event.args["seat"]: event.args["n"] for event in game.told("reputation.drew")}  # type: ignore[misc]
