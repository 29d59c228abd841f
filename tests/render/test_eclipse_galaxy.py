"""The galaxy of Eclipse shows what the view says, each hex and ship of it."""

from itertools import combinations

import pytest

from render.canvas import Canvas
from render.eclipse import board, look, placement, tiles
from render.eclipse.board import draw_board
from render.eclipse.fleets import Fleet, draw_fleets
from render.eclipse.galaxy import neighbours
from render.eclipse.placement import draw_placement, turned_tile, variants
from render.eclipse.wording import say
from render.geometry import Box, Point
from rules.eclipse.components import SPECIES, TILES
from rules.eclipse.hexes import edges
from rules.eclipse.ships import SHIP_TYPES
from rules.eclipse.view import view
from rules.eclipse.views import View
from tests.render.marks import placed, says

from .eclipse_samples import (
    ALIENS,
    NAMES,
    VIEWS,
    begun,
    ended,
    fighting,
    midgame,
    placing,
    replaced,
    researching,
    upgrading,
)

each_view = pytest.mark.parametrize("view", [make() for make in VIEWS.values()], ids=VIEWS.keys())


def drawn(view: View, **more: list[str]) -> Canvas:
    return draw_board(view, NAMES, more.get("ringed", []), more.get("changed", []), "")


# The galaxy


@each_view
def test_every_hex_is_shown_with_number_points_squares_and_disc(view: View) -> None:
    canvas = drawn(replaced(view, turned=(), rotations=()))
    assert placed(canvas, "hex") == {one.place: one.number for one in view.hexes}
    assert placed(canvas, "points") == {one.place: str(one.points) for one in view.hexes}
    signs = {seat.seat: look.of(seat.colour, seat.species).sign for seat in view.seats}
    assert placed(canvas, "disc") == {one.place: signs[one.disc] for one in view.hexes if one.disc is not None}
    told = {
        one.place: " ".join(f"{s.kind}{'*' if s.advanced else ''}{'+' if s.filled else '-'}" for s in one.squares)
        for one in view.hexes
        if one.squares
    }
    assert placed(canvas, "squares") == told


@each_view
def test_every_thing_in_a_hex_is_shown(view: View) -> None:
    canvas = drawn(replaced(view, turned=(), rotations=()))
    for kind, there in (
        ("discovery", {one.place for one in view.hexes if one.discovery}),
        ("relic", {one.place for one in view.hexes if one.artifact}),
        ("slab", {one.place for one in view.hexes if one.monolith}),
    ):
        assert set(placed(canvas, kind)) == there


@each_view
def test_every_ship_can_be_counted(view: View) -> None:
    canvas = drawn(replaced(view, turned=(), rotations=()))
    shown: dict[tuple[str, str], str] = {}
    numbers = {one.number: one.place for one in view.hexes}
    for mark in canvas.marks:
        if mark.kind in ("fleet", "gathered"):
            owner, _, ships = mark.says.partition(":")
            shown[numbers.get(mark.place, mark.place), owner] = ships
    expected = {
        (one.place, str(fleet.seat)): " ".join(f"{kind} {n}" for kind, n in fleet.ships)
        for one in view.hexes
        for fleet in one.fleets
    }
    expected |= {(one.place, "ancient"): f"ancient {one.ancients}" for one in view.hexes if one.ancients}
    expected |= {(one.place, "gcds"): "gcds 1" for one in view.hexes if one.gcds}
    assert shown == expected


@each_view
def test_wormholes_lie_where_the_rules_have_them(view: View) -> None:
    canvas = drawn(replaced(view, turned=(), rotations=()))
    there = {one.place: one for one in view.hexes}
    for place, told in placed(canvas, "wormholes").items():
        for edge, (kind, beyond) in enumerate(zip(told.split(" "), neighbours(place), strict=True)):
            here = edge in there[place].wormholes
            meets = beyond in there and (edge + 3) % 6 in there[beyond].wormholes
            assert kind == ("-" if not here else "open" if beyond not in there else "joined" if meets else "closed")


@pytest.mark.parametrize("number", TILES)
@pytest.mark.parametrize("rotation", range(6))
def test_a_wormhole_is_drawn_on_each_of_its_edges_and_nowhere_else(number: str, rotation: int) -> None:
    size = 60
    holes = {(edge + rotation) % 6 for edge in TILES[number].wormholes}
    sprite = tiles.tile(number, tuple("open" if edge in holes else "" for edge in range(6)), size)
    for edge in range(6):
        at = tiles.edge_point(Point(sprite.width / 2, sprite.height / 2), size, edge, 1 - 0.16)
        pixel = sprite.image.getpixel((round(at.x), round(at.y)))
        assert isinstance(pixel, tuple)
        assert (pixel[2] > 90) == (edge in holes), (number, rotation, edge)


@each_view
def test_spaces_that_can_be_explored_are_shown_with_who_may(view: View) -> None:
    canvas = drawn(view)
    explored = view.phase == "beginning" or (
        view.phase == "action" and not view.turned and view.action in ("", "explore")
    )
    wanted = {
        space.place: space.ring for space in view.spaces if (space.seats and explored) or space.place == view.exploring
    }
    assert placed(canvas, "space") == wanted
    unknown = next((space.place for space in view.spaces if not space.seats), "")
    assert not unknown or unknown in placed(drawn(view, ringed=[unknown]), "space")


@each_view
def test_no_hex_overlaps_another_or_leaves_the_picture(view: View) -> None:
    canvas = drawn(replaced(view, turned=(), rotations=()))
    for kind in ("hex", "seat", "squad", "variant"):
        boxes = [mark.box for mark in canvas.marks if mark.kind == kind]
        assert all(box.inside(canvas.box) for box in boxes)
        assert not any(a.meets(b) for a, b in combinations(boxes, 2)), kind
    apart = ("hex", "points", "disc", "fleet", "total", "discovery", "relic", "slab")
    for one in view.hexes:
        boxes = [mark.box for mark in canvas.marks if mark.place == one.place and mark.kind in apart[:5]]
        if not says(canvas, "total"):
            assert not any(a.meets(b) for a, b in combinations(boxes, 2)), one.place


def test_rings_are_drawn_where_they_belong() -> None:
    view = midgame()
    space = next(space.place for space in view.spaces if space.seats)
    canvas = drawn(view, ringed=["0,0", space], changed=["0,-2", "nowhere"])
    rings = [(mark.kind, mark.place) for mark in canvas.marks if mark.kind in ("ringed", "changed")]
    assert rings == [("changed", "0,-2"), *(("ringed", place) for place in sorted(["0,0", space]))]
    plain = board(view, names=NAMES).png
    assert (
        len({plain, board(view, names=NAMES, ringed=["0,0"]).png, board(view, names=NAMES, changed=["0,0"]).png}) == 3
    )


def test_many_fleets_in_a_hex_are_totals_with_a_list_below() -> None:
    canvas = drawn(midgame())
    assert len([mark for mark in canvas.marks if mark.kind == "total" and mark.place == "0,0"]) == 7
    assert set(placed(canvas, "gathered")) == {"001"}


def test_one_fleet_too_many_makes_totals_of_all() -> None:
    for count, kind in ((4, "fleet"), (5, "total")):
        canvas = Canvas(400, 400)
        some = [Fleet(str(k), look.of("red", ""), (("cruiser", 2),)) for k in range(count)]
        draw_fleets(canvas, "0,0", some, Point(200, 200), 120, 320)
        assert {mark.kind for mark in canvas.marks} == {kind}


def test_every_number_of_ships_looks_different() -> None:
    drawn_as = set()
    for ship in SHIP_TYPES:
        for count in range(1, 9):
            canvas = Canvas(200, 200)
            fleet = Fleet("0", look.of("blue", "hydran_progress"), ((ship, count),))
            draw_fleets(canvas, "0,0", [fleet], Point(100, 100), 100, 190)
            drawn_as.add(canvas.image.tobytes())
    assert len(drawn_as) == 8 * len(SHIP_TYPES)


@pytest.mark.parametrize("count", range(1, 5))
def test_fleets_stay_inside_their_hex(count: int) -> None:
    canvas = Canvas(400, 400)
    looks = [look.of(SPECIES[species].colour, species) for species in ALIENS]
    all_types = tuple((ship, 8) for ship in SHIP_TYPES)
    ships = all_types if count < 3 else all_types[:3]
    draw_fleets(canvas, "0,0", [Fleet(str(k), looks[k], ships) for k in range(count)], Point(200, 200), 120, 320)
    boxes = [mark.box for mark in canvas.marks if mark.kind == "fleet"]
    assert len(boxes) == count
    assert all(box.inside(Box(80, 120, 320, 280)) for box in boxes)
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))


@each_view
def test_the_frame_tells_the_state_of_the_game(view: View) -> None:
    canvas = drawn(view)
    assert says(canvas, "round") == [f"Round {view.round} of {view.rounds} · {say('phase', view.phase)}"]
    if view.phase == "over":
        assert says(canvas, "turn")[0].endswith(("wins", "win"))
        return
    if view.battle or view.turned or view.action in ("research", "upgrade"):
        return
    assert set(placed(canvas, "seat")) == {str(one.seat) for one in view.seats}
    order = [mark.place for mark in canvas.marks if mark.kind == "seat"]
    assert order == [str((view.start + k) % len(view.seats)) for k in range(len(view.seats))]
    plates = [(mark.place, mark.says) for mark in canvas.marks if mark.kind == "plate"]
    assert (str(view.start), "1st") in plates
    passed = {place for place, word in plates if word == "passed"}
    assert passed == {str(one.seat) for one in view.seats if one.passed and view.phase == "action"}
    for one in view.seats:
        for track in one.tracks:
            net = track.income - (one.upkeep if track.kind == "money" else 0)
            assert placed(canvas, "stored")[f"{one.seat}.{track.kind}"] == f"{track.stored}{net:+d}"


def test_what_is_going_on_stands_below_the_galaxy() -> None:
    assert says(drawn(fighting()), "volley")
    assert says(drawn(placing()), "variant")
    assert says(drawn(researching()), "supply")
    assert says(drawn(ended()), "score")
    plans = upgrading().seats[2].blueprints
    squares = {f"{plan.ship}.{k}": square.part for plan in plans for k, square in enumerate(plan.squares)}
    assert placed(drawn(upgrading()), "square") == squares
    for quiet in (midgame(), view(begun(4), None)):
        assert not {"volley", "variant", "supply", "score", "square"} & {mark.kind for mark in drawn(quiet).marks}


# A hex being placed


@pytest.mark.parametrize("tiles_", [1, 2])
def test_every_legal_orientation_is_previewed_under_its_number(tiles_: int) -> None:
    view = placing(tiles_)
    shown = [(mark.place, mark.says) for mark in draw_placement(view).marks if mark.kind == "variant"]
    expected = [
        (number, str(rotation))
        for number, rotations in zip(view.turned, view.rotations, strict=True)
        for rotation in rotations
    ]
    assert expected
    assert shown == expected
    for number, rotation in variants(view):
        holes = edges(number, rotation or 0)
        assert turned_tile(view, number, rotation or 0).wormholes == tuple(edge for edge in range(6) if holes[edge])
    assert placement(midgame(), names=NAMES).alt == "No hex is being placed."


def test_a_tile_that_cannot_be_placed_is_said_to_be_so() -> None:
    view = replaced(placing(), rotations=((),))
    assert variants(view) == [(view.turned[0], None)]
    assert "in no way" in placement(view, names=NAMES).alt
