"""The pictures of Eclipse show what the view says, always the same way, small and fast enough."""

import io
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import combinations

import msgspec
import pytest
from PIL import Image, ImageChops

from render import sprites, text
from render.canvas import ALT_LENGTH, MOST_PIXELS, Canvas, Picture
from render.eclipse import EXTRAS, battle, board, hand, look, placement, scores, shapes, supply, tiles
from render.eclipse.battle import draw_battle
from render.eclipse.board import draw_board
from render.eclipse.fleets import Fleet, draw_fleets
from render.eclipse.galaxy import neighbours
from render.eclipse.parts import total_words
from render.eclipse.placement import draw_placement, turned_tile, variants
from render.eclipse.player import draw_player, player
from render.eclipse.scores import draw_scores
from render.eclipse.supply import draw_supply
from render.eclipse.wording import say
from render.geometry import Box, Point
from render.palette import MUTED, PANEL, TEXT, TILE, luminance
from rules.bots import play_out
from rules.eclipse import RULES
from rules.eclipse.components import COLOURS, SPECIES, TECHNOLOGIES, TILES
from rules.eclipse.hexes import edges
from rules.eclipse.ships import PARTS, SHIP_TYPES
from rules.eclipse.view import view
from rules.eclipse.views import View
from rules.engine.chance import Chance
from rules.engine.table import Table
from tests.render.marks import placed, says

from .eclipse_samples import (
    ALIENS,
    LONG,
    NAMES,
    TERRANS,
    begun,
    ended,
    fighting,
    midgame,
    placing,
    replaced,
    researching,
    unchosen,
    upgrading,
)
from .timing import warm_seconds
from .vision import KINDS, distance

MOST_BYTES = 400 * 1024
LEAST_TEXT = 20
VIEWS: dict[str, Callable[[], View]] = {
    "unchosen": unchosen,
    "begun": lambda: view(begun(3), None),
    "two": lambda: midgame(2, 12),
    "six": midgame,
    "late": lambda: midgame(6, 70),
    "terrans": lambda: view(begun(6, TERRANS), 0),
    "battle": fighting,
    "missiles": lambda: fighting(0),
    "placing": placing,
    "placing two": lambda: placing(2),
    "research": researching,
    "upgrade": upgrading,
    "end": ended,
}
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


# Players


@pytest.mark.parametrize("seat", range(6))
def test_a_players_board_shows_tracks_actions_and_technologies(seat: int) -> None:
    view = midgame(viewer=seat)
    one, canvas = view.seats[seat], draw_player(view, seat, NAMES)
    assert placed(canvas, "stored") == {track.kind: str(track.stored) for track in one.tracks}
    assert placed(canvas, "income") == {track.kind: str(track.income) for track in one.tracks}
    assert placed(canvas, "counts") == {track.kind: str(track.income) for track in one.tracks}
    for track in one.tracks:
        assert sum(mark.kind == "cube" and mark.place == track.kind for mark in canvas.marks) == track.cubes
    assert placed(canvas, "graveyard") == {track.kind: str(track.graveyard) for track in one.tracks if track.graveyard}
    assert says(canvas, "upkeep") == [str(one.upkeep)]
    assert says(canvas, "discs") == [str(one.discs)]
    assert says(canvas, "net") == [str(one.tracks[0].income - one.upkeep)]
    assert says(canvas, "colony") == [f"{one.colony_ships}/{one.colony_ships + one.used_ships}"]
    done = {action: f"{n}+{dict(one.reactions).get(action, 0)}" for action, n in one.actions if n}
    assert done.items() <= placed(canvas, "action").items()
    assert set(placed(canvas, "technology")) == {id for _, ids in one.technologies for id in ids}
    assert list(placed(canvas, "discount").values()) == [str(n) for n in one.discounts]
    assert says(canvas, "total") == [str(one.total)]


@pytest.mark.parametrize("species", SPECIES)
def test_blueprints_show_every_part_and_what_they_add_up_to(species: str) -> None:
    view_ = view(begun(2, (species, next(other for other in ALIENS if other != species))), 0)
    canvas = draw_player(view_, 0, NAMES)
    plans = view_.seats[0].blueprints
    squares = {f"{plan.ship}.{k}": square.part for plan in plans for k, square in enumerate(plan.squares)}
    assert placed(canvas, "square") == squares
    assert placed(canvas, "blueprint") == {plan.ship: total_words(plan) for plan in plans}
    boxes = [mark.box for mark in canvas.marks if mark.kind == "blueprint"]
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    for mark in canvas.marks:
        if mark.kind == "part":
            assert any(mark.box.inside(box) for box in boxes)


def test_figures_of_a_ship_in_words() -> None:
    plan = midgame(viewer=1).seats[1].blueprints[0]
    assert total_words(plan) == (
        "initiative 3, cannons 1, missiles 2+2, computer +0, shield -0, hull 0, movement 1, energy 2 of 3"
    )


def test_reputation_is_seen_by_its_owner_only() -> None:
    own, other = midgame(viewer=1), midgame(viewer=2)
    assert "reputation:2" in " ".join(says(draw_player(own, 1, NAMES), "slot")).replace("either:", "")
    assert all(one.endswith(":None") for one in says(draw_player(other, 1, NAMES), "slot"))
    assert player(other, 1, names=NAMES) == player(midgame(), 1, names=NAMES)
    assert player(own, 1, names=NAMES) != player(other, 1, names=NAMES)
    drawing = fighting(viewer=1, drawing=1)
    assert says(draw_player(drawing, 1, NAMES), "drawn") == ["3", "4"]
    assert not says(draw_player(fighting(viewer=2, drawing=1), 1, NAMES), "drawn")


@pytest.mark.parametrize("make", [midgame, fighting, placing], ids=["midgame", "battle", "placing"])
def test_what_only_the_viewer_knows_is_not_on_the_board(make: Callable[..., View]) -> None:
    for viewer in range(6):
        assert board(make(viewer=viewer), names=NAMES) == board(make(), names=NAMES)
        assert battle(make(viewer=viewer), names=NAMES) == battle(make(), names=NAMES)
        assert placement(make(viewer=viewer), names=NAMES) == placement(make(), names=NAMES)


def test_hands_of_spectators_and_of_seats_without_species_are_plain_notes() -> None:
    assert hand(midgame(), names=NAMES).alt == "Nobody's board."
    assert EXTRAS["player6"](midgame(2, 8), names=NAMES).alt == "Nobody's board."
    assert hand(unchosen(viewer=0), names=NAMES).height < 300
    for seat in range(6):
        assert EXTRAS[f"player{seat + 1}"](midgame(), names=NAMES) == player(midgame(), seat, names=NAMES)


# The supply board


def test_prices_are_the_viewers_or_as_printed() -> None:
    view = midgame(viewer=1)
    shown = placed(draw_supply(view, NAMES), "supply")
    known = {id for _, ids in view.seats[1].technologies for id in ids}
    for one in view.supply:
        assert shown[one.id] == f"{one.count}:{'owned' if one.id in known else one.prices[1]}"
    assert set(shown) == set(TECHNOLOGIES)
    public = placed(draw_supply(midgame(), NAMES), "supply")
    assert public == {one.id: f"{one.count}:{one.price}" for one in midgame().supply}
    assert any(one.prices[1] not in (None, one.price) for one in view.supply)
    researcher = placed(draw_supply(researching(), NAMES), "supply")
    assert researcher != placed(draw_supply(replaced(researching(), action=""), NAMES), "supply")


def test_parts_that_cannot_be_taken_are_faded() -> None:
    view = midgame(viewer=1)
    known = {id for _, ids in view.seats[1].technologies for id in ids}
    shown = placed(draw_supply(view, NAMES), "offered")
    assert shown == {id: str(not PARTS[id].technology or PARTS[id].technology in known) for id in shown}
    assert len(shown) == 17


# Battles


def test_a_battle_shows_every_ship_with_its_damage_and_every_roll() -> None:
    view = fighting()
    fight, canvas = view.battle, draw_battle(view, NAMES)
    assert fight is not None
    two = [(k, one) for k, one in enumerate(fight.ships) if one.party in (fight.attacker, fight.defender)]
    expected = {
        str(k): f"{one.party}:{one.ship}:{one.damage}/{one.hull + 1}:{one.fallen}:{one.retreat}:{one.away}"
        for k, one in two
    }
    assert placed(canvas, "warship") == expected
    assert [mark.place for mark in canvas.marks if mark.kind == "waiting"] == ["4", "gcds"]
    last = fight.volleys[-1]
    assert says(canvas, "volley")[-1] == " ".join(f"{die.roll}{'!' if die.hit else ''}" for die in last.dice)
    assert "3: " not in battle(view, names=NAMES).alt[:40]
    assert "Rolls" in battle(view, names=NAMES).alt


def test_damage_and_loss_of_a_ship_are_seen() -> None:
    view = fighting()
    assert view.battle is not None
    seen = set()
    for change in ({}, {"damage": 1}, {"damage": 2}, {"fallen": True}, {"away": True}, {"retreat": "0,-1"}):
        hurt = msgspec.structs.replace(view.battle.ships[11], **change)
        ships = (*view.battle.ships[:11], hurt, *view.battle.ships[12:])
        seen.add(battle(replaced(view, battle=msgspec.structs.replace(view.battle, ships=ships)), names=NAMES).png)
    assert len(seen) == 6


def test_missiles_come_before_the_first_round() -> None:
    assert says(draw_battle(fighting(0), NAMES), "step") == ["missiles"]
    assert says(draw_battle(fighting(2), NAMES), "step") == ["Round 2"]
    assert battle(midgame(), names=NAMES).alt == "No battle under way."


def test_an_attack_on_the_population_shows_the_squares() -> None:
    view = fighting()
    assert view.battle is not None
    volley = msgspec.structs.replace(view.battle.volleys[-1], round=-1)
    attack = msgspec.structs.replace(view.battle, step="population", volleys=(volley,), acting=None)
    assert battle(replaced(view, battle=attack), names=NAMES).png != battle(view, names=NAMES).png
    place = next(one.place for one in view.hexes if one.disc == 1)
    alone = msgspec.structs.replace(attack, place=place, parties=(0,), attacker=-1, defender=-1)
    assert says(draw_battle(replaced(view, battle=alone), NAMES), "side") == ["0", "1"]
    assert f"Anna attacks {NAMES[1]}" in battle(replaced(view, battle=alone), names=NAMES).alt


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


# Scores


def test_scores_show_their_breakdown_the_winner_first() -> None:
    view = ended()
    canvas = draw_scores(view, NAMES)
    for seat in view.seats:
        for part, n in seat.points:
            assert placed(canvas, "score")[f"{seat.seat}.{part}"] == str(n)
    totals = [mark for mark in canvas.marks if mark.kind == "total"]
    assert {int(mark.place) for mark in totals[: len(view.winners)]} == set(view.winners)
    assert [int(mark.says) for mark in totals] == sorted((seat.total for seat in view.seats), reverse=True)
    assert "?" in says(draw_scores(midgame(), NAMES), "score")


# Signs and colours


def test_every_sign_differs_by_shape_alone() -> None:
    for group in (shapes.SHIPS, shapes.RESOURCES, shapes.PARTS, shapes.SPECIES):
        for one, other in combinations(group, 2):
            difference = ImageChops.difference(sprites.mask(one, 30), sprites.mask(other, 30))
            assert sum(difference.histogram()[128:]) > 100, (one, other)
    signs = [look.of(one.colour, one.id).sign for one in SPECIES.values()]
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize("kind", KINDS)
def test_seats_differ_for_every_kind_of_colour_vision_and_by_ground(kind: str) -> None:
    looks = [look.of(colour.id, "") for colour in COLOURS]
    assert len({one.colour.ground for one in looks}) == len(looks) == 6
    assert min(distance(a.rgb, b.rgb, KINDS[kind]) for a, b in combinations(looks, 2)) > 18


def test_everything_written_stands_out_from_its_ground() -> None:
    def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
        light, dark = sorted((luminance(one), luminance(other)), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for ground in (PANEL, TILE):
        assert contrast(TEXT, ground) > 7
        assert contrast(MUTED, ground) > 4.5
        for name in ("money", "science", "materials", "gray", "orbital"):
            assert contrast(look.kind_colour(name), ground) > 3
        for colour in COLOURS:
            assert contrast(look.of(colour.id, "").line, ground) > 3


def test_no_text_is_smaller_than_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: set[int] = set()
    plain = text.label

    def noted(words: str, size: int, *rest: object, **more: object) -> sprites.Sprite:
        if words.strip():
            sizes.add(size)
        return plain(words, size, *rest, **more)

    monkeypatch.setattr(text, "label", noted)
    for make in VIEWS.values():
        for draw in (scores, supply, battle, hand, EXTRAS["player1"]):
            draw(make(viewer=0) if make in (midgame, fighting) else make(), names=LONG)
    assert min(sizes) >= LEAST_TEXT
    sizes.clear()
    board(midgame(6, 70), names=NAMES)
    placement(placing(2), names=NAMES)
    assert min(sizes) >= 16


# Every picture


@pytest.mark.parametrize(
    "change",
    [
        lambda v: replaced(v, active=1),
        lambda v: replaced(v, action="build"),
        lambda v: replaced(v, round=7),
        lambda v: replaced(v, phase="upkeep"),
        lambda v: replaced(v, start=2),
        lambda v: replaced(v, hexes=v.hexes[:-1]),
        lambda v: replaced(v, hexes=tuple(msgspec.structs.replace(one, gcds=False) for one in v.hexes)),
        lambda v: replaced(v, hexes=tuple(msgspec.structs.replace(one, fleets=()) for one in v.hexes)),
        lambda v: replaced(v, seats=(msgspec.structs.replace(v.seats[0], passed=True), *v.seats[1:])),
        lambda v: replaced(v, seats=(msgspec.structs.replace(v.seats[0], traitor=True), *v.seats[1:])),
        lambda v: replaced(v, seats=(msgspec.structs.replace(v.seats[0], out="collapsed"), *v.seats[1:])),
    ],
)
def test_what_changes_is_seen_and_told(change: Callable[[View], View]) -> None:
    view = midgame(3, 14)
    before, after = board(view, names=NAMES), board(change(view), names=NAMES)
    assert after.png != before.png
    assert after.alt != before.alt


def checked(picture: Picture) -> None:
    assert len(picture.png) < MOST_BYTES
    assert picture.width * picture.height <= MOST_PIXELS
    assert 0 < len(picture.alt.encode("utf-16-le")) // 2 < ALT_LENGTH
    image = Image.open(io.BytesIO(picture.png))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (picture.width, picture.height))


@each_view
@pytest.mark.parametrize("names", [NAMES, LONG, {}], ids=["names", "long", "none"])
def test_size_and_description_stay_within_limits(view: View, names: dict[int, str]) -> None:
    checked(board(view, names=names, title="Game 1234"))
    checked(hand(view, names=names))
    for draw in EXTRAS.values():
        checked(draw(view, names=names))


@each_view
def test_no_description_is_cut(view: View) -> None:
    for names in (NAMES, LONG):
        assert not any(draw(view, names=names).alt.endswith(text.ELLIPSIS) for draw in (board, hand, *EXTRAS.values()))


def test_equal_views_give_equal_bytes_in_any_process() -> None:
    code = (
        "from hashlib import sha256; from tests.render.eclipse_samples import *; from render.eclipse import *;"
        "p = board(fighting(), names=NAMES, ringed={'0,0', '0,-2', '2,-2'}, changed={'2,0', '-2,2'});"
        "q = hand(midgame(viewer=3), names=NAMES);"
        "print(sha256(p.png + p.alt.encode() + q.png + q.alt.encode()).hexdigest())"
    )
    found = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    here = board(fighting(), names=NAMES, ringed=["2,-2", "0,-2", "0,0"], changed=["-2,2", "2,0"])
    mine = hand(midgame(viewer=3), names=NAMES)
    assert found == {sha256(here.png + here.alt.encode() + mine.png + mine.alt.encode()).hexdigest()}


@pytest.mark.parametrize("seats_", [2, 6])
def test_every_view_of_a_played_game_draws(seats_: int) -> None:
    table, _ = Table.start(RULES, RULES.options(), seats=seats_, secret=bytes([seats_]) * 32)
    count = 0

    def look_at(table: Table) -> bool:
        nonlocal count
        count += 1
        if count % 12 == 1:
            for viewer in (None, count % seats_):
                view = table.view(viewer)
                ringed = [one.place for asked in table.asked.values() for one in asked.options if one.place]
                checked(board(view, names=NAMES, ringed=ringed))
                checked(hand(view, names=NAMES))
            for draw in EXTRAS.values():
                checked(draw(view, names=NAMES))
        return False

    play_out(table, ["policy"] * seats_, Chance(b"pictures"), look_at, limit=300)
    checked(board(table.view(None), names=NAMES))
    assert count > 20


def test_warm_pictures_are_quick() -> None:
    view, mine = midgame(6, 70), midgame(viewer=2)
    jobs: list[Callable[[], Picture]] = [
        lambda: board(view, names=NAMES),
        lambda: board(fighting(), names=NAMES),
        lambda: hand(mine, names=NAMES),
        lambda: supply(mine, names=NAMES),
    ]
    for job in jobs:
        assert warm_seconds(job) < 0.12
