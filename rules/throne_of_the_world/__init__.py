"""Throne of the World: what the game declares to the engine."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from rules.engine.chance import Chance
from rules.engine.flow import Flow, Game
from rules.engine.questions import SKIP, Answer, Arg, Question
from rules.engine.rules import BotPlayer, Rules, Standing
from rules.engine.words import Words

from . import bot, how_to_play, setup, view, why_not
from .board import board as text_board
from .board import hand_text
from .common import BACK
from .components import COLOURS, OPENING_HANDS
from .object_of_the_game import Won, standings
from .options import Options
from .resample import resample
from .state import State, Turn, playing_from, seats
from .texts import load_words
from .views import View

HARMLESS = ("end", BACK, "produce", "recover")


class ThroneOfTheWorld(Rules[State, Options, View]):
    """Races with their professions strive for coins, complete sets, or to be the last ones left."""

    key = "throne_of_the_world"
    title = "Throne of the World"
    seats = range(min(OPENING_HANDS), max(OPENING_HANDS) + 1)
    options = Options
    state = State
    words: Words = load_words(Path(__file__).parent / "words.toml")
    colours = COLOURS
    bots: ClassVar[Mapping[str, BotPlayer]] = {"policy": bot.policy}

    def setup(self, chance: Chance, options_: Options, seats: int, wishes: Sequence[str]) -> State:
        return setup.set_up(chance, options_, seats, wishes)

    def segment(self, game: Game[State]) -> Flow[None]:
        following = game.state.next
        try:
            if isinstance(following, Turn):
                yield from how_to_play.turn(game, following.seat)
            else:
                yield from setup.draft(game)
        except Won:
            return

    def over(self, state: State) -> bool:
        return bool(state.winners)

    def why_not(self, state: State, seat: int, question: Question, wanted: str) -> tuple[str, dict[str, Arg]] | None:
        return why_not.why_not(state, seat, question, wanted, self.words)

    def view(self, state: State, seat: int | None) -> View:
        return view.view(state, seat)

    def standings(self, state: State) -> list[Standing]:
        return standings(state)

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        return resample(state, viewer, chance)

    def tally(self, state: State) -> tuple[str, ...]:
        return (f"victory.{state.victory}", *(f"race.{state.races[seat]}" for seat in state.winners))

    def board(self, view_: View, words: Words) -> str:
        return text_board(view_, words)

    def hand(self, view_: View, words: Words) -> str:
        return hand_text(view_, words)

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(playing_from(state, state.first)) or tuple(seats(state))

    def colour(self, view_: View, seat: int) -> str:
        return view_.seats[seat].colour

    def safe(self, question: Question) -> Answer:
        if question.key == "payment":
            return safe_payment(question)
        for id in (*HARMLESS, SKIP):
            if any(option.id == id for option in question.options):
                return (id,)
        return super().safe(question)


def safe_payment(question: Question) -> Answer:
    """Pay for as many units as leaves the team a coin."""
    spared = question.args["spared"]
    units = [option.id for option in question.options if option.id != SKIP for _ in range(option.count)]
    dropped = units[len(units) - (spared if isinstance(spared, int) else 0) :]
    return question.check(tuple(dropped)) if dropped else (SKIP,)


RULES = ThroneOfTheWorld()
