"""Lanterns: a complete toy game. Highest lantern shown takes the round; whoever leads after the last round wins."""

from collections.abc import Sequence

import msgspec

from rules.engine import (
    Act, Answer, Chance, Flow, Game, Illegal, Offer, Option, Pile, Question, Rules, Standing, Words, ask_all,
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


def cards(state: State, seat: int, *kinds: str) -> list[Option]:
    return [Option(card, count=state.hands[seat].count(card)) for card in kinds if card in state.hands[seat]]


def show(game: Game[State]) -> Flow[None]:
    state, seats = game.state, range(len(game.state.hands))
    for seat in seats:
        card = state.pile.draw(game.chance)
        if card:
            state.hands[seat].append(card)
            game.tell("drew", to=[seat], seat=seat, card=card)
    shown = yield from ask_all(seats, lambda seat: Question("show", tuple(cards(state, seat, *CARDS)), private=True))
    for seat in seats:
        state.hands[seat].remove(shown[seat][0])
        game.tell("showed", seat=seat, card=shown[seat][0])
    best = max(seats, key=lambda seat: (CARDS[shown[seat][0]], -seat))
    state.points[best] += 1
    stealing = Offer("steal", lambda seat: cards(state, seat, "thief"), lambda seat, _: steal(game, seat, best))
    yield from window(lambda: [s for s in seats if s != best and state.hands[s]], stealing, key="steal", skip="pass")
    state.next = Tidy(state.next.round)


def steal(game: Game[State], thief: int, victim: int) -> Flow[None]:
    guarded: list[int] = []

    def guard(seat: int, card: str) -> Flow[None]:
        game.state.hands[seat].remove(card)
        guarded.append((yield from ask_all([seat], lambda _: Question("shout", tuple(numbers(1, 3)), number=True)))[seat])

    def counters() -> Flow[bool]:
        offer = Offer("guard", lambda seat: cards(game.state, seat, "guard"), guard)
        yield from window(lambda: [victim], offer, key="guard", skip="pass", once=True)
        return bool(guarded)

    def resolve() -> Flow[None]:
        game.state.points[victim] -= 1
        game.state.points[thief] += 1
        game.tell("stole", seat=thief, victim=victim, places=["lantern"])
        yield from ()

    game.state.hands[thief].remove("thief")
    yield from play_card(lambda: game.tell("steals", seat=thief, victim=victim), counters, resolve)


def tidy(game: Game[State]) -> Flow[None]:
    state, last = game.state, state_leader(game.state)
    hand = state.hands[last]
    if len(hand) > 1:
        kept = yield from choose_many(last, "order", lambda: cards(state, last, *CARDS), 1, len(hand), ordered=True)
        state.hands[last] = list(kept)
    state.next = Show(state.next.round + 1)


def state_leader(state: State) -> int:
    return state.points.index(max(state.points))


def tip(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    if not game.state.coins[seat]:
        raise Illegal("no_coins")
    game.state.coins[seat] -= 1
    game.state.coins[int(fields[0][0])] += 1


def wager(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
    stake = yield from choose_many(seat, "stake", lambda: numbers(0, game.state.coins[seat]), 1, 1, number=True)
    game.state.coins[seat] += int(stake[0]) * (1 if game.roll() > 3 else -1)


class Lanterns(Rules[State, Options, View]):
    key, title, seats, options, state = "lanterns", "Lanterns", range(2, 5), Options, State
    words = Words({"ask.show": "Which lantern do you show?", "event.showed": "{seat:seat} shows {card}."})

    def setup(self, chance: Chance, options: Options, seats: int, wishes: Sequence[str]) -> State:
        pile = Pile.of(card for card in CARDS for _ in range(seats * options.rounds))
        hands = [[pile.draw(chance) or "one" for _ in range(2)] for _ in range(seats)]
        return State(Show(1), options.rounds, pile, hands, [2] * seats, [0] * seats)

    def segment(self, game: Game[State]) -> Flow[None]:
        return show(game) if isinstance(game.state.next, Show) else tidy(game)

    def acts(self, state: State, seat: int) -> list[Act]:
        others = tuple(option for option in numbers(0, len(state.hands) - 1) if option.id != str(seat))
        return [Act("tip", tip, (Question("to", others),), harmless=True), Act("wager", wager)]

    def over(self, state: State) -> bool:
        return state.next.round > state.rounds

    def view(self, state: State, seat: int | None) -> View:
        hand = () if seat is None else tuple(state.hands[seat])
        return View(tuple(state.points), tuple(state.coins), hand)

    def standings(self, state: State) -> list[Standing]:
        ranked = sorted(range(len(state.points)), key=lambda seat: -state.points[seat])
        return [Standing(s, n, state.points[s], winner=n == 1) for n, s in enumerate(ranked, 1)]

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        twin = msgspec.convert(msgspec.to_builtins(state), State)
        others = [seat for seat in range(len(twin.hands)) if seat != viewer]
        twin.pile.shuffle_in(card for seat in others for card in twin.hands[seat])
        for seat in others:
            twin.hands[seat] = [twin.pile.draw(chance) or "one" for _ in twin.hands[seat]]
        return twin

    def board(self, view: View, words: Words) -> str:
        return " ".join(f"{words.seat_name(seat)}: {points}" for seat, points in enumerate(view.points))

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(range(len(state.hands)))


RULES = Lanterns()
