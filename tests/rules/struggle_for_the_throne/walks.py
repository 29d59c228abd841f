"""Whole games by random or bot players, for tests that look at every step."""

from collections.abc import Callable, Iterator

from rules.engine.chance import Chance
from rules.engine.questions import Answer
from rules.engine.rules import BotPlayer, Decision, random_player
from rules.engine.table import Change, Table
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.options import Options

Step = tuple[Table, int, Change]


def restless(decision: Decision, chance: Chance) -> Answer:
    """Any legal answer, but nobody gives up."""
    answer = random_player(decision, chance)
    while decision.question.key == "action" and answer == ("surrender",):
        answer = random_player(decision, chance)
    return answer


def start(options: Options, seats: int, seed: int) -> Table:
    """A new table."""
    return Table.start(RULES, options, seats=seats, secret=seed.to_bytes(32, "big"))[0]


def awaited(table: Table) -> int:
    """A seat that has not answered yet."""
    return next(seat for seat in sorted(table.asked) if seat not in table.sealed)


def walk(table: Table, player: Callable[[int], BotPlayer], seed: int, most: int, acts: int = 0) -> Iterator[Step]:
    """Play on; one step in `acts` is an act, where one is possible."""
    chance = Chance(b"walk%d" % seed)
    for _ in range(most):
        if table.over:
            return
        chance.draws.clear()
        seat = awaited(table)
        if acts and not chance.below(acts):
            acting = chance.below(len(table.state.heads))
            change = random_act(table, acting, chance)
            if change is not None:
                yield table, acting, change
                continue
        question = table.asked[seat]
        answer = player(seat)(Decision(seat, table.view(seat), question), chance)
        yield table, seat, table.answer(seat, answer)
        table.forget()


def random_act(table: Table, seat: int, chance: Chance) -> Change | None:
    """Any act with any fields, None when there is none or it is refused."""
    from rules.engine.errors import Illegal

    acts = table.acts(seat)
    if not acts:
        return None
    act = chance.pick(acts)
    fields = tuple(random_player(Decision(seat, None, field), chance) for field in act.fields)
    try:
        return table.act(seat, act.name, fields)
    except Illegal:
        return None
