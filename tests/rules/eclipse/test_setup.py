"""Setup and components."""

import pytest

from rules.eclipse import RULES
from rules.eclipse.components import COLOURS, PLAYERS, RESOURCES, SPECIES, TECHNOLOGIES
from rules.eclipse.hexes import CENTRE, edges, neighbours, opposite, start_places
from rules.eclipse.options import Options
from rules.eclipse.state import State, fleet, unused
from rules.engine.table import Table

from .helpers import DIRECTORATE, DRACO, ERIDANI, HYDRAN, ORION, PLANTA, UNION, home, position


def begun(seats: int, seed: int = 1, wishes: tuple[str, ...] = (), **options: str) -> Table:
    """A game in which species are to be chosen."""
    return Table.start(RULES, Options(**options), seats=seats, secret=bytes([seed]) * 32, wishes=wishes)[0]  # type: ignore[arg-type]


def chosen(table: Table, pick: int = 0) -> list[int]:
    """Let everybody choose the option at this index; the seats in the order asked."""
    order = []
    while table.state.phase == "beginning":
        (seat,) = table.asked
        order.append(seat)
        options = table.asked[seat].options
        table.answer(seat, (options[min(pick, len(options) - 1)].id,))
    return order


@pytest.mark.parametrize("seats", range(2, 7))
def test_ruling_01_what_depends_on_the_number_of_players(seats: int) -> None:
    table = begun(seats)
    s: State = table.state
    numbers = {2: (12, 5), 3: (14, 10), 4: (16, 14), 5: (18, 16), 6: (20, 18)}[seats]
    assert (sum(s.supply.values()), len(s.stacks["III"].pile)) == numbers
    assert (len(s.stacks["I"].pile), len(s.stacks["II"].pile)) == (8, 11)
    assert sum(s.supply.values()) + len(s.bag) == sum(one.tiles for one in TECHNOLOGIES.values()) == 96
    assert (len(s.discoveries), len(s.reputation)) == (21, 32)
    chosen(table)
    for seat, (place, rotation) in enumerate(start_places(seats)):
        hex_ = table.state.hexes[place]
        assert (hex_.disc, hex_.rotation) == (seat, rotation)
        inwards = next(edge for edge, at in enumerate(neighbours(place)) if CENTRE in neighbours(at))
        assert edges(hex_.number, rotation)[inwards]
        assert edges(hex_.number, rotation)[opposite(inwards)]


def test_ruling_01_spots_in_clockwise_order() -> None:
    for seats, players in PLAYERS.items():
        directions = [start.direction for start in players.starts]
        assert len(directions) == seats
        assert directions == sorted(directions)


@pytest.mark.parametrize("seed", range(3))
def test_ruling_02_the_order_of_choosing(seed: int) -> None:
    table = begun(4, seed, species="terrans")
    first = table.state.start
    assert chosen(table) == [(first + n) % 4 for n in range(4)]
    table = begun(4, seed)
    first = table.state.start
    assert chosen(table) == [(first - 1 - n) % 4 for n in range(4)]
    assert {begun(4, n).state.start for n in range(30)} == {0, 1, 2, 3}


def test_ruling_02_one_side_of_a_board_shuts_out_the_other() -> None:
    table = begun(6)
    taken: list[str] = []
    while table.state.phase == "beginning":
        (seat,) = table.asked
        ids = [option.id for option in table.asked[seat].options]
        assert not {SPECIES[id].colour for id in ids} & set(taken)
        assert len(ids) == 2 * (6 - len(taken))
        table.answer(seat, (ids[-1],))
        taken.append(SPECIES[ids[-1]].colour)


def test_ruling_02_colours() -> None:
    table = begun(3, wishes=("green", "", "green"))
    assert table.state.boards[0].colour == "green"
    while table.state.phase == "beginning":
        (seat,) = table.asked
        own = table.state.boards[seat].colour
        first, second, third = table.asked[seat].options[:3]
        assert SPECIES[first.id].colour == SPECIES[second.id].colour == own != SPECIES[third.id].colour
        others = [board.colour for at, board in enumerate(table.state.boards) if at != seat]
        taken = [option.id for option in table.asked[seat].options if SPECIES[option.id].colour in others]
        table.answer(seat, ((taken or [first.id])[0],))
        assert len({board.colour for board in table.state.boards}) == 3, "who wished for it gets the other colour"
    for board in table.state.boards:
        assert board.colour == SPECIES[board.species].colour


def test_ruling_02_species_dealt_by_chance_keep_the_colour_wished_for() -> None:
    seen = set()
    for seed in range(12):
        table = begun(6, seed, wishes=("red",), choice="random")
        assert table.state.phase == "action"
        assert len({board.species for board in table.state.boards}) == 6
        assert table.state.boards[0].colour == "red"
        seen.add(table.state.boards[0].species)
    assert seen == {DIRECTORATE, ERIDANI}


def test_terrans_only() -> None:
    table = begun(6, species="terrans")
    chosen(table)
    assert {SPECIES[board.species].kind for board in table.state.boards} == {"terran"}


def test_ruling_04_discs_in_reserve() -> None:
    s = position(DIRECTORATE, ERIDANI)
    assert [(board.discs, board.reserve) for board in s.boards] == [(12, 3), (10, 3)]


def test_ruling_05_starting_cubes() -> None:
    s = position(DIRECTORATE, HYDRAN, ORION)
    assert [s.hexes[home(s, seat)].cubes for seat in range(3)] == [[0, 2, 4], [0, 1, 2], [1, 2]]
    assert [[board.tracks[kind] for kind in RESOURCES] for board in s.boards] == [
        [10, 10, 10],
        [10, 9, 11],
        [11, 10, 10],
    ]


def test_ruling_06_eridani_begin_with_two_reputation_tiles() -> None:
    s = position(ERIDANI, UNION)
    assert len(s.boards[0].reputation) == 2
    assert len(s.reputation) == 30
    assert s.boards[1].reputation == []


def test_starting_ships_and_storage() -> None:
    s = position(ORION, PLANTA)
    assert fleet(s.hexes[home(s, 0)], 0) == {"cruiser": 1}
    assert fleet(s.hexes[home(s, 1)], 1) == {"interceptor": 1}
    assert s.boards[0].storage == {"money": 3, "science": 3, "materials": 5}
    assert (s.boards[0].colony_ships, s.boards[1].colony_ships) == (3, 4)
    assert s.boards[0].technologies == ["neutron_bombs", "gauss_shield"]
    assert unused(s, 0, "cruiser") == 3


def test_ruling_07_only_the_owner_knows_reputation_tiles() -> None:
    s = position(ERIDANI, UNION)
    own, other, nobody = (RULES.view(s, viewer) for viewer in (0, 1, None))
    assert own.hand == tuple(s.boards[0].reputation)
    assert [slot.value for slot in own.seats[0].slots if slot.holds] == sorted(own.hand, reverse=True)
    for view in (other, nobody):
        assert view.hand == ()
        assert view.seats[0].reputation == 2
        assert [slot.value for slot in view.seats[0].slots if slot.holds] == [None, None]
        assert "reputation" not in dict(view.seats[0].points)
    s.phase = "over"
    assert dict(RULES.view(s, 1).seats[0].points)["reputation"] == sum(own.hand)


def test_ruling_09_two_players_may_leave_out_two_species() -> None:
    table = begun(2, species="no_draco_planta")
    (seat,) = table.asked
    ids = [option.id for option in table.asked[seat].options]
    assert len(ids) == 10
    assert not {DRACO, PLANTA} & set(ids)


def test_colours_are_those_of_the_boards() -> None:
    assert {species.colour for species in SPECIES.values()} == {colour.id for colour in COLOURS}
