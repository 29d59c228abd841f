"""The lie of the land: where tiles, planets and paths are on the canvas, and the map without pieces."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import DIRECTIONS, Box, HexGrid, Point
from ..palette import GOLD, PATH, RGB, ROCK, SPACE, TEXT, TILE, TILE_EDGE, ink_on, mix, shade
from .look import House

Tiles = tuple[tuple[str, int, int], ...]

#: the way from a tile's middle to its edge on which the outer planets lie: all neighbours are equally far apart
RING = 2 / 3
PITCH = 130.0
MARGIN = 12
#: a planet's disc stands this far above its place, to leave room for the units
LIFT = 20
DISC = 29
LARGE_DISC = 41
NAME_SIZE = 22
LARGE_NAME_SIZE = 25
SUPER = 2


class Galaxy(NamedTuple):
    """Where everything is: `planets` by id, `paths` between them, the size of the map."""

    tiles: Tiles
    grid: HexGrid
    planets: dict[str, Point]
    paths: tuple[tuple[str, str], ...]
    width: int
    height: int

    def free(self, box: Box) -> bool:
        """Whether no tile reaches into the box."""
        return not any(self.grid.touches(q, r, box) for _, q, r in self.tiles)


@lru_cache(maxsize=32)
def galaxy(tiles: Tiles) -> Galaxy:
    """The layout of these tiles, as small as it can be."""
    size = PITCH * 1.5 / HexGrid(1).apothem
    bounds = HexGrid(size).bounds((q, r) for _, q, r in tiles)
    grid = HexGrid(size, Point(MARGIN - bounds.left, MARGIN - bounds.top))
    planets: dict[str, Point] = {}
    for tile, q, r in tiles:
        planets[f"{tile}.c"] = grid.centre(q, r)
        for direction in range(6):
            planets[f"{tile}.{direction}"] = grid.spot(q, r, direction, RING)
    width, height = round(bounds.width) + 2 * MARGIN, round(bounds.height) + 2 * MARGIN
    return Galaxy(tiles, grid, planets, tuple(_paths(tiles)), width, height)


def _paths(tiles: Tiles) -> Iterator[tuple[str, str]]:
    at = {(q, r): tile for tile, q, r in tiles}
    for tile, q, r in tiles:
        for direction, (dq, dr) in enumerate(DIRECTIONS):
            yield f"{tile}.c", f"{tile}.{direction}"
            yield f"{tile}.{direction}", f"{tile}.{(direction + 1) % 6}"
            other = at.get((q + dq, r + dr))
            if other and direction < 3:
                yield f"{tile}.{direction}", f"{other}.{direction + 3}"


def disc_of(place: Point) -> Point:
    """Where the disc of a planet is."""
    return Point(place.x, place.y - LIFT)


@lru_cache(maxsize=4)
def base_map(tiles: Tiles, homes: tuple[tuple[str, House], ...], throne: str) -> Image.Image:
    """The map without pieces: tiles, paths, planets with their names. Shared: copy, never draw on it."""
    land = galaxy(tiles)
    colours = {home: looks.rgb for home, looks in homes}
    large = Image.new("RGB", (land.width * SUPER, land.height * SUPER), SPACE)
    pen = ImageDraw.Draw(large)
    _stars(pen, land)
    for tile, q, r in tiles:
        _tile(pen, land, q, r, colours.get(f"{tile}.c"))
    for one, other in land.paths:
        ends = [disc_of(land.planets[one]), disc_of(land.planets[other])]
        pen.line([(p.x * SUPER, p.y * SUPER) for p in ends], fill=PATH, width=3 * SUPER)
    for planet, place in land.planets.items():
        _planet(pen, disc_of(place), radius_of(planet), _colour(planet, colours, throne), planet == throne)
    canvas = Canvas(1, 1)
    canvas.image = large.reduce(SUPER)
    signs = dict(homes)
    for planet, place in land.planets.items():
        _name(canvas, planet, place, _colour(planet, colours, throne), signs.get(planet), planet == throne)
    return canvas.image


def _name(canvas: Canvas, planet: str, place: Point, colour: RGB, looks: House | None, throne: bool) -> None:
    """The planet's name on its disc; on a home below the house's sign, on the throne below the Emperor."""
    ink = ink_on(colour)
    size = LARGE_NAME_SIZE if planet.endswith(".c") else NAME_SIZE
    lowered = 0 if throne else -4
    canvas.write(planet, place.x, place.y - LIFT + lowered, size, GOLD if throne else ink, text.Font.BOLD, anchor="m")
    if looks:
        canvas.centred(sprites.sprite(looks.sign, 24, ink), Point(place.x, place.y - LIFT - 27))


def radius_of(planet: str) -> int:
    """How large the planet's disc is."""
    return LARGE_DISC if planet.endswith(".c") else DISC


def _colour(planet: str, homes: dict[str, RGB], throne: str) -> RGB:
    if planet == throne:
        return mix(TILE, GOLD, 0.2)
    return homes.get(planet, ROCK)


def _stars(pen: ImageDraw.ImageDraw, land: Galaxy) -> None:
    seed = 7
    for _ in range(90):
        seed = (seed * 1103515245 + 12345) % 2**31
        x = (seed >> 8) % land.width
        seed = (seed * 1103515245 + 12345) % 2**31
        y = (seed >> 8) % land.height
        radius = 1 + (seed >> 5) % 3
        pen.ellipse(
            (x * SUPER - radius, y * SUPER - radius, x * SUPER + radius, y * SUPER + radius), fill=mix(SPACE, TEXT, 0.4)
        )


def _tile(pen: ImageDraw.ImageDraw, land: Galaxy, q: int, r: int, colour: RGB | None) -> None:
    for share, fill in (
        (1.0, SPACE),
        (0.985, mix(TILE, colour, 0.4) if colour else TILE_EDGE),
        (0.965, mix(TILE, colour, 0.1) if colour else TILE),
    ):
        pen.polygon([(p.x * SUPER, p.y * SUPER) for p in land.grid.corners(q, r, share)], fill=fill)


def _planet(pen: ImageDraw.ImageDraw, at: Point, radius: int, colour: RGB, throne: bool) -> None:
    def disc(x: float, y: float, size: float, fill: RGB) -> None:
        pen.ellipse([(v * SUPER) for v in (x - size, y - size, x + size, y + size)], fill=fill)

    if throne:
        disc(at.x, at.y, radius + 4, GOLD)
    else:
        disc(at.x, at.y, radius + 4, TILE)
    disc(at.x, at.y, radius, shade(colour, -0.35))
    disc(at.x - radius * 0.06, at.y - radius * 0.07, radius * 0.9, colour)
