"""Which events tell what chance gave. Ancients have no seat, so their dice count for nobody."""

from ..luck import Declared, Dice

LUCK: Declared = {
    "combat.missiles": (Dice("party", "rolls"),),
    "combat.cannons": (Dice("party", "rolls"),),
    "population.cannons": (Dice("party", "rolls"),),
}
