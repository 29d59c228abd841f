"""A bot player."""

from rules.engine.chance import Chance
from rules.engine.questions import Answer
from rules.engine.rules import Decision, random_player


def policy(decision: Decision, chance: Chance) -> Answer:
    """A sensible answer."""
    return random_player(decision, chance)
