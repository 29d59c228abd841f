"""Hand-made views to draw from."""

from collections.abc import Iterable

from rules.struggle_for_the_throne import components
from rules.struggle_for_the_throne.views import (
    BattleView,
    CardView,
    CombatView,
    GroupView,
    HouseView,
    View,
)

HOUSES = tuple(house.id for house in components.HOUSES)
EDGE = (("E0", 1, 0), ("E1", 1, -1), ("E2", 0, -1), ("E3", -1, 0), ("E4", -1, 1), ("E5", 0, 1))
OUTER = (("F0", 2, -1), ("F3", -2, 1), ("F1", 1, -2), ("F4", -1, 2), ("F2", -1, -1), ("F5", 1, 1))
HOMES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
NAMES = {0: "Anna", 1: "Benjamin of the North", 2: "Χρήστος", 3: "дмитрий", 4: "🦊 Foxy", 5: "שלום עולם"} | {
    seat: f"Player {seat + 1}" for seat in range(6, 12)
}
FULL = {"thought_admiral": 1, "loyal_commander": 2, "commander": 3, "squadron": 3}
CARDS = (
    CardView("influence", "sneak_attack"),
    CardView("influence", "sneak_attack"),
    CardView("assassinate_commander", "cut_supply_lines"),
    CardView("steal_plans", "free_move"),
    CardView("emperor_dies", "emperor_dies"),
)


def home_tiles(seats: int) -> tuple[str, ...]:
    if seats <= 6:
        return tuple(f"E{k}" for k in HOMES[seats])
    return tuple(tile for tile, _, _ in (EDGE + OUTER)[:seats])


def make(
    seats: int = 4,
    groups: Iterable[GroupView] | None = None,
    *,
    out: tuple[int, ...] = (),
    alive: bool = True,
    viewer: int | None = None,
    hand: tuple[CardView, ...] = (),
    battle: BattleView | None = None,
    winner: int | None = None,
) -> View:
    """A table with these groups; at the start of the game when there are none."""
    homes = home_tiles(seats)
    if groups is None:
        groups = [GroupView(f"{homes[seat]}.c", seat, dict(FULL)) for seat in range(seats) if seat not in out]
    groups = tuple(groups)
    houses = []
    for seat in range(seats):
        mine = [g for g in groups if g.seat == seat]
        units = {rank: sum(g.units.get(rank, 0) for g in mine) for rank in FULL}
        head = next((rank for rank in FULL if units[rank]), "")
        at = next((g.planet for g in mine if head and g.units.get(head)), "")
        house = HOUSES[seat]
        houses.append(
            HouseView(
                seat, house, (f"{homes[seat]}.c",), head, at, 0 if seat in out else 5, 4, seat not in out, True, units
            )
        )
    return View(
        viewer=viewer,
        emperor_alive=alive,
        round=3,
        active=next((s for s in (1, *range(seats)) if s not in out), None),
        first=0,
        actions_left=2,
        tiles=(("C", 0, 0), *EDGE, *OUTER[: max(0, seats - 6)]),
        throne="C.c",
        houses=tuple(houses),
        groups=groups,
        hand=hand,
        discard=CARDS[:3],
        deck=41,
        squadron_supply=34,
        battle=battle,
        battles_begun=(),
        offers=(),
        winner=winner,
    )


def crowd(seats: int, planet: str = "C.c", squadrons: int = 20) -> list[GroupView]:
    """Everybody with everything on one planet."""
    return [GroupView(planet, seat, FULL | {"squadron": squadrons}) for seat in range(seats)]


def fight(resolved: int = 2) -> BattleView:
    """A battle of four pairs, the first ones resolved."""
    pairs = (
        CombatView("thought_admiral", "commander", "cut_supply_lines", "", (3,), (5,), 6, 1, 1),
        CombatView("squadron", "loyal_commander", "", "hold_hostages", (6,), (4,), 0, 5, 2),
        CombatView("commander", "squadron", "sneak_attack", ""),
        CombatView("squadron", "squadron"),
    )
    combats = tuple(
        pair
        if k < resolved
        else CombatView(pair.attacker_unit, pair.defender_unit, pair.attacker_card, pair.defender_card)
        for k, pair in enumerate(pairs)
    )
    return BattleView("E3.c", 1, 2, 5, combats)
