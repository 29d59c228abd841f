"""The viewer's cards, each with both its ends."""

from collections import Counter
from collections.abc import Mapping

from rules.struggle_for_the_throne.components import ENDS
from rules.struggle_for_the_throne.views import CardView, View

from .. import text
from ..canvas import Canvas, Picture
from ..cards import RIM, End, draw_card, heights
from ..geometry import Box
from ..palette import DANGER, GOLD, MUTED, PANEL, RGB, TARGET, TEXT, mix
from .alt import hand_alt
from .look import emblem, houses
from .seats import HEAD_HEIGHT, name_of
from .wording import card_name, effect

CARD_WIDTH = 480
NO_CARDS_HEIGHT = 110.0
GAP = 20
#: so many rows before another column is opened
MOST_ROWS = 4
SAME = "As the other end."

ROLES: dict[str, tuple[str, RGB]] = {
    "attack": ("attack", DANGER),
    "defence": ("defence", TARGET),
    "attack_defence": ("attack or defence", GOLD),
    "special": ("free", mix(TEXT, GOLD, 0.3)),
}


def hand(view: View, *, names: Mapping[int, str]) -> Picture:
    """The cards of this view's viewer."""
    return draw_hand(view, names).picture("hand.png", hand_alt(view, names))


def draw_hand(view: View, names: Mapping[int, str]) -> Canvas:
    """The hand before it is encoded."""
    stacks = [(card, ends_of(card, view.emperor_alive), count) for card, count in Counter(view.hand).items()]
    columns = max(2, -(-len(stacks) // MOST_ROWS))
    rows = max(1, -(-len(stacks) // columns))
    sizes = heights([ends for _, ends, _ in stacks], CARD_WIDTH) if stacks else [NO_CARDS_HEIGHT]
    high = round(sum(sizes)) + 2 * RIM
    canvas = Canvas(GAP + columns * (CARD_WIDTH + GAP), HEAD_HEIGHT + GAP + rows * (high + GAP))
    _draw_head(canvas, view, names)
    if not stacks:
        canvas.write("No cards", canvas.box.width / 2, HEAD_HEIGHT + GAP + high / 2, 34, MUTED, anchor="m")
    for k, (card, ends, count) in enumerate(stacks):
        left = GAP + (k % columns) * (CARD_WIDTH + GAP)
        top = HEAD_HEIGHT + GAP + (k // columns) * (high + GAP)
        box = Box(left, top, left + CARD_WIDTH, top + high)
        draw_card(canvas, box, ends, sizes, count)
        canvas.mark("card", "", f"{card.alive}/{card.dead}:{count}", box)
    return canvas


def ends_of(card: CardView, alive: bool) -> tuple[End, End]:
    """Both ends of a card; the one that counts now is live."""
    same = card.alive == card.dead
    return (
        _end(card.alive, "Emperor lives", SAME if same and not alive else effect(card.alive), alive),
        _end(card.dead, "Emperor dead", SAME if same and alive else effect(card.dead), not alive),
    )


def _end(id: str, when: str, does: str, live: bool) -> End:
    role, colour = ROLES.get(ENDS[id].role if id in ENDS else "", ("", MUTED))
    return End(f"{when} · {role}" if role else when, card_name(id), does, colour, live)


def _draw_head(canvas: Canvas, view: View, names: Mapping[int, str]) -> None:
    canvas.plate(Box(0, 0, canvas.box.width, HEAD_HEIGHT), 0, PANEL)
    looks = houses(view)
    x, y = float(GAP), HEAD_HEIGHT / 2
    if view.viewer in looks:
        x = canvas.put(emblem(looks[view.viewer], 52), x, y - 26).right + 14
    words = f"{len(view.hand)} {'card' if len(view.hand) == 1 else 'cards'}"
    right = canvas.write(words, canvas.box.width - GAP, y, 30, MUTED, anchor="r").left
    name = name_of(view, names, view.viewer) if view.viewer is not None else "Spectator"
    canvas.write(name, x, y, 34, TEXT, text.Font.BOLD, room=right - x - 20)
