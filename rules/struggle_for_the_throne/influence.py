"""Influence: asking the dying Emperor for Squadrons, and accusing a rival before him."""

from collections import Counter

from rules.engine.flow import Flow, Game, ask_all, choose_many
from rules.engine.questions import SKIP, Answer, Arg, Option, Question

from .common import BACK, back, exactly, one_or_ask, place_in_centre, planets_with
from .components import INFLUENCE, SQUADRON, influence_result
from .hands import card_option, card_options, discard, labels, picked
from .state import State, hand_size, others_from, playing_from
from .units import add, destroy, expendable_at, remove

ACCUSER, ACCUSED = "accuser", "accused"


def own_favour(game: Game[State], seat: int) -> Flow[None]:
    """Gaining power: ask for Squadrons; the others may counter Influence cards with their own."""
    s = game.state
    answer = yield from choose_cards(s, seat, "influence.cards")
    if BACK in answer:
        return
    s.actions_left -= 1
    game.tell("influence", seat=seat)
    column = len(answer)
    if column:
        lay(game, seat, answer, "influence")
    if not s.options.own_favour_unopposed:
        column -= yield from counter_influence(game, seat, column)
    result = ask_emperor(game, seat, column)
    if result > 0:
        yield from receive(game, seat, result)
    elif result < 0:
        yield from give_up(game, seat, -result)


def choose_cards(s: State, seat: int, key: str) -> Flow[Answer]:
    """Any number of Influence cards, none included; BACK among them to go back."""

    def build() -> list[Option]:
        return [*card_options(s, labels(s, seat, INFLUENCE)), back()]

    most = max(1, sum(labels(s, seat, INFLUENCE).values()))
    return (yield from choose_many(seat, key, build, 0, most, private=True))


def lay(game: Game[State], seat: int, cards: Answer, how: str) -> None:
    """Influence cards are laid open and spent."""
    for label in cards:
        discard(game.state, seat, label)
    game.tell(f"{how}.cards", seat=seat, n=len(cards))


def counter_influence(game: Game[State], seat: int, column: int) -> Flow[int]:
    """Each other player once, in turn order: every Influence card laid cancels one. Returns how many are cancelled."""
    s = game.state
    cancelled = 0
    if not column:
        return 0

    def build(other: int) -> Question:
        options = (*card_options(s, labels(s, other, INFLUENCE)), Option(SKIP, "option.pass"))
        args: dict[str, Arg] = {"seat": seat, "n": column}
        return Question(
            "influence.counter", options, 1, column, private=True, windows=("influence.counter",), args=args
        )

    asked = [other for other in others_from(s, seat) if hand_size(s, other)]
    answers = yield from ask_all(asked, build)
    for other in asked:
        cards = picked(answers[other])[: column - cancelled]
        if cards:
            lay(game, other, cards, "influence.countered")
            cancelled += len(cards)
    return cancelled


def ask_emperor(game: Game[State], seat: int, column: int) -> int:
    """Roll two dice and look up how many Squadrons the seat gains or loses."""
    dice = (game.roll(), game.roll())
    result = influence_result(sum(dice), column)
    game.tell("influence.result", seat=seat, dice=tuple(map(str, dice)), roll=sum(dice), column=column, result=result)
    return result


def receive(game: Game[State], seat: int, n: int) -> Flow[None]:
    """Squadrons from the supply, as far as it reaches, come to the Center Tile."""
    s = game.state
    n = min(n, s.supply)
    if not n:
        game.tell("supply_empty", seat=seat)
        return
    planets = yield from place_in_centre(game, seat, n)
    s.supply -= n
    for planet in planets:
        add(s, seat, planet, SQUADRON)
    game.tell("squadrons.gained", seat=seat, n=n, planets=tuple(dict.fromkeys(planets)), places=sorted(set(planets)))


def give_up(game: Game[State], seat: int, n: int) -> Flow[None]:
    """The Emperor takes Squadrons away, of the owner's choice, never the head of the family."""
    s = game.state
    n = min(n, sum(expendable_at(s, seat, SQUADRON).values()))
    if not n:
        game.tell("squadrons.none", seat=seat)
        return
    planets = yield from exactly(seat, "squadrons.lose", lambda: planets_with(expendable_at(s, seat, SQUADRON)), n)
    for planet in planets:
        destroy(s, seat, planet, SQUADRON)
    game.tell("squadrons.lost", seat=seat, n=n, planets=tuple(dict.fromkeys(planets)), places=sorted(set(planets)))


# Accusations


def accuse(game: Game[State], seat: int) -> Flow[None]:
    """Accuse a rival; all may add Influence cards to either side until nobody adds any more."""
    s = game.state
    choice = yield from one_or_ask(
        seat,
        "accuse.whom",
        lambda: [Option(str(rival), "option.seat", {"seat": rival}) for rival in others_from(s, seat)],
    )
    if choice == BACK:
        return
    rival = int(choice)
    answer = yield from choose_cards(s, seat, "accuse.cards")
    if BACK in answer:
        return
    s.actions_left -= 1
    game.tell("accuse", seat=seat, rival=rival)
    if answer:
        lay(game, seat, answer, "accuse.accuser")
    column = (yield from bidding(game, seat, rival)) - len(answer)
    result = ask_emperor(game, rival, column)
    if result > 0:
        yield from transfer(game, rival, seat, result)
    elif result < 0:
        yield from transfer(game, seat, rival, -result)


def bidding(game: Game[State], seat: int, rival: int) -> Flow[int]:
    """Rounds of sealed bids, laid open in turn order, until a round brings none. Returns defence minus accusation."""
    s = game.state
    column = 0

    def build(bidder: int) -> Question:
        held = labels(s, bidder, INFLUENCE)
        options = [card_option(s, label, n, f"{side}.") for side in (ACCUSER, ACCUSED) for label, n in held.items()]
        most = max(1, sum(held.values()))
        args: dict[str, Arg] = {"seat": seat, "rival": rival}
        return Question(
            "bid", (*sided(options), Option(SKIP, "option.pass")), 1, most, False, True, False, ("bid",), args
        )

    while True:
        asked = [bidder for bidder in playing_from(s, seat + 1) if hand_size(s, bidder)]
        answers = yield from ask_all(asked, build)
        laid = 0
        for bidder in asked:
            for side, sign in ((ACCUSER, -1), (ACCUSED, 1)):
                cards = bid_cards(answers[bidder], side)
                if cards:
                    lay(game, bidder, cards, f"accuse.{side}")
                    column += sign * len(cards)
                    laid += len(cards)
        if not laid:
            return column


def sided(options: list[Option]) -> list[Option]:
    """The same options with words that name the side."""
    found = []
    for option in options:
        side = option.id.partition(".")[0]
        found.append(Option(option.id, f"{option.words}_{side}", option.args, count=option.count))
    return found


def bid_cards(answer: Answer, side: str) -> Answer:
    """The cards bid for a side; a card named for both sides stays in hand."""
    other = ACCUSED if side == ACCUSER else ACCUSER
    named = Counter(picked(answer))
    return tuple(
        label
        for chosen, n in named.items()
        for to, label in [chosen.split(".", 1)]
        if to == side
        for _ in range(n - named[f"{other}.{label}"])
    )


def transfer(game: Game[State], gainer: int, loser: int, n: int) -> Flow[None]:
    """The gainer picks Squadrons of the loser's and joins them to own groups; the Emperor gives what is missing."""
    s = game.state
    taken = min(n, sum(expendable_at(s, loser, SQUADRON).values()))
    if taken:
        sources = yield from exactly(
            gainer, "squadrons.take", lambda: planets_with(expendable_at(s, loser, SQUADRON)), taken, rival=loser
        )
        goals = yield from exactly(
            gainer, "squadrons.join", lambda: planets_with(dict.fromkeys(sorted(s.groups[gainer]), taken)), taken
        )
        for planet in sources:
            remove(s, loser, planet, SQUADRON)
        for planet in goals:
            add(s, gainer, planet, SQUADRON)
        game.tell(
            "squadrons.taken",
            seat=gainer,
            rival=loser,
            n=taken,
            sources=tuple(dict.fromkeys(sources)),
            goals=tuple(dict.fromkeys(goals)),
            places=sorted({*sources, *goals}),
        )
    if taken < n:
        yield from receive(game, gainer, n - taken)
