"""Which events tell what chance gave."""

from ..luck import Cards, Declared, Dice

LUCK: Declared = {
    "first.roll": (Dice("seat", "roll"),),
    "battle.combat": (Dice("seat", "attacker_dice"), Dice("rival", "defender_dice")),
    "influence.result": (Dice("seat", "dice"),),
    "dealt": (Cards("seat", "cards"),),
    "drew_cards": (Cards("seat", "cards"),),
}
