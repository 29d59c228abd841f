"""Hand-made views of Throne of the World to draw from."""

from collections.abc import Mapping, Sequence

from rules.throne_of_the_world.components import COLOURS, DOUBLE, GENERAL, PROFESSIONS, RACES, UNITS, kind_of
from rules.throne_of_the_world.views import AttackView, CardView, DemandView, SeatView, SetView, View

NAMES = {0: "Anna", 1: "Benjamin of the North", 2: "🦊 Foxy", 3: "שלום עולם"}
LONG = dict.fromkeys(range(4), "Maximiliana-Wilhelmina von und zu Hohenwürttemberg-Langenfels")
RACE_OF = ("humans", "dwarves", "orcs", "gods")
ALL = {unit.id: unit.set_size for unit in UNITS.values()}
SOME: tuple[Mapping[str, int], ...] = (
    {"farmers": 2, "knights": 1, "miners": 3},
    {"soldiers": 3, "hunters": 2, "royal_family": 1},
    {"wizards": 2, "miners": 1},
    {},
)
AREA = ("soldiers", "general_a", "double_royal_family", "purchase", "hunger")
HAND = ("soldiers", "farmers", "farmers", "general_a", "double_wizards", "assassinate")
FULL_HAND = (
    "soldiers",
    "wizards",
    "knights",
    "miners",
    "royal_family",
    "general_a",
    "general_c",
    "double_farmers",
    "assemble",
    "purchase",
    "steal",
    "hunger",
)


def card(id: str) -> CardView:
    kind = kind_of(id)
    profession = DOUBLE[id].profession if kind == "double" else id if kind == "unit" else ""
    return CardView(id, kind, profession, GENERAL[id].excluded if kind == "general" else ())


def cards(ids: Sequence[str]) -> tuple[CardView, ...]:
    return tuple(card(id) for id in ids)


def set_of(profession: str, units: int, virtual: int = 0, acted: bool = False) -> SetView:
    unit = UNITS[profession]
    there = min(units + virtual, unit.set_size)
    gives = unit.efficiency[there - 1] if there else 0
    return SetView(profession, units, virtual, unit.set_size, gives, unit.tolerance, acted and bool(there))


def seat(
    at: int,
    units: Mapping[str, int],
    *,
    race: str | None = None,
    team: int | None = None,
    money: int = 17,
    cards: int = 5,
    playing: bool = True,
    used: tuple[str, ...] = (),
    acted: tuple[str, ...] = (),
    points: int = 0,
) -> SeatView:
    race = RACE_OF[at] if race is None else race
    powers = tuple(power.id for power in RACES[race].powers) if race else ()
    virtual = int("agriculture" in powers)
    sets = tuple(
        set_of(name, units.get(name, 0) if playing else 0, virtual if name == "farmers" else 0, name in acted)
        for name in PROFESSIONS
    )
    return SeatView(
        seat=at,
        colour=COLOURS[at].id,
        team=at if team is None else team,
        race=race,
        reconstructed=bool(race) and RACES[race].reconstructed,
        powers=powers,
        used=used,
        money=money if playing else 0,
        sets=sets,
        units=sum(units.values()) if playing else 0,
        cards=cards if playing else 0,
        points=points,
        playing=playing,
    )


def make(
    seats: int = 3,
    units: Sequence[Mapping[str, int]] = SOME,
    *,
    out: tuple[int, ...] = (),
    viewer: int | None = None,
    hand: Sequence[str] = (),
    phase: str = "play",
    active: int | None = 1,
    races: Sequence[str] = RACE_OF,
    area: Sequence[str] = AREA,
    attack: AttackView | None = None,
    demand: DemandView | None = None,
    draft: tuple[str, ...] = (),
    played: str = "",
    skills: tuple[str, ...] = (),
    harvest: bool = False,
    winners: tuple[int, ...] = (),
    victory: str = "",
    money: Sequence[int] = (20, 13, 31, 2),
) -> View:
    """A table; with four players there are two teams."""
    teams = seats == 4
    found = tuple(
        seat(
            at,
            units[at],
            race=races[at],
            team=at % 2 if teams else at,
            money=money[at % 2 if teams else at],
            cards=0 if phase == "draft" else len(hand) if at == viewer else 5,
            playing=at not in out,
            points=2 if at == active else 0,
        )
        for at in range(seats)
    )
    return View(
        viewer=viewer,
        teams=teams,
        phase=phase,
        round=4,
        first=None if phase == "draft" else 0,
        active=active,
        seats=found,
        area=cards(area),
        deck=41,
        discards=cards(HAND),
        hand=cards(hand),
        draft=draft,
        card=played,
        skills=skills,
        harvest=harvest,
        attack=attack,
        demand=demand,
        winners=winners,
        victory=victory,
    )


def raid(returned: tuple[str, ...] = ("soldiers", "hunters"), coins: int = 0, damage: int = 11) -> AttackView:
    """An attack of the second seat on the first, partly settled."""
    tolerance = sum(UNITS[unit].tolerance for unit in returned)
    return AttackView(1, 0, "knights", damage, returned, tolerance, coins, max(0, damage - tolerance - coins))


def drafting(seats: int = 3, viewer: int | None = 1) -> View:
    """Before the first turn."""
    races = ("dwarves", "orcs") if viewer is not None else ()
    money = (20,) * seats
    return make(
        seats,
        ({},) * seats,
        viewer=viewer,
        phase="draft",
        active=None,
        races=("",) * seats,
        area=(),
        draft=races,
        money=money,
    )


def crowded() -> View:
    """Four players with everything, an attack under way, all notes."""
    return make(
        4,
        (ALL,) * 4,
        races=("humans", "dwarves", "orcs", "dwarves"),
        attack=raid(("soldiers", "soldiers", "farmers"), 2, 15),
        played="double_knights",
        skills=("supply", "steal", "purchase"),
        harvest=True,
        money=(45, 44),
    )
