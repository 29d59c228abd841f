"""Lanterns, a complete toy game: the best lantern scores, thieves steal from it; who has most in the end wins."""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import msgspec

# isort: off
from rules.engine import (
    Act, Answer, Chance, Flow, Game, Illegal, Offer, Option, Pile, Question, Rules, Standing, Words, ask_all, choose,
    choose_many, numbers, play_card, window,
)  # fmt: skip

CARDS = {"one": 1, "two": 2, "three": 3, "thief": 0, "guard": 0}


class Options(msgspec.Struct, frozen=True):
    rounds: int = 3


class Show(msgspec.Struct, tag=True):
    round: int


class Tidy(msgspec.Struct, tag=True):
    round: int


class State(msgspec.Struct):
    next: Show | Tidy
    rounds: int
    pile: Pile
    hands: list[list[str]]
    coins: list[int]
    points: list[int]


class View(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    coins: tuple[int, ...]
    hand: tuple[str, ...]


class Lanterns(Rules[State, Options, View]):
    key, title, seats, options, state = "lanterns", "Lanterns", range(2, 5), Options, State
    words = Words.load(Path(__file__).with_suffix(".toml"))

    def setup(self, chance: Chance, options: Options, seats: int, wishes: Sequence[str]) -> State:
        pile = Pile.of(card for card in CARDS for _ in range(seats * options.rounds))
        hands = [[pile.draw(chance), pile.draw(chance)] for _ in range(seats)]
        return State(Show(1), options.rounds, pile, hands, [2] * seats, [0] * seats)

    def segment(self, game: Game[State]) -> Flow[None]:
        return show(game) if isinstance(game.state.next, Show) else tidy(game)

    def over(self, state: State) -> bool:
        return state.next.round > state.rounds

    def acts(self, state: State, seat: int) -> list[Act]:
        to = Question("tip", tuple(Option(str(other)) for other in self.playing(state) if other != seat))
        give = Question("swap", cards(state, seat), private=True)
        acts = [Act("tip", tip, (to,), harmless=True), Act("wager", wager, harmless=True), Act("swap", swap, (give,))]
        return acts if give.options else acts[:2]

    def view(self, state: State, seat: int | None) -> View:
        return View(tuple(state.points), tuple(state.coins), () if seat is None else tuple(state.hands[seat]))

    def standings(self, state: State) -> list[Standing]:
        ranked = sorted(self.playing(state), key=lambda seat: -state.points[seat])
        return [Standing(s, rank, state.points[s], winner=rank == 1) for rank, s in enumerate(ranked, 1)]

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        twin = deepcopy(state)
        unseen = [hand for seat, hand in enumerate(twin.hands) if seat != viewer]
        twin.pile.shuffle_in(card for hand in unseen for card in hand)
        for hand in unseen:
            hand[:] = [twin.pile.draw(chance) for _ in hand]
        return twin

    def board(self, view: View, words: Words) -> str:
        return "\n".join(f"{words.seat_name(s)}: {n} points, {view.coins[s]} coins" for s, n in enumerate(view.points))

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(range(len(state.hands)))


def cards(state: State, seat: int, *kinds: str) -> tuple[Option, ...]:
    hand = state.hands[seat]
    return tuple(Option(card, count=hand.count(card)) for card in kinds or CARDS if card in hand)


def draw(game: Game[State], seat: int) -> None:
    game.state.hands[seat].append(game.state.pile.draw(game.chance))
    game.tell("drew", to=[seat], owner=seat, card=game.state.hands[seat][-1])


def play(game: Game[State], seat: int, card: str, event: str = "played") -> None:
    game.state.hands[seat].remove(card)
    game.tell(event, seat=seat, card=card)


def show(game: Game[State]) -> Flow[None]:
    state, seats = game.state, RULES.playing(game.state)
    for seat in seats:
        draw(game, seat)
    shown = yield from ask_all(seats, lambda seat: Question("show", cards(state, seat), private=True))
    for seat in seats:
        play(game, seat, *shown[seat], "showed")
    best = max(seats, key=lambda seat: (CARDS[shown[seat][0]], -seat))
    state.points[best] += 2
    thieves = Offer("steal", lambda seat: cards(state, seat, "thief"), lambda seat, _: steal(game, seat, best))
    yield from window(lambda: [s for s in seats if s != best and state.hands[s]], thieves, key="steal", skip="pass")
    state.next = Tidy(state.next.round)


def steal(game: Game[State], thief: int, victim: int) -> Flow[None]:
    sent: list[None] = []

    def counters() -> Flow[bool]:
        guard = Offer("guard", lambda s: cards(game.state, s, "guard"), lambda *card: sent.append(play(game, *card)))
        yield from window(lambda: [victim], guard, key="guard", skip="pass", once=True)
        return bool(sent)

    def loot() -> Flow[None]:
        n = int((yield from choose(thief, "loot", lambda: numbers(0, 2), number=True)))
        game.state.points[victim] -= n
        game.state.points[thief] += n
        game.tell("stole", seat=thief, n=n, places=["lantern"])

    yield from play_card(lambda: play(game, thief, "thief"), counters, loot)


def tidy(game: Game[State]) -> Flow[None]:
    state, last = game.state, game.state.points.index(max(game.state.points))
    n = len(state.hands[last])
    if n:
        order = yield from choose_many(last, "order", lambda: cards(state, last), n, n, ordered=True, private=True)
        state.hands[last] = list(order)
    state.next = Show(state.next.round + 1)


def tip(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    if not game.state.coins[seat]:
        raise Illegal("no_coins")
    game.state.coins[seat] -= 1
    game.state.coins[int(fields[0][0])] += 1


def wager(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
    stake = yield from choose(seat, "stake", lambda: numbers(0, game.state.coins[seat]), number=True)
    game.state.coins[seat] += int(stake) * (1 if game.roll() > 3 else -1)
    game.tell("wagered", seat=seat, n=game.state.coins[seat])


def swap(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    game.state.hands[seat].remove(fields[0][0])
    game.state.pile.shuffle_in(fields[0])
    draw(game, seat)


RULES = Lanterns()
