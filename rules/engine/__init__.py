"""The machinery every game shares: questions and flows, the table with its log, chance, views and words."""

from .chance import SECRET_BYTES, Chance, Draw, ScriptedChance, commitment
from .errors import Broken, Damaged, Illegal, NeedsHistory, TableError
from .flow import Act, Answers, Ask, Event, Flow, Game, Offer, ask_all, choose, choose_many, play_card, window
from .log import Header, Record, decode_record, encode
from .pile import Pile
from .questions import SKIP, Answer, Arg, Option, Question, numbers, places, read, write
from .rules import BotPlayer, Colour, Decision, Rules, Standing, random_player
from .table import Change, Line, Plan, Position, Table
from .words import Words

__all__ = (
    "SECRET_BYTES", "SKIP", "Act", "Answer", "Answers", "Arg", "Ask", "BotPlayer", "Broken", "Chance", "Change", "Colour",
    "Damaged", "Decision", "Draw", "Event", "Flow", "Game", "Header", "Illegal", "Line", "NeedsHistory", "Offer", "Option",
    "Pile", "Plan", "Position", "Question", "Record", "Rules", "ScriptedChance", "Standing", "Table", "TableError",
    "Words", "ask_all", "choose", "choose_many", "commitment", "decode_record", "encode", "numbers",
    "places", "play_card", "random_player", "read", "window", "write",
)  # fmt: skip
