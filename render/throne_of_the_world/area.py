"""The trading area as five cards, and the piles."""

from rules.throne_of_the_world.components import PLAY, UNITS
from rules.throne_of_the_world.views import CardView, View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, INK, MUTED, PANEL, PANEL_EDGE, TEXT, mix
from ..panels import Stat, draw_stat, stat_width, write_fitting
from . import look
from .frame import GAP, WIDTH
from .wording import in_short, say

LABEL_HEIGHT = 46
CARD_HEIGHT = 196
AREA_HEIGHT = LABEL_HEIGHT + CARD_HEIGHT + GAP
CARD_WIDTH = (WIDTH - GAP * (PLAY.trading_area + 1)) / PLAY.trading_area


def draw_area(canvas: Canvas, view: View, top: float) -> None:
    """The cards on offer below a line with the sizes of both piles."""
    y = top + LABEL_HEIGHT / 2
    canvas.write("Trading area", GAP + 6, y, 28, TEXT, text.Font.BOLD)
    right = WIDTH - GAP - 6.0
    for what, sign, count in (("discards", "cards", len(view.discards)), ("draw pile", "card", view.deck)):
        stat = Stat(sprites.sprite(sign, 28, mix(PANEL_EDGE, TEXT, 0.5)), str(count))
        left = right - stat_width(stat, 28)
        box = draw_stat(canvas, stat, left, y, 28)
        canvas.mark(what, "", str(count), box)
        right = canvas.write(what, left - 9, y, 24, MUTED, anchor="r").left - 28
    for k in range(PLAY.trading_area):
        left = round(GAP + k * (CARD_WIDTH + GAP))
        box = Box(left, top + LABEL_HEIGHT, left + round(CARD_WIDTH), top + LABEL_HEIGHT + CARD_HEIGHT)
        if k < len(view.area):
            draw_small_card(canvas, box, view.area[k])
        else:
            canvas.plate(box, 12, mix(PANEL, INK, 0.6), PANEL_EDGE)


def draw_small_card(canvas: Canvas, box: Box, card: CardView) -> None:
    """A card with its sign, its name and what it does in figures or a few words."""
    face = look.face_of(card)
    canvas.plate(box, 12, mix(PANEL, face.colour, 0.1), face.colour, 3)
    canvas.mark("area", card.id, say("card", card.id), box)
    x, room = box.centre.x, box.width - 16
    if card.kind == "double":
        canvas.centred(look.profession(card.profession, 56), Point(x - 24, box.top + 44))
        canvas.centred(sprites.sprite("bolts", 46, face.colour), Point(x + 36, box.top + 44))
    else:
        canvas.centred(sprites.sprite(face.shape, 60, face.colour), Point(x, box.top + 44))
    name = {"general": "Action", "double": "Double"}.get(card.kind, say("card", card.id))
    write_fitting(canvas, name, x, box.top + 98, 27, room, TEXT, anchor="m")
    if card.kind == "unit":
        _draw_figures(canvas, box, card.profession)
    elif card.kind == "general":
        canvas.write("but not", x, box.top + 128, 22, MUTED, anchor="m")
        for k, profession in enumerate(card.excluded):
            at = Point(x + (k - (len(card.excluded) - 1) / 2) * 60, box.top + 164)
            draw_barred(canvas, profession, 44, at)
    else:
        words = f"{say('short', card.profession)} act twice" if card.kind == "double" else in_short(card.id)
        for k, line in enumerate(text.wrap(words, 22, room, lines=3)):
            canvas.write(line, x, box.top + 128 + 25 * k, 22, mix(TEXT, MUTED, 0.4), anchor="m")


def _draw_figures(canvas: Canvas, box: Box, profession: str) -> None:
    unit = UNITS[profession]
    steps = Stat(look.gives(profession, 22), "/".join(map(str, unit.efficiency)))
    draw_stat(canvas, steps, box.centre.x - stat_width(steps, 25, 6) / 2, box.top + 134, 25, 6)
    heart = Stat(sprites.sprite("heart", 20, MUTED), str(unit.tolerance), MUTED)
    words = f"set {unit.set_size}"
    width = text.width(words, 23) + 14 + stat_width(heart, 24)
    canvas.write(words, box.centre.x - width / 2, box.top + 169, 23, MUTED)
    draw_stat(canvas, heart, box.centre.x + width / 2 - stat_width(heart, 24), box.top + 169, 24)


def draw_barred(canvas: Canvas, profession: str, size: int, at: Point) -> None:
    """A profession that a card does not activate."""
    canvas.centred(sprites.sprite(profession, size, mix(PANEL, TEXT, 0.5)), at)
    corner = Point(at.x + size * 0.32, at.y + size * 0.28)
    canvas.centred(sprites.sprite("cross", round(size * 0.62), DANGER, INK, 2), corner)
