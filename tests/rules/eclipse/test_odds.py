"""Odds: against the reference figures, a plain solver that rolls every die by itself, and plain simulation."""

import json
import random
import time
from collections import Counter
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.__main__ import main
from rules.eclipse import RULES, odds
from rules.eclipse.dice import Die, Target, activation_order, allocate, least_roll
from rules.eclipse.odds import of_sides, of_texts, read_side
from rules.eclipse.ships import BLUEPRINTS, SIZE, Totals
from rules.eclipse.solver import Course, Squad, classes
from rules.engine.errors import Illegal

REFERENCE = {
    # computed independently twice: facts about the printed ships
    ("1 terran interceptor", "1 ancient"): 0.031142,
    ("3 terran interceptors", "1 ancient"): 0.465157,
    ("1 terran cruiser", "1 ancient"): 0.170287,
    ("2 terran cruisers", "2 ancients"): 0.085017,
    ("1 orion cruiser", "2 ancients"): 0.087534,
    ("1 terran dreadnought", "2 ancients"): 0.092949,
    ("2 orion dreadnoughts", "1 gcds"): 0.640218,
    ("2 terran interceptors", "1 terran cruiser"): 0.408721,
}
MISSILES = "{plasma_missile; ion_cannon; nuclear_source; nuclear_drive}"
SHIELDED = "{gauss_shield; hull; ion_cannon; nuclear_source; electron_computer; nuclear_drive}"
MIXED = "{ion_cannon; plasma_cannon; fusion_source; nuclear_drive; electron_computer; hull}"
BATTLES = [
    ("2 terran interceptor", "1 terran starbase, 1 terran interceptor"),
    ("1 terran interceptor, 1 terran cruiser", "2 ancient"),
    (f"2 terran interceptor{MISSILES}", "2 ancient"),
    (f"1 terran interceptor{MISSILES}", f"1 terran interceptor{MISSILES}, 1 terran starbase"),
    ("1 terran cruiser, 1 terran interceptor", f"1 eridani cruiser{SHIELDED}"),
    (f"1 mechanema cruiser{MIXED}", "1 orion cruiser, 1 orion interceptor"),
    (f"2 mechanema cruiser{MIXED}", f"1 terran cruiser{SHIELDED}, 1 terran starbase"),
    ("1 planta dreadnought", "1 draco cruiser, 1 draco interceptor"),
    ("1 hydran dreadnought, 1 hydran interceptor", "1 gcds"),
    ("1 terran interceptor{antimatter_cannon; fusion_source; nuclear_drive; plasma_missile}", "2 ancients"),
]


# An independent solver: every die by itself, ships one by one, the chances iterated until they stand still


class Plain:
    def __init__(self, sides: tuple[list[Squad], list[Squad]]) -> None:
        self.ships = [[(s.ship, s.totals) for s in side for _ in s.damage] for side in sides]
        self.order = activation_order([[(s.ship, s.totals) for s in side] for side in sides])
        self.types = [[(s.ship, s.totals) for s in side] for side in sides]

    def activate(self, state, at, missiles):  # type: ignore[no-untyped-def]
        """(state after, chance) for every outcome; a state is a tuple of damages for each side, -1 for a wreck."""
        side, n = self.order[at]
        mine = [k for k, ship in enumerate(self.ships[side]) if ship is not None and ship == self.types[side][n]]
        weapons = self.types[side][n][1].missiles if missiles else self.types[side][n][1].cannons
        dice = [d for k in mine if state[side][k] >= 0 for d in weapons]
        if not dice:
            return [(state, 1.0)]
        return self.rolls(side, self.types[side][n][1].computer, tuple(sorted(dice)), state)

    @cache  # noqa: B019
    def rolls(self, side, computer, dice, state):  # type: ignore[no-untyped-def]
        found: Counter = Counter()  # type: ignore[type-arg]
        for rolls in product(range(1, 7), repeat=len(dice)):
            after = self.hit(side, computer, [Die(r, d) for r, d in zip(rolls, dice, strict=True)], state)
            found[after] += 1 / 6 ** len(dice)
        return list(found.items())

    def hit(self, side, computer, dice, state):  # type: ignore[no-untyped-def]
        foes, damages = self.ships[1 - side], list(state[1 - side])
        alive = [k for k, damage in enumerate(damages) if damage >= 0]
        targets = [
            Target(foes[k][0], least_roll(computer, foes[k][1].shield), foes[k][1].hull - damages[k] + 1, damages[k])
            for k in alive
        ]
        for die, target in zip(dice, allocate(dice, targets), strict=True):
            if target is not None:
                damages[alive[target]] += die.damage
        for k in alive:
            if damages[k] > foes[k][1].hull:
                damages[k] = -1
        return (state[0], tuple(damages)) if side == 0 else (tuple(damages), state[1])

    def chance(self) -> float:
        start = tuple(tuple(0 for _ in side) for side in self.ships)
        now: Counter = Counter({start: 1.0})  # type: ignore[type-arg]
        won, open_ = 0.0, 1.0
        for round_ in range(3000):
            for at in range(len(self.order)):
                following: Counter = Counter()  # type: ignore[type-arg]
                for state, chance in now.items():
                    for after, part in self.activate(state, at, missiles=round_ == 0):
                        following[after] += chance * part
                now = Counter()
                for state, chance in following.items():
                    attackers, defenders = (any(d >= 0 for d in side) for side in state)
                    if attackers and defenders:
                        now[state] += chance
                    elif attackers:
                        won += chance
            open_ = sum(now.values())
            if open_ < 1e-10:
                break
        return won


def test_combat_reference() -> None:
    for (attacker, defender), expected in REFERENCE.items():
        found = of_texts(attacker, defender)
        assert found.exact
        assert found.error == 0
        assert found.attacker_wins == pytest.approx(expected, abs=1e-6)
        assert found.attacker_wins + found.defender_wins == pytest.approx(1)


@pytest.mark.parametrize(("attacker", "defender"), [*list(REFERENCE)[:6], *BATTLES])
def test_exact_odds_equal_those_of_a_plain_solver(attacker: str, defender: str) -> None:
    sides = read_side(attacker), read_side(defender)
    assert of_sides(*sides).attacker_wins == pytest.approx(Plain(sides).chance(), abs=1e-8)


SOME_SHIPS = [
    "terran interceptor", "terran cruiser", "terran starbase", "orion interceptor", "orion starbase",
    f"terran interceptor{MISSILES}", f"terran cruiser{SHIELDED}", f"mechanema cruiser{MIXED}", "ancient",
]  # fmt: skip


some_side = st.lists(
    st.sampled_from(SOME_SHIPS), min_size=1, max_size=2, unique_by=lambda text: text.split("{")[0].split()[-1]
)


@settings(max_examples=25, deadline=None)
@given(some_side, some_side)
def test_exact_odds_equal_those_of_a_plain_solver_for_any_ships(attacker: list[str], defender: list[str]) -> None:
    sides = read_side(",".join(attacker)), read_side(",".join(defender))
    assert of_sides(*sides).attacker_wins == pytest.approx(Plain(sides).chance(), abs=1e-7)


# Plain simulation, ship by ship


def simulate(sides: tuple[list[Squad], list[Squad]], n: int) -> float:
    chance = random.Random(20110101)
    order = activation_order([[(s.ship, s.totals) for s in side] for side in sides])

    def battle() -> bool:
        fleets = [[[squad, damage] for squad in side for damage in squad.damage] for side in sides]
        missiles = True
        while True:
            for side, k in order:
                squad = sides[side][k]
                weapons = squad.totals.missiles if missiles else squad.totals.cannons
                dice = [Die(chance.randint(1, 6), d) for ship in fleets[side] if ship[0] is squad for d in weapons]
                foes = fleets[1 - side]
                targets = [
                    Target(f.ship, least_roll(squad.totals.computer, f.totals.shield), f.totals.hull - hurt + 1, hurt)
                    for f, hurt in foes
                ]
                for die, target in zip(dice, allocate(dice, targets), strict=True):
                    if target is not None:
                        foes[target][1] += die.damage
                fleets[1 - side] = [ship for ship in foes if ship[1] <= ship[0].totals.hull]
                if not fleets[1 - side]:
                    return side == 0
            missiles = False

    return sum(battle() for _ in range(n)) / n


LARGE = [
    (
        "4 terran cruiser{improved_hull; plasma_cannon; antimatter_cannon; tachyon_source; ion_turret; nuclear_drive}",
        "2 terran dreadnought{improved_hull; improved_hull; phase_shield; plasma_cannon; tachyon_source; plasma_cannon;"
        "gluon_computer; fusion_drive}",
    ),
    (
        "2 terran cruiser{improved_hull; plasma_cannon; antimatter_cannon; tachyon_source; ion_cannon; nuclear_drive},"
        "2 terran interceptor{plasma_missile; plasma_missile; nuclear_source; nuclear_drive}",
        "1 orion dreadnought, 1 orion starbase{phase_shield; plasma_cannon; hull; hull; electron_computer}",
    ),
    ("3 planta cruiser, 1 planta dreadnought", "1 gcds"),
]


@pytest.mark.parametrize(("attacker", "defender"), LARGE)
def test_four_against_two_is_exact_in_time_and_as_simulated(attacker: str, defender: str) -> None:
    begun = time.process_time()
    found = of_texts(attacker, defender)
    assert time.process_time() - begun < 0.2
    assert found.exact
    simulated = simulate((read_side(attacker), read_side(defender)), 4000)
    assert found.attacker_wins == pytest.approx(simulated, abs=5 * (0.25 / 4000) ** 0.5)


def test_dice_that_change_nothing_are_not_told_apart() -> None:
    """The dice of four such Cruisers may fall in 10,125 ways each time, of which few make a difference."""
    attacker = "4 terran cruiser{hypergrid_source; nuclear_drive; plasma_cannon; gluon_computer; antimatter_cannon; ion_turret}"
    defender = (
        "1 terran starbase{tachyon_source; antimatter_cannon; hull; hull; gauss_shield}, 1 terran dreadnought"
        "{tachyon_source; nuclear_drive; plasma_cannon; antimatter_cannon; shard_hull; hull; plasma_missile; phase_shield}"
    )
    found = of_texts(attacker, defender, limit=60_000)
    assert found.exact
    assert found.attacker_wins == pytest.approx(0.9926427942948655, abs=1e-12)  # as with all ways told apart


def test_what_is_too_large_is_sampled_with_its_error_and_always_alike() -> None:
    attacker, defender = LARGE[1]
    exact, sampled = of_texts(attacker, defender), of_texts(attacker, defender, limit=50)
    assert not sampled.exact
    assert 0 < sampled.error < 0.006
    assert sampled.attacker_wins == pytest.approx(exact.attacker_wins, abs=5 * sampled.error)
    assert sampled == of_texts(attacker, defender, limit=50)
    stalemate = "1 terran interceptor{nuclear_source; nuclear_drive; plasma_missile}"
    assert of_texts(stalemate, "1 terran starbase{hull; hull}", limit=1).attacker_wins == pytest.approx(
        of_texts(stalemate, "1 terran starbase{hull; hull}").attacker_wins, abs=0.03
    )


def test_what_goes_too_deep_is_sampled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "BATTLES", 1)
    hulls = "; ".join(["shard_hull"] * 5)
    lasting = f"21 orion dreadnought{{{hulls}; ion_cannon; conformal_drive; nuclear_source}}"
    assert not of_texts(lasting, lasting, limit=2_000_000).exact


# What the odds count


def test_ruling_76_ties_go_to_the_defender() -> None:
    """Two Interceptors that kill with their first hit: whoever shoots first has the better chance."""
    found = of_texts("1 terran interceptor", "1 terran interceptor")
    assert found.defender_wins == pytest.approx((1 / 6) / (1 - 25 / 36))


def test_ruling_76_ties_within_a_side_go_to_the_smaller_type() -> None:
    sides = read_side("1 terran dreadnought, 1 planta interceptor, 1 planta cruiser"), read_side("1 planta starbase")
    order = activation_order([[(s.ship, s.totals) for s in side] for side in sides])
    assert [sides[side][n].ship for side, n in order] == ["starbase", "interceptor", "cruiser", "dreadnought"]


def test_ruling_84_a_stalemate_is_lost_by_the_attacker() -> None:
    unarmed = "1 terran interceptor{nuclear_source; nuclear_drive}"
    assert of_texts(unarmed, "1 terran starbase{hull}").attacker_wins == 0
    missiles = "1 terran interceptor{plasma_missile; nuclear_drive; nuclear_source}"
    assert of_texts(missiles, "1 terran starbase{hull}").attacker_wins == pytest.approx(1 - (5 / 6) ** 2)


def test_chances_are_never_beyond_certainty() -> None:
    for winner in ("interceptor", "cruiser", "starbase"):
        found = of_texts(f"1 terran {winner}", "1 terran starbase{hull}")
        assert found.attacker_wins == pytest.approx(1)
        assert found.attacker_wins <= 1
        assert found.defender_wins >= 0


def test_ruling_77_missiles_are_fired_once_and_by_initiative() -> None:
    armed = "1 terran interceptor{plasma_missile; nuclear_drive; nuclear_source}"
    slow = "1 planta interceptor{plasma_missile; nuclear_drive; nuclear_source}"
    hits, hits_better = 1 - (5 / 6) ** 2, 1 - (4 / 6) ** 2
    assert of_texts(armed, slow).attacker_wins == pytest.approx(hits)
    assert of_texts(slow, armed).attacker_wins == pytest.approx((1 - hits) * hits_better)


def test_ruling_75_damage_carried_over_counts() -> None:
    attacker, ancient = read_side("1 terran cruiser"), read_side("1 ancient")
    hurt = [ancient[0]._replace(damage=(1,))]
    assert of_sides(attacker, hurt).attacker_wins > of_sides(attacker, ancient).attacker_wins


def test_a_battle_under_way_goes_on_from_the_next_activation() -> None:
    sides = read_side("1 terran interceptor"), read_side("1 terran interceptor")
    fresh = of_sides(*sides).attacker_wins
    assert of_sides(*sides, at=1, missiles=False).attacker_wins == pytest.approx(1 - fresh)
    assert of_sides(*sides, at=0, missiles=False).attacker_wins == pytest.approx(fresh)


def test_ships_that_announced_their_retreat_leave_and_do_not_shoot() -> None:
    attacker, defender = read_side("2 terran cruiser, 1 terran interceptor"), read_side("1 ancient")
    leaving = [attacker[0]._replace(retreating=True), attacker[1]._replace(retreating=True)]
    assert of_sides(leaving, defender, missiles=False).attacker_wins == 0
    half = [attacker[0]._replace(retreating=True), attacker[1]]
    alone = of_sides(attacker[1:], defender, missiles=False).attacker_wins
    assert alone < of_sides(half, defender, missiles=False).attacker_wins < of_sides(attacker, defender).attacker_wins


# The rule for Ancients (ruling 80)


def shoot(dice: list[tuple[int, int]], targets: list[tuple[str, int, int, int]]) -> list[int | None]:
    return allocate([Die(*die) for die in dice], [Target(*target) for target in targets])


def test_ruling_80_the_example_of_the_rulebook() -> None:
    """Two hits against a Dreadnought that neither destroys and an Interceptor: one for each."""
    assert sorted(shoot([(5, 1), (6, 1)], [("dreadnought", 5, 3, 0), ("interceptor", 5, 1, 0)])) == [0, 1]


def test_ruling_80_the_largest_that_can_be_destroyed_comes_first() -> None:
    sizes = ["interceptor", "starbase", "cruiser", "dreadnought"]
    for n in range(1, 4):
        assert shoot([(6, 1)], [(ship, 4, 1, 0) for ship in sizes[: n + 1]]) == [n]


def test_ruling_80_within_a_type_the_most_damaged_comes_first() -> None:
    assert shoot([(6, 1), (6, 1)], [("cruiser", 4, 2, 0), ("cruiser", 4, 1, 1)]) == [1, 0]
    assert shoot([(6, 1)], [("cruiser", 4, 5, 0), ("cruiser", 4, 3, 2)]) == [1]


def test_ruling_80_the_least_total_damage_is_spent() -> None:
    assert shoot([(6, 4), (6, 2), (6, 1)], [("cruiser", 4, 2, 0), ("interceptor", 4, 3, 0)]) == [1, 0, None]
    assert shoot([(6, 4), (6, 1), (6, 1)], [("cruiser", 4, 2, 0), ("interceptor", 4, 4, 0)]) == [1, 0, 0]


def test_ruling_80_on_equal_totals_the_smaller_dice_are_spent() -> None:
    assert shoot([(6, 2), (6, 1), (6, 1)], [("cruiser", 4, 2, 0), ("interceptor", 4, 2, 0)]) == [1, 0, 0]


def test_ruling_80_the_lowest_rolls_of_a_colour_are_spent() -> None:
    """The 5 is enough for the Cruiser; only the 6 hits the shielded Interceptor."""
    assert shoot([(6, 1), (5, 1)], [("cruiser", 5, 1, 0), ("interceptor", 6, 1, 0)]) == [1, 0]


def test_ruling_80_what_destroys_nothing_goes_to_the_largest_it_hits() -> None:
    targets = [("dreadnought", 6, 9, 0), ("cruiser", 4, 9, 0)]
    assert shoot([(4, 1), (6, 2), (3, 4)], targets) == [1, 0, None]


def test_ruling_78_a_6_hits_a_1_misses() -> None:
    assert least_roll(0, 0) == 6
    assert least_roll(9, 0) == 2
    assert least_roll(0, 9) == 6
    assert least_roll(3, 1) == 4


def totals_with(hull: int, shield: int) -> Totals:
    return Totals(0, 0, shield, hull, 0, 0, 0, (), ())


@given(
    dice=st.lists(st.tuples(st.integers(1, 6), st.sampled_from((1, 2, 4))), max_size=7),
    ships=st.lists(
        st.tuples(st.sampled_from(list(SIZE)[:4]), st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)),
        min_size=1, max_size=3, unique_by=lambda ship: ship[0],
    ),
    count=st.integers(1, 2),
    computer=st.integers(0, 4),
)  # fmt: skip
def test_the_solver_assigns_by_the_same_rule(
    dice: list[tuple[int, int]], ships: list[tuple[str, int, int, int]], count: int, computer: int
) -> None:
    squads = [
        Squad(ship, totals_with(hull, shield), tuple(sorted((min(hurt, hull), *[0] * (count - 1)), reverse=True)))
        for ship, hull, shield, hurt in ships
    ]
    needed = tuple(least_roll(computer, squad.totals.shield) for squad in squads)
    flat = [(n, hurt) for n, squad in enumerate(squads) for hurt in squad.damage]
    targets = [Target(squads[n].ship, needed[n], squads[n].totals.hull - hurt + 1, hurt) for n, hurt in flat]
    hurts = [hurt for _, hurt in flat]
    for die, target in zip(dice, shoot(dice, [tuple(t) for t in targets]), strict=True):  # type: ignore[misc]
        if target is not None:
            hurts[target] += die[1]
    left = tuple(
        tuple(
            sorted(
                (h for (k, _), h in zip(flat, hurts, strict=True) if k == n and h <= squad.totals.hull), reverse=True
            )
        )
        for n, squad in enumerate(squads)
    )
    course = Course(((), squads), ())
    enemy = course.start()[1]
    least = classes(needed, enemy)
    bounds = [*least, 7]
    hits = tuple(
        tuple(sum(low <= roll < high and d == damage for roll, d in dice) for low, high in pairwise(bounds))
        for damage in (1, 2, 4)
    )
    assert course.damaged(1, enemy, needed, least, hits) == left


# The written form


@pytest.mark.parametrize(
    ("text", "ships"),
    [
        ("2 terran cruiser", [("cruiser", 2)]),
        ("2 Terran Cruisers, 1 terran union starbase", [("cruiser", 2), ("starbase", 1)]),
        ("ancient", [("ancient", 1)]),
        (" 2 x\tterran\n cruisers {ion_cannon;nuclear source;\n nuclear-drive;} ", [("cruiser", 2)]),
        ("1 terran cruiser, 2 terran cruiser", [("cruiser", 3)]),
        ("2 ancients,1 gcds", [("ancient", 2), ("gcds", 1)]),
        ("1 descendants_of_draco dreadnought", [("dreadnought", 1)]),
        ("3 orion interceptor{Ion Cannon; nuclear source;nuclear_drive}", [("interceptor", 3)]),
    ],
)
def test_sides_are_read(text: str, ships: list[tuple[str, int]]) -> None:
    assert [(squad.ship, len(squad.damage)) for squad in read_side(text)] == ships


def test_braces_replace_the_squares_and_leave_the_bonus() -> None:
    [squad] = read_side("1 orion interceptor{nuclear_drive; nuclear_source}")
    assert (squad.totals.initiative, squad.totals.shield, squad.totals.production) == (4, 0, 4)
    assert squad.totals.cannons == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "odds.not_a_squad"),
        ("2 terran cruiser,", "odds.not_a_squad"),
        ("two + two", "odds.not_a_squad"),
        ("0 ancient", "odds.count"),
        ("22 ancient", "odds.count"),
        ("1 terran carrier", "odds.no_ship"),
        ("1 cruiser", "odds.no_species"),
        ("1 terran cruiser, 1 orion cruiser", "odds.two_blueprints"),
        ("1 klingon cruiser", "odds.no_species"),
        ("1 terran ancient", "odds.no_blueprint"),
        ("1 ancient{hull}", "odds.no_blueprint"),
        ("1 terran cruiser{warp_core}", "odds.no_part"),
        ("1 terran starbase{hull; hull; hull; hull; hull; hull}", "odds.squares"),
        ("1 terran starbase{nuclear_drive}", "blueprint.drive"),
        ("1 terran cruiser{hull}", "blueprint.no_drive"),
        ("1 terran cruiser{nuclear_drive; antimatter_cannon; nuclear_source}", "blueprint.energy"),
    ],
)
def test_wrong_sides_are_refused(text: str, reason: str) -> None:
    with pytest.raises(Illegal) as refusal:
        read_side(text)
    assert refusal.value.key == reason


def test_all_species_can_be_named() -> None:
    for species in BLUEPRINTS:
        assert len(read_side(f"1 {species} cruiser, 1 {species.split('_')[0]} interceptor")) == 2


# The command


def command(*arguments: str) -> int:
    return main(["odds", *arguments])


def test_the_command_prints_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("eclipse", "--attacker", "2 terran cruiser", "--defender", "1 ancient") == 0
    assert capsys.readouterr().out == "attacker wins 66.7995%, defender wins 33.2005% (exact)\n"


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("eclipse", "--attacker", "1 terran cruiser", "--defender", "1 ancient", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["attacker_wins", "defender_wins", "exact", "error", "seconds"]
    assert found["attacker_wins"] == pytest.approx(0.170287, abs=1e-6)
    assert (found["exact"], found["error"]) == (True, 0)


def test_the_command_refuses_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("eclipse", "--attacker", "1 terran cruiser{hull}", "--defender", "1 ancient") != 0
    assert "Cruiser: it needs a drive." in capsys.readouterr().err
    assert command("throne_of_the_world", "--attacker", "1", "--defender", "1") != 0
    assert "no odds" in capsys.readouterr().err
    assert command("chess", "--attacker", "1", "--defender", "1") != 0


def test_every_refusal_has_words() -> None:
    for key in ("odds.not_a_squad", "odds.count", "odds.no_ship", "odds.no_species", "odds.no_blueprint", "odds.no_part",
                "odds.squares", "odds.two_blueprints", "blueprint.energy", "blueprint.drive", "blueprint.no_drive"):  # fmt: skip
        assert key in RULES.words
