"""What a bot player thinks about at a decision."""

from collections.abc import Callable

from rules.choices import BACK
from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer
from rules.engine.rules import Decision

from .appraisal import Sight
from .plans import Plans

TRADE, DONE = "trade", "done"
NEVER = -1000.0
CHEAP = 2
"""A reputation tile of this value may go for an ambassador."""


class Mind(Plans):
    """What a bot thinks about at a decision."""

    def __init__(self, decision: Decision, chance: Chance) -> None:
        super().__init__(Sight(decision.view, decision.seat))
        self.question, self.chance = decision.question, chance

    @property
    def ids(self) -> list[str]:
        """The options that are neither a way back nor a pass nor trade."""
        return [option.id for option in self.question.options if option.id not in (BACK, SKIP, TRADE, DONE)]

    def has(self, id: str) -> bool:
        """Whether this is one of the options."""
        return any(option.id == id for option in self.question.options)

    def offered(self, begin: str) -> list[str]:
        """With whom the options that begin so would form a relation: those who did not decline one last, and nobody while
        a good reputation tile would have to go for it."""
        declined = [str(to) for by, to in self.sight.view.declined if by == self.sight.seat]
        found = [id.removeprefix(begin) for id in self.ids if id.startswith(begin)]
        return [] if self.is_full else [seat for seat in found if seat not in declined]

    @property
    def is_full(self) -> bool:
        """Whether a relation would cost a reputation tile that is worth more."""
        room = any(slot.kind != "reputation" and not slot.holds for slot in self.sight.me.slots)
        return not room and min(self.sight.view.hand, default=0) > CHEAP

    def best(self, value: Callable[[str], float], least: float = float("-inf")) -> Answer:
        """The option of the highest value; the way out when none reaches `least`, or there is none."""
        found = max(self.ids, key=lambda id: (value(id), id), default="")
        ways_out = [id for id in (SKIP, BACK, DONE) if self.has(id)]
        if ways_out and (not found or value(found) < least):
            return (ways_out[0],)
        return (found or self.question.options[0].id,)


def first_ones(mind: Mind) -> Answer:
    """As many as must be."""
    options = [option.id for option in mind.question.options if option.id != BACK for _ in range(option.count)]
    return tuple(options[: max(mind.question.least, 1)])
