"""The board: the galaxy with everything on it, whose turn it is, and the players."""

from collections.abc import Collection, Mapping

from PIL import Image

from rules.struggle_for_the_throne.views import View

from .. import sprites
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import CHANGED, DANGER, GOLD, INK, MUTED, PANEL, RGB, TARGET
from .alt import board_alt
from .galaxy import LIFT, Galaxy, base_map, galaxy, radius_of
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
from .stacks import (
    LIST_LINE,
    Group,
    covers_name,
    crowded,
    draw_list,
    draw_stack,
    groups_of,
    list_rows,
    name_height,
    stack_box,
)


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
    width = land.pitch - 4
    boxes = {planet: stack_box(places[planet], groups, width) for planet, groups in stacks.items()}
    for planet, groups in stacks.items():
        draw_stack(canvas, places[planet], groups, width)
    _emperor(canvas, view, places[view.throne], boxes.get(view.throne))
    for planet in sorted(set(changed) & set(places)):
        _ring(canvas, "changed", planet, places[planet], boxes.get(planet))
    for planet in sorted(set(ringed) & set(places)):
        _ring(canvas, "ringed", planet, places[planet], boxes.get(planet))
    for planet, _, _ in view.battles_begun:
        _swords(canvas, places[planet], boxes.get(planet), MUTED)
    if view.battle is not None:
        _swords(canvas, places[view.battle.planet], boxes.get(view.battle.planet), DANGER)
        canvas.mark("battle", view.battle.planet, "", canvas.box)


def _ring(canvas: Canvas, kind: str, planet: str, place: Point, stack: Box | None) -> None:
    """A line around the planet, and around its units if there are any: in four pieces where it can be chosen."""
    colour, gap, rim, gaps = (TARGET, 9, 6, True) if kind == "ringed" else (CHANGED, 5, 4, False)
    radius = radius_of(planet) + gap
    disc = Box(place.x - radius, place.y - LIFT - radius, place.x + radius, place.y - LIFT + radius)
    if stack is None:
        ring = sprites.hoop(2 * radius, colour, rim, dashes=4 if gaps else 0)
        canvas.mark(kind, planet, "", canvas.centred(ring, disc.centre))
        return
    box = Box(stack.left - 3, min(disc.top, stack.top - 22), stack.right + 3, stack.bottom + 5)
    frame = sprites.frame(round(box.width), round(box.height), 20, colour, rim, gaps)
    canvas.mark(kind, planet, "", canvas.put(frame, box.left, box.top))


def _emperor(canvas: Canvas, view: View, place: Point, stack: Box | None) -> None:
    """The crown above the throne's name; beside it when units take its place."""
    shape, colour = ("crown", GOLD) if view.emperor_alive else ("broken_crown", MUTED)
    at, size = Point(place.x, place.y - LIFT - 30), 44
    if stack is not None and covers_name(place, view.throne, stack.top):
        at, size = Point(stack.left + 17, name_height(place, stack.top) + 1), 30
    canvas.centred(sprites.sprite(shape, size, colour, INK, 3), at)


def _swords(canvas: Canvas, place: Point, stack: Box | None, colour: RGB) -> None:
    """Crossed swords at the right above a planet's units: these have begun to fight."""
    y = min(stack.top - 14 if stack else place.y, place.y - LIFT - 18)
    canvas.centred(sprites.sprite("swords", 38, colour, INK, 3), Point(place.x + 44, y))
