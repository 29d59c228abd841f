"""Struggle for the Throne: what the game declares to the engine."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from rules.engine.chance import Chance
from rules.engine.flow import Act, Flow, Game
from rules.engine.questions import SKIP, Answer, Arg, Question
from rules.engine.rules import BotPlayer, Rules, Standing
from rules.engine.words import Words

from . import bot, options, sequence_of_play, setup, trading, view, why_not, winning
from .board import board as text_board
from .board import hand_line
from .components import HOUSES
from .options import Options
from .resample import resample
from .state import State, Turn, playing_from
from .texts import load_words
from .views import View

HARMLESS = ("end", "stop", "back")


class StruggleForTheThrone(Rules[State, Options, View]):
    """Klingon families fight for a dying Emperor's throne."""

    key = "struggle_for_the_throne"
    title = "Struggle for the Throne"
    seats = range(2, len(HOUSES) + 1)
    options = Options
    state = State
    words: Words = load_words(Path(__file__).parent / "words.toml")
    colours = HOUSES
    bots: ClassVar[Mapping[str, BotPlayer]] = {"policy": bot.policy}

    def problems(self, options_: Options, seats: int) -> list[tuple[str, dict[str, Arg]]]:
        return super().problems(options_, seats) or options.problems(options_, seats)

    def setup(self, chance: Chance, options_: Options, seats: int, wishes: Sequence[str]) -> State:
        return setup.set_up(chance, options_, seats, wishes)

    def segment(self, game: Game[State]) -> Flow[None]:
        following = game.state.next
        if isinstance(following, Turn):
            return sequence_of_play.turn(game, following.seat)
        return setup.opening(game)

    def acts(self, state: State, seat: int) -> list[Act]:
        return trading.acts(state, seat)

    def why_not(self, state: State, seat: int, question: Question, wanted: str) -> tuple[str, dict[str, Arg]] | None:
        return why_not.why_not(state, seat, question, wanted, self.words)

    def has_acts(self, options_: Options) -> bool:
        return options_.trading

    def over(self, state: State) -> bool:
        return state.winner is not None

    def view(self, state: State, seat: int | None) -> View:
        return view.view(state, seat)

    def standings(self, state: State) -> list[Standing]:
        return winning.standings(state)

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        return resample(state, viewer, chance)

    def board(self, view_: View, words: Words) -> str:
        return text_board(view_, words)

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(playing_from(state, state.first))

    def hand(self, view_: View, words: Words) -> str:
        return hand_line(view_, words)

    def colour(self, view_: View, seat: int) -> str:
        return view_.houses[seat].house

    def safe(self, question: Question) -> Answer:
        for id in (*HARMLESS, SKIP):
            if any(option.id == id for option in question.options):
                return (id,)
        return super().safe(question)


RULES = StruggleForTheThrone()
