"""Combat Phase: what happens at its end, when all battles are over: hexes change hands, ships are repaired."""

from functools import partial

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import SKIP, Option

from . import diplomacy, influence, population
from .state import State, Upkeep, has, playing_from, ships_in


def end_of_combat(game: Game[State]) -> Flow[None]:
    """The steps in their order (ruling 97). Damage is gone with the battles, so nothing is left to repair."""
    s = game.state
    yield from fragile_losses(game)
    yield from remove_discs(game)
    yield from place_discs(game)
    yield from diplomacy.after_combat(game, playing_from(s, s.start))
    s.phase, s.next = "upkeep", Upkeep()


def descending(s: State) -> list[str]:
    """The places of all hexes by number, the highest first."""
    return sorted(s.hexes, key=lambda place: s.hexes[place].number, reverse=True)


def invaded(s: State, place: str) -> bool:
    """Whether ships of somebody else are in a hex with a disc."""
    hex_ = s.hexes[place]
    return hex_.disc is not None and any(fleet.seat != hex_.disc for fleet in hex_.fleets)


def fragile_losses(game: Game[State]) -> Flow[None]:
    """Some species lose all cubes of a hex with an enemy ship, without a roll (ruling 90)."""
    s = game.state
    for place in descending(s):
        owner = s.hexes[place].disc
        if owner is not None and s.hexes[place].cubes and invaded(s, place) and has(s, owner, population.FRAGILE):
            yield from population.kill(game, place, list(s.hexes[place].cubes))


def remove_discs(game: Game[State]) -> Flow[None]:
    """A ship in another's hex without cubes removes the disc, wanted or not (ruling 98)."""
    s = game.state
    for place in descending(s):
        if invaded(s, place) and not s.hexes[place].cubes:
            yield from influence.remove_disc(game, place)


def place_discs(game: Game[State]) -> Flow[None]:
    """Players with a ship in a hex without a disc or an enemy may place one from the track, and take the discovery there
    (rulings 99 and 100)."""
    s = game.state
    for seat in playing_from(s, s.start):
        for place in descending(s):
            if may_place(s, seat, place):
                number = s.hexes[place].number
                build = partial(control, number, place)
                answer = yield from choose(seat, "conquest.place", build, skip="option.conquest.leave", hex=number)
                if answer != SKIP:
                    yield from influence.place_disc(game, seat, place)


def control(number: str, place: str) -> list[Option]:
    """Taking control of a hex as an option."""
    return [Option(number, "option.conquest.take", place=place)]


def may_place(s: State, seat: int, place: str) -> bool:
    """Whether the seat could take control of a hex now."""
    hex_ = s.hexes[place]
    return s.boards[seat].discs > 0 and ships_in(hex_, seat) > 0 and influence.may_hold(s, hex_, seat)
