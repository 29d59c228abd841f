"""Piles: cards nobody has looked at have no order, so there is no hidden order to leak or to undo into."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from .chance import Chance


class Pile(msgspec.Struct):
    """Layers of unordered bags (kind -> how many), the top first, none empty. Only a known card is a layer of its own."""

    layers: list[dict[str, int]] = []

    @classmethod
    def of(cls, cards: Iterable[str]) -> "Pile":
        """One bag of these cards."""
        pile = cls([])
        pile.shuffle_in(cards)
        return pile

    def __len__(self) -> int:
        return sum(sum(layer.values()) for layer in self.layers)

    def counts(self) -> dict[str, int]:
        """How many of each kind, by name."""
        total = Counter[str]()
        for layer in self.layers:
            total.update(layer)
        return dict(sorted(total.items()))

    def draw(self, chance: Chance) -> str | None:
        """The top card, chosen by chance among its layer; None when the pile is empty."""
        if not self.layers:
            return None
        layer = self.layers[0]
        at = chance.below(size) if (size := sum(layer.values())) > 1 else 0
        for card in sorted(layer):
            at -= layer[card]
            if at < 0:
                break
        layer[card] -= 1
        if not layer[card]:
            del layer[card]
        if not layer:
            del self.layers[0]
        return card

    def put_on_top(self, card: str) -> None:
        """A known card on top."""
        self.layers.insert(0, {card: 1})

    def put_below(self, card: str) -> None:
        """A known card at the bottom."""
        self.layers.append({card: 1})

    def shuffle_in(self, cards: Iterable[str]) -> None:
        """Mix these and everything in the pile into one bag."""
        bag = Counter(self.counts())
        bag.update(cards)
        self.layers = [dict(sorted(bag.items()))] if bag else []
