"""The components: numbers, board, table."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from rules.struggle_for_the_throne import RULES, components
from rules.struggle_for_the_throne.components import (
    BOARD,
    CARDS,
    COUNTERS,
    ENDS,
    GREAT_BOARD,
    HOUSES,
    RANKS,
    UNITS,
    home_tiles,
    influence_result,
)


def test_every_entry_has_its_source() -> None:
    for path in sorted((Path(components.__file__).parent / "data").glob("*.toml")):
        tables = [
            entry for value in tomllib.loads(path.read_text()).values() if isinstance(value, list) for entry in value
        ]
        assert tables
        for entry in tables:
            assert entry["source"] in ("rulebook", "reconstructed"), (path.name, entry)


def test_76_cards_and_their_ends_agree() -> None:
    assert sum(card.count for card in CARDS.values()) == 76
    alive, dead = Counter[str](), Counter[str]()
    for card in CARDS.values():
        alive[card.alive] += card.count
        dead[card.dead] += card.count
    for end in ENDS.values():
        assert (alive[end.id], dead[end.id]) == (end.alive, end.dead), end.id
    assert set(alive) | set(dead) == set(ENDS)


@pytest.mark.parametrize(
    ("end", "alive", "dead"),
    [
        ("assassinate_commander", 8, 4),
        ("bribe_commander", 8, 8),
        ("sabotage_squadron", 4, 4),
        ("steal_plans", 2, 0),
        ("plant_spy", 4, 0),
        ("ambush", 8, 8),
        ("influence", 25, 0),
        ("emperor_dies", 1, 1),
        ("free_move", 0, 6),
        ("cut_supply_lines", 0, 4),
        ("sneak_attack", 0, 9),
        ("build_squadron", 0, 7),
    ],
)
def test_card_list_of_the_rulebook(end: str, alive: int, dead: int) -> None:
    assert (ENDS[end].alive, ENDS[end].dead) == (alive, dead)


def test_counters() -> None:
    assert COUNTERS == {"assassinate_commander": "catch_assassin", "bribe_commander": "outbid_bribe"}


def test_battle_cards() -> None:
    bonuses = {end.id: (end.combat_side, end.combat_bonus) for end in ENDS.values() if end.combat_bonus}
    assert bonuses == {
        "sneak_attack": ("attacker", 1),
        "ambush": ("attacker", 2),
        "cut_supply_lines": ("attacker", 3),
        "jam_communications": ("defender", 1),
        "use_asteroid_maps": ("defender", 2),
        "hold_hostages": ("defender", 3),
    }


def test_88_units() -> None:
    assert [unit.total for unit in UNITS] == [6, 12, 18, 52]
    assert [unit.per_set for unit in UNITS] == [1, 2, 3, 3]
    assert [unit.bonus for unit in UNITS] == [3, 2, 1, 0]
    assert RANKS == ("thought_admiral", "loyal_commander", "commander", "squadron")


def test_degrees_of_the_board() -> None:
    assert len(BOARD.tiles) == 7
    assert len(BOARD.planets) == 49
    assert Counter(map(len, BOARD.adjacent.values())) == {6: 7, 4: 24, 3: 18}
    assert len(GREAT_BOARD.planets) == 91


@pytest.mark.parametrize("board", [BOARD, GREAT_BOARD])
def test_adjacency_goes_both_ways_and_reaches_everything(board) -> None:
    for planet, neighbours in board.adjacent.items():
        assert len(set(neighbours)) == len(neighbours)
        for neighbour in neighbours:
            assert planet in board.adjacent[neighbour]
    assert len(board.distances("C.c")) == len(board.planets)


def test_tiles_touch_by_one_pair_of_planets() -> None:
    crossing = [
        (planet, other)
        for planet, neighbours in BOARD.adjacent.items()
        for other in neighbours
        if planet.partition(".")[0] < other.partition(".")[0]
    ]
    assert len(crossing) == 12
    assert ("C.0", "E0.3") in crossing


@pytest.mark.parametrize(
    ("players", "tiles"),
    [
        (2, "E0 E3"),
        (3, "E0 E2 E4"),
        (4, "E0 E1 E3 E4"),
        (5, "E0 E1 E2 E3 E4"),
        (6, "E0 E1 E2 E3 E4 E5"),
        (7, "E0 E1 E2 E3 E4 E5 F0"),
        (12, "E0 E1 E2 E3 E4 E5 F0 F3 F1 F4 F2 F5"),
    ],
)
def test_homes_by_players(players: int, tiles: str) -> None:
    assert home_tiles(players, 1) == tuple(tiles.split())


@pytest.mark.parametrize(
    ("roll", "values"),
    [
        (2, [-7, -6, -5, -4, -3, -2, -1, -1, -1, 0]),
        (3, [-6, -5, -4, -3, -2, -1, -1, -1, 0, 0]),
        (4, [-5, -4, -3, -2, -1, -1, -1, 0, 0, 0]),
        (5, [-4, -3, -2, -1, -1, -1, 0, 0, 0, 0]),
        (6, [-3, -2, -1, -1, -1, 0, 0, 0, 0, 1]),
        (7, [-2, -1, -1, -1, 0, 0, 0, 0, 1, 1]),
        (8, [-1, -1, -1, 0, 0, 0, 0, 1, 1, 1]),
        (9, [-1, -1, 0, 0, 0, 0, 1, 1, 1, 2]),
        (10, [-1, 0, 0, 0, 0, 1, 1, 1, 2, 3]),
        (11, [0, 0, 0, 0, 1, 1, 1, 2, 3, 4]),
        (12, [0, 0, 0, 1, 1, 1, 2, 3, 4, 5]),
    ],
)
def test_influence_table(roll: int, values: list[int]) -> None:
    assert [influence_result(roll, column) for column in range(-4, 6)] == values


@pytest.mark.parametrize(
    ("column", "mean"),
    [
        (-4, -2.47),
        (-3, -1.81),
        (-2, -1.28),
        (-1, -0.83),
        (0, -0.44),
        (1, -0.14),
        (2, 0.14),
        (3, 0.44),
        (4, 0.83),
        (5, 1.28),
    ],
)
def test_mean_influence(column: int, mean: float) -> None:
    results = [influence_result(a + b, column) for a in range(1, 7) for b in range(1, 7)]
    assert sum(results) / 36 == pytest.approx(mean, abs=0.006)


def test_own_favour_loses_three_and_gains_five_at_most() -> None:
    results = [influence_result(roll, column) for roll in range(2, 13) for column in range(6)]
    assert (min(results), max(results)) == (-3, 5)


def test_twelve_houses_differ() -> None:
    assert len({house.id for house in HOUSES}) == len({house.rgb for house in HOUSES}) == 12
    assert [house.source for house in HOUSES] == ["rulebook"] * 6 + ["reconstructed"] * 6
    assert all(f"colour.{colour.id}" in RULES.words for colour in RULES.colours)
