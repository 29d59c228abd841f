"""The pictures of Eclipse are told apart and read by everybody, always the same, small and fast enough."""

import sys
from collections.abc import Callable
from itertools import combinations

import msgspec
import pytest
from PIL import ImageChops

from render import sprites, text
from render.canvas import Picture
from render.eclipse import EXTRAS, battle, board, hand, look, placement, scores, shapes, supply
from render.palette import MUTED, PANEL, TEXT, TILE, luminance
from rules.bots import play_out
from rules.eclipse import RULES
from rules.eclipse.components import COLOURS, SPECIES
from rules.eclipse.views import View
from rules.engine.chance import Chance
from rules.engine.table import Table

from .checks import digest, digests_elsewhere, within_limits
from .eclipse_samples import (
    LONG,
    NAMES,
    VIEWS,
    fighting,
    midgame,
    placing,
    replaced,
)
from .timing import warm_seconds
from .vision import KINDS, distance

MOST_BYTES = 400 * 1024
LEAST_TEXT = 20
each_view = pytest.mark.parametrize("view", [make() for make in VIEWS.values()], ids=VIEWS.keys())


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


def draw_all_anew() -> None:
    """Forget what was drawn before, whose texts nobody would see being written."""
    for name, module in list(sys.modules.items()):
        for thing in vars(module).values() if name.startswith("render.") else ():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def test_no_text_is_smaller_than_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: set[int] = set()
    plain = text.label

    def noted(words: str, size: int, *rest: object, **more: object) -> sprites.Sprite:
        if words.strip():
            sizes.add(size)
        return plain(words, size, *rest, **more)

    monkeypatch.setattr(text, "label", noted)
    draw_all_anew()
    for make in VIEWS.values():
        for draw in (scores, supply, battle, hand, EXTRAS["player1"]):
            draw(make(viewer=0) if make in (midgame, fighting) else make(), names=LONG)
    assert min(sizes) >= LEAST_TEXT
    sizes.clear()
    draw_all_anew()
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
    within_limits(picture, MOST_BYTES)


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
    code = """
from render.eclipse import board, hand
from tests.render.eclipse_samples import NAMES, fighting, midgame
pictures = [
    board(fighting(), names=NAMES, ringed={"0,0", "0,-2", "2,-2"}, changed={"2,0", "-2,2"}),
    hand(midgame(viewer=3), names=NAMES),
]"""
    here = board(fighting(), names=NAMES, ringed=["2,-2", "0,-2", "0,0"], changed=["-2,2", "2,0"])
    assert digests_elsewhere(code) == {digest(here, hand(midgame(viewer=3), names=NAMES))}


@pytest.mark.parametrize("seats_", [2, 6])
def test_every_view_of_a_played_game_draws(seats_: int) -> None:
    table, _ = Table.start(RULES, RULES.options(), seats=seats_, secret=bytes([seats_]) * 32)
    count = 0

    def look_at(table: Table) -> bool:
        nonlocal count
        count += 1
        if count % 24 == 1:
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
