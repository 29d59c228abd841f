"""Game setup: tiles, home planets, forces, cards; then the opening, where the dice say who goes first."""

from collections.abc import Sequence

from rules.engine.chance import Chance
from rules.engine.flow import Flow, Game, ask_all
from rules.engine.pile import Pile
from rules.engine.questions import Question, places
from rules.wishes import grant

from . import home_control
from .components import (
    CARDS,
    EMPEROR_DIES,
    HAND_SIZE,
    HOUSES,
    ONE_BOX_SEATS,
    SQUADRON,
    THOUGHT_ADMIRAL,
    UNITS,
    home_tiles,
)
from .hands import label_of, spread
from .options import Options
from .state import Head, Opening, State, Turn
from .units import counted


def set_up(chance: Chance, options: Options, seats: int, wishes: Sequence[str]) -> State:
    """Everything in its place for the first turn."""
    boxes = 2 if options.twelve_players else 1
    houses = HOUSES if seats > ONE_BOX_SEATS else HOUSES[:ONE_BOX_SEATS]
    homes = choose_homes(chance, options, seats)
    deck = prepare_deck(options, boxes)
    hands = [deal(chance, deck) for _ in range(seats)]
    s = State(
        options=options,
        houses=grant(chance, seats, wishes, (house.id for house in houses)),
        homes=homes,
        groups=[{planet: [unit.per_set for unit in UNITS] for planet in own} for own in homes],
        heads=[Head(THOUGHT_ADMIRAL, own[0]) for own in homes],
        hands=hands,
        known=[[{} for _ in range(seats)] for _ in range(seats)],
        deck=deck,
        discard={},
        removed={},
        supply=UNITS[SQUADRON].total * boxes - UNITS[SQUADRON].per_set * options.sets * seats,
        next=Opening(),
    )
    home_control.set_up(s)
    return s


def choose_homes(chance: Chance, options: Options, seats: int) -> list[list[str]]:
    """Which home planets each seat draws."""
    tiles = home_tiles(seats, options.sets)
    shares = [tiles[i : i + options.sets] for i in range(0, len(tiles), options.sets)]
    return [[f"{tile}.c" for tile in share] for share in chance.shuffled(shares)]


def prepare_deck(options: Options, boxes: int) -> Pile:
    """All cards as one pile; of Emperor Dies there is one, or none by option."""
    emperors = 0 if options.leave_emperor_dies_out else 1
    counts = {card.id: emperors if card.id == EMPEROR_DIES else card.count * boxes for card in CARDS.values()}
    return Pile.of(card for card, n in counts.items() for _ in range(n))


def deal(chance: Chance, deck: Pile) -> dict[str, int]:
    """A hand from the pile."""
    hand: dict[str, int] = {}
    for _ in range(HAND_SIZE):
        card = deck.draw(chance)
        if card is not None:
            hand[card] = hand.get(card, 0) + 1
    return hand


def opening(game: Game[State]) -> Flow[None]:
    """Tell what was drawn, name the heads of double forces, and roll for the first turn."""
    s = game.state
    for seat, own in enumerate(s.homes):
        game.tell("home", seat=seat, house=s.houses[seat], planets=tuple(own), places=own)
    for seat, hand in enumerate(s.hands):
        game.tell("dealt", to=(seat,), seat=seat, cards=counted(label_of(s, card) for card in spread(hand)))
    if s.options.double_forces:
        yield from name_heads(game)
    s.first = roll_for_first(game)
    s.next = Turn(s.first)


def name_heads(game: Game[State]) -> Flow[None]:
    """Each player says which of the two Thought Admirals is head of the family."""
    s = game.state
    everybody = range(len(s.homes))
    answers = yield from ask_all(everybody, lambda seat: Question("head.first", tuple(places(s.homes[seat]))))
    for seat in everybody:
        planet = answers[seat][0]
        s.heads[seat] = Head(THOUGHT_ADMIRAL, planet)
        game.tell("head", seat=seat, unit=UNITS[THOUGHT_ADMIRAL].id, planet=planet)


def roll_for_first(game: Game[State]) -> int:
    """One die each; those who tie for the highest roll again."""
    rolling = list(range(len(game.state.homes)))
    while len(rolling) > 1:
        rolls = {seat: game.roll() for seat in rolling}
        for seat, roll in rolls.items():
            game.tell("first.roll", seat=seat, roll=roll)
        rolling = [seat for seat in rolling if rolls[seat] == max(rolls.values())]
    game.tell("first", seat=rolling[0])
    return rolling[0]
