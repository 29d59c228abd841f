"""Lanterns, a complete toy game: the best lantern scores, thieves steal from it; who has most in the end wins."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from rules.engine import Act, Answer, Chance, Flow, Game, Offer, Option, Pile, Question, Rules, Standing, Words
from rules.engine.flow import ask_all, choose, choose_many, play_card, window
from rules.engine.questions import numbers

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
    points: list[int]


class View(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    hand: tuple[str, ...]


class Lanterns(Rules[State, Options, View]):
    key, title, seats, options, state = "lanterns", "Lanterns", range(2, 5), Options, State
    words = Words.load(Path(__file__).with_suffix(".toml"))

    def setup(self, chance: Chance, options: Options, seats: int, wishes: Sequence[str]) -> State:
        pile = Pile.of(card for card in CARDS for _ in range(seats * options.rounds))
        hands = [[card for _ in "ab" if (card := pile.draw(chance))] for _ in range(seats)]
        return State(Show(1), options.rounds, pile, hands, [0] * seats)

    def segment(self, game: Game[State]) -> Flow[None]:
        return show(game) if isinstance(game.state.next, Show) else tidy(game)

    def over(self, state: State) -> bool:
        return state.next.round > state.rounds

    def acts(self, state: State, seat: int) -> list[Act]:
        to = Question("tip", tuple(Option(str(other)) for other in self.playing(state) if other != seat))
        return [Act("tip", tip, (to,), harmless=True), *([Act("swap", swap)] if state.hands[seat] else [])]

    def view(self, state: State, seat: int | None) -> View:
        return View(tuple(state.points), () if seat is None else tuple(state.hands[seat]))

    def standings(self, state: State) -> list[Standing]:
        ranked = sorted(self.playing(state), key=lambda seat: -state.points[seat])
        return [Standing(s, rank, state.points[s], winner=rank == 1) for rank, s in enumerate(ranked, 1)]

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        twin = msgspec.convert(msgspec.to_builtins(state), State)
        unseen = [hand for seat, hand in enumerate(twin.hands) if seat != viewer]
        twin.pile.shuffle_in(card for hand in unseen for card in hand)
        for hand in unseen:
            hand[:] = [card for _ in hand if (card := twin.pile.draw(chance))]
        return twin

    def board(self, view: View, words: Words) -> str:
        return "\n".join(f"{words.seat_name(seat)}: {n} points" for seat, n in enumerate(view.points))

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(range(len(state.hands)))


def cards(state: State, seat: int, *kinds: str) -> tuple[Option, ...]:
    return tuple(Option(c, count=state.hands[seat].count(c)) for c in kinds or CARDS if c in state.hands[seat])


def draw(game: Game[State], seat: int) -> None:
    if card := game.state.pile.draw(game.chance):
        game.state.hands[seat].append(card)
        game.tell("drew", to=[seat], owner=seat, card=card)


def play(game: Game[State], seat: int, card: str) -> None:
    game.state.hands[seat].remove(card)
    game.tell("played", seat=seat, card=card)


def show(game: Game[State]) -> Flow[None]:
    state, seats = game.state, RULES.playing(game.state)
    for seat in seats:
        draw(game, seat)
    shown = yield from ask_all(seats, lambda seat: Question("show", cards(state, seat), private=True))
    for seat in seats:
        play(game, seat, shown[seat][0])
    best = max(seats, key=lambda seat: (CARDS[shown[seat][0]], -seat))
    state.points[best] += 2
    thieves = Offer("steal", lambda seat: cards(state, seat, "thief"), lambda seat, _: steal(game, seat, best))
    yield from window(lambda: [s for s in seats if s != best and state.hands[s]], thieves, key="steal", skip="pass")
    state.next = Tidy(state.next.round)


def steal(game: Game[State], thief: int, victim: int) -> Flow[None]:
    guard = Offer("guard", lambda seat: cards(game.state, seat, "guard"), lambda seat, card: play(game, seat, card))
    counters = partial(window, lambda: [victim], guard, key="guard", skip="pass", once=True)

    def loot() -> Flow[None]:
        n = int((yield from choose(thief, "loot", lambda: numbers(0, 2), number=True)))
        game.state.points[victim] -= n
        game.state.points[thief] += n
        game.tell("stole", seat=thief, n=n, places=["lantern"])

    yield from play_card(lambda: play(game, thief, "thief"), counters, loot)


def tidy(game: Game[State]) -> Flow[None]:
    state, last = game.state, game.state.points.index(max(game.state.points))
    if n := len(state.hands[last]):
        order = yield from choose_many(last, "order", lambda: cards(state, last), n, n, ordered=True, private=True)
        state.hands[last] = list(order)
    state.next = Show(state.next.round + 1)


def tip(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    game.state.points[seat] -= 1
    game.state.points[int(fields[0][0])] += 1


def swap(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
    card = yield from choose(seat, "swap", lambda: cards(game.state, seat), private=True)
    game.state.hands[seat].remove(card)
    game.state.pile.shuffle_in([card])
    draw(game, seat)


RULES = Lanterns()
