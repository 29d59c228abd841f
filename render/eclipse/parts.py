"""Ship parts as tiles, and what a ship's parts add up to."""

from typing import NamedTuple

from rules.eclipse.ships import ANCIENT_PARTS, PARTS, Part, Totals
from rules.eclipse.views import BlueprintView

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, GOOD, INK, MUTED, PANEL, PANEL_EDGE, RGB, TEXT, mix
from . import look


class Figure(NamedTuple):
    """One property of a part or ship: its sign's kind and what it is."""

    kind: str
    says: str
    colour: RGB = TEXT


def figures(part: Part) -> tuple[list[Figure], list[Figure]]:
    """What a part is for, and what else it has: what it takes and gives."""
    main = []
    if part.computer:
        main.append(Figure("computer", f"+{part.computer}"))
    if part.shield:
        main.append(Figure("shield", f"-{part.shield}"))
    if part.hull:
        main.append(Figure("hull", str(part.hull)))
    if part.movement:
        main.append(Figure("drive", str(part.movement)))
    if part.production:
        main.append(Figure("source", f"+{part.production}"))
    side = []
    if part.initiative:
        side.append(Figure("initiative", f"+{part.initiative}", mix(TEXT, MUTED, 0.3)))
    if part.consumption:
        side.append(Figure("source", f"-{part.consumption}", mix(DANGER, TEXT, 0.35)))
    return main, side


def sign(kind: str, size: int, colour: RGB | None = None) -> sprites.Sprite:
    """The sign of a property."""
    if kind == "initiative":
        return sprites.sprite("initiative", size, colour or TEXT)
    return look.part_kind(kind, size, colour)


def draw_figures(canvas: Canvas, shown: list[Figure], x: float, y: float, size: int) -> float:
    """Properties in a row from x on; returns where it ends."""
    for kind, says, colour in shown:
        box = canvas.put(sign(kind, size - 4), x, y - (size - 4) / 2)
        x = canvas.write(says, box.right + 3, y, size, colour, text.Font.BOLD).right + 6
    return x


def draw_dice(canvas: Canvas, damages: tuple[int, ...], x: float, y: float, size: int) -> float:
    """Dice in their colours with the damage each does; returns where the row ends."""
    for damage in damages:
        colour = look.die_colour(damage)
        box = Box(round(x), round(y - size / 2), round(x) + size, round(y - size / 2) + size)
        canvas.plate(box, size // 5, colour)
        ink = INK if damage < 4 else TEXT
        canvas.write(str(damage), box.centre.x, y, round(size * 0.82), ink, text.Font.BOLD, anchor="m")
        x = box.right + 4
    return x


def draw_part(canvas: Canvas, box: Box, id: str, printed: bool = True, size: int = 26) -> None:
    """A square of a blueprint with what lies there; `printed`: no tile lies on it."""
    if not id:
        canvas.plate(box, 8, mix(PANEL, INK, 0.5), mix(PANEL, PANEL_EDGE, 0.6))
        return
    part, colour = PARTS[id], look.part_colour(id)
    edge = GOLD if id in ANCIENT_PARTS else mix(PANEL_EDGE, colour, 0.1) if printed else colour
    canvas.plate(box, 8, mix(PANEL, colour, 0.08 if printed else 0.2), edge, 1 if printed else 3)
    main, more = figures(part)
    side = 28 if len(more) > 1 else 34
    rows = 2 if more else 1
    y = box.top + box.height * (0.5 if rows == 1 else 0.33)
    icon = canvas.put(look.part(id, side), box.left + 6, box.centre.y - side / 2)
    x = icon.right + 6.0
    if part.dice:
        draw_dice(canvas, (part.damage,) * part.dice, x, y, size)
    elif main:
        canvas.write(main[0].says, x, y, size + 2, TEXT, text.Font.BOLD)
    draw_figures(canvas, more, x, box.top + box.height * 0.75, size - 6)
    canvas.mark("part", "", id, box)


def total_figures(sums: BlueprintView | Totals) -> list[Figure]:
    """What a ship adds up to besides its dice: always the same figures in the same order."""
    spare = sums.production - sums.consumption
    return [
        Figure("initiative", str(sums.initiative)),
        Figure("computer", f"+{sums.computer}"),
        Figure("shield", f"-{sums.shield}"),
        Figure("hull", str(sums.hull)),
        Figure("drive", str(sums.movement)),
        Figure("source", f"{sums.consumption}/{sums.production}", GOOD if spare >= 0 else DANGER),
    ]


def total_words(sums: BlueprintView | Totals) -> str:
    """What a ship adds up to, in words."""
    dice = ", ".join(f"{what} {'+'.join(map(str, them))}" for what, them in _dice(sums)) or "no weapons"
    return (
        f"initiative {sums.initiative}, {dice}, computer +{sums.computer}, shield -{sums.shield}, hull {sums.hull}, "
        f"movement {sums.movement}, energy {sums.consumption} of {sums.production}"
    )


def _dice(sums: BlueprintView | Totals) -> list[tuple[str, tuple[int, ...]]]:
    return [(what, them) for what, them in (("cannons", sums.cannons), ("missiles", sums.missiles)) if them]


def draw_weapons(canvas: Canvas, sums: BlueprintView | Totals, x: float, y: float, size: int) -> float:
    """Cannon dice, then missile dice after a rocket; returns where the row ends."""
    if not sums.cannons and not sums.missiles:
        return canvas.write("no weapons", x, y, size - 4, MUTED).right
    if sums.cannons:
        box = canvas.centred(look.part_kind("cannon", size), Point(x + size / 2, y))
        x = draw_dice(canvas, sums.cannons, box.right + 5, y, size) + 8
    if sums.missiles:
        box = canvas.centred(look.part_kind("missile", size), Point(x + size / 2, y))
        x = draw_dice(canvas, sums.missiles, box.right + 5, y, size) + 8
    return x
