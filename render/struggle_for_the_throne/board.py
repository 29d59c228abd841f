"""The board: the galaxy with everything on it, whose turn it is, and the players."""

from collections.abc import Collection, Mapping

from PIL import Image

from rules.struggle_for_the_throne.views import View

from .. import sprites
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import CHANGED, DANGER, GOLD, INK, MUTED, PANEL, TARGET
from .alt import board_alt
from .galaxy import LIFT, Galaxy, base_map, galaxy
from .look import House, houses
from .seats import (
    FACTS_HEIGHT,
    FACTS_WIDTH,
    HEAD_HEIGHT,
    draw_facts,
    draw_head,
    draw_legend,
    draw_seats,
    seats_height,
)
from .stacks import LIST_LINE, Group, crowded, draw_list, draw_stack, groups_of, list_rows

RING_SIZE = 128


def board(
    view: View,
    *,
    names: Mapping[int, str],
    ringed: Collection[str] = (),
    changed: Collection[str] = (),
    title: str = "",
) -> Picture:
    """The board for this view. `ringed`: planets that can be chosen; `changed`: planets where something happened."""
    canvas = draw_board(view, names, ringed, changed, title)
    return canvas.picture("board.png", board_alt(view, names))


def draw_board(
    view: View, names: Mapping[int, str], ringed: Collection[str], changed: Collection[str], title: str
) -> Canvas:
    """The board before it is encoded."""
    looks = houses(view)
    land = galaxy(view.tiles)
    stacks = groups_of(view, looks)
    crowds = [groups for groups in stacks.values() if crowded(groups)]
    facts = Box(14, 10, 14 + FACTS_WIDTH, 10 + FACTS_HEIGHT)
    mirrored = Box(land.width - facts.right, facts.top, land.width - facts.left, facts.bottom)
    strip = 0 if land.free(facts) and land.free(mirrored) else 130
    top = HEAD_HEIGHT + strip
    listed = LIST_LINE * len(list_rows(crowds, land.width)) + 12 if crowds else 0
    canvas = Canvas(land.width, top + land.height + listed + seats_height(len(view.houses)))
    draw_head(canvas, view, names, looks, title)
    canvas.image.paste(_land(view, looks), (0, top))
    draw_facts(canvas, view, Point(facts.left, HEAD_HEIGHT + 14), Point(mirrored.left, HEAD_HEIGHT + 14))
    legend = Box(14, land.height - 160, 14 + FACTS_WIDTH, land.height)
    if land.free(legend):
        draw_legend(canvas, Point(legend.left, top + legend.top + 10))
    _pieces(canvas, view, looks, land, top, stacks, ringed, changed)
    if crowds:
        canvas.plate(Box(8, top + land.height, land.width - 8, top + land.height + listed - 4), 12, PANEL)
        draw_list(canvas, crowds, top + land.height + 4)
    draw_seats(canvas, view, names, looks, top + land.height + listed)
    return canvas


def _land(view: View, looks: Mapping[int, House]) -> Image.Image:
    homes = tuple((home, looks[house.seat]) for house in view.houses for home in house.homes)
    return base_map(view.tiles, homes, view.throne)


def _pieces(
    canvas: Canvas,
    view: View,
    looks: Mapping[int, House],
    land: Galaxy,
    top: float,
    stacks: Mapping[str, list[Group]],
    ringed: Collection[str],
    changed: Collection[str],
) -> None:
    places = {planet: Point(at.x, at.y + top) for planet, at in land.planets.items()}
    for planet in sorted(set(changed) & set(places)):
        _ring(canvas, "changed", planet, places[planet], sprites.hoop(RING_SIZE, CHANGED, 4))
    for planet in sorted(set(ringed) & set(places)):
        _ring(canvas, "ringed", planet, places[planet], sprites.hoop(RING_SIZE + 6, TARGET, 6, dashes=10))
    for planet, groups in stacks.items():
        draw_stack(canvas, places[planet], groups, land.pitch - 4)
    _emperor(canvas, view, places[view.throne])
    for planet, _, _ in view.battles_begun:
        _swords(canvas, places[planet], MUTED, 30)
    if view.battle is not None:
        _swords(canvas, places[view.battle.planet], DANGER, 44)
        canvas.mark("battle", view.battle.planet, "", canvas.box)


def _ring(canvas: Canvas, kind: str, planet: str, place: Point, ring: sprites.Sprite) -> None:
    canvas.mark(kind, planet, "", canvas.centred(ring, Point(place.x, place.y + 2)))


def _emperor(canvas: Canvas, view: View, place: Point) -> None:
    shape, colour = ("crown", GOLD) if view.emperor_alive else ("broken_crown", MUTED)
    canvas.centred(sprites.sprite(shape, 44, colour, INK, 3), Point(place.x, place.y - LIFT - 24))


def _swords(canvas: Canvas, place: Point, colour: tuple[int, int, int], size: int) -> None:
    canvas.centred(sprites.sprite("swords", size, colour, INK, 3), Point(place.x + 42, place.y - LIFT - 22))
