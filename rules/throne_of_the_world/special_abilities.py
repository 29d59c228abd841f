"""Special abilities of races that are moves of their own, or that follow other moves."""

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import SKIP, Option

from . import attack
from .common import BACK, back, kinds, one_or_ask, seat_options, told
from .hands import can_draw, discard, draw, take_at_random
from .object_of_the_game import pay
from .races import covers, has, number
from .state import State, can_spend, hand_size, opponents

BREATH, BARTER, INFILTRATE = "breath", "barter", "infiltrate"


def abilities(s: State, seat: int) -> list[str]:
    """The abilities that are moves of their own and can be used now, as far as everybody can see."""
    found = []
    if unused(s, seat, BREATH) and hand_size(s, seat) >= number(s, seat, BREATH, "discard"):
        found.append(BREATH)
    if unused(s, seat, BARTER) and hand_size(s, seat) >= number(s, seat, BARTER, "discard"):
        found.append(BARTER)
    if unused(s, seat, INFILTRATE) and robbable(s, seat) and can_spend(s, seat, number(s, seat, INFILTRATE, "coins")):
        found.append(INFILTRATE)
    return found


def unused(s: State, seat: int, name: str) -> bool:
    """Whether the seat has this ability and has not used it this turn."""
    return has(s, seat, name) and name not in s.used


def nameable(s: State, seat: int) -> list[int]:
    """The opponents whose units may be singled out by a card."""
    return [rival for rival in opponents(s, seat) if not has(s, rival, "shadow")]


def robbable(s: State, seat: int) -> list[int]:
    """The opponents from whose hands a card may be taken."""
    return [rival for rival in opponents(s, seat) if hand_size(s, rival)]


def use(game: Game[State], seat: int, name: str) -> Flow[None]:
    """Use one of the abilities, or go back."""
    if name == BREATH:
        yield from breathe(game, seat)
    elif name == BARTER:
        yield from barter(game, seat)
    else:
        yield from infiltrate(game, seat)


def breathe(game: Game[State], seat: int) -> Flow[None]:
    """Discard cards for an attack."""
    s = game.state
    damage = number(s, seat, BREATH, "damage")
    goal = yield from one_or_ask(seat, "breath.goal", lambda: attack.targets(s, seat, damage))
    if goal == BACK:
        return
    if (yield from give_up(game, seat, BREATH)):
        yield from attack.attack(game, seat, int(goal), BREATH, damage)


def barter(game: Game[State], seat: int) -> Flow[None]:
    """Discard a card for coins."""
    s = game.state
    if (yield from give_up(game, seat, BARTER)):
        pay(game, number(s, seat, BARTER, "coins"), "bartered", to=seat, seat=seat)


def give_up(game: Game[State], seat: int, name: str) -> Flow[bool]:
    """Choose the cards that the ability takes and discard them; or go back."""
    s = game.state
    chosen: list[str] = []
    n = number(s, seat, name, "discard")

    def build() -> list[Option]:
        left = {card: count - chosen.count(card) for card, count in s.hands[seat].items()}
        return [*(Option(card, f"card.{card}") for card in kinds(left) if left[card]), back()]

    while len(chosen) < n:
        card = yield from choose(seat, f"{name}.card", build, private=True, left=n - len(chosen))
        if card == BACK:
            return False
        chosen.append(card)
    for card in chosen:
        discard(s, seat, card)
    s.used.append(name)
    game.tell(name, seat=seat, cards=told(chosen))
    return True


def infiltrate(game: Game[State], seat: int) -> Flow[None]:
    """Pay to take a random card from an opponent's hand."""
    s = game.state
    rival = yield from one_or_ask(seat, "infiltrate.whom", lambda: seat_options(robbable(s, seat)))
    if rival != BACK:
        s.used.append(INFILTRATE)
        pay(game, number(s, seat, INFILTRATE, "coins"), INFILTRATE, by=seat, seat=seat, rival=int(rival))
        for _ in range(min(number(s, seat, INFILTRATE, "cards"), hand_size(s, int(rival)))):
            take_at_random(game, seat, int(rival))


def seduce(game: Game[State], seat: int) -> Flow[None]:
    """After an action card an opponent may be made to lose a coin."""
    s = game.state
    if not has(s, seat, "seduction"):
        return
    answer = yield from choose(
        seat,
        "seduction",
        lambda: seat_options(opponents(s, seat)),
        skip="option.nobody",
        n=number(s, seat, "seduction", "coins"),
    )
    if answer != SKIP:
        rival = int(answer)
        pay(game, number(s, seat, "seduction", "coins"), "seduced", by=rival, seat=seat, rival=rival)


def prospect(game: Game[State], seat: int, profession: str) -> Flow[None]:
    """With some units an extra card may be drawn, when one is played and when they produce."""
    s = game.state
    if not covers(s, seat, "prospecting", profession) or not can_draw(s):
        return
    n = number(s, seat, "prospecting", "draw")
    if (yield from choose(seat, "prospecting", lambda: [Option("draw")], skip="option.no", n=n)) != SKIP:
        draw(game, seat, n)
