"""The rulebook's example of an Action Phase (pages 16 and 17), move by move.

Where the text leaves something open, or names a tile that none of the printed ones is, the nearest thing stands in: no
Middle tile has a discovery, money and science without Ancients, so Ken fills such squares of a hex he has already.
"""

from rules.eclipse.common import price
from rules.eclipse.state import State, add_ship
from rules.engine.questions import SKIP

from .helpers import DIRECTORATE, HYDRAN, MECHANEMA, PLANTA, Played, position, put, turned

ALASTAIR, KEN, IAIN, VERNOR = range(4)
CONTESTED = "201"


def galaxy() -> State:
    """Where the four stand after a few rounds."""
    s = position(DIRECTORATE, PLANTA, MECHANEMA, HYDRAN)
    put(s, "305", "3,-2", turned("305", 3, 5), disc=ALASTAIR, ancients=0, discovery=False, cubes=[0, 1])
    put(s, "104", "1,0", turned("104", 2, 4), disc=KEN, ancients=0, discovery=False)
    put(s, "106", "0,1", turned("106", 1))
    put(s, "207", "0,2", 0, disc=KEN, discovery=False)
    put(s, "208", "-1,3", 0, disc=KEN, discovery=False)
    put(s, CONTESTED, "-2,1", turned(CONTESTED, 0, 2), disc=IAIN, ships={IAIN: {"interceptor": 3}}, cubes=[0])
    put(s, "107", "-1,1", turned("107", 4, 5), disc=IAIN, ships={IAIN: {"cruiser": 1}}, cubes=[0])
    put(s, "209", "-1,-1", turned("209", 4), disc=VERNOR, ships={VERNOR: {"cruiser": 1}}, cubes=[1])
    for hex_ in list(s.hexes.values()):
        if hex_.number == "224":
            add_ship(hex_, VERNOR, "interceptor", 2)
    for number in ("206", "304", "301", "318", "307"):
        for stack in s.stacks.values():
            counts = {other: 1 for other in stack.pile.counts() if other != number}
            stack.pile.layers = [counts]
    s.stacks["II"].pile.put_on_top("206")
    for number in ("307", "318", "301", "304"):
        s.stacks["III"].pile.put_on_top(number)
    players(s)
    return s


def players(s: State) -> None:
    """Their boards: technologies, resources, blueprints, relations, reputation."""
    alastair, ken, iain, vernor = s.boards
    alastair.technologies.append("orbital")
    alastair.storage["materials"] = 12
    alastair.reputation = [1, 2, 3, 4]
    alastair.colony_ships, alastair.used_ships = 0, 3
    ken.technologies.append("advanced_mining")
    iain.technologies += ["plasma_missile", "fusion_source"]
    iain.blueprints["interceptor"][0] = "electron_computer"
    iain.blueprints["cruiser"][3] = "fusion_source"
    iain.colony_ships, iain.used_ships = 0, 3
    vernor.technologies += ["nanorobots", "advanced_robotics", "orbital"]
    vernor.storage["science"] = 13
    vernor.blueprints["cruiser"][5] = "fusion_drive"
    vernor.colony_ships, vernor.used_ships = 0, 3
    s.supply = {"fusion_drive": 1, "wormhole_generator": 1, "monolith": 1}
    for one, other in ((IAIN, VERNOR), (ALASTAIR, IAIN)):
        for seat, partner in ((one, other), (other, one)):
            s.boards[seat].ambassadors.append(partner)
            s.boards[partner].tracks["money"] -= 1


def test_the_example_of_the_action_phase() -> None:
    game = Played(galaxy())

    # Alastair builds a Cruiser and an Orbital for 10.
    discs = game.s.boards[ALASTAIR].discs
    game(ALASTAIR, "build", "cruiser", "221", "orbital", "305")
    assert game.s.boards[ALASTAIR].storage["materials"] == 2
    assert (game.s.boards[ALASTAIR].discs, game.s.boards[ALASTAIR].actions) == (discs - 1, {"build": 1})
    assert game.ships(ALASTAIR, "221") == {"interceptor": 1, "cruiser": 1}
    assert game.s.hexes["3,-2"].orbital

    # Ken explores a Middle space, places the hex, takes it and keeps its discovery for points.
    game(KEN, "explore", "1,1", "206", str(turned("206", 1)), "disc")
    assert game.asked(KEN) == "discovery.side"
    game(KEN, "points")
    assert (game.s.hexes["1,1"].disc, game.s.boards[KEN].discoveries != []) == (KEN, True)
    # Two Colony Ships: money and science.
    game.act(KEN, "colonize", "104.0.money").act(KEN, "colonize", "104.2.science")
    assert (game.s.boards[KEN].colony_ships, game.s.boards[KEN].used_ships) == (2, 2)
    # Planta explore a second space, in the Outer Sectors, and Ken discards the hex.
    game(KEN, "3,0", "discard")
    assert game.s.stacks["III"].discards == ["304"]
    assert game.asked(IAIN) == "action.choose", "a discard ends the turn"

    # Iain takes three parts after returning one.
    game(IAIN, "upgrade", "interceptor.0", SKIP)
    game(IAIN, "plasma_missile", "interceptor.0", "positron_computer", "cruiser.4", "ion_cannon", "cruiser.1")
    assert game.s.boards[IAIN].blueprints["interceptor"][0] == "plasma_missile"
    assert game.s.boards[IAIN].blueprints["cruiser"] == ["", "ion_cannon", "", "fusion_source", "positron_computer", ""]

    # Vernor buys two technologies, the first at its minimum.
    assert price(game.s, VERNOR, "fusion_drive") == 3
    game(VERNOR, "research", "fusion_drive")
    assert game.s.boards[VERNOR].storage["science"] == 10
    assert price(game.s, VERNOR, "wormhole_generator") == 10
    game(VERNOR, "wormhole_generator")
    assert game.s.boards[VERNOR].storage["science"] == 0

    # Alastair explores and meets two Ancients; no disc may be placed.
    game(ALASTAIR, "explore", "3,-3", "301", str(turned("301", 4)))
    hex_ = game.s.hexes["3,-3"]
    assert (hex_.ancients, hex_.discovery, hex_.disc) == (2, True, None)
    assert game.asked(KEN) == "action.choose"

    # Ken places two Outer hexes; the money and materials cubes go onto the first, one on its Advanced Mining square.
    game(KEN, "explore", "3,0", "318", str(turned("318", 5)), "disc")
    game.act(KEN, "colonize", "318.1.money").act(KEN, "colonize", "318.0.materials")
    game(KEN, "3,-1", "307", str(turned("307", 0, 4)), "disc")
    assert game.s.hexes["3,0"].cubes == [0, 1]
    assert game.s.boards[KEN].colony_ships == 0
    # He now meets Alastair, who has to make room for the ambassador.
    assert game.asked(KEN) == "action.end"
    game.act(KEN, "propose", str(ALASTAIR), "money").act(ALASTAIR, "accept", str(KEN), "science")
    game(ALASTAIR, "1")
    assert game.s.boards[ALASTAIR].reputation == [2, 3, 4]
    assert game.s.boards[ALASTAIR].ambassadors == [IAIN, KEN]
    game(KEN, SKIP)

    # Iain passes and will begin the next round.
    game(IAIN, "pass")
    assert game.s.following == IAIN

    # Vernor attacks Iain through half a wormhole, breaking their relation.
    home = "224.interceptor"
    game(VERNOR, "move", home, CONTESTED)
    assert game.s.traitor == VERNOR
    game(IAIN, "money")(VERNOR, "science")
    game(VERNOR, home, CONTESTED)
    assert game.s.boards[IAIN].ambassadors == [ALASTAIR]
    assert game.ships(VERNOR, CONTESTED) == {"interceptor": 2}

    # Alastair passes. Ken takes back two discs: one goes to another hex, one to his track; two Colony Ships are used.
    game(ALASTAIR, "pass")
    discs = game.s.boards[KEN].discs
    game(KEN, "influence", "207", "106", "208", "track")
    assert (game.s.hexes["0,1"].disc, game.s.hexes["0,2"].disc, game.s.hexes["-1,3"].disc) == (KEN, None, None)
    assert game.s.boards[KEN].discs == discs - 1 + 1, "one for the action, one taken back"
    assert game.s.boards[KEN].colony_ships == 2
    assert game.asked(KEN) == "action.end"
    game(KEN, "106.0.science", "106.1.materials")
    assert game.s.hexes["0,1"].cubes == [0, 1]

    # Iain, who has passed, reacts with one move of a Cruiser.
    assert game.asked(IAIN) == "reaction.choose"
    game(IAIN, "move", "107.cruiser", CONTESTED)
    assert game.s.boards[IAIN].reactions == {"move": 1}
    assert game.ships(IAIN, CONTESTED) == {"interceptor": 3, "cruiser": 1}

    # Vernor brings another Interceptor, and a Cruiser that goes two hexes.
    game(VERNOR, "move", home, CONTESTED, "209.cruiser", CONTESTED)
    assert game.ships(VERNOR, CONTESTED) == {"interceptor": 3, "cruiser": 1}

    # Everybody passes; the only battle begins.
    game(ALASTAIR, SKIP)(KEN, "pass")(IAIN, SKIP)(VERNOR, "pass")
    assert game.s.phase == "combat"
    battle = game.s.battle
    assert battle is not None
    assert game.s.hexes[battle.place].number == CONTESTED
    assert [fleet.seat for fleet in game.s.hexes["-2,1"].fleets] == [IAIN, VERNOR]
