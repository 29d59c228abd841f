"""The scores with what they are made of."""

from collections.abc import Mapping

from rules.eclipse.views import SeatView, View

from .. import sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, MUTED, PANEL, PANEL_EDGE, TEXT, TILE, mix
from ..panels import panel, write_fitting
from . import look
from .alt import scores_alt
from .head import GAP, WIDTH
from .wording import name_of, say, species_name

HEAD, LABELS, ROW = 84, 98, 84
PARTS = ("reputation", "ambassadors", "hexes", "discoveries", "monoliths", "technologies", "traitor", "species")
SIGNS = {
    "reputation": "medal",
    "ambassadors": "envoy",
    "hexes": "hexagon",
    "discoveries": "eye",
    "monoliths": "slab",
    "technologies": "atom",
    "traitor": "mask",
    "species": "star",
}
NAME = 352
TOTAL = 96
COLUMN = (WIDTH - NAME - TOTAL - GAP) / len(PARTS)


def scores(view: View, *, names: Mapping[int, str]) -> Picture:
    """The scores as they stand; hidden reputation counts only for who may know it."""
    return draw_scores(view, names).picture("scores.png", scores_alt(view, ranking(view), names))


def ranking(view: View) -> list[SeatView]:
    """The seats, the best first; the winners above all."""
    stored = {seat.seat: sum(track.stored for track in seat.tracks) for seat in view.seats}
    return sorted(
        view.seats, key=lambda seat: (seat.seat not in view.winners, -seat.total, -stored[seat.seat], seat.seat)
    )


def draw_scores(view: View, names: Mapping[int, str]) -> Canvas:
    """The scores before they are encoded."""
    canvas = Canvas(WIDTH, HEAD + LABELS + len(view.seats) * (ROW + GAP))
    over = view.phase == "over"
    canvas.write("Final scores" if over else f"Scores in round {view.round}", 16, HEAD / 2, 38, TEXT, text.Font.BOLD)
    if not over:
        canvas.write("without hidden reputation", WIDTH - 16, HEAD / 2, 25, MUTED, anchor="r")
    for k, part in enumerate(PARTS):
        x = NAME + (k + 0.5) * COLUMN
        canvas.centred(sprites.sprite(SIGNS[part], 34, mix(MUTED, TEXT, 0.4)), Point(x, HEAD + 18))
        canvas.write(say("score", part), x, HEAD + (50 if k % 2 else 74), 22, MUTED, anchor="m")
    for k, seat in enumerate(ranking(view)):
        top = HEAD + LABELS + k * (ROW + GAP)
        _draw_row(canvas, Box(GAP, top, WIDTH - GAP, top + ROW), view, seat, names)
    return canvas


def _draw_row(canvas: Canvas, box: Box, view: View, seat: SeatView, names: Mapping[int, str]) -> None:
    looks = look.of(seat.colour, seat.species)
    won = seat.seat in view.winners
    panel(
        canvas,
        box,
        GOLD if won else PANEL_EDGE if seat.out else looks.line,
        mix(TILE, looks.rgb, 0.16) if won else PANEL,
        5 if won else 2,
    )
    y = box.centre.y
    sign = canvas.put(look.emblem(looks, 56, bool(seat.out)), box.left + 10, y - 28)
    x = sign.right + 12
    write_fitting(canvas, name_of(view, names, seat.seat), x, y - 15, 29, NAME - x - 6, TEXT, least=24)
    below = seat.out.replace("_", " ") or species_name(seat)
    canvas.write(below, x, y + 19, 22, DANGER if seat.out else mix(TEXT, looks.line, 0.4), room=NAME - x - 6)
    found = dict(seat.points)
    for k, part in enumerate(PARTS):
        worth = found.get(part, 0)
        hidden = part == "reputation" and part not in found
        says = "?" if hidden and seat.reputation else str(worth)
        colour = MUTED if not worth else DANGER if worth < 0 else TEXT
        at = canvas.write(says, NAME + (k + 0.5) * COLUMN, y, 32, colour, text.Font.BOLD, anchor="m")
        canvas.mark("score", f"{seat.seat}.{part}", says, at)
    total = canvas.centred(look.points(seat.total, 72), Point(box.right - 50, y))
    canvas.mark("total", str(seat.seat), str(seat.total), total)
