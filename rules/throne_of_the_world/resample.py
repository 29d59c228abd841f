"""Another state that looks the same to a viewer: what he cannot know is drawn anew."""

import msgspec

from rules.engine.chance import Chance
from rules.unseen import redraw_hands

from .state import State, seats


def resample(state: State, viewer: int | None, chance: Chance) -> State:
    """Other hands, the draw pile and race cards not revealed are drawn anew; what the viewer knows for certain stays."""
    s = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    others = [seat for seat in seats(s) if seat != viewer]
    redraw_races(s, others, chance)
    sure = {seat: {} if viewer is None else dict(s.known[viewer][seat]) for seat in others}
    s.deck = redraw_hands(s.deck, s.hands, sure, chance)
    redraw_knowledge(s, viewer)
    return s


def redraw_races(s: State, others: list[int], chance: Chance) -> None:
    """The race cards dealt to others, while nobody has shown one."""
    own = [race for seat, dealt in enumerate(s.drafts) if seat not in others for race in dealt]
    pool = chance.shuffled([race for race in s.options.race_cards if race not in own])
    for seat in others:
        s.drafts[seat] = sorted(pool.pop() for _ in s.drafts[seat])


def redraw_knowledge(s: State, viewer: int | None) -> None:
    """What others know of the viewer's hand stays; what they know of each other's would tell him about these."""
    for knower, known in enumerate(s.known):
        if knower != viewer:
            s.known[knower] = [cards if seat == viewer else {} for seat, cards in enumerate(known)]
