"""Setup: races, money, hands, seats, who begins."""

import pytest

from rules.engine.chance import Chance
from rules.engine.table import Table
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.components import RACES
from rules.throne_of_the_world.options import Options

from .helpers import ALL_CARDS, LETTERS, charge, totals


def start(seats: int, seed: int = 0, options: Options | None = None, wishes: tuple[str, ...] = ()) -> Table:
    return Table.start(RULES, options, seats=seats, secret=seed.to_bytes(32, "big"), wishes=wishes)[0]


def draft(table: Table) -> Table:
    """Everybody takes the first race."""
    for seat in list(table.asked):
        table.answer(seat, (table.asked[seat].options[0].id,))
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_01_two_races_each_chosen_together(seats: int) -> None:
    table = start(seats)
    assert sorted(table.asked) == list(range(seats))
    dealt = [table.view(seat).draft for seat in range(seats)]
    assert all(len(races) == 2 for races in dealt)
    assert len({race for races in dealt for race in races}) == 2 * seats
    assert all(question.private and question.key == "draft" for question in table.asked.values())
    table.answer(0, (dealt[0][1],))
    assert all(seat.race == "" for seat in table.view(0).seats), "nothing is shown before all have chosen"
    for seat in range(1, seats):
        table.answer(seat, (dealt[seat][0],))
    assert table.state.races == [dealt[0][1], *(races[0] for races in dealt[1:])]
    assert not any(table.state.drafts)


@pytest.mark.parametrize(("seats", "hands"), [(2, [3, 4]), (3, [3, 4, 5]), (4, [3, 4, 4, 5])])
def test_ruling_02_coins_hands_area_and_order(seats: int, hands: list[int]) -> None:
    firsts = {}
    for seed in range(20):
        s = draft(start(seats, seed)).state
        order = [(s.first + step) % seats for step in range(seats)]
        assert [sum(s.hands[seat].values()) for seat in order] == hands
        assert (len(s.area), set(s.money)) == (5, {20})
        assert totals(s) == ALL_CARDS
        firsts[s.first] = True
    assert len(firsts) == seats
    assert s.teams == ([0, 1, 0, 1] if seats == 4 else list(range(seats)))


def test_ruling_02_four_players_alternate() -> None:
    table = charge("", "", "", "")
    for seat in (0, 1, 2, 3):
        assert table.s.active == seat
        table(seat, *(("end",) if seat == 0 else ("recover",)))
        if table.asked(seat) == "discard":
            table(seat, "skip")
    assert table.s.active == 0
    assert table.s.round == 2


def test_ruling_03_the_bank_never_runs_out_and_team_mates_share_coins_only() -> None:
    game = charge("FFFF", "", "MMM", "", hands={0: ["double_farmers"], 2: ["steal"]}, money=26)
    game.play(0, "double_farmers")
    assert game.s.money == [44, 26]
    mate = game.table.view(2)
    assert [card.id for card in mate.hand] == ["steal"]
    assert mate.seats[0].cards == 1
    assert mate.seats[0].money == mate.seats[2].money == 44
    assert game.ids(0) == ["card", "end"]


def test_ruling_64_documented_races_only() -> None:
    documented = [race.id for race in RACES.values() if not race.reconstructed]
    assert documented == ["humans", "mermaids", "zergs", "dwarves"]
    options = Options(races="documented")
    two = start(2, options=options)
    assert all(len(two.view(seat).draft) == 2 for seat in (0, 1))
    for seats in (3, 4):
        s = start(seats, options=options).state
        assert s.phase == "mode", "there is nothing to choose"
        assert sorted(s.races) == sorted(set(s.races))
        assert set(s.races) <= set(documented)


def test_colours_are_granted_as_wished() -> None:
    assert start(3, wishes=("gold", "gold", "red")).state.colours[0] == "gold"
    assert start(3, wishes=("gold", "gold", "red")).state.colours[2] == "red"
    assert len(set(start(4).state.colours)) == 4


def test_the_letters_of_the_tests_are_all_professions() -> None:
    from rules.throne_of_the_world.components import PROFESSIONS

    assert tuple(LETTERS.values()) == PROFESSIONS
    assert Chance(b"x").below(1) == 0
