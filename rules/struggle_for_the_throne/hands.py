"""Hands, draw pile and discards, and what each seat knows of the others' cards.

A card is chosen by its *label*: while the Emperor lives the card's id, since both its ends matter; after his death the
end that is left, which different cards may share.
"""

from collections.abc import Iterable

from rules.engine.flow import Flow, Game, choose_many
from rules.engine.questions import SKIP, Answer, Option

from .components import CARDS, EMPEROR_DIES, HAND_SIZE
from .state import State, hand_size, seats
from .units import counted

# Labels


def end_of(s: State, card: str) -> str:
    """The end of the card that counts now."""
    return CARDS[card].alive if s.emperor_alive else CARDS[card].dead


def label_of(s: State, card: str) -> str:
    """The label of a card."""
    return card if s.emperor_alive else CARDS[card].dead


def end_of_label(s: State, label: str) -> str:
    """The end that counts now of the cards with this label."""
    return CARDS[label].alive if s.emperor_alive else label


def labels(s: State, seat: int, end: str = "") -> dict[str, int]:
    """The labels in a hand and how many cards bear each; with `end`, only of cards with this end now."""
    found: dict[str, int] = {}
    for card, n in sorted(s.hands[seat].items()):
        if not end or end_of(s, card) == end:
            label = label_of(s, card)
            found[label] = found.get(label, 0) + n
    return found


def card_option(s: State, label: str, count: int = 1, prefix: str = "") -> Option:
    """A card as an option, both ends named while both matter."""
    if not s.emperor_alive:
        return Option(prefix + label, f"card.{label}", count=count)
    card = CARDS[label]
    words = "option.card_same" if card.alive == card.dead else "option.card_both"
    return Option(prefix + label, words, {"alive": card.alive, "dead": card.dead}, count=count)


def card_options(s: State, cards: dict[str, int]) -> list[Option]:
    """Labels as options that may be chosen as often as there are cards."""
    return [card_option(s, label, n) for label, n in cards.items()]


def discardable(s: State, seat: int) -> dict[str, int]:
    """The labels in a hand without Emperor Dies, which is never discarded."""
    return {label: n for label, n in labels(s, seat).items() if label != EMPEROR_DIES}


# Cards change their place


def _put(cards: dict[str, int], card: str, n: int = 1) -> None:
    cards[card] = cards.get(card, 0) + n
    if not cards[card]:
        del cards[card]


def gain(s: State, seat: int, card: str) -> None:
    """A card comes into a hand."""
    _put(s.hands[seat], card)
    if card == EMPEROR_DIES:
        s.due = False


def lose(s: State, seat: int, label: str) -> str:
    """A card with this label leaves a hand, openly. Returns the card."""
    card = next(card for card in sorted(s.hands[seat]) if label_of(s, card) == label)
    _put(s.hands[seat], card, -1)
    for known in s.known:
        if known[seat].get(card):
            _put(known[seat], card, -1)
    return card


def discard(s: State, seat: int, label: str) -> str:
    """A card leaves a hand for the discards. Returns the card."""
    card = lose(s, seat, label)
    _put(s.discard, card)
    return card


def may_reuse(s: State) -> bool:
    """Whether used cards come back into the draw pile."""
    return not s.options.no_card_reuse and (s.emperor_alive or not s.options.no_recycle_after_death)


def can_draw(s: State) -> bool:
    """Whether there is a card to draw."""
    return len(s.deck) > 0 or (bool(s.discard) and may_reuse(s))


def draw(game: Game[State], seat: int, n: int) -> None:
    """Draw up to `n` cards; discards are mixed only when a card must be drawn and none is left."""
    s = game.state
    drawn: list[str] = []
    while len(drawn) < n and can_draw(s):
        if not len(s.deck):
            s.deck.shuffle_in(card for card, count in s.discard.items() for _ in range(count))
            s.discard = {}
            game.tell("reshuffled", cards=len(s.deck))
        card = s.deck.draw(game.chance)
        if card is not None:
            drawn.append(card)
            gain(s, seat, card)
    if drawn:
        game.tell("drew", seat=seat, n=len(drawn))
        game.tell("drew_cards", to=(seat,), seat=seat, cards=told(s, drawn))
    if len(drawn) < n:
        game.tell("no_cards_left", seat=seat)


def fill_hand(game: Game[State], seat: int) -> None:
    """Draw up to five cards; who has as many or more draws nothing."""
    missing = HAND_SIZE - hand_size(game.state, seat)
    if missing > 0:
        draw(game, seat, missing)


def discard_down(game: Game[State], seat: int, limit: int) -> Flow[None]:
    """Choose what to discard until `limit` cards are left; Emperor Dies stays."""
    s = game.state
    n = hand_size(s, seat) - limit
    if n <= 0:
        return
    chosen = yield from choose_many(
        seat, "prize.discard", lambda: card_options(s, discardable(s, seat)), n, n, private=True, n=n
    )
    discard_all(game, seat, chosen)


def discard_all(game: Game[State], seat: int, chosen: Answer) -> None:
    """Openly discard the cards with these labels."""
    s = game.state
    cards = [discard(s, seat, label) for label in chosen]
    game.tell("discarded", seat=seat, cards=told(s, cards))


def told(s: State, cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as the argument of an event: the ends that count now."""
    return counted(sorted(end_of(s, card) for card in cards))


def picked(answer: Answer) -> Answer:
    """The chosen labels; none when the question was passed."""
    return () if answer == (SKIP,) else answer


# What a seat knows of other hands: a lower bound that is always true


def spread(cards: dict[str, int]) -> list[str]:
    """Every single card of a hand."""
    return [card for card, n in sorted(cards.items()) for _ in range(n)]


def learn_hand(s: State, viewer: int, seat: int) -> None:
    """The viewer saw the whole hand."""
    s.known[viewer][seat] = dict(s.hands[seat])


def learn(s: State, viewer: int, seat: int, cards: dict[str, int]) -> None:
    """The viewer is sure that the seat holds at least these."""
    known = s.known[viewer][seat]
    for card, n in cards.items():
        known[card] = max(known.get(card, 0), n)


def pass_on(s: State, giver: int, taker: int, cards: list[str]) -> None:
    """Cards change hands secretly: both know which, everybody else is no longer sure what the giver holds."""
    for viewer in seats(s):
        known = s.known[viewer]
        if viewer == giver:
            for card in cards:
                _put(known[taker], card)
        elif viewer == taker:
            for card in cards:
                if known[giver].get(card):
                    _put(known[giver], card, -1)
        elif cards:
            known[giver] = {}
    for card in cards:
        _put(s.hands[giver], card, -1)
        gain(s, taker, card)


def pass_all(s: State, giver: int, taker: int) -> list[str]:
    """A whole hand goes to another player, whose new cards are known to those who knew them before."""
    cards = spread(s.hands[giver])
    for viewer in seats(s):
        if viewer != taker:
            known = s.hands[giver] if viewer == giver else s.known[viewer][giver]
            for card, n in dict(known).items():
                _put(s.known[viewer][taker], card, n)
        s.known[viewer][giver] = {}
    s.known[giver] = [{} for _ in s.known]
    s.hands[giver] = {}
    for card in cards:
        gain(s, taker, card)
    return cards
