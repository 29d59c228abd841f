"""Explore."""

from rules.eclipse import explore
from rules.eclipse.state import State, add_ship, remove_ship
from rules.engine.pile import Pile

from .helpers import DIRECTORATE, DRACO, PLANTA, UNION, Played, home, position, put, step, turned

NORTH, NORTH_EAST, SOUTH, SOUTH_WEST = "0,-3", "1,-3", "0,-1", "-1,-1"
"""The spaces at the wormholes of seat 0's start hex."""


def galaxy(*species: str, **stacks: tuple[str, ...]) -> State:
    """Seat 0 to move, nobody with colony ships, and these tiles in the stacks named."""
    s = position(*species)
    for board in s.boards:
        board.used_ships, board.colony_ships = board.colony_ships, 0
    for ring, tiles in stacks.items():
        s.stacks[ring].pile = Pile.of(tiles)
    return s


def test_ruling_23_spaces_at_a_wormhole_of_an_own_hex() -> None:
    s = galaxy(DIRECTORATE, UNION)
    assert sorted(explore.spaces(s, 0)) == sorted([NORTH, NORTH_EAST, SOUTH, SOUTH_WEST])
    s.boards[0].technologies.append("wormhole_generator")
    assert len(explore.spaces(s, 0)) == 6


def test_ruling_23_from_ships_that_are_not_pinned() -> None:
    s = galaxy(DIRECTORATE, UNION)
    put(s, "201", "2,0", ships={0: {"interceptor": 1}})
    beyond = [space for space in explore.spaces(s, 0) if space not in (NORTH, NORTH_EAST, SOUTH, SOUTH_WEST)]
    assert sorted(beyond) == sorted(["3,-1", "2,1", "1,0"])
    add_ship(s.hexes["2,0"], 1, "starbase")
    assert len(explore.spaces(s, 0)) == 4
    add_ship(s.hexes["2,0"], 0, "cruiser")
    assert len(explore.spaces(s, 0)) == 7


def test_ruling_08_a_single_space_is_asked_for_since_turning_a_tile_cannot_be_undone() -> None:
    s = galaxy(DIRECTORATE, UNION)
    for n, place in enumerate(explore.spaces(s, 0)[1:]):
        put(s, str(310 + n), place)
    game = Played(s)(0, "explore")
    assert (game.asked(0), len(game.ids(0))) == ("explore.place", 1)
    assert not game.told("explore.turned")


def test_ruling_24_the_space_is_chosen_before_the_tile_is_turned() -> None:
    game = Played(galaxy(DIRECTORATE, UNION, I=("106",)))(0, "explore")
    assert game.s.turned == []
    game(0, SOUTH)
    assert game.s.turned == ["106"]
    assert game.ids(0) == ["106", "discard"]
    game(0, "discard")
    assert game.s.stacks["I"].discards == ["106"]
    assert SOUTH not in game.s.hexes


def test_ruling_25_the_tile_must_connect_with_a_hex_of_the_explorers() -> None:
    game = Played(galaxy(DIRECTORATE, UNION, III=("304",)))(0, "explore", NORTH, "304")
    assert game.asked(0) == "explore.disc", "304 fits in one way only: its wormholes lie opposite each other"
    assert game.s.hexes[NORTH].rotation == 0
    game = Played(galaxy(DIRECTORATE, UNION, I=("106",)))(0, "explore", SOUTH, "106")
    assert game.ids(0) == ["0", "3", "4", "5"]


def test_ruling_25_any_hex_that_allows_exploring_will_do_and_others_need_not_fit() -> None:
    s = galaxy(DIRECTORATE, UNION, I=("106",))
    put(s, "101", "-1,0", turned("101", 1, 2), disc=0, ancients=0)
    game = Played(s)(0, "explore", SOUTH, "106")
    assert sorted(game.ids(0)) == sorted(["0", "1", "2", "3", "4", "5"])


def test_ruling_25_pinned_ships_do_not_count() -> None:
    s = galaxy(DIRECTORATE, UNION, III=("313",))
    put(s, "201", step(NORTH, 4), turned("201", 1), ships={0: {"interceptor": 1}, 1: {"interceptor": 1}})
    assert explore.rotations(s, 0, NORTH, "313") == [0]
    remove_ship(s.hexes[step(NORTH, 4)], 1, "interceptor")
    assert explore.rotations(s, 0, NORTH, "313") == [0, 1]


def test_ruling_25_a_half_connection_with_the_wormhole_generator() -> None:
    s = galaxy(DIRECTORATE, UNION)
    assert explore.rotations(s, 0, NORTH, "306") == [0, 2]
    s.boards[0].technologies.append("wormhole_generator")
    assert explore.rotations(s, 0, NORTH, "306") == [0, 1, 2, 3, 4, 5]
    closed = step(home(s, 0), 2)
    assert explore.rotations(s, 0, closed, "306") == [2, 4], "those with a wormhole there"


def test_ruling_26_what_cannot_lie_in_any_way_is_discarded() -> None:
    s = galaxy(DIRECTORATE, UNION, III=("304",))
    s.hexes[home(s, 0)].disc = None
    remove_ship(s.hexes[home(s, 0)], 0, "interceptor")
    put(s, "104", "3,0", disc=0)
    assert explore.rotations(s, 0, step("3,0", 2), "304") == [], "the edge of 104 is closed"
    assert [option.id for option in with_turned(s, step("3,0", 2), "304")] == ["discard"]


def with_turned(s: State, space: str, number: str) -> list[explore.Option]:
    """What may become of a tile turned for a space."""
    s.exploring, s.turned = space, [number]
    return explore.fates(s, 0, last=True)


def test_ruling_27_an_empty_stack_is_made_of_its_discards() -> None:
    s = galaxy(DIRECTORATE, UNION, I=())
    s.stacks["I"].discards = ["106"]
    game = Played(s)(0, "explore", SOUTH)
    assert game.s.turned == ["106"]
    assert game.s.stacks["I"].discards == []
    assert game.s.stacks["I"].known
    assert [event.kind for event in game.events if event.kind == "explore.renewed"] == ["explore.renewed"]


def test_ruling_27_without_any_tile_the_space_cannot_be_chosen() -> None:
    s = galaxy(DIRECTORATE, UNION, I=())
    assert SOUTH not in explore.spaces(s, 0)
    s.stacks["I"].discards = ["106"]
    assert SOUTH in explore.spaces(s, 0)


def test_ruling_28_discovery_ancients_and_a_disc() -> None:
    game = Played(galaxy(DIRECTORATE, UNION, II=("203",)))(0, "explore", SOUTH_WEST, "203", "0")
    hex_ = game.s.hexes[SOUTH_WEST]
    assert (hex_.ancients, hex_.discovery, hex_.disc) == (2, True, None)
    assert game.asked(1) == "action.choose", "no disc beside Ancients"
    game = Played(galaxy(DIRECTORATE, UNION, II=("206",)))(0, "explore", SOUTH_WEST, "206", "0")
    assert game.ids(0) == ["disc", "skip"]
    game(0, "disc")
    assert game.asked(0) == "discovery.side"
    assert game.s.hexes[SOUTH_WEST].disc == 0
    assert game.s.boards[0].discs == 10


def test_ruling_28_only_at_once() -> None:
    game = Played(galaxy(DIRECTORATE, UNION, II=("206",)))(0, "explore", SOUTH_WEST, "206", "0", "skip")
    assert game.s.hexes[SOUTH_WEST].disc is None
    assert game.asked(1) == "action.choose"


def test_ruling_28_not_without_a_disc_on_the_track() -> None:
    s = galaxy(DIRECTORATE, UNION, II=("206",))
    s.boards[0].discs = 2
    assert Played(s)(0, "explore", SOUTH_WEST, "206", "0").asked(0) == "explore.disc"
    s.boards[0].discs = 1  # it lies on the action
    assert Played(s)(0, "explore", SOUTH_WEST, "206", "0").asked(1) == "action.choose"


def test_ruling_28_draco_beside_ancients_and_over_a_half_connection() -> None:
    s = galaxy(DRACO, UNION, II=("203",))
    s.boards[0].technologies.append("wormhole_generator")
    half = turned("203", shut=[1])
    game = Played(s)(0, "explore", SOUTH_WEST, "203", str(half), "disc")
    assert game.s.hexes[SOUTH_WEST].disc == 0
    assert game.s.hexes[SOUTH_WEST].discovery


def test_ruling_29_discarding_ends_the_turn_at_once() -> None:
    s = galaxy(DIRECTORATE, UNION, I=("106",))
    put(s, "201", "-2,-1", disc=0)
    s.boards[0].colony_ships = 1
    game = Played(s)(0, "explore", SOUTH)
    assert game.acts(0) == ["colonize", "trade"], "before that, ships may be used"
    game(0, "discard")
    assert game.asked(1) == "action.choose", "though a colony ship is left"
    s = galaxy(DIRECTORATE, UNION, I=("106",))
    s.boards[0].colony_ships = 1
    game = Played(s)(0, "explore", SOUTH, "106", "0", "disc")
    assert game.asked(0) == "action.end"


def test_ruling_30_planta_explore_twice() -> None:
    s = galaxy(PLANTA, UNION, I=("106", "107"))
    game = Played(s)(0, "explore", SOUTH, "106", "0", "skip")
    assert game.asked(0) == "explore.place"
    assert "skip" in game.ids(0)
    game(0, "skip")
    assert game.asked(1) == "action.choose"
    s = galaxy(PLANTA, UNION, I=("106", "107"))
    game = Played(s)(0, "explore", SOUTH)
    assert game.table.asked[0].options[-1].words == "option.explore.discard_first"
    game(0, "discard")
    assert game.asked(0) == "explore.place", "discarding the first ends only the first"
    game(0, SOUTH)
    assert game.table.asked[0].options[-1].words == "option.explore.discard"
    game(0, "discard")
    assert game.asked(1) == "action.choose"


def test_ruling_30_the_second_also_from_the_hex_just_placed() -> None:
    game = Played(galaxy(PLANTA, UNION, I=("106", "107")))(0, "explore", SOUTH)
    before = set(explore.spaces(game.s, 0))
    game(0, "106", "0", "disc")
    assert set(game.ids(0)) - before - {"skip"}


def test_ruling_30_discarding_the_second_ends_the_turn() -> None:
    s = galaxy(PLANTA, UNION, I=("106", "107"))
    s.boards[0].colony_ships = 1
    game = Played(s)(0, "explore", SOUTH, "106", "0", "disc", SOUTH_WEST, "discard")
    assert game.asked(1) == "action.choose"
    s = galaxy(PLANTA, UNION, I=("106", "107"))
    s.boards[0].colony_ships = 1
    game = Played(s)(0, "explore", SOUTH, "106", "0", "disc", "skip")
    assert game.asked(0) == "action.end", "stopping after the first does not"


def test_ruling_31_draco_may_look_at_a_second_tile() -> None:
    game = Played(galaxy(DRACO, UNION, I=("106", "107")))(0, "explore", SOUTH)
    assert game.ids(0) == ["106", "another", "discard"]
    game(0, "another")
    assert game.ids(0) == ["106", "107", "discard"]
    game(0, "107", "0", "skip")
    assert game.s.hexes[SOUTH].number == "107"
    assert game.s.stacks["I"].discards == ["106"]
    game = Played(galaxy(DRACO, UNION, I=("106", "107")))(0, "explore", SOUTH, "another", "discard")
    assert sorted(game.s.stacks["I"].discards) == ["106", "107"]


def test_ruling_31_discards_are_shuffled_without_the_first_tile() -> None:
    s = galaxy(DRACO, UNION, I=("106",))
    s.stacks["I"].discards = ["107"]
    game = Played(s)(0, "explore", SOUTH, "another")
    assert game.s.turned == ["106", "107"]
    game = Played(galaxy(DRACO, UNION, I=("106",)))(0, "explore", SOUTH)
    assert game.ids(0) == ["106", "discard"], "no second tile to be had"


def test_the_last_hidden_tile_is_a_barrier() -> None:
    game = Played(galaxy(DIRECTORATE, UNION, I=("106",)))(0, "explore", SOUTH)
    assert game.told("explore.turned")[0].drawn
