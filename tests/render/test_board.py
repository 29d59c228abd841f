"""The board shows what the view says, always the same way, small and fast enough."""

import io
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from PIL import Image

from render.canvas import ALT_LENGTH, MOST_PIXELS, Canvas
from render.geometry import Point
from render.palette import CHANGED, GOLD, TARGET
from render.struggle_for_the_throne import board, look
from render.struggle_for_the_throne.board import draw_board
from render.struggle_for_the_throne.galaxy import LARGE_DISC, LIFT, galaxy
from render.struggle_for_the_throne.gatherings import LINE
from render.struggle_for_the_throne.groups import groups_of
from rules.struggle_for_the_throne.views import GroupView, View
from tests.render.marks import says

from .checks import digest, digests_elsewhere, within_limits
from .samples import FULL, NAMES, crowd, fight, make
from .timing import warm_seconds


def busy() -> View:
    """Several owners here and there, and a full house."""
    mixed = {"loyal_commander": 1, "commander": 1, "squadron": 4}
    return make(
        6,
        [
            *make(6).groups,
            *crowd(6),
            GroupView("C.1", 1, {"commander": 1, "squadron": 12}),
            GroupView("C.1", 2, {"squadron": 2}),
            GroupView("E0.3", 0, mixed),
            GroupView("E0.3", 1, mixed),
            GroupView("E3.2", 4, {"squadron": 20}),
            GroupView("E3.3", 4, {"squadron": 104}),
        ],
    )


def lonely() -> View:
    two = [GroupView("E3.c", seat, FULL | {"squadron": 31}) for seat in (2, 5)]
    view = make(6, two, out=(0, 1, 3, 4), alive=False)
    return msgspec.structs.replace(view, active=2, battle=fight(), battles_begun=(("E3.c", 2, 5),))


def dense(seats: int) -> View:
    """Two full groups on every planet, and a crowd on the throne."""
    planets = [planet for planet in galaxy(make(seats).tiles).planets if planet != "C.c"]
    full = FULL | {"squadron": 20}
    pairs = [GroupView(planet, k, full) for n, planet in enumerate(planets) for k in (n % seats, (n + 1) % seats)]
    return make(seats, [*pairs, *crowd(seats)])


VIEWS: dict[str, Callable[[], View]] = {
    "two": lambda: make(2),
    "four": lambda: make(4),
    "busy": busy,
    "eight": lambda: make(8),
    "twelve": lambda: make(12, [*make(12).groups[1:], *crowd(12)]),
    "lonely": lonely,
    "dense": lambda: dense(6),
    "dense, twelve": lambda: dense(12),
    "empty": lambda: make(3, []),
}
each_view = pytest.mark.parametrize("view", [make() for make in VIEWS.values()], ids=VIEWS.keys())


def drawn(view: View, **more: list[str]) -> Canvas:
    return draw_board(view, NAMES, more.get("ringed", []), more.get("changed", []), "")


def pixels(view: View, **more: list[str]) -> Image.Image:
    return Image.open(io.BytesIO(board(view, names=NAMES, **more).png)).convert("RGB")


@each_view
def test_every_unit_is_shown_once(view: View) -> None:
    letters = {"A": "thought_admiral", "L": "loyal_commander", "C": "commander", "S": "squadron"}
    shown: Counter[tuple[str, int, str]] = Counter()
    for mark in drawn(view).marks:
        if mark.kind == "group":
            seat, _, units = mark.says.partition(":")
            shown.update({(mark.place, int(seat), letters[item[0]]): int(item[1:]) for item in units.split()})
    there = Counter({(g.planet, g.seat, rank): n for g in view.groups for rank, n in g.units.items() if n})
    assert shown == there


@each_view
def test_nothing_covers_a_group_or_leaves_the_picture(view: View) -> None:
    canvas = drawn(view)
    chips = [mark for mark in canvas.marks if mark.kind in ("group", "total")]
    names = [mark for mark in canvas.marks if mark.kind == "name"]
    for k, chip in enumerate(chips):
        assert chip.box.inside(canvas.box), chip
        assert not [other for other in chips[:k] if other.box.meets(chip.box)], chip
        assert not [name for name in names if name.place != chip.place and name.box.meets(chip.box)], chip


def test_a_planet_with_many_owners_shows_totals_and_lists_the_rest_below() -> None:
    canvas = drawn(make(6, crowd(6)))
    assert says(canvas, "total") == [f"{seat}:26" for seat in range(6)]
    top = galaxy(make(6).tiles).height
    assert all(mark.box.top > top - LINE for mark in canvas.marks if mark.kind == "group")
    assert "total" not in {mark.kind for mark in drawn(make(6)).marks}


@each_view
def test_the_frame_tells_the_state_of_the_game(view: View) -> None:
    canvas = drawn(view)
    assert says(canvas, "deck") == [str(view.deck)]
    assert says(canvas, "discards") == [str(len(view.discard))]
    assert says(canvas, "supply") == [str(view.squadron_supply)]
    assert says(canvas, "emperor") == ["on the throne" if view.emperor_alive else "is dead"]
    assert says(canvas, "actions") == [str(view.actions_left)]
    assert len(says(canvas, "seat")) == len(view.houses)
    assert says(canvas, "out") == [str(house.seat) for house in view.houses if not house.playing]


def test_the_winner_is_told() -> None:
    canvas = drawn(make(3, winner=2))
    assert NAMES[2] in says(canvas, "turn")[0]
    assert not says(canvas, "actions")


def test_homes_have_their_houses_colours_and_other_centres_have_none() -> None:
    view = make(4)
    image, land = pixels(view), galaxy(view.tiles)
    top = image.height - land.height - (drawn(view).box.height - land.height - 76) + 0
    found = {}
    for tile, *_ in view.tiles:
        at = land.planets[f"{tile}.c"]
        found[f"{tile}.c"] = image.getpixel((round(at.x - LARGE_DISC * 0.7), round(at.y - LIFT + top)))
    for house in view.houses:
        assert found[house.homes[0]] == look.house(house.house).rgb
    assert found["E2.c"] == found["E5.c"] not in {look.house(house.house).rgb for house in view.houses}


def test_the_emperor_leaves_the_throne() -> None:
    def gold(view: View) -> int:
        at = galaxy(view.tiles).planets["C.c"]
        crop = pixels(view).crop((round(at.x) - 20, round(at.y), round(at.x) + 20, round(at.y) + 50))
        return sum(n for n, colour in crop.getcolors(2000) or [] if colour == GOLD)

    assert gold(make(4)) > gold(make(4, alive=False)) + 100


def test_rings_are_drawn_where_they_belong() -> None:
    view = make(4)

    def has(colour: tuple[int, int, int], place: Point, **more: list[str]) -> int:
        box = (round(place.x) - 60, round(place.y) - 20, round(place.x) + 60, round(place.y) + 100)
        return sum(n for n, found in pixels(view, **more).crop(box).getcolors(9000) or [] if found == colour)

    at = galaxy(view.tiles).planets["C.0"]
    assert has(TARGET, at, ringed=["C.0"]) > 100
    assert has(CHANGED, at, changed=["C.0"]) > 100
    assert has(TARGET, at, ringed=["E3.3"]) == has(CHANGED, at, changed=["E3.3", "nowhere"]) == 0
    both = drawn(view, ringed=["C.0"], changed=["C.0", "nowhere"])
    assert sorted((mark.kind, mark.place) for mark in both.marks if mark.kind in ("ringed", "changed")) == [
        ("changed", "C.0"),
        ("ringed", "C.0"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda v: msgspec.structs.replace(v, groups=(*v.groups, GroupView("E5.5", 0, {"squadron": 1}))),
        lambda v: msgspec.structs.replace(v, emperor_alive=False),
        lambda v: msgspec.structs.replace(v, actions_left=1),
        lambda v: msgspec.structs.replace(v, active=3),
        lambda v: msgspec.structs.replace(v, deck=40),
        lambda v: msgspec.structs.replace(v, round=4),
        lambda v: msgspec.structs.replace(v, squadron_supply=1),
        lambda v: msgspec.structs.replace(v, battles_begun=(("E0.c", 0, 1),)),
        lambda v: msgspec.structs.replace(v, battle=fight()),
        lambda v: msgspec.structs.replace(v, discard=()),
        lambda v: msgspec.structs.replace(
            v, houses=(msgspec.structs.replace(v.houses[0], controls_home=False), *v.houses[1:])
        ),
    ],
)
def test_what_changes_is_seen(change: Callable[[View], View]) -> None:
    view = make(4)
    assert board(change(view), names=NAMES).png != board(view, names=NAMES).png


def test_what_only_the_viewer_knows_is_not_on_the_board() -> None:
    from .samples import CARDS

    public = board(make(4), names=NAMES)
    assert board(make(4, viewer=2, hand=CARDS), names=NAMES) == public


def test_equal_views_give_equal_bytes_in_any_process() -> None:
    code = """
from render.struggle_for_the_throne import board
from tests.render.samples import NAMES, crowd, make
pictures = [board(make(6, crowd(6)), names=NAMES, ringed={"C.0", "C.1", "E0.2"}, changed={"C.2", "C.3"})]"""
    here = board(make(6, crowd(6)), names=NAMES, ringed=["C.1", "C.0", "E0.2"], changed=["C.3", "C.2"])
    assert digests_elsewhere(code) == {digest(here)}


@each_view
def test_size_and_description_stay_within_limits(view: View) -> None:
    within_limits(board(view, names=NAMES), (250 if len(view.groups) < 100 else 350) * 1024)


def test_even_the_worst_crowd_stays_within_limits() -> None:
    planets = [planet for planet in galaxy(make(12).tiles).planets if planet.endswith(("c", "1", "4"))]
    groups = [GroupView(planet, seat, FULL | {"squadron": 104}) for planet in planets for seat in range(12)]
    picture = board(make(12, groups), names=dict.fromkeys(range(12), "🦊" * 100))
    assert picture.width * picture.height <= MOST_PIXELS


def test_a_warm_board_is_quick() -> None:
    view = busy()
    assert warm_seconds(lambda: board(view, names=NAMES)) < 0.15


@pytest.mark.parametrize("name", ["🦊" * 100, "שלום עולם " * 9, "x" * 100, "", "\u202e\u200f", "漢字かな"])
def test_any_name_will_do(name: str) -> None:
    view = make(3, winner=None)
    picture = board(view, names={0: name, 1: name, 2: name}, title=name)
    assert len(picture.alt) < ALT_LENGTH


def test_a_seat_without_a_name_is_called_by_its_house() -> None:
    view = make(2)
    assert says(draw_board(view, {0: "Anna"}, [], [], ""), "seat") == ["0:Anna", "1:GarKallos"]


def test_heads_are_marked_where_they_stand() -> None:
    view = make(2)
    stacks = groups_of(view, look.houses(view))
    assert [group.head for groups in stacks.values() for group in groups] == ["thought_admiral"] * 2
    moved = msgspec.structs.replace(view.houses[0], head_at="C.c")
    other = msgspec.structs.replace(view, houses=(moved, view.houses[1]))
    assert board(other, names=NAMES).png != board(view, names=NAMES).png
