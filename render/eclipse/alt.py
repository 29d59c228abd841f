"""The pictures in words, for people who cannot see them."""

from collections.abc import Iterable, Mapping

from rules.eclipse.views import HexView, SeatView, TechnologyView, View, WarshipView

from .. import text
from ..canvas import ALT_LENGTH
from .parts import total_words
from .wording import name_of, party_name, say, sides, species_name, turn_words

NAME, SHORT_NAME = 24, 10
"""A longer name is cut, so that there is room for everything else; where even that is not enough, at the second number."""


def short_names(view: View, names: Mapping[int, str], most: int = NAME) -> dict[int, str]:
    """Every seat's name, of bearable length."""
    found = {seat.seat: name_of(view, names, seat.seat) for seat in view.seats}
    return {seat: name if len(name) <= most else name[: most - 1] + text.ELLIPSIS for seat, name in found.items()}


def fitting(*told: str) -> str:
    """The first of these texts that is short enough; the last one if none is."""
    return next((words for words in told if len(words.encode("utf-16-le")) // 2 < ALT_LENGTH), told[-1])


def board_alt(view: View, names: Mapping[int, str], more: str = "") -> str:
    """Round, turn, battle, players with hexes and ships, and what is going on (`more`); with fewer details when they are
    too long."""
    forms = ((NAME, 3), (NAME, 2), (SHORT_NAME, 2), (SHORT_NAME, 1), (SHORT_NAME, 0))
    told = [_board(view, short_names(view, names, most), details) for most, details in forms]
    return fitting(*(f"{words} {more}".rstrip() for words in told), told[-1])


def _board(view: View, names: Mapping[int, str], details: int) -> str:
    parts = [f"Round {view.round} of {view.rounds}, {say('phase', view.phase)}. {turn_words(view, names)}."]
    if view.turned:
        parts.append(f"Turned for {view.exploring}: {' and '.join(view.turned)}.")
    if view.battle is not None:
        parts.append(f"Battle at {view.battle.number}.")
    parts += [_seat(view, seat, names, details) for seat in view.seats]
    natives = [f"{one.number} {'GCDS' if one.gcds else one.ancients}" for one in view.hexes if one.ancients or one.gcds]
    if natives and details:
        parts.append(f"Ancients: {', '.join(natives)}.")
    if details > 2:
        spaces = [space.place for space in view.spaces if view.active in space.seats]
        parts.append(f"Can be explored: {'; '.join(spaces) or 'nothing'}.")
    return " ".join(parts)


def _seat(view: View, seat: SeatView, names: Mapping[int, str], details: int) -> str:
    """A player with points, storage, hexes and ships."""
    head = f"{names[seat.seat]} ({species_name(seat)})"
    if seat.out:
        return f"{head} is out, {_points(view, seat)} points."
    marks = [
        word
        for word, said in (("starts", view.start == seat.seat), ("passed", seat.passed), ("traitor", seat.traitor))
        if said
    ]
    head = ", ".join([head, *marks, f"{_points(view, seat)} points"])
    if details and seat.tracks:
        stored = [f"{say('resource', track.kind)} {track.stored}" for track in seat.tracks]
        head = f"{head}, {', '.join(stored) if details > 2 else '/'.join(str(track.stored) for track in seat.tracks)}"
    own = [hex_.number for hex_ in view.hexes if hex_.disc == seat.seat]
    ships = [told for hex_ in view.hexes if (told := _ships(hex_, seat.seat))]
    if details < 2:
        return f"{head}, {len(own)} hexes, {sum(f.seat == seat.seat for h in view.hexes for f in h.fleets)} fleets."
    return f"{head}. Hexes {' '.join(own) or 'none'}. Ships {', '.join(ships) or 'none'}."


def _points(view: View, seat: SeatView) -> int:
    return sum(n for part, n in seat.points if part != "reputation" or view.phase == "over")


def _ships(hex_: HexView, seat: int) -> str:
    """A seat's ships in a hex, by initials: 204 I2 C1."""
    letters = {"starbase": "B"}
    found = [
        f"{letters.get(kind, kind[0].upper())}{count}"
        for fleet in hex_.fleets
        if fleet.seat == seat
        for kind, count in fleet.ships
    ]
    return f"{hex_.number} {' '.join(found)}" if found else ""


def player_alt(view: View, seat: int, names: Mapping[int, str]) -> str:
    """Storage and income, discs, technologies, reputation, blueprints; those without parts' figures when too long."""
    return fitting(*(_player(view, seat, short_names(view, names), details) for details in (True, False)))


def _player(view: View, seat: int, names: Mapping[int, str], details: bool) -> str:
    one = view.seats[seat]
    head = f"Board of {names[seat]} ({species_name(one)})"
    if not one.tracks:
        return f"{head}."
    parts = [f"{head}, {one.total} points."]
    stored = [f"{say('resource', track.kind)} {track.stored}+{track.income}" for track in one.tracks]
    parts.append(f"Stored and income: {', '.join(stored)}; upkeep {one.upkeep}, discs left {one.discs}.")
    done = [f"{say('action', action)} {n}" for action, n in (*one.actions, *one.reactions) if n]
    parts.append(f"Actions: {', '.join(done) or 'none'}; colony ships ready {one.colony_ships}.")
    known = [say("technology", id) for _, ids in one.technologies for id in ids]
    parts.append(f"Technologies: {', '.join(known) or 'none'}.")
    values = [
        str(slot.value) if slot.value is not None else "hidden" for slot in one.slots if slot.holds == "reputation"
    ]
    partners = [names[other] for other in one.ambassadors]
    parts.append(f"Reputation: {', '.join(values) or 'none'}; ambassadors of {', '.join(partners) or 'nobody'}.")
    if view.battle is not None and view.battle.drawing == seat and view.battle.drawn:
        parts.append(f"Drawn: {', '.join(map(str, view.battle.drawn))}.")
    if one.parts:
        parts.append(f"Aside: {', '.join(say('part', part) for part in one.parts)}.")
    return " ".join([*parts, plans_alt(one, details)])


def plans_alt(seat: SeatView, details: bool = True) -> str:
    """What the blueprints of a player add up to."""
    return " ".join(
        f"{say('ship', plan.ship)}: {total_words(plan) if details else f'initiative {plan.initiative}, hull {plan.hull}'}."
        for plan in seat.blueprints
    )


def supply_alt(view: View, seat: int | None, names: Mapping[int, str]) -> str:
    """What is on offer, with the price for this seat, or the printed one."""
    offered = [
        f"{say('technology', one.id)} {one.price if seat is None else _price(view.seats[seat], one)} ({one.count})"
        for one in view.supply
        if one.count
    ]
    whose = "printed prices" if seat is None else f"prices for {short_names(view, names)[seat]}"
    return f"Technologies on offer, {whose} (tiles): {', '.join(offered) or 'none'}. Tiles in the bag: {view.bag}."


def _price(seat: SeatView, one: TechnologyView) -> str:
    owned = any(one.id in ids for _, ids in seat.technologies)
    price = one.prices[seat.seat]
    return "owned" if owned else "track full" if price is None else str(price)


def battle_alt(view: View, names: Mapping[int, str]) -> str:
    """Both sides with their ships, and the last rolls."""
    fight = view.battle
    if fight is None:
        return "No battle under way."
    names = short_names(view, names)
    fighting = sides(view, fight)
    told = " attacks ".join(party_name(view, names, party) for party in fighting)
    parts = [f"Battle at {fight.number}: {told}, {say('step_name', fight.step)}, round {fight.round}."]
    for party in fighting:
        ships = [_warship(one) for one in fight.ships if one.party == party and not one.fallen and not one.away]
        parts.append(f"{party_name(view, names, party)}: {_counted(ships) or 'no ships left'}.")
    rolls = []
    for volley in reversed(fight.volleys[-6:]):
        dice = " ".join(f"{die.roll}{'!' if die.hit else ''}" for die in volley.dice)
        rolls.append(f"{party_name(view, names, volley.party)}, {say('ship', volley.ship)}: {dice}")
    if rolls:
        parts.append(f"Rolls, the last first (! hits): {'; '.join(rolls)}.")
    return " ".join(parts)


def _warship(one: WarshipView) -> str:
    damage = f" with damage {one.damage}" if one.damage else ""
    return f"{say('ship', one.ship)}{damage}{' retreating' if one.retreat else ''}"


def _counted(words: Iterable[str]) -> str:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{n} {word}" for word, n in counts.items())


def placement_alt(view: View) -> str:
    """The tiles turned and how each may lie."""
    if not view.turned:
        return "No hex is being placed."
    told = []
    for number, rotations in zip(view.turned, view.rotations, strict=True):
        ways = f"turned by {', '.join(map(str, rotations))} sixths" if rotations else "in no way"
        told.append(f"{number} {say('hex', number)}: {ways}")
    return f"To be placed at {view.exploring}: {'; '.join(told)}."


def scores_alt(view: View, seats: Iterable[SeatView], names: Mapping[int, str]) -> str:
    """Everybody's points with what they are made of, the best first."""
    names = short_names(view, names)
    told = []
    for seat in seats:
        parts = ", ".join(f"{say('score', part).lower()} {n}" for part, n in seat.points if n)
        told.append(f"{names[seat.seat]} {seat.total} ({parts or 'nothing'})")
    return f"{'Final scores' if view.phase == 'over' else 'Scores'}: {'; '.join(told)}."
