"""The Royal Family: asks players for cards; each may choose the card, or pay instead."""

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import SKIP, Option

from .attack import PAY
from .common import card_options, kinds
from .components import PLAY
from .hands import pass_on
from .object_of_the_game import pay
from .state import Demand, State, can_spend, hand_size, opponents
from .unit_cards import efficiency

ROYAL_FAMILY = "royal_family"


def targets(s: State, seat: int) -> list[Option]:
    """The opponents who hold cards."""
    return [
        Option(str(rival), "option.demand", {"seat": rival, "n": hand_size(s, rival)})
        for rival in opponents(s, seat)
        if hand_size(s, rival)
    ]


def demands(game: Game[State], seat: int, first: int) -> Flow[None]:
    """One activation: the first demand goes to `first`, each further one to whoever is named then."""
    s = game.state
    victim = first
    for left in reversed(range(efficiency(s, seat, ROYAL_FAMILY))):
        yield from demand(game, seat, victim, left)
        if not left or not targets(s, seat):
            return
        answer = yield from choose(seat, "demand.next", lambda: targets(s, seat), skip="option.stop", left=left)
        if answer == SKIP:
            return
        victim = int(answer)


def demand(game: Game[State], seat: int, victim: int, left: int) -> Flow[None]:
    """One demand: the victim gives a card, hidden from the others, or pays."""
    s = game.state
    s.demand = Demand(seat, victim, left)
    game.tell("demanded", seat=seat, rival=victim)
    if hand_size(s, victim) == 1 and not can_spend(s, victim, PLAY.royal_buyoff):
        answer = kinds(s.hands[victim])[0]
    else:
        answer = yield from choose(victim, "demand", lambda: replies(s, victim), private=True, rival=seat)
    s.demand = None
    if answer == PAY:
        pay(game, PLAY.royal_buyoff, "bought_off", by=victim, to=seat, seat=victim, rival=seat)
    else:
        pass_on(s, victim, seat, answer)
        game.tell("gave", seat=victim, rival=seat)
        game.tell("gave_card", to=(seat, victim), owner=victim, seat=victim, rival=seat, card=answer)


def replies(s: State, victim: int) -> list[Option]:
    """What the victim may do: give any card, or pay while a coin remains."""
    cards = [Option(option.id, option.words) for option in card_options(s.hands[victim])]
    if can_spend(s, victim, PLAY.royal_buyoff):
        cards.append(Option(PAY, "option.pay", {"n": PLAY.royal_buyoff}))
    return cards
