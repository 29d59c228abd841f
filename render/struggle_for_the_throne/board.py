"""The board: the galaxy with everything on it, whose turn it is, and the players."""

from collections.abc import Collection, Mapping

from PIL import Image

from rules.struggle_for_the_throne.views import View

from .. import sprites
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import CHANGED, DANGER, GOLD, INK, MUTED, RGB, TARGET
from .alt import battle_alt, board_alt
from .battle import draw_battle
from .galaxy import LIFT, base_map, galaxy, radius_of
from .gatherings import draw_gatherings, height_of
from .groups import groups_of
from .look import House, houses
from .seats import (
    FACTS_HEIGHT,
    FACTS_WIDTH,
    HEAD_HEIGHT,
    LEGEND_HEIGHT,
    draw_facts,
    draw_head,
    draw_legend,
    draw_seats,
    seats_height,
)
from .stacks import Stack, draw_stack, stacks_on

#: the height kept free above the map when its tiles leave no room in the corners
STRIP = 130


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
    alt = board_alt(view, names)
    if view.battle or view.fought:
        canvas.below(draw_battle(view, names))
        alt = f"{alt} {battle_alt(view, names)}"
    return canvas.picture("board.png", alt)


def draw_board(
    view: View, names: Mapping[int, str], ringed: Collection[str], changed: Collection[str], title: str
) -> Canvas:
    """The board before it is encoded: head, map, list of gatherings, players."""
    looks = houses(view)
    land = galaxy(view.tiles)
    left = Box(14, 10, 14 + FACTS_WIDTH, 10 + FACTS_HEIGHT)
    right = Box(land.width - left.right, left.top, land.width - left.left, left.bottom)
    top = HEAD_HEIGHT + (0 if land.free(left) and land.free(right) else STRIP)
    places = {planet: Point(at.x, at.y + top) for planet, at in land.planets.items()}
    stacks = stacks_on(places, groups_of(view, looks))
    crowds = [stack for stack in stacks.values() if stack.crowded]
    listed = height_of(crowds, land.width)
    canvas = Canvas(land.width, top + land.height + listed + seats_height(len(view.houses)))
    draw_head(canvas, view, names, looks, title)
    canvas.image.paste(_land(view, looks), (0, top))
    draw_facts(canvas, view, Point(left.left, HEAD_HEIGHT + 14), Point(right.left, HEAD_HEIGHT + 14))
    legend = Box(10, land.height - LEGEND_HEIGHT, 10 + FACTS_WIDTH, land.height)
    if land.free(legend):
        draw_legend(canvas, Point(legend.left, top + legend.top))
    _pieces(canvas, view, places, stacks)
    for planet in sorted(set(changed) & set(places)):
        _ring(canvas, "changed", planet, places[planet], stacks.get(planet))
    for planet in sorted(set(ringed) & set(places)):
        _ring(canvas, "ringed", planet, places[planet], stacks.get(planet))
    draw_gatherings(canvas, crowds, top + land.height)
    draw_seats(canvas, view, names, looks, top + land.height + listed)
    return canvas


def _land(view: View, looks: Mapping[int, House]) -> Image.Image:
    homes = tuple((home, looks[house.seat]) for house in view.houses for home in house.homes)
    return base_map(view.tiles, homes, view.throne)


def _pieces(canvas: Canvas, view: View, places: Mapping[str, Point], stacks: Mapping[str, Stack]) -> None:
    """Units, the Emperor, and swords where there is a fight."""
    for stack in stacks.values():
        draw_stack(canvas, stack)
    _emperor(canvas, view, places[view.throne], stacks.get(view.throne))
    for planet in sorted({planet for planet, _, _ in view.battles_begun}):
        _swords(canvas, places[planet], stacks.get(planet), MUTED)
    if view.battle is not None:
        planet = view.battle.planet
        canvas.mark("battle", planet, "", _swords(canvas, places[planet], stacks.get(planet), DANGER))


def _ring(canvas: Canvas, kind: str, planet: str, place: Point, stack: Stack | None) -> None:
    """A line around the planet, and around its units if there are any: in four pieces where it can be chosen."""
    colour, gap, rim, gaps = (TARGET, 9, 6, True) if kind == "ringed" else (CHANGED, 5, 4, False)
    radius = radius_of(planet) + gap
    disc = Box(place.x - radius, place.y - LIFT - radius, place.x + radius, place.y - LIFT + radius)
    if stack is None:
        ring = sprites.hoop(2 * radius, colour, rim, dashes=4 if gaps else 0)
        canvas.mark(kind, planet, "", canvas.centred(ring, disc.centre))
        return
    box = Box(stack.box.left - 3, min(disc.top, stack.box.top - 22), stack.box.right + 3, stack.box.bottom + 5)
    frame = sprites.frame(round(box.width), round(box.height), 20, colour, rim, gaps)
    canvas.mark(kind, planet, "", canvas.put(frame, box.left, box.top))


def _emperor(canvas: Canvas, view: View, place: Point, stack: Stack | None) -> None:
    """The crown above the throne's name; beside it when units take its place."""
    shape, colour = ("crown", GOLD) if view.emperor_alive else ("broken_crown", MUTED)
    at, size = Point(place.x, place.y - LIFT - 30), 44
    if stack is not None and stack.hides_name:
        at, size = Point(place.x - 46, stack.tab.top + 11), 30
    canvas.centred(sprites.sprite(shape, size, colour, INK, 3), at)


def _swords(canvas: Canvas, place: Point, stack: Stack | None, colour: RGB) -> Box:
    """Crossed swords at the right above a planet's units."""
    y = stack.tab.top + 11 if stack and stack.hides_name else place.y - LIFT - 18
    return canvas.centred(sprites.sprite("swords", 34, colour, INK, 3), Point(place.x + 48, y))
