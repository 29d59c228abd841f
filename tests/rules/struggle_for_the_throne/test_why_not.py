"""What stands against something, told with the chapter of the rulebook."""

from __future__ import annotations

import pytest

from rules.engine import Illegal, read
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.options import Options
from rules.why_not import explained, explained_act

from .helpers import NO_OPTIONS, Played, position

FREE = "steal_plans.free_move"
AMBUSH = "ambush"
INFLUENCE = "influence.sneak_attack"


def told(played: Played, seat: int, wanted: str) -> str:
    """What the seat is told when it answers that."""
    question = played.table.asked[seat]
    with pytest.raises(Illegal) as refused:
        read(question, wanted)
    why = explained(played.table, seat, question, refused.value)
    return f"{RULES.words.say(why.key, why.args_)} [{why.args_['chapter']}]"


def test_actions() -> None:
    apart = Played(position({"C.0": "A"}, {"C.3": "A"}))
    assert told(apart, 0, "battle") == "No rival stands on a planet where you stand. [Battle]"
    assert told(apart, 0, "discard") == "You hold no card. [Sequence of Play: Action Types]"
    together = Played(position({"C.0": "A"}, {"C.0": "A"}))
    assert told(together, 0, "battle").startswith("While the Emperor lives nobody fights on the Center Tile.")
    dead = Played(position({"C.0": "A"}, {"C.3": "A"}, alive=False))
    assert told(dead, 0, "influence") == (
        "The Emperor is dead: nobody can be asked or accused before him any more. [Influence]"
    )


def test_actions_that_are_used_up() -> None:
    played = Played(position({"C.0": "A"}, {"C.3": "A"}, hands={0: [FREE]}))
    for _ in range(3):
        where = "C.1" if "C.0" in played.s.groups[0] else "C.0"
        played(0, "move", where)
    assert told(played, 0, "move").startswith("You have no action left in this turn.")


def test_movement() -> None:
    played = Played(position({"C.0": "LS", "C.1": "S"}, {"C.3": "A"}))(0, "move")
    assert told(played, 0, "C.4") == "You have no units at C.4. [Movement: Grouping Units]"
    played(0, "C.0")
    assert told(played, 0, "commander") == (
        "No Commander of yours stands at C.0 to be chosen. [Movement: Moving Units]"
    )
    played(0, "squadron")
    assert told(played, 0, "C.3") == ("C.3 does not touch C.0: a move is one step. [Movement: Moving Units]")


def test_flags_pin_units() -> None:
    """A group without a Thought Admiral or Loyal Commander needs one of four flags."""
    played = Played(position({"C.0": "A", "C.1": "SS", "C.2": "S", "C.3": "S", "C.4": "S"}, {"C.5": "A"}))(
        0, "move", "C.1", "squadron"
    )
    assert told(played, 0, "C.c") == (
        "No flag is left for C.c (the throne): a group without a Thought Admiral or Loyal Commander needs one."
        " [Movement: Using Flag Markers]"
    )


def test_cards() -> None:
    hand = [AMBUSH, INFLUENCE, "catch_assassin", "assassinate_commander"]
    played = Played(position({"C.0": "A"}, {"C.3": "A"}, hands={0: hand}))(0, "card")
    assert told(played, 0, "plant spy").startswith("You do not hold Plant Spy.")
    assert told(played, 0, AMBUSH) == "Ambush is spent when you begin a battle. [Battle]"
    assert told(played, 0, "influence").startswith("Influence cards are laid when the Emperor is asked")
    assert told(played, 0, "catch assassin") == (
        "Catch Assassin only answers an attack on you. [Attacking With Action Cards: Countering Attack Cards]"
    )
    assert told(played, 0, "assassinate_commander") == (
        "No rival has a unit that Assassinate Commander may hit. [Attacking With Action Cards]"
    )
    played = Played(position({"C.0": "A"}, {"C.3": "A"}, hands={0: ["emperor_dies", AMBUSH]}))(0, "discard")
    assert told(played, 0, "emperor dies").startswith("Emperor Dies is never discarded.")


def test_targets() -> None:
    hand = ["assassinate_commander"]
    rivals = ({"C.3": "ALS"}, {"C.2": "AS"})
    played = Played(position({"C.0": "A"}, *rivals, {"C.1": "AC"}, hands={0: hand}))(0, "card", *hand)
    assert told(played, 0, "2") == (
        "Seat 3 has no unit that Assassinate Commander may hit. [Attacking With Action Cards]"
    )
    assert told(played, 0, "0").startswith("That is no other player in the game.")


def test_influence_takes_influence_cards() -> None:
    played = Played(position({"C.0": "A"}, {"C.3": "A"}, hands={0: [AMBUSH, INFLUENCE]}))(0, "influence")
    assert told(played, 0, AMBUSH) == "Only Influence cards count here. [Influence: Gaining Power]"


def test_surrender() -> None:
    played = Played(position({"C.0": "A"}, {"C.3": "A"}, {}))(0, "surrender")
    assert told(played, 0, "2") == "That is no other player in the game. [Defeating a Player]"


def test_how_many() -> None:
    played = Played(position({"C.0": "A"}, {"C.3": "A"}))
    assert told(played, 0, "move+end") == (
        "engine.exactly [Sequence of Play: Action Types]"  # the words for it are the bot's own
    )


@pytest.mark.parametrize(
    ("options", "act", "why"),
    [
        (NO_OPTIONS, "trade_offer", "played without it"),
        (Options(trading=True), "trade_accept", "No such offer lies open"),
    ],
)
def test_trading(options: Options, act: str, why: str) -> None:
    played = Played(position({"C.0": "A"}, {"C.3": "A"}, options=options))
    with pytest.raises(Illegal) as refused:
        played.act(0, act)
    found = explained_act(played.table, 0, act, refused.value)
    assert why in RULES.words.say(found.key, found.args_)
    assert found.args_["chapter"] == "Optional Rules: Other Options"


def test_trading_waits_for_the_end_of_an_action() -> None:
    played = Played(position({"C.0": "A", "C.1": "S"}, {"C.3": "A"}, options=Options(trading=True)))(0, "move")
    with pytest.raises(Illegal) as refused:
        played.act(1, "trade_offer")
    found = explained_act(played.table, 1, "trade_offer", refused.value)
    assert "between actions" in RULES.words.say(found.key, found.args_)
