"""The tracks of a player's board: population with storage and income, influence with upkeep, actions, colony ships."""

from rules.eclipse.components import INFLUENCE, POPULATION, SPECIES
from rules.eclipse.views import SeatView, TrackView

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, GOOD, INK, MUTED, PANEL, PANEL_EDGE, TEXT, mix
from ..panels import panel, write_fitting
from . import look
from .head import GAP, WIDTH
from .wording import say

ROW, CAPTIONS, ACTIONS_ROW = 62, 30, 92
CELLS_LEFT = 316
SIDE = 284
TRACKS_HEIGHT = CAPTIONS + 4 * ROW + 2 * GAP + ACTIONS_ROW + GAP


def draw_tracks(canvas: Canvas, seat: SeatView, top: float) -> None:
    """Everything from this height on."""
    looks = look.of(seat.colour, seat.species)
    box = Box(GAP, top, WIDTH - GAP, top + CAPTIONS + 4 * ROW + GAP)
    panel(canvas, box)
    for x, says in ((80, "stored"), (160, "a round"), (240, "lost"), (CELLS_LEFT, "the first uncovered figure counts")):
        canvas.write(says, x, top + 20, 20, MUTED)
    top += CAPTIONS
    for k, track in enumerate(seat.tracks):
        _draw_population(canvas, track, looks, top + GAP / 2 + (k + 0.5) * ROW)
    _draw_influence(canvas, seat, looks, top + GAP / 2 + 3.5 * ROW)
    _draw_actions(canvas, seat, looks, top + 4 * ROW + 2 * GAP)


def _draw_population(canvas: Canvas, track: TrackView, looks: look.SeatLook, y: float) -> None:
    """What is stored and comes in, and the track with its cubes as printed, the highest income at the left."""
    colour = look.kind_colour(track.kind)
    canvas.centred(look.kind(track.kind, 42), Point(46, y))
    stored = canvas.write(str(track.stored), 80, y, 44, TEXT, text.Font.BOLD)
    canvas.mark("stored", track.kind, str(track.stored), stored)
    income = canvas.write(f"+{track.income}", 160, y, 32, colour, text.Font.BOLD)
    canvas.mark("income", track.kind, str(track.income), income)
    if track.graveyard:
        cross = canvas.centred(sprites.sprite("cross", 20, DANGER), Point(248, y))
        box = canvas.write(str(track.graveyard), cross.right + 5, y, 26, DANGER, text.Font.BOLD)
        canvas.mark("graveyard", track.kind, str(track.graveyard), box)
    squares = POPULATION.squares
    pitch = (WIDTH - 2 * GAP - CELLS_LEFT) / squares
    gone = squares - track.cubes
    for k in range(squares):
        printed = POPULATION.income[squares - 1 - k]
        left = round(CELLS_LEFT + k * pitch)
        box = Box(left, y - 25, left + round(pitch) - 5, y + 25)
        covered, now = k < track.cubes, k == squares - gone
        _draw_cell(canvas, box, str(printed), covered, now, looks, colour)
        canvas.mark("cube" if covered else "counts" if now else "uncovered", track.kind, str(printed), box)


def _draw_cell(
    canvas: Canvas, box: Box, says: str, covered: bool, now: bool, looks: look.SeatLook, colour: tuple[int, int, int]
) -> None:
    if covered:
        canvas.plate(box, 8, mix(PANEL, INK, 0.4), mix(PANEL, PANEL_EDGE, 0.7))
        canvas.centred(look.ship("cube", 38, looks), Point(box.left + 26, box.centre.y))
        canvas.write(says, box.right - 4, box.centre.y + 10, 20, mix(MUTED, PANEL, 0.2), anchor="r")
    else:
        canvas.plate(
            box, 8, mix(PANEL, colour, 0.3 if now else 0.1), colour if now else mix(PANEL, colour, 0.4), 4 if now else 2
        )
        ink = TEXT if now else mix(MUTED, TEXT, 0.3)
        canvas.write(says, box.centre.x, box.centre.y, 29 if now else 25, ink, text.Font.BOLD, anchor="m")


def _draw_influence(canvas: Canvas, seat: SeatView, looks: look.SeatLook, y: float) -> None:
    """How many discs are left and what is due, and the track with its discs."""
    canvas.centred(look.disc(looks, 44), Point(46, y))
    discs = canvas.write(str(seat.discs), 80, y, 44, TEXT, text.Font.BOLD)
    canvas.mark("discs", "", str(seat.discs), discs)
    due = canvas.write(f"-{seat.upkeep}", 160, y, 32, DANGER if seat.upkeep else GOOD, text.Font.BOLD)
    canvas.mark("upkeep", "", str(seat.upkeep), due)
    net = seat.tracks[0].income - seat.upkeep
    shown = canvas.write(f"={net:+d}", 232, y, 28, GOOD if net >= 0 else DANGER, text.Font.BOLD)
    canvas.mark("net", "", str(net), shown)
    circles = len(INFLUENCE.upkeep)
    pitch = (WIDTH - 2 * GAP - CELLS_LEFT) / circles
    for k, due_now in enumerate(INFLUENCE.upkeep):
        at = Point(CELLS_LEFT + (k + 0.5) * pitch - 2, y)
        if k < seat.discs:
            canvas.centred(look.disc(looks, 48), at)
            if k == circles - 1 and seat.discs > circles:
                canvas.write(f"+{seat.discs - circles}", at.x, at.y, 24, TEXT, text.Font.BOLD, anchor="m", edge=INK)
            continue
        now = k == seat.discs
        canvas.centred(sprites.hoop(50, GOLD if now else PANEL_EDGE, 4 if now else 2), at)
        ink = TEXT if now else mix(MUTED, TEXT, 0.3)
        canvas.write(str(due_now), at.x, y, 29 if now else 25, ink, text.Font.BOLD, anchor="m")


def _draw_actions(canvas: Canvas, seat: SeatView, looks: look.SeatLook, top: float) -> None:
    """The discs on the actions and reactions, colony ships, discs in reserve, the trade rate."""
    taken, reacted = dict(seat.actions), dict(seat.reactions)
    amounts = SPECIES[seat.species].actions
    names = ("explore", "influence", "research", "upgrade", "build", "move")
    width = (WIDTH - 2 * GAP - SIDE) / len(names)
    for k, name in enumerate(names):
        box = Box(round(GAP + k * width), top, round(GAP + (k + 1) * width) - 6, top + ACTIONS_ROW)
        panel(canvas, box)
        y = top + 26
        amount = canvas.write(f"×{getattr(amounts, name)}", box.right - 8, y, 22, MUTED, anchor="r")
        write_fitting(canvas, say("action", name), box.left + 9, y, 23, amount.left - box.left - 12)
        sign = canvas.put(look.action(name, 28, mix(PANEL, TEXT, 0.45)), box.left + 9, top + 51)
        done, again = taken.get(name, 0), reacted.get(name, 0)
        _draw_discs(canvas, looks, done, again, Box(sign.right + 8, top + 48, box.right - 8, top + ACTIONS_ROW - 4))
        canvas.mark("action", name, f"{done}+{again}", box)
    box = Box(WIDTH - GAP - SIDE + 2, top, WIDTH - GAP, top + ACTIONS_ROW)
    panel(canvas, box)
    x = box.left + 14.0
    for k in range(seat.colony_ships + seat.used_ships):
        ready = k < seat.colony_ships
        colour = TEXT if ready else mix(PANEL, TEXT, 0.25)
        x = canvas.put(sprites.sprite("capsule", 36, colour), x, top + 8).right + 8.0
    canvas.mark("colony", "", f"{seat.colony_ships}/{seat.colony_ships + seat.used_ships}", box)
    says = f"trade {seat.trade_rate}:1"
    canvas.write(says, box.right - 12, top + 28, 24, MUTED, anchor="r")
    says = f"{seat.colony_ships} colony {'ship' if seat.colony_ships == 1 else 'ships'}"
    shown = canvas.write(says, box.left + 14, top + 68, 22, MUTED)
    if seat.reserve:
        canvas.write(
            f"{seat.reserve} aside", box.right - 12, top + 68, 22, MUTED, anchor="r", room=box.right - shown.right - 20
        )


def _draw_discs(canvas: Canvas, looks: look.SeatLook, done: int, again: int, box: Box) -> None:
    """Discs on an action, then those of reactions with an R between."""
    size = 32
    room = box.width - (26 if again else 0)
    pitch = min(size + 4, (room - size) / max(1, done + again - 1))
    x = box.left
    for k in range(done + again):
        if k == done:
            x = canvas.write("R", x + 2, box.centre.y, 23, GOLD, text.Font.BOLD).right + 4
        canvas.put(look.disc(looks, size), x, box.centre.y - size / 2)
        x += pitch
