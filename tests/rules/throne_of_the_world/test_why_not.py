"""What stands against something, told with the chapter of the rulebook."""

from __future__ import annotations

import pytest

from rules.engine import Illegal, read
from rules.throne_of_the_world import RULES
from rules.why_not import explained

from .helpers import ANY, NO_FIGHT, Played, position

PLAY = "How to Play: 2. Play cards"
ACTION, UNIT, SKILL = (f"The Cards: {name}" for name in ("B. Action Cards", "A. Unit Cards", "C. Skill Cards"))


def told(played: Played, seat: int, wanted: str) -> str:
    """What the seat is told when it answers that."""
    question = played.table.asked[seat]
    with pytest.raises(Illegal) as refused:
        read(question, wanted)
    why = explained(played.table, seat, question, refused.value)
    return f"{RULES.words.say(why.key, why.args_)} [{why.args_['chapter']}]"


def test_moves() -> None:
    bare = Played(position("SS", "SS", hands={1: ["supply"]}, races={0: "ninjas"}))(0, "charge")
    assert bare.asked(0) == "move"
    assert told(bare, 0, "card") == f"You hold no card. [{PLAY}]"
    assert told(bare, 0, "breath") == "Breath is not an ability of your race. [Races]"
    poor = Played(position("SS", "SS", hands={0: ["supply", "supply"]}, area=["harvest"], money=2))(0, "charge")
    assert told(poor, 0, "exchange") == f"That takes 2 coins, and your team must keep one; it has 2. [{PLAY}]"


def test_skill_cards_once_a_turn() -> None:
    played = Played(position("SS", "SS", hands={0: ["supply"] * 5}))(0, "charge", "card", "supply", "card")
    assert told(played, 0, "supply") == (
        f"Supply has been played this turn already; each skill card works once a turn. [{SKILL}]"
    )
    assert told(played, 0, "purchase") == f"You do not hold Purchase. [{PLAY}]"


def test_points_are_used_up() -> None:
    units = ["soldiers", "miners", "hunters", "farmers"]
    played = Played(position("", "SS", hands={0: [*units, "knights"]}, area=["harvest"]))(0, "charge")
    for unit in units:
        played(0, "card", unit)
    assert told(played, 0, "card") == f"You have no action point left for that. [{PLAY}]"


def test_sets_have_room() -> None:
    played = Played(position("SSSS", "S", hands={0: ["soldiers", "miners"]}))(0, "charge", "card")
    assert told(played, 0, "soldiers") == f"Your set of Soldiers has no room: 4 are complete. [{UNIT}]"


def test_action_cards() -> None:
    hand = [NO_FIGHT, "double_miners", ANY]
    played = Played(position("SS", "SS", hands={0: hand}))(0, "charge", "card")
    assert told(played, 0, NO_FIGHT).startswith("No profession that ")
    assert told(played, 0, "double_miners") == f"You have no Miners in play. [{PLAY}]"
    played = Played(position("SWFM", "SS", "SS", hands={0: [ANY, ANY]}))(0, "charge", "card", ANY)
    assert played.asked(0) == "card.profession"
    assert told(played, 0, "wizards") == (f"{RULES.words.say(f'card.{ANY}')} excludes Wizards. [{ACTION}]")
    assert told(played, 0, "hunters") == f"You have no Hunters in play. [{ACTION}]"
    played(0, "farmers", "card", ANY)
    assert told(played, 0, "farmers") == f"Your Farmers have acted this turn. [{ACTION}]"
    played(0, "soldiers")
    assert told(played, 0, "0") == f"That is no opponent in the game. [{ACTION}]"


def test_skills_need_an_aim() -> None:
    played = Played(position("SS", "", hands={0: ["assassinate", "purchase", "hunger", "steal"]}, money=1))
    played(0, "charge", "card")
    assert told(played, 0, "assassinate") == f"No opponent has a unit that can be named. [{SKILL}]"
    assert told(played, 0, "steal") == f"No opponent holds a card. [{SKILL}]"
    assert "your team must keep one; it has 1" in told(played, 0, "purchase")
    shaded = Played(position("S", "S", "SK", hands={0: ["assassinate"]}, races={1: "night_elves"}))(0, "charge", "card")
    shaded(0, "assassinate")
    assert told(shaded, 0, "1.soldiers").startswith("Shadow: no card can name a unit of Seat 2.")


def test_payment_and_discards() -> None:
    played = Played(position("SSS", "S", money=[2, 20]))(0, "charge")
    assert told(played, 0, "skip") == (
        "Your coins do not pay for all units: discard at least 1. [How to Play: 3. Pay for your units]"
    )
    assert told(played, 0, "miners") == "You have no Miners in play. [How to Play: 3. Pay for your units]"
    played = Played(position("", "S", hands={0: ["supply"] * 9}))(0, "charge", "end")
    assert played.asked(0) == "discard"
    assert told(played, 0, "skip").startswith("You hold too many cards: discard at least")
    assert told(played, 0, "harvest") == "You do not hold Harvest. [How to Play: 4. Discard]"
