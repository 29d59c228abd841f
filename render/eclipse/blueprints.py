"""The blueprints of a player: squares with parts, what they add up to, ships built and left."""

from rules.eclipse.ships import SHIP_LIMITS
from rules.eclipse.views import BlueprintView, SeatView

from .. import text
from ..canvas import Canvas
from ..geometry import Box
from ..palette import INK, MUTED, PANEL, TEXT, mix
from ..panels import panel, write_fitting
from . import look
from .head import GAP as MARGIN
from .head import WIDTH
from .parts import draw_figures, draw_part, draw_weapons, total_figures, total_words
from .wording import say

HEAD, DICE_ROW, FIGURE_ROW, SQUARE = 46, 40, 34, 68
GAP = 6
COLUMNS = 2


def blueprint_height(squares: int) -> int:
    """How high a blueprint with so many squares is."""
    return HEAD + DICE_ROW + 2 * FIGURE_ROW + -(-squares // COLUMNS) * (SQUARE + GAP) + 14


def height_of(seat: SeatView) -> int:
    """How high the highest blueprint of a player is."""
    return max((blueprint_height(len(plan.squares)) for plan in seat.blueprints), default=0)


def draw_plans(seat: SeatView) -> Canvas:
    """All blueprints of a player, side by side."""
    canvas = Canvas(WIDTH, height_of(seat) + 2 * MARGIN)
    draw_all(canvas, seat, MARGIN, canvas.box.height - MARGIN)
    return canvas


def draw_all(canvas: Canvas, seat: SeatView, top: float, bottom: float) -> None:
    """All blueprints of a player between two heights."""
    looks = look.of(seat.colour, seat.species)
    width = (WIDTH - MARGIN) / len(seat.blueprints)
    for k, plan in enumerate(seat.blueprints):
        left = round(MARGIN + k * width)
        draw_blueprint(canvas, Box(left, top, left + round(width) - MARGIN, bottom), looks, plan)


def draw_blueprint(canvas: Canvas, box: Box, looks: look.SeatLook, plan: BlueprintView) -> None:
    """One type of ship: how many are out of all, weapons and cost, what it adds up to, its squares."""
    panel(canvas, box, mix(PANEL, looks.line, 0.5))
    y = box.top + HEAD / 2 + 2
    limit = SHIP_LIMITS[plan.ship]
    out = limit - plan.left
    glyph = canvas.put(look.ship(plan.ship, 36, looks), box.left + 8, y - 18)
    count = canvas.write(f"{out}/{limit}", box.right - 10, y, 26, TEXT if out else MUTED, text.Font.BOLD, anchor="r")
    name = say("ship", plan.ship)
    write_fitting(canvas, name, glyph.right + 8, y, 25, count.left - glyph.right - 16)
    canvas.mark("out", plan.ship, f"{out}/{limit}", count)
    top = box.top + HEAD
    draw_weapons(canvas, plan, box.left + 12, top + DICE_ROW / 2, 27)
    cost = canvas.write(str(plan.cost), box.right - 10, top + DICE_ROW / 2, 26, TEXT, text.Font.BOLD, anchor="r")
    canvas.put(look.kind("materials", 24), cost.left - 29, top + DICE_ROW / 2 - 12)
    top += DICE_ROW
    shown = total_figures(plan)
    for k in range(2):
        for n, figure in enumerate(shown[3 * k : 3 * k + 3]):
            x = box.left + 12 + n * (box.width - 20) / 3
            draw_figures(canvas, [figure], x, top + (k + 0.5) * FIGURE_ROW, 25)
    canvas.mark("blueprint", plan.ship, total_words(plan), box)
    draw_grid(canvas, Box(box.left + 6, top + 2 * FIGURE_ROW + 6, box.right - 6, box.bottom), plan)


def draw_grid(canvas: Canvas, box: Box, plan: BlueprintView) -> None:
    """The squares of a blueprint, numbered as the questions number them."""
    width = (box.width - GAP * (COLUMNS - 1)) / COLUMNS
    for k, square in enumerate(plan.squares):
        left = box.left + (k % COLUMNS) * (width + GAP)
        top = box.top + (k // COLUMNS) * (SQUARE + GAP)
        place = Box(round(left), round(top), round(left + width), round(top + SQUARE))
        draw_part(canvas, place, square.part, printed=not square.tile)
        number = canvas.write(str(k + 1), place.right - 6, place.top + 13, 20, mix(MUTED, INK, 0.25), anchor="r")
        canvas.mark("square", f"{plan.ship}.{k}", square.part, number)
