"""The battles of a hex as they were told, so that they can be drawn roll by roll when they are long over."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from rules.engine.flow import Event

from .views import BattleView, DieView, View, VolleyView, WarshipView


def retold(view: View, before: Sequence[Event], events: Sequence[Event]) -> View:
    """The view with the last battle that was fought in these events and is over; it may have begun in those before."""
    now = None if view.battle is None else view.battle.place
    begun = battles(before)
    fought = [b for n, b in enumerate(battles([*before, *events])) if b.place != now and b not in begun[n : n + 1]]
    return replace(view, battle=fought[-1]) if fought else view


def battles(events: Iterable[Event]) -> list[BattleView]:
    """One for each hex fought over in these events, as it stood when all was done there, with every volley."""
    found: list[BattleView] = []
    for event in events:
        chapter, _, what = event.kind.partition(".")
        if event.kind == "combat.begins":
            found.append(begins(event))
        elif found and chapter in ("combat", "population"):
            found[-1] = went_on(found[-1], what, event.args, event.places)
    return found


def begins(event: Event) -> BattleView:
    """The ships meet."""
    args: Any = event.args
    ships = zip(args["of"], args["ships"], args["hulls"], strict=True)
    return BattleView(
        place=event.places[0],
        number=args["hex"],
        step="missiles",
        parties=args["parties"],
        attacker=-1,
        defender=-1,
        round=0,
        ships=tuple(WarshipView(party, ship, 0, hull, "", False, False) for party, ship, hull in ships),
        acting=None,
        acted=(),
        volleys=(),
        kills=(),
        retreated=(),
        drawing=None,
        drawn=(),
    )


def went_on(b: BattleView, what: str, args: Any, places: tuple[str, ...]) -> BattleView:
    """The battle after one more event."""
    match what:
        case "battle":
            return replace(b, step="missiles", round=0, attacker=args["attacker"], defender=args["defender"])
        case "round":
            return replace(b, step="engagement", round=args["n"])
        case "missiles" | "cannons":
            step = {-1: "population", 0: "missiles"}.get(args["round"], "engagement")
            return replace(b, step=step, volleys=(*b.volleys, volley(args)))
        case "hits":
            return hits(b, args["targets"])
        case "destroyed":
            return replace(
                b, ships=tuple(replace(s, fallen=s.fallen or n == args["at"]) for n, s in enumerate(b.ships))
            )
        case "retreats" | "left":
            goal, away = places[1], what == "left"
            return replace(b, ships=tuple(leaving(one, args, goal, away) for one in b.ships))
        case "won":
            return replace(b, ships=tuple(one if one.away else replace(one, retreat="") for one in b.ships))
    return b


def volley(args: Any) -> VolleyView:
    """Dice that have been rolled."""
    dice = zip(args["damages"], args["rolls"], strict=True)
    shown = tuple(DieView(damage, roll, roll >= args["needed"], None) for damage, roll in dice)
    return VolleyView(args["round"], args["party"], args["ship"], shown)


def hits(b: BattleView, targets: Iterable[int]) -> BattleView:
    """The dice of the last volley have found their targets."""
    last, ships = b.volleys[-1], list(b.ships)
    dice = []
    for die, at in zip(last.dice, targets, strict=True):
        dice.append(replace(die, target=at if at >= 0 else None))
        if at >= 0:
            ships[at] = replace(ships[at], damage=ships[at].damage + die.damage)
    return replace(b, ships=tuple(ships), volleys=(*b.volleys[:-1], replace(last, dice=tuple(dice))))


def leaving(one: WarshipView, args: Any, goal: str, away: bool) -> WarshipView:
    """A ship of a type that retreats or has got away."""
    if (one.party, one.ship) != (args["party"], args["ship"]) or one.fallen or one.away:
        return one
    return replace(one, retreat=goal, away=away)
