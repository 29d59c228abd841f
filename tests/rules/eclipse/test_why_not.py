"""What stands against something, told with the chapter of the rulebook."""

import re
from pathlib import Path

import pytest

import rules.eclipse
from rules.eclipse import RULES
from rules.eclipse.state import add_ship
from rules.engine.errors import Illegal
from rules.engine.pile import Pile
from rules.engine.questions import read
from rules.why_not import explained, explained_act

from .helpers import ALLIANCE, DIRECTORATE, FEDERATION, UNION, Played, home, position, put, turned


def told(game: Played, wanted: str, seat: int = 0) -> str:
    """What the seat is told when it answers that."""
    question = game.table.asked[seat]
    with pytest.raises(Illegal) as refused:
        read(question, wanted)
    why = explained(game.table, seat, question, refused.value)
    return f"{RULES.words.say(why.key, why.args_)} [{why.args_['chapter']}]"


def told_of_act(game: Played, name: str, seat: int = 0) -> str:
    """What the seat is told when it does that act."""
    with pytest.raises(Illegal) as refused:
        game.table.act(seat, name)
    why = explained_act(game.table, seat, name, refused.value)
    return f"{RULES.words.say(why.key, why.args_)} [{why.args_['chapter']}]"


def test_turns() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].discs = 0
    game = Played(s)
    assert told(game, "explore") == "There is no disc left on your Influence Track. [Action Phase]"
    assert told(game, "colony").endswith("[Action Phase: Colony Ships]")
    assert told(game, "give_up").endswith("[Combat Phase: Player Elimination]")
    game = Played(position(DIRECTORATE, UNION))(0, "pass")(1, "build", "skip")
    assert told(game, "Research").startswith("Who has passed can only upgrade, build or move, so Research must wait")


def test_explore() -> None:
    s = position(DIRECTORATE, UNION)
    s.stacks["I"].pile = Pile()
    game = Played(s)(0, "explore")
    chapter = "[Action Phase: Explore]"
    assert told(game, "0,0") == f"001 Galactic Center lies there already. {chapter}"
    assert told(game, "0,-1") == f"No Inner tiles are left. {chapter}"
    assert told(game, "1,-2") == f"No hex of yours there has a wormhole towards 1,-2. {chapter}"
    assert told(game, "5,0").startswith("5,0 is not next to a hex with your disc")


def test_influence() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "106", "0,-1", turned("106", 0), ships={1: {"cruiser": 1}})
    put(s, "201", "-1,-1", turned("201", shut=[1]))
    chapter = "[Action Phase: Influence]"
    game = Played(s)(0, "influence")
    assert told(game, "106") == f"106 {RULES.words.say('hex.106')} does not have your disc. {chapter}"
    assert told(game, "track").startswith("There is no hex that your disc could go to.")
    game(0, "221")
    assert told(game, "106").startswith("There are enemy ships at 106")
    assert told(game, "201").startswith("201 Alpha Centauri does not connect with a hex")
    assert told(game, "225").startswith("225 Eta Cassiopeiae has a disc already.")


def test_research() -> None:
    s = position(DIRECTORATE, UNION)
    s.supply = {"starbase": 1, "quantum_grid": 1, "nanorobots": 1}
    game = Played(s)(0, "research")
    chapter = "[Action Phase: Research]"
    assert told(game, "Starbase") == f"You already have Starbase. {chapter}"
    assert told(game, "orbital") == f"Orbital is not on the supply board. {chapter}"
    assert told(game, "Quantum Grid") == f"That costs 16 science; you have 3. {chapter}"
    grid = ["gauss_shield", "improved_hull", "fusion_source", "positron_computer", "advanced_economy", "tachyon_drive"]
    s.boards[0].technologies += [*grid, "antimatter_cannon"]
    assert told(Played(s)(0, "research"), "quantum_grid") == f"Your Grid track is full. {chapter}"


def test_upgrade_and_build() -> None:
    s = position(DIRECTORATE, UNION)
    game = Played(s)(0, "upgrade")
    assert told(game, "Plasma Cannon") == "That needs the technology Plasma Cannon. [Action Phase: Upgrade]"
    assert told(game, "shard_hull") == "You have no Shard Hull. [Action Phase: Upgrade]"
    game = Played(s)(0, "build")
    assert told(game, "cruiser") == "That costs 5 materials; you have 3. [Action Phase: Build]"
    assert told(game, "Orbital") == "That needs the technology Orbital. [Action Phase: Build]"
    put(s, "305", "5,0", ships={0: {"interceptor": 7}}, ancients=0)
    game = Played(s)(0, "build")
    assert told(game, "interceptor").startswith("All your ships of the type Interceptor are on the board.")
    put(s, "106", "0,-1", turned("106", 0), disc=0)
    assert told(Played(s)(0, "build", "starbase"), "225").startswith("225 Eta Cassiopeiae does not have your disc.")
    s.boards[0].storage = {"money": 1, "science": 1, "materials": 1}
    idle = "Build could do nothing just now: you can pay for nothing that has a place, nor trade."
    assert told(Played(s), "build") == f"{idle} [Action Phase]"


def test_move() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    put(s, "106", "0,-1", turned("106", 0))
    add_ship(s.hexes[at], 0, "starbase")
    game = Played(s)(0, "move")
    chapter = "[Action Phase: Move]"
    assert told(game, "221.starbase") == f"Starbases never move. {chapter}"
    assert told(game, "221.cruiser") == f"You have no Cruiser at 221. {chapter}"
    s.boards[0].technologies.append("wormhole_generator")
    put(s, "101", "1,-2", turned("101", 0))
    game = Played(s)(0, "move", "221.interceptor")
    assert told(game, "001").startswith("001 is not within reach: your Interceptor goes 1 hex with one move")
    assert told(game, "1,-3") == f"Ships go to explored hexes only. {chapter}"
    s.hexes[at].fleets[0].ships = {"interceptor": 1}
    add_ship(s.hexes[at], 1, "interceptor")
    add_ship(s.hexes["0,-1"], 0, "cruiser")
    assert (
        told(Played(s)(0, "move"), "221.interceptor")
        == f"Your ships at 221 Procyon are pinned by enemy ships. {chapter}"
    )


def test_acts() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[1].storage = {"money": 1, "science": 1, "materials": 1}
    game = Played(s)
    assert told_of_act(game, "trade", 1) == "That takes 2 of one resource. [Game Concepts: Trade]"
    assert told_of_act(game, "colonize", 1).startswith("Colony ships are used in your own turn")
    assert told_of_act(game, "colonize").startswith("No hex of yours has an empty square")
    assert told_of_act(game, "propose") == "Diplomacy is for 4 and more players. [Action Phase: Diplomacy]"
    four = Played(position(DIRECTORATE, FEDERATION, UNION, ALLIANCE))
    assert told_of_act(four, "accept").startswith("There is no proposal")
    assert told_of_act(four, "propose").startswith("With nobody else do you connect")


def test_every_reason_has_its_words() -> None:
    code = (Path(rules.eclipse.__file__).parent / "why_not.py").read_text(encoding="utf-8")
    given = set(re.findall(r'because\(\s*"(\w+)"', code))
    written = {key.partition(".")[2] for key in RULES.words.texts if key.startswith("why.")}
    assert given == written
