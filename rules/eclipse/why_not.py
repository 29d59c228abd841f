"""Why something cannot be chosen: by question, the conditions under which it could be. All of it is public."""

import re

from rules.engine.questions import Question
from rules.engine.words import Words
from rules.why_not import ACT, Explain, Reason, because, meant

from . import build, colony_ships, diplomacy, explore, influence, move, trade
from .common import price
from .components import ACTIONS, PLAY, REACTIONS, RESOURCES, TECHNOLOGIES
from .hexes import explores_from, neighbours, ring
from .ships import PARTS, SHIP_TYPES, may_take
from .state import State, enemies, fleet, has, on_board, species, unpinned, unused

KINDS = ("technology", "item", "ship", "part", "action", "act")
_place = re.compile(r"-?\d+,-?\d+").fullmatch


def why_not(s: State, seat: int, question: Question, wanted: str, words: Words) -> Reason | None:
    """What stands against it; None when nothing is known that does."""
    explain = REASONS.get(question.key)
    kinds = {"upgrade.take": ("part",), "build.item": ("item",), ACT: ("act",)}.get(question.key, KINDS)
    return explain(s, seat, question, meant(words, wanted, *kinds)) if explain else None


def find(s: State, wanted: str) -> str:
    """The place that is meant by a printed number or by coordinates; "" for none."""
    numbers = {hex_.number: place for place, hex_ in s.hexes.items()}
    return numbers.get(wanted, wanted if _place(wanted) else "")


# Turns


def action(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """An action needs a disc, a player who is still on the board, and something to do."""
    if wanted == "give_up":
        return because("still_there")
    if wanted in ACTIONS and not s.boards[seat].discs:
        return because("no_disc")
    if wanted in ACTIONS and (wanted == "research" or on_board(s, seat)):
        return because("idle", action=wanted)
    if wanted in ACTIONS:
        return because("nothing_on_board")
    return outside(s, seat, question, {"colony": "colonize"}.get(wanted, wanted))


def reaction(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Only some actions are reactions."""
    if wanted in ACTIONS and wanted not in REACTIONS:
        return because("no_reaction", action=wanted)
    return action(s, seat, question, wanted)


def outside(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """What is done outside questions."""
    if wanted == "trade":
        if s.phase not in ("action", "combat"):
            return because("no_trade_now")
        return None if trade.can_trade(s, seat) else because("too_little", n=species(s, seat).trade_rate)
    if wanted == "colonize":
        if not colony_ships.may_use(s, seat):
            return because("not_your_turn")
        return because("no_landing") if s.boards[seat].colony_ships else because("no_colony_ship")
    if wanted in ("propose", "accept", "withdraw"):
        return relations(s, seat, wanted)
    return None


def relations(s: State, seat: int, wanted: str) -> Reason | None:
    """Who may form a relation."""
    if len(s.boards) < PLAY.diplomacy_from:
        return because("too_few_players", n=PLAY.diplomacy_from)
    if s.phase != "action":
        return because("not_now")
    if wanted != "propose":
        return because("no_proposal")
    if s.traitor == seat:
        return because("traitor")
    return because("cannot_relate") if not diplomacy.is_free(s, seat) else because("nobody_to_relate")


# Explore and Influence


def space(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """An unexplored space at a wormhole of a hex that one may explore from."""
    place = find(s, wanted)
    if not place:
        return None
    if place in s.hexes:
        return because("explored", number=s.hexes[place].number)
    if not explore.is_left(s, ring(place)):
        return because("stack_empty", ring=ring(place))
    near = [at for at in neighbours(place) if at in s.hexes and explores_from(s, s.hexes[at], seat)]
    return because("no_wormhole_to", place=place) if near else because("not_next_to", place=place)


def tile(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A turned tile that can lie in some way."""
    return because("fits_in_no_way", number=wanted) if wanted in s.turned else None


def disc_from(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A disc on the track or on an own hex."""
    if wanted == influence.TRACK:
        return because("no_goal") if s.boards[seat].discs else because("no_disc")
    if wanted == influence.REFRESH:
        return because("nothing_to_refresh")
    return own_hex(s, seat, wanted)


def own_hex(s: State, seat: int, wanted: str) -> Reason | None:
    """A hex with the seat's disc."""
    place = find(s, wanted)
    if place in s.hexes and s.hexes[place].disc != seat:
        return because("not_yours", number=s.hexes[place].number)
    return None


def disc_to(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A hex without a disc or enemy ships, connected to the seat's."""
    hex_ = s.hexes.get(find(s, wanted))
    if hex_ is None:
        return None
    if hex_.disc is not None:
        return because("disc_there", number=hex_.number)
    if enemies(s, hex_, seat):
        return because("enemy_ships", number=hex_.number)
    return because("not_connected", number=hex_.number)


# Research, Upgrade, Build


def technology(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A technology on offer that one lacks, has room for and can pay."""
    if wanted not in TECHNOLOGIES:
        return None
    if wanted in s.boards[seat].technologies:
        return because("has_technology", technology=wanted)
    if wanted not in s.supply:
        return because("not_on_offer", technology=wanted)
    cost = price(s, seat, wanted)
    if cost is None:
        return because("track_full", category=TECHNOLOGIES[wanted].category)
    return because("too_dear", n=cost, resource="science", stored=s.boards[seat].storage["science"])


def part(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A part whose technology one has, and that a blueprint can carry."""
    board = s.boards[seat]
    if wanted not in PARTS:
        return None
    if wanted in board.parts or may_take(wanted, board.technologies):
        return because("no_square", part=wanted)
    return (
        because("needs_technology", technology=PARTS[wanted].technology)
        if PARTS[wanted].technology
        else because("not_kept", part=wanted)
    )


def item(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Something that may be built, is left, has a place and can be paid."""
    if wanted not in build.ITEMS:
        return None
    if wanted in build.NEED_TECHNOLOGY and not has(s, seat, wanted):
        return because("needs_technology", technology=wanted)
    if wanted in SHIP_TYPES and not unused(s, seat, wanted):
        return because("none_left", ship=wanted)
    cost, stored = species(s, seat).costs[wanted], s.boards[seat].storage["materials"]
    if cost > stored:
        return because("too_dear", n=cost, resource="materials", stored=stored)
    return because("no_site", item=wanted)


def site(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """An own hex without such a structure."""
    return own_hex(s, seat, wanted) or (
        because("has_one", item=question.args["item"]) if find(s, wanted) in s.hexes else None
    )


# Move


def ship(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A ship that can go and is not pinned."""
    number, _, kind = wanted.partition(".")
    hex_ = s.hexes.get(find(s, number))
    if hex_ is None or kind not in SHIP_TYPES:
        return None
    if kind == move.IMMOBILE:
        return because("stays")
    if not fleet(hex_, seat).get(kind):
        return because("no_such_ship", ship=kind, number=number)
    return because("no_way") if unpinned(s, hex_, seat) else because("pinned", number=number)


def goal(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A hex within reach."""
    if find(s, wanted) not in s.hexes:
        return because("unexplored") if _place(wanted) else None
    kind = str(question.args["ship"])
    return because("out_of_reach", number=wanted, n=move.movement(s, seat, kind), ship=kind)


# Trade in need


def remedy(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A trade for money, or an own hex to give up."""
    if wanted.partition(".")[0] in RESOURCES:
        return because("too_little", n=species(s, seat).trade_rate)
    return own_hex(s, seat, wanted)


REASONS: dict[str, Explain[State]] = {
    "action.choose": action,
    "reaction.choose": reaction,
    ACT: outside,
    "explore.place": space,
    "explore.keep": tile,
    "influence.from": disc_from,
    "influence.to": disc_to,
    "research.technology": technology,
    "upgrade.take": part,
    "build.item": item,
    "build.place": site,
    "move.ship": ship,
    "move.to": goal,
    "trade.what": remedy,
    "upkeep.short": remedy,
}
