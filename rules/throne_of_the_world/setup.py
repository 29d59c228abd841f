"""Setup: race cards first, then the first player, the hands and the trading area."""

from collections.abc import Sequence

from rules.engine.chance import Chance
from rules.engine.flow import Flow, Game, ask_all
from rules.engine.pile import Pile
from rules.engine.questions import Option, Question
from rules.wishes import grant

from .common import spread
from .components import COLOURS, COUNTS, NUMBERS, OPENING_HANDS
from .hands import draw
from .how_to_play import fill_area
from .options import Options
from .state import Draft, State, Turn, playing_from, seats


def set_up(chance: Chance, options: Options, n: int, wishes: Sequence[str]) -> State:
    """The money is given out and the race cards are dealt."""
    teams = NUMBERS.teams.teams if n == NUMBERS.teams.players else n
    return State(
        options=options,
        colours=grant(chance, n, wishes, (colour.id for colour in COLOURS)),
        teams=[seat % teams for seat in range(n)],
        drafts=deal_races(chance, options, n),
        races=[""] * n,
        money=[NUMBERS.start.coins] * teams,
        units=[{} for _ in range(n)],
        hands=[{} for _ in range(n)],
        known=[[{} for _ in range(n)] for _ in range(n)],
        area=[],
        deck=Pile.of(spread(COUNTS)),
        discard={},
        next=Draft(),
    )


def deal_races(chance: Chance, options: Options, n: int) -> list[list[str]]:
    """The race cards each player chooses from: fewer where there are not enough for all."""
    pool = chance.shuffled(options.race_cards)
    each = min(NUMBERS.start.race_cards, len(pool) // n)
    return [sorted(pool[seat * each : seat * each + each]) for seat in range(n)]


def draft(game: Game[State]) -> Flow[None]:
    """Everybody chooses a race at the same time, and all are revealed together; then the cards are dealt."""
    s = game.state
    if len(s.drafts[0]) > 1:
        answers = yield from ask_all(seats(s), lambda seat: race_question(s, seat))
        s.races = [answers[seat][0] for seat in seats(s)]
    else:
        s.races = [dealt[0] for dealt in s.drafts]
    s.drafts = [[] for _ in s.drafts]
    for seat in seats(s):
        game.tell("race", owner=seat, seat=seat, race=s.races[seat])
    s.first = s.active = game.chance.below(len(s.teams))
    game.tell("first", seat=s.first)
    for seat, cards in zip(playing_from(s, s.first), OPENING_HANDS[len(s.teams)], strict=True):
        draw(game, seat, cards)
    fill_area(game)
    s.next = Turn(s.first)


def race_question(s: State, seat: int) -> Question:
    """Which of the races dealt."""
    options = tuple(Option(race, "option.race", {"race": race}) for race in s.drafts[seat])
    first, second = s.drafts[seat]
    return Question("draft", options, private=True, args={"first": first, "second": second})
