"""Action cards: a general one activates one profession that it does not exclude, a double one its own twice."""

from rules.engine.flow import Flow, Game, choose, play_card
from rules.engine.questions import SKIP, Option

from . import attack, royal_family
from .common import BACK, one_or_ask
from .components import DOUBLE, GENERAL, PROFESSIONS, UNITS
from .object_of_the_game import pay
from .races import covers, has
from .special_abilities import prospect, seduce
from .spending import finish, nobody, spend
from .state import State
from .unit_cards import efficiency, size_of

PRODUCE = "produce"


def professions_for(s: State, seat: int, card: str) -> list[str]:
    """The professions that this action card can activate now."""
    if card in DOUBLE:
        return [profession for profession in (DOUBLE[card].profession,) if can_act(s, seat, profession)]
    excluded = GENERAL[card].excluded
    return [
        profession
        for profession in PROFESSIONS
        if (profession not in excluded or ignores_excluded(s, seat, profession)) and can_act(s, seat, profession)
    ]


def ignores_excluded(s: State, seat: int, profession: str) -> bool:
    """Whether any general card may activate this profession of the seat's."""
    return has(s, seat, "omnipotence") or covers(s, seat, "coven", profession)


def can_act(s: State, seat: int, profession: str) -> bool:
    """Whether the profession has units, has not acted this turn, and there is something for it to do."""
    fresh = profession not in s.acted or covers(s, seat, "diligence", profession)
    return fresh and size_of(s, seat, profession) > 0 and bool(goals(s, seat, profession))


def goals(s: State, seat: int, profession: str) -> list[Option]:
    """What one activation may be for: producing, or a player to be attacked or asked for a card."""
    kind, n = UNITS[profession].kind, efficiency(s, seat, profession)
    if kind == "capture":
        return royal_family.targets(s, seat)
    options = [Option(PRODUCE, "option.produce", {"n": n})] if kind == PRODUCE else []
    if kind == "attack" or covers(s, seat, "carnivore", profession):
        options += attack.targets(s, seat, n)
    return options


def play(game: Game[State], seat: int, card: str) -> Flow[None]:
    """Choose a profession and what it is to do, or go back; then the card is played."""
    s = game.state
    profession = yield from one_or_ask(
        seat,
        "card.profession",
        lambda: [Option(name, f"profession.{name}") for name in professions_for(s, seat, card)],
        private=True,
        card=card,
    )
    if profession == BACK:
        return
    goal = yield from one_or_ask(
        seat, "card.goal", lambda: goals(s, seat, profession), private=True, card=card, profession=profession
    )
    if goal == BACK:
        return

    def announce() -> None:
        spend(game, seat, card)
        game.tell("action_played", seat=seat, card=card, profession=profession)

    yield from play_card(announce, nobody, lambda: act(game, seat, card, profession, goal))


def act(game: Game[State], seat: int, card: str, profession: str, goal: str) -> Flow[None]:
    """The profession acts, once or as often as the card says; each time it may have another goal."""
    s = game.state
    if profession not in s.acted:
        s.acted.append(profession)
    yield from activate(game, seat, profession, goal)
    for _ in range(DOUBLE[card].activations - 1 if card in DOUBLE else 0):
        goal = yield from next_goal(game, seat, profession)
        if goal == SKIP:
            break
        yield from activate(game, seat, profession, goal)
    finish(game)
    yield from seduce(game, seat)


def next_goal(game: Game[State], seat: int, profession: str) -> Flow[str]:
    """What a further activation is for; it may be declined. Who can only produce just does."""
    s = game.state
    options = goals(s, seat, profession)
    if not options:
        return SKIP
    if [option.id for option in options] == [PRODUCE]:
        return PRODUCE
    return (
        yield from choose(seat, "again", lambda: goals(s, seat, profession), skip="option.stop", profession=profession)
    )


def activate(game: Game[State], seat: int, profession: str, goal: str) -> Flow[None]:
    """One activation."""
    s = game.state
    if goal == PRODUCE:
        coins = efficiency(s, seat, profession)
        pay(game, coins, "produced", to=seat, seat=seat, profession=profession)
        yield from prospect(game, seat, profession)
    elif UNITS[profession].kind == "capture":
        yield from royal_family.demands(game, seat, int(goal))
    else:
        yield from attack.attack(game, seat, int(goal), profession, efficiency(s, seat, profession))
