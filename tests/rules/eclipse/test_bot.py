"""The policy bot: what it does in simple positions."""

from rules.eclipse import RULES
from rules.eclipse.state import State, add_ship
from rules.eclipse.warfare import chance, improvement
from rules.engine.chance import Chance
from rules.engine.rules import Decision

from .helpers import DIRECTORATE, FEDERATION, HYDRAN, UNION, Played, position, put, turned


def answer(game: Played, seat: int = 0) -> str:
    """What the bot answers; it must be one answer."""
    decision = Decision(seat, game.table.view(seat), game.table.asked[seat])
    return RULES.bots["policy"](decision, Chance(b"bot"))[0]


def turn(s: State, seat: int = 0) -> list[str]:
    """All the bot's answers in its turn."""
    game, answers = Played(s), list[str]()
    while game.asked(seat) and game.s.active == seat:
        answers.append(answer(game, seat))
        game(seat, answers[-1])
    return answers


def poor(discs: int = 3) -> State:
    """A position with little money, and things to buy."""
    s = position(DIRECTORATE, UNION)
    s.boards[0].discs = discs
    s.boards[0].storage = {"money": 0, "science": 9, "materials": 9}
    s.supply = {"advanced_robotics": 1}
    return s


def test_it_passes_rather_than_going_bankrupt() -> None:
    assert turn(poor()) == ["pass"]
    rich = poor()
    rich.boards[0].storage["money"] = 30
    assert turn(rich) != ["pass"]


def test_it_explores_and_takes_what_it_finds() -> None:
    answers = turn(position(DIRECTORATE, UNION))
    assert answers[0] == "explore"
    assert "discard" not in answers


def test_it_uses_its_colony_ships_first() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "106", "0,-1", turned("106", 0, 3), disc=0)
    answers = turn(s)
    assert (answers[0], answers[2]) == ("colony", "colony")
    assert {answers[1], answers[3]} == {"106.0.science", "106.1.materials"}


def test_it_trades_for_a_monolith_at_the_end() -> None:
    s = position(DIRECTORATE, UNION)
    s.round = 9
    s.boards[0].technologies.append("monolith")
    s.boards[0].storage = {"money": 20, "science": 8, "materials": 6}
    answers = turn(s)
    assert answers[:2] == ["build", "trade"]
    assert "monolith" in answers


def test_it_attacks_where_it_will_win_only() -> None:
    def facing(ships: dict[str, int]) -> State:
        s = position(DIRECTORATE, UNION)
        s.boards[0].storage = {"money": 5, "science": 0, "materials": 0}
        put(s, "101", "0,-1", turned("101", 0, 3))
        for ship, n in ships.items():
            add_ship(s.hexes["0,-2"], 0, ship, n)
        return s

    strong = turn(facing({"cruiser": 4, "dreadnought": 2}))
    assert strong[:2] == ["move", "221.dreadnought"]
    assert "move" not in turn(facing({}))


def test_ships_that_are_about_to_win_stay() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].storage = {"money": 5, "science": 0, "materials": 0}
    s.hexes["0,0"].gcds, s.hexes["0,-2"].fleets = False, []
    put(s, "101", "0,-1", turned("101", 0, 3), ships={0: {"dreadnought": 2, "cruiser": 4}})
    add_ship(s.hexes["0,0"], 1, "interceptor")
    assert turn(s)[0] != "move"
    s.hexes["0,-1"].ancients = 0
    assert turn(s)[0] == "move", "once nothing is left to win there"


def friends() -> State:
    """Hexes of seats 0 and 1 connect, there are four players, and nobody has colony ships to use."""
    s = position(DIRECTORATE, HYDRAN, UNION, FEDERATION)
    for board in s.boards:
        board.colony_ships = 0
    put(s, "106", "1,-1", turned("106", 1, 3), disc=0)
    put(s, "103", "1,0", turned("103", 0, 3), disc=1)
    return s


def test_it_accepts_relations_in_its_own_turn() -> None:
    game = Played(friends()).act(1, "propose", "0", "money")
    assert answer(game) == "accept.1"
    full = friends()
    full.boards[0].reputation = [3, 3, 4, 4]
    full.boards[0].ambassadors, full.boards[2].ambassadors = [2], [0]
    assert not answer(Played(full).act(1, "propose", "0", "money")).startswith("accept"), "not for a tile of value 3"
    full.boards[0].reputation[0] = 1
    assert answer(Played(full).act(1, "propose", "0", "money")) == "accept.1"


def test_it_does_not_propose_again_to_who_declined() -> None:
    game = Played(friends())
    for seat in range(4):
        game(seat, "pass")
    assert (game.asked(0), answer(game)) == ("diplomacy.partner", "1")
    game(0, "1")(1, "skip")
    assert answer(game, 1) == "0", "who declined may think better of it"
    game(1, "skip")
    for board in game.s.boards:
        board.colony_ships = 0
    for seat in range(4):
        game(seat, "pass")
    assert (game.asked(0), answer(game)) == ("diplomacy.partner", "skip")


def test_it_retreats_when_the_battle_is_lost() -> None:
    s = position(DIRECTORATE, HYDRAN)
    put(s, "106", "0,-1", turned("106", 0, 3), ships={0: {"interceptor": 1}, 1: {"dreadnought": 2}})
    game = Played(s, *[0] * 20)(0, "pass")(1, "pass")
    while game.asked(0) != "combat.action" or game.s.battle is None or game.s.battle.round < 2:
        seat = next(iter(game.table.asked))
        game(seat, next(id for id in game.ids(seat) if not id.startswith("retreat")))
    assert answer(game) == "retreat.interceptor.221"


def test_it_keeps_the_best_reputation_tile() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "101", "0,-1", turned("101", 0, 3), ships={0: {"dreadnought": 2, "cruiser": 4}})
    game = Played(s, *[5] * 12)(0, "pass")(1, "pass")
    while game.asked(0) != "reputation.keep":
        game(0, game.ids(0)[0])
    assert answer(game) == max(game.ids(0), key=int)


def test_chances_are_exact_where_that_is_quick_and_blueprints_get_better() -> None:
    assert chance((), ()) == 0.0
    tiles = ("",) * 4
    plan = improvement(DIRECTORATE, "interceptor", tiles, ("improved_hull", "starbase"), (), 1)
    assert plan is not None
    assert plan.parts == ((0, "improved_hull"),)
    assert improvement(DIRECTORATE, "interceptor", ("improved_hull", "", "", ""), ("improved_hull",), (), 1) is None
