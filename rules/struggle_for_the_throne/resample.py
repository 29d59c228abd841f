"""Another state that looks the same to a viewer: what he cannot know is drawn anew."""

from collections import Counter

import msgspec

from rules.engine.chance import Chance
from rules.unseen import redraw_hands

from .hands import spread
from .state import Battle, State, is_playing, seats
from .units import tokens


def resample(state: State, viewer: int | None, chance: Chance) -> State:
    """Other hands, the draw pile and hidden orders are drawn anew; what the viewer knows for certain stays."""
    s = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    sure = {seat: sure_cards(s, viewer, seat) for seat in seats(s) if seat != viewer}
    s.deck = redraw_hands(s.deck, s.hands, sure, chance)
    s.offers = [offer for offer in s.offers if viewer in (offer.by, offer.to)]
    redraw_knowledge(s, viewer)
    if s.battle is not None:
        redraw_orders(s, s.battle, viewer, chance)
    return s


def sure_cards(s: State, viewer: int | None, seat: int) -> dict[str, int]:
    """The cards that the viewer is sure this seat holds."""
    if not is_playing(s, seat):
        return dict(s.hands[seat])
    return {} if viewer is None else dict(s.known[viewer][seat])


def redraw_knowledge(s: State, viewer: int | None) -> None:
    """What others know of the viewer's hand stays; what they know of each other's would tell him about these."""
    for knower, known in enumerate(s.known):
        if knower != viewer:
            s.known[knower] = [cards if seat == viewer else {} for seat, cards in enumerate(known)]


def redraw_orders(s: State, fought: Battle, viewer: int | None, chance: Chance) -> None:
    """Units not yet laid open stand in any order that is possible, unless they are the viewer's own."""
    laid = len(fought.combats)
    for seat, order in zip((fought.attacker, fought.defender), fought.orders, strict=True):
        if seat == viewer or len(order) <= laid or any(combat.winner is not None for combat in fought.combats):
            continue
        left = Counter(tokens(s, seat, fought.planet)) - Counter(order[:laid])
        order[laid:] = chance.shuffled(spread(dict(left)))[: len(order) - laid]
