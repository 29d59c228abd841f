"""Which events tell what chance gave: there are no dice."""

from ..luck import Cards, Declared

LUCK: Declared = {"drew_cards": (Cards("seat", "cards"),)}
