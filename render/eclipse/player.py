"""A player's board: tracks, actions, blueprints, technologies, the Reputation Track and what else lies beside it."""

from collections.abc import Mapping

from rules.eclipse.components import SCORING, TECHNOLOGY_TRACK
from rules.eclipse.views import SeatView, SlotView, View

from .. import Extra, sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import GOLD, INK, MUTED, PANEL, PANEL_EDGE, TEXT, mix
from ..panels import panel
from . import look
from .alt import player_alt
from .blueprints import draw_all, height_of
from .head import GAP, HEAD_HEIGHT, WIDTH, draw_plate, draw_title, seat_plates
from .parts import draw_part
from .scores import SIGNS
from .tracks import TRACKS_HEIGHT, draw_tracks
from .wording import say

TECHNOLOGY_ROW = 74
LABEL = 160
SLOTS_HEIGHT = 112
EMPTY_HEIGHT = 120


def player(view: View, seat: int, *, names: Mapping[int, str]) -> Picture:
    """The board of one player as this view's viewer sees it."""
    return draw_player(view, seat, names).picture("player.png", player_alt(view, seat, names))


def player_at(seat: int) -> Extra:
    """The picture of one seat's board; a plain note when there is no such seat."""

    def draw(view: View, *, names: Mapping[int, str]) -> Picture:
        return player(view, seat, names=names) if seat < len(view.seats) else nobody("player.png")

    return draw


def nobody(filename: str) -> Picture:
    """A plain note."""
    canvas = Canvas(WIDTH, EMPTY_HEIGHT)
    canvas.write("Nobody's board", WIDTH / 2, EMPTY_HEIGHT / 2, 34, MUTED, anchor="m")
    return canvas.picture(filename, "Nobody's board.")


def hand(view: View, *, names: Mapping[int, str]) -> Picture:
    """The board of this view's viewer."""
    if view.viewer is None:
        return nobody("hand.png")
    return draw_player(view, view.viewer, names).picture("hand.png", player_alt(view, view.viewer, names))


def draw_player(view: View, seat: int, names: Mapping[int, str]) -> Canvas:
    """A player's board before it is encoded."""
    one = view.seats[seat]
    if not one.species:
        canvas = Canvas(WIDTH, HEAD_HEIGHT + EMPTY_HEIGHT)
        draw_title(canvas, view, seat, names, WIDTH - GAP)
        canvas.write("No species chosen yet", WIDTH / 2, HEAD_HEIGHT + EMPTY_HEIGHT / 2, 34, MUTED, anchor="m")
        return canvas
    tops = [HEAD_HEIGHT + GAP]
    for height in (TRACKS_HEIGHT, height_of(one) + GAP, 3 * TECHNOLOGY_ROW + 2 * GAP, SLOTS_HEIGHT + GAP):
        tops.append(tops[-1] + height)
    canvas = Canvas(WIDTH, tops[-1])
    _draw_head(canvas, view, one, names)
    draw_tracks(canvas, one, tops[0])
    draw_all(canvas, one, tops[1], tops[2] - GAP)
    draw_technologies(canvas, one, tops[2])
    _draw_slots(canvas, view, one, tops[3])
    return canvas


def _draw_head(canvas: Canvas, view: View, seat: SeatView, names: Mapping[int, str]) -> None:
    worth = look.points(seat.total, 70)
    draw_title(canvas, view, seat.seat, names, WIDTH - 500)
    at = canvas.put(worth, WIDTH - GAP - 76, HEAD_HEIGHT / 2 - 36)
    canvas.mark("total", "", str(seat.total), at)
    right = at.left - 12
    for says, fill in seat_plates(view, seat.seat):
        right = draw_plate(canvas, says, right, 30, fill, 24).left - 8
    x = at.left - 12.0
    for part, n in reversed([(part, n) for part, n in seat.points if n]):
        x = canvas.write(str(n), x, 70, 25, MUTED, text.Font.BOLD, anchor="r").left - 5
        sign = canvas.put(sprites.sprite(SIGNS[part], 24, mix(MUTED, PANEL, 0.2)), x - 24, 58)
        canvas.mark("part of points", part, str(n), sign)
        x = sign.left - 14


def draw_technologies(canvas: Canvas, seat: SeatView, top: float) -> None:
    """Technologies by category, with the discount on the next and the points of the track."""
    for k, (category, ids) in enumerate(seat.technologies):
        y = top + k * (TECHNOLOGY_ROW + 3)
        looks = look.category(category)
        box = Box(GAP, round(y), WIDTH - GAP, round(y) + TECHNOLOGY_ROW)
        panel(canvas, box, mix(PANEL, looks.colour, 0.4))
        sign = canvas.put(sprites.sprite(looks.sign, 30, looks.colour), box.left + 10, y + 8)
        canvas.write(say("category", category), sign.right + 8, y + 23, 25, looks.colour, text.Font.BOLD)
        discount = canvas.write(f"-{seat.discounts[k]}", box.left + 14, y + 54, 25, TEXT, text.Font.BOLD)
        canvas.put(look.kind("science", 22), discount.right + 5, y + 43)
        worth = TECHNOLOGY_TRACK.points[min(len(ids), len(TECHNOLOGY_TRACK.points) - 1)]
        canvas.put(look.points(worth, 34), box.left + 106, y + 36)
        canvas.mark("discount", category, str(seat.discounts[k]), discount)
        slots = TECHNOLOGY_TRACK.slots
        width = (box.right - LABEL - 8) / slots
        for n in range(slots):
            left = round(LABEL + n * width)
            cell = Box(left, round(y) + 7, left + round(width) - 4, round(y) + TECHNOLOGY_ROW - 7)
            draw_technology(canvas, cell, ids[n] if n < len(ids) else "")


def draw_technology(canvas: Canvas, box: Box, id: str) -> None:
    """A technology on its place; an empty place without."""
    if not id:
        canvas.plate(box, 8, mix(PANEL, INK, 0.4))
        return
    sign = look.technology(id, 22)
    canvas.plate(box, 8, mix(PANEL, TEXT, 0.08), mix(PANEL_EDGE, TEXT, 0.2))
    canvas.put(sign, box.left + 5, box.centre.y - 11)
    lines = text.wrap(say("technology", id), 20, box.width - 32, lines=2)
    for k, line in enumerate(lines):
        y = box.centre.y + (k - (len(lines) - 1) / 2) * 23
        canvas.write(line, box.left + 30, y, 20)
    canvas.mark("technology", id, "", box)


def _draw_slots(canvas: Canvas, view: View, seat: SeatView, top: float) -> None:
    """The Reputation Track, discoveries kept for points, ancient parts kept aside."""
    x = float(GAP)
    for k, slot in enumerate(seat.slots):
        box = Box(x, top, x + 118, top + SLOTS_HEIGHT)
        _draw_slot(canvas, view, box, slot)
        canvas.mark("slot", str(k), f"{slot.kind}:{slot.holds}:{slot.value}", box)
        x += 126
    left = x + 4
    box = Box(left, top, WIDTH - GAP, top + SLOTS_HEIGHT)
    panel(canvas, box)
    x = box.left + 14.0
    for what, count in (("envoy", seat.ambassadors_left), ("discovery", len(seat.discoveries))):
        sign = look.points(SCORING.discovery, 44) if what == "discovery" else sprites.sprite(what, 40, MUTED)
        at = canvas.put(sign, x, top + 12)
        canvas.write(str(count), at.right + 6, top + 33, 30, TEXT if count else MUTED, text.Font.BOLD)
        words = "ambassadors" if what == "envoy" else "discoveries"
        canvas.write(words, x, top + 82, 22, MUTED)
        canvas.mark(what, "", str(count), at)
        x += 142
    for value in view.battle.drawn if view.battle is not None and view.battle.drawing == seat.seat else ():
        at = canvas.put(look.points(value, 54), x, top + 10)
        canvas.write("drawn", at.centre.x, top + 82, 22, GOLD, anchor="m")
        canvas.mark("drawn", "", str(value), at)
        x = at.right + 12.0
    for id in seat.parts:
        tile = Box(round(x), top + 10, round(x) + 118, top + 78)
        if tile.right > box.right - 6:
            break
        draw_part(canvas, tile, id, printed=False)
        canvas.write("aside", tile.centre.x, top + 94, 20, MUTED, anchor="m")
        x = tile.right + 8.0


def _draw_slot(canvas: Canvas, view: View, box: Box, slot: SlotView) -> None:
    """A place: what it holds, else what it may hold."""
    centre = Point(box.centre.x, box.top + 46)
    if slot.holds == "ambassador" and slot.seat is not None:
        looks = look.of(view.seats[slot.seat].colour, view.seats[slot.seat].species)
        panel(canvas, box, looks.line, mix(PANEL, looks.rgb, 0.25), 3)
        canvas.centred(sprites.sprite("envoy", 52, looks.rgb, looks.colour.rim, 2), centre)
        canvas.put(look.emblem(looks, 30), box.right - 36, box.top + 6)
        canvas.write("ambassador", box.centre.x, box.bottom - 18, 20, TEXT, anchor="m", room=box.width - 6)
    elif slot.holds == "reputation":
        panel(canvas, box, GOLD, mix(PANEL, GOLD, 0.16), 3)
        if slot.value is None:
            canvas.centred(sprites.sprite("medal", 54, GOLD), centre)
        else:
            canvas.centred(look.points(slot.value, 62), centre)
        canvas.write("reputation", box.centre.x, box.bottom - 18, 20, TEXT, anchor="m", room=box.width - 6)
    else:
        panel(canvas, box, mix(PANEL, PANEL_EDGE, 0.8), mix(PANEL, INK, 0.4))
        signs = {"ambassador": ("envoy",), "reputation": ("medal",)}.get(slot.kind, ("envoy", "medal"))
        for k, sign in enumerate(signs):
            x = centre.x + (k - (len(signs) - 1) / 2) * 46
            canvas.centred(sprites.sprite(sign, 38, mix(PANEL, TEXT, 0.3)), Point(x, centre.y))
        canvas.write("free", box.centre.x, box.bottom - 18, 20, MUTED, anchor="m")
