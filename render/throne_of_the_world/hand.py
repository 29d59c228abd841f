"""The viewer's cards with what they do; while races are chosen, the race cards."""

from collections import Counter
from collections.abc import Mapping

from rules.throne_of_the_world.components import PROFESSIONS, UNITS
from rules.throne_of_the_world.views import CardView, View

from .. import sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import GOLD, INK, MUTED, PANEL, TEXT, mix
from ..panels import Stat, draw_stat, write_fitting
from . import look
from .alt import hand_alt
from .area import draw_barred
from .draft import draft
from .frame import GAP, WIDTH
from .wording import name_of, say

HEAD_HEIGHT = 76
COLUMNS = 2
NO_CARDS_HEIGHT = 110
CARD_WIDTH = (WIDTH - GAP * (COLUMNS + 1)) / COLUMNS
SIGN = 92
SIZE, LINE = 24, 29
ROOM = CARD_WIDTH - SIGN - 26
KINDS = {"unit": "Unit", "general": "Action", "double": "Double action", "skill": "Skill"}


def hand(view: View, *, names: Mapping[int, str]) -> Picture:
    """The cards of this view's viewer; the races to choose from while there are any."""
    if view.draft:
        return draft(view, names=names)
    return draw_hand(view, names).picture("hand.png", hand_alt(view, names))


def draw_hand(view: View, names: Mapping[int, str]) -> Canvas:
    """The hand before it is encoded."""
    stacks = list(Counter(view.hand).items())
    rows = [stacks[k : k + COLUMNS] for k in range(0, len(stacks), COLUMNS)]
    heights = [max(card_height(card) for card, _ in row) for row in rows]
    bottom = HEAD_HEIGHT + GAP + (sum(heights) + GAP * len(heights) if rows else NO_CARDS_HEIGHT)
    canvas = Canvas(WIDTH, bottom)
    _draw_head(canvas, view, names)
    if not stacks:
        canvas.write("No cards", WIDTH / 2, HEAD_HEIGHT + NO_CARDS_HEIGHT / 2, 34, MUTED, anchor="m")
    top = HEAD_HEIGHT + GAP
    for row, height in zip(rows, heights, strict=True):
        for k, (card, count) in enumerate(row):
            left = round(GAP + k * (CARD_WIDTH + GAP))
            draw_card(canvas, Box(left, top, left + round(CARD_WIDTH), top + height), view, card, count)
        top += height + GAP
    return canvas


def _draw_head(canvas: Canvas, view: View, names: Mapping[int, str]) -> None:
    canvas.plate(Box(0, 0, WIDTH, HEAD_HEIGHT), 0, PANEL)
    x, y = 14.0, HEAD_HEIGHT / 2
    name = "Spectator"
    if view.viewer is not None:
        x = canvas.put(look.emblem(view.seats[view.viewer], 54), x, y - 27).right + 14
        name = name_of(view, names, view.viewer)
    words = f"{len(view.hand)} {'card' if len(view.hand) == 1 else 'cards'}"
    right = canvas.write(words, WIDTH - 16, y, 30, MUTED, anchor="r").left
    write_fitting(canvas, name, x, y, 34, right - x - 20, least=26)


def lines_of(card: CardView) -> tuple[str, ...]:
    """What the card does, in lines; the figures of units are drawn."""
    return () if card.kind == "unit" else text.wrap(say("card_text", card.id), SIZE, ROOM)


def name_lines(card: CardView) -> tuple[str, ...]:
    """What the card is called, in lines."""
    return text.wrap("Action" if card.kind == "general" else say("card", card.id), 30, ROOM, text.Font.BOLD, 2)


def card_height(card: CardView) -> int:
    """How high the card must be for its texts."""
    drawn = 76 if card.kind == "unit" else 44 if card.kind == "general" else 0
    return max(124, 50 + 34 * len(name_lines(card)) + LINE * len(lines_of(card)) + drawn + 8)


def draw_card(canvas: Canvas, box: Box, view: View, card: CardView, count: int) -> None:
    """A card: its sign at the left, its kind, name and effect at the right; several equal ones as one with a number."""
    face = look.face_of(card)
    canvas.plate(box, 14, mix(PANEL, face.colour, 0.1), face.colour, 3)
    canvas.mark("card", "", f"{card.id}:{count}", box)
    x = box.left + SIGN + 10
    sign = Point(box.left + 10 + SIGN / 2 - 4, box.top + 60)
    canvas.centred(sprites.sprite(face.shape, 74, face.colour), sign)
    if card.kind == "double":
        canvas.centred(sprites.sprite("bolts", 46, look.kind_colour("double")), Point(sign.x, sign.y + 68))
    if count > 1:
        plate = Box(round(sign.x - 33), box.bottom - 50, round(sign.x + 33), box.bottom - 10)
        canvas.plate(plate, 20, TEXT)
        canvas.write(f"×{count}", plate.centre.x, plate.centre.y, 28, INK, text.Font.BOLD, anchor="m")
        canvas.mark("count", card.id, str(count), plate)
    kind = canvas.put(look.kind_sign(card.kind, 20, MUTED), x, box.top + 16)
    canvas.write(KINDS[card.kind], kind.right + 8, kind.centre.y, 22, MUTED)
    y = box.top + 60.0
    for line in name_lines(card):
        canvas.write(line, x, y, 30, TEXT, text.Font.BOLD)
        y += 34
    if card.kind == "unit":
        _draw_figures(canvas, view, card.profession, x, y + 6)
    for line in lines_of(card):
        canvas.write(line, x, y, SIZE, mix(TEXT, MUTED, 0.35))
        y += LINE
    if card.kind == "general":
        _draw_activated(canvas, card, x, y + 8)


def _draw_figures(canvas: Canvas, view: View, profession: str, x: float, y: float) -> None:
    """What 1, 2, ... units give, the number that one more would make bright; set size and tolerance."""
    unit = UNITS[profession]
    held = 0
    if view.viewer is not None:
        mine = next(found for found in view.seats[view.viewer].sets if found.profession == profession)
        held = mine.units + mine.virtual
    left = canvas.put(look.gives(profession, 26), x, y - 13).right + 8
    for k, step in enumerate(unit.efficiency):
        if k:
            left = canvas.write("/", left + 3, y, 26, MUTED).right + 3
        colour = GOLD if k == held else TEXT if k < held else mix(TEXT, MUTED, 0.5)
        left = canvas.write(str(step), left, y, 30, colour, text.Font.BOLD).right
    words = canvas.write(f"set {held}/{unit.set_size}", x, y + 37, SIZE, MUTED)
    draw_stat(
        canvas, Stat(sprites.sprite("heart", 22, MUTED), str(unit.tolerance), MUTED), words.right + 18, y + 37, 26
    )


def _draw_activated(canvas: Canvas, card: CardView, x: float, y: float) -> None:
    """All professions, those barred that the card does not activate."""
    pitch = (ROOM + 10) / len(PROFESSIONS)
    for k, profession in enumerate(PROFESSIONS):
        at = Point(x + pitch * (k + 0.5) - 4, y + 6)
        if profession in card.excluded:
            draw_barred(canvas, profession, 32, at)
        else:
            canvas.centred(look.profession(profession, 32), at)
