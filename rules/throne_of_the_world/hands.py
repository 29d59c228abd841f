"""Hands, the draw pile, the discards, and what each seat knows of the others' cards."""

from rules.engine.flow import Game

from .common import spread, told
from .state import State, hand_size, seats


def put(cards: dict[str, int], card: str, n: int = 1) -> None:
    """Change how many of a card there are."""
    cards[card] = cards.get(card, 0) + n
    if not cards[card]:
        del cards[card]


# Cards enter and leave a hand; `known` stays a lower bound that is always true


def gain(s: State, seat: int, card: str, *, openly: bool = False) -> None:
    """A card comes into a hand; `openly`: everybody saw which."""
    put(s.hands[seat], card)
    if openly:
        for viewer in seats(s):
            if viewer != seat:
                put(s.known[viewer][seat], card)


def lose(s: State, seat: int, card: str) -> None:
    """A card leaves a hand, openly."""
    put(s.hands[seat], card, -1)
    for known in s.known:
        if card in known[seat]:
            put(known[seat], card, -1)


def discard(s: State, seat: int, card: str) -> None:
    """A card goes from a hand to the discards, openly."""
    lose(s, seat, card)
    put(s.discard, card)


def pass_on(s: State, giver: int, taker: int, card: str) -> None:
    """A card changes hands secretly: both know which, everybody else is less sure what the giver still holds."""
    put(s.hands[giver], card, -1)
    put(s.hands[taker], card)
    for viewer in seats(s):
        known = s.known[viewer]
        if viewer == giver:
            put(known[taker], card)
        elif viewer == taker:
            if card in known[giver]:
                put(known[giver], card, -1)
        else:
            known[giver] = {card: n - 1 for card, n in known[giver].items() if n > 1}


# Piles


def can_draw(s: State) -> bool:
    """Whether there is a card to draw."""
    return bool(s.deck.layers) or bool(s.discard)


def draw_card(game: Game[State]) -> str | None:
    """The top card; the discards are mixed when one must be drawn and none is left. None when there is none at all."""
    s = game.state
    if not s.deck.layers and s.discard:
        s.deck.shuffle_in(spread(s.discard))
        s.discard = {}
        game.tell("reshuffled", cards=len(s.deck))
    return s.deck.draw(game.chance)


def draw(game: Game[State], seat: int, n: int) -> None:
    """Draw up to `n` cards."""
    s = game.state
    drawn = [card for card in (draw_card(game) for _ in range(n)) if card is not None]
    for card in drawn:
        gain(s, seat, card)
    if drawn:
        game.tell("drew", seat=seat, n=len(drawn))
        game.tell("drew_cards", to=(seat,), seat=seat, cards=told(drawn))
    if len(drawn) < n:
        game.tell("no_cards_left", seat=seat)


def take_at_random(game: Game[State], seat: int, victim: int) -> None:
    """Take a random card out of another's hand."""
    s = game.state
    card = spread(s.hands[victim])[game.chance.below(hand_size(s, victim))]
    pass_on(s, victim, seat, card)
    game.tell("took", seat=seat, rival=victim)
    game.tell("took_card", to=(seat, victim), owner=victim, seat=seat, rival=victim, card=card)
