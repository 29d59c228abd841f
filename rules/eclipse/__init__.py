"""Eclipse (2011): what the game declares to the engine."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from rules.engine.chance import Chance
from rules.engine.flow import Act, Event, Flow, Game
from rules.engine.questions import Answer, Arg, Question
from rules.engine.rules import BotPlayer, Rules, Standing
from rules.engine.words import Words
from rules.remarks import Remark

from . import (
    action_phase,
    bot,
    cleanup,
    colony_ships,
    combat,
    conquest,
    diplomacy,
    odds,
    resample,
    scoring,
    setup,
    story,
    trade,
    upkeep,
    view,
    why_not,
)
from .board import board as text_board
from .board import hand_text
from .components import COLOURS, PLAYERS
from .options import Options
from .state import Beginning, Combat, EndOfCombat, State, Turn, Upkeep, playing_from
from .views import View

HARMLESS = (action_phase.PASS, "done", "back", "skip")


class Eclipse(Rules[State, Options, View]):
    """Civilizations explore a galaxy, expand, research, build and fight for nine rounds."""

    key = "eclipse"
    title = "Eclipse"
    version = 2
    seats = range(min(PLAYERS), max(PLAYERS) + 1)
    options = Options
    state = State
    words: Words = Words.load(Path(__file__).parent / "words.toml")
    colours = COLOURS
    upgraders: ClassVar[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {1: lambda s: s | {"declined": []}}
    bots: ClassVar[Mapping[str, BotPlayer]] = {"policy": bot.policy}

    def setup(self, chance: Chance, options_: Options, seats: int, wishes: Sequence[str]) -> State:
        return setup.set_up(chance, options_, seats, wishes)

    def segment(self, game: Game[State]) -> Flow[None]:
        match game.state.next:
            case Beginning():
                yield from setup.beginning(game)
            case Turn(seat):
                yield from action_phase.turn(game, seat)
            case Combat(place):
                yield from combat.combat(game, place)
            case EndOfCombat():
                yield from conquest.end_of_combat(game)
            case Upkeep():
                yield from upkeep.upkeep_phase(game)
            case _:
                yield from cleanup.cleanup_phase(game)

    def acts(self, state: State, seat: int) -> list[Act]:
        return [*colony_ships.acts(state, seat), *trade.acts(state, seat), *diplomacy.acts(state, seat)]

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def view(self, state: State, seat: int | None) -> View:
        return view.view(state, seat)

    def why_not(self, state: State, seat: int, question: Question, wanted: str) -> tuple[str, dict[str, Arg]] | None:
        return why_not.why_not(state, seat, question, wanted, self.words)

    def retold(self, view: View, before: Sequence[Event], events: Sequence[Event]) -> View:
        return story.retold(view, before, events)

    def standings(self, state: State) -> list[Standing]:
        return scoring.standings(state)

    def remark(self, view_: View, question: Question) -> Remark | None:
        """The odds, where a player decides whether to fight on or to retreat (Combat Phase)."""
        if question.key != "combat.action" or view_.battle is None:
            return None
        found = odds.of_battle(view_)
        return odds.described(view_.battle.attacker, view_.battle.defender, found) if found is not None else None

    def tally(self, state: State) -> tuple[str, ...]:
        return tuple(f"species.{state.boards[seat].species}" for seat in scoring.winners(state))

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        return resample.resample(state, viewer, chance)

    def board(self, view_: View, words: Words) -> str:
        return text_board(view_, words)

    def hand(self, view_: View, words: Words) -> str:
        return hand_text(view_, words)

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(playing_from(state, state.start))

    def colour(self, view_: View, seat: int) -> str:
        return view_.seats[seat].colour

    def safe(self, question: Question) -> Answer:
        for id in HARMLESS:
            if any(option.id == id for option in question.options):
                return (id,)
        return super().safe(question)


RULES = Eclipse()
