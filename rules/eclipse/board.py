"""The text board: a whole view in short lines."""

from collections.abc import Iterable, Iterator

from rules.engine.questions import Arg
from rules.engine.words import Words

from .views import BattleView, BlueprintView, FleetView, HexView, Party, SeatView, SquareView, View


def board(view: View, words: Words) -> str:
    """Everything in the view; what matters most comes last, since a long text is cut at its beginning."""
    lines = [words.say("board.legend"), *supply_lines(view, words), *stack_lines(view, words), ""]
    lines += [hex_line(hex_, words) for hex_ in sorted(view.hexes, key=lambda hex_: hex_.number)]
    lines += [*space_lines(view, words), ""]
    for seat in view.seats:
        lines += seat_lines(seat, words)
    lines += ["", *now_lines(view, words)]
    return "\n".join(lines)


# The round


def now_lines(view: View, words: Words) -> Iterator[str]:
    """Round and phase, whose turn it is, what is being turned or fought."""
    head: dict[str, Arg] = {"round": view.round, "rounds": view.rounds, "phase": view.phase, "start": view.start}
    yield words.say("board.head", head)
    if view.winners:
        yield words.say("event.scoring.won", {"seats": view.winners})
    if view.active is not None:
        action = words.say("board.action", {"action": view.action}) if view.action else ""
        yield words.say("board.active", {"seat": view.active, "action": action})
    if view.turned:
        yield words.say("board.turned", {"place": view.exploring, "tiles": view.turned})
    for by, to in view.proposals:
        yield words.say("board.proposal", {"seat": by, "partner": to})
    if view.battle is not None:
        yield from battle_lines(view.battle, words)
    if view.hand:
        yield words.say("board.hand", {"values": view.hand})


def battle_lines(battle: BattleView, words: Words) -> Iterator[str]:
    """The hex being fought over: its ships, and the last volley."""
    parties = ", ".join(party_name(party, words) for party in battle.parties)
    yield words.say("board.battle", {"number": battle.number, "step": battle.step, "parties": parties})
    for ship in battle.ships:
        if not ship.fallen:
            args: dict[str, Arg] = {
                "party": party_name(ship.party, words),
                "ship": ship.ship,
                "damage": ship.damage,
                "hull": ship.hull,
                "retreat": words.say("board.retreats", {"place": ship.retreat}) if ship.retreat else "",
            }
            yield words.say("board.warship", args)
    if battle.volleys:
        last = battle.volleys[-1]
        rolls = tuple(f"{die.roll}{'!' if die.hit else ''}" for die in last.dice)
        yield words.say("board.volley", {"party": party_name(last.party, words), "ship": last.ship, "rolls": rolls})
    if battle.drawn:
        yield words.say("board.drawn", {"values": battle.drawn})


def party_name(party: Party, words: Words) -> str:
    """A seat's name, or the name of the Ancients or the defence system."""
    return words.say(f"ship.{party}") if isinstance(party, str) else words.seat_name(party)


# The galaxy


def hex_line(hex_: HexView, words: Words) -> str:
    """A placed hex: number, place, owner, points, wormholes, squares, what else is there."""
    things = [
        words.say(f"sign.{name}") for name in ("artifact", "discovery", "monolith", "gcds") if getattr(hex_, name)
    ]
    if hex_.ancients:
        things.append(words.say("sign.ancients", {"n": hex_.ancients}))
    things += [fleet_text(fleet, words) for fleet in hex_.fleets]
    args: dict[str, Arg] = {
        "number": hex_.number,
        "place": hex_.place,
        "owner": words.say("sign.nobody") if hex_.disc is None else hex_.disc + 1,
        "points": hex_.points,
        "edges": "".join(map(str, hex_.wormholes)),
        "squares": "".join(square_text(square, words) for square in hex_.squares),
        "things": " ".join(things),
    }
    return words.say("board.hex", args).rstrip()


def square_text(square: SquareView, words: Words) -> str:
    """A population square as a sign, filled ones in brackets."""
    sign = words.say(f"sign.{square.kind}") + (words.say("sign.advanced") if square.advanced else "")
    return f"[{sign}]" if square.filled else sign


def fleet_text(fleet: FleetView, words: Words) -> str:
    """A player's ships in letters."""
    ships = "".join(words.say("sign.ship", {"n": n, "ship": words.say(f"sign.{ship}")}) for ship, n in fleet.ships)
    return words.say("sign.fleet", {"n": fleet.seat + 1, "ships": ships})


def space_lines(view: View, words: Words) -> Iterator[str]:
    """The unexplored spaces somebody could explore."""
    spaces = [space for space in view.spaces if space.seats]
    if spaces:
        texts = tuple(f"{space.place}({''.join(str(seat + 1) for seat in space.seats)})" for space in spaces)
        yield words.say("board.spaces", {"spaces": texts})


# The supply


def supply_lines(view: View, words: Words) -> Iterator[str]:
    """The technologies on offer, with what they cost."""
    offered = [
        words.say("board.technology", {"technology": one.id, "n": one.count, "price": one.price, "least": one.least})
        for one in view.supply
        if one.count
    ]
    yield words.say("board.supply", {"technologies": ", ".join(offered)})


def stack_lines(view: View, words: Words) -> Iterator[str]:
    """The stacks and bags."""
    stacks = ", ".join(
        words.say("board.stack", {"ring": stack.ring, "n": stack.size, "discards": stack.discards})
        for stack in view.stacks
    )
    yield words.say("board.stacks", {"stacks": stacks, "bag": view.bag, "reputation": view.reputation})


# Player boards


def seat_lines(seat: SeatView, words: Words) -> Iterator[str]:
    """A seat: what it has, then its ships."""
    args: dict[str, Arg] = {"n": seat.seat + 1, "seat": seat.seat, "points": seat.total, "species": seat.species}
    if not seat.species:
        yield words.say("board.no_species", args)
        return
    if seat.out:
        yield words.say(f"board.{seat.out}", args)
        return
    marks = [name for name, holds in (("passed", seat.passed), ("traitor", seat.traitor)) if holds]
    yield words.say("board.seat", args | {"marks": "".join(words.say(f"board.{mark}") for mark in marks)})
    used = sum(n for _, n in (*seat.actions, *seat.reactions))
    more: dict[str, Arg] = {
        "discs": seat.discs,
        "used": used,
        "upkeep": seat.upkeep,
        "up": seat.colony_ships,
        "all": seat.colony_ships + seat.used_ships,
        "rate": seat.trade_rate,
    }
    for track in seat.tracks:
        more |= {track.kind: track.stored, f"{track.kind}_income": track.income}
    yield words.say("board.economy", more)
    learned = tuple(id for _, ids in seat.technologies for id in ids)
    held: dict[str, Arg] = {
        "technologies": learned,
        "discounts": seat.discounts,
        "tiles": seat.reputation,
        "slots": len(seat.slots),
        "partners": tuple(partner + 1 for partner in seat.ambassadors),
        "discoveries": len(seat.discoveries),
        "parts": seat.parts,
    }
    yield words.say("board.technologies", held)
    yield words.say("board.ships", {"ships": "; ".join(ship_texts(seat.blueprints, words))})


def ship_texts(blueprints: Iterable[BlueprintView], words: Words) -> Iterator[str]:
    """What each type of ship can do."""
    for one in blueprints:
        args: dict[str, Arg] = {
            "ship": one.ship,
            "initiative": one.initiative,
            "movement": one.movement,
            "computer": one.computer,
            "shield": one.shield,
            "hull": one.hull,
            "guns": "".join(map(str, one.cannons)) or "-",
            "missiles": words.say("board.missiles", {"n": "".join(map(str, one.missiles))}) if one.missiles else "",
            "energy": one.production - one.consumption,
        }
        yield words.say("board.ship", args)


def hand_text(view: View, words: Words) -> str:
    """The viewer's reputation tiles."""
    return words.say("board.hand", {"values": view.hand}) if view.hand else ""
