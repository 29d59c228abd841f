"""What a viewer cannot see of counted hands, drawn anew: a help for `resample`."""

from collections import Counter
from collections.abc import Mapping

from rules.engine import Chance, Pile


def redraw_hands(
    deck: Pile, hands: list[dict[str, int]], sure: Mapping[int, Mapping[str, int]], chance: Chance
) -> Pile:
    """Redraw the hands of the seats in `sure`, but for the cards that are sure, from all that lie there or in the deck;
    the hands keep their sizes. Returns the deck that is left."""
    unseen = Counter(deck.counts())
    for seat, known in sure.items():
        unseen += Counter(hands[seat])
        unseen -= Counter(known)
    pool = chance.shuffled(sorted(unseen.elements()))
    for seat, known in sure.items():
        drawn = [pool.pop() for _ in range(sum(hands[seat].values()) - sum(known.values()))]
        hands[seat] = dict(sorted((Counter(known) + Counter(drawn)).items()))
    return Pile.of(pool)
