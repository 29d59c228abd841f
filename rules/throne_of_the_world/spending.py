"""What playing a card costs, and where it goes."""

from rules.engine.flow import Flow, Game

from .components import PLAY, SKILLS
from .hands import lose, put
from .races import has
from .state import State

SHADOW_ARTS = "shadow_arts"


def cost_of(s: State, seat: int, card: str) -> int:
    """The action points that playing the card takes."""
    free = card in SKILLS and has_free_skill(s, seat)
    return 0 if free else PLAY.card_cost


def has_free_skill(s: State, seat: int) -> bool:
    """Whether the seat's next skill card needs no action point."""
    return has(s, seat, SHADOW_ARTS) and not s.skills


def spend(game: Game[State], seat: int, card: str) -> None:
    """The card leaves the hand and lies on the table until it is resolved."""
    s = game.state
    s.points -= cost_of(s, seat, card)
    if card in SKILLS:
        if has_free_skill(s, seat):
            s.used.append(SHADOW_ARTS)
        s.skills.append(card)
    lose(s, seat, card)
    s.card = card


def finish(game: Game[State]) -> None:
    """The card is resolved and goes to the discards."""
    s = game.state
    put(s.discard, s.card)
    s.card = ""


def nobody() -> Flow[bool]:
    """Nobody can cancel a card in this game."""
    yield from ()
    return False
