"""What a viewer cannot know leaves no trace, and resampling keeps what he does know."""

from collections import Counter

import msgspec
import pytest

from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer, Question
from rules.engine.table import Table
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.options import Options
from rules.struggle_for_the_throne.state import State, Turn

from .helpers import Played, die, position
from .test_whole_games import POLICY, check_state, totals
from .walks import awaited, restless, start, walk

JAM = "influence.jam_communications"


@pytest.mark.parametrize("seed", range(6))
def test_a_resampled_state_looks_the_same(seed: int) -> None:
    options = Options(trading=seed % 2 == 1, emperor_dies_forced=seed % 3 == 1)
    seats = 2 + seed % 5
    table = start(options, seats, seed)
    chance = Chance(b"resample")
    differs = 0
    player = POLICY if seed % 2 else restless
    for steps, _ in enumerate(walk(table, lambda seat: player, seed, 500, acts=9)):
        if steps % 5:
            continue
        s: State = table.state
        for viewer in (None, *range(seats)):
            twin = RULES.resample(s, viewer, chance)
            assert RULES.view(twin, viewer) == RULES.view(s, viewer)
            assert totals(twin) == totals(s)
            if viewer is not None:
                assert twin.known[viewer] == s.known[viewer]
            check_state(twin)
            differs += twin.hands != s.hands
        assert msgspec.msgpack.encode(s) == msgspec.msgpack.encode(table.state)
    assert differs > 50


def passing(question: Question, chance: Chance) -> Answer:
    """Any answer that shows nothing of a hand: private questions about cards are passed."""
    if question.private and question.key != "battle.order":
        for id in ("back", SKIP):
            if any(option.id == id for option in question.options):
                return (id,)
    pool = [option.id for option in question.options for _ in range(option.count) if option.id != "surrender"]
    return question.check(tuple(chance.shuffled(pool)[: max(question.least, 1)]))


@pytest.mark.parametrize("alive", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_twin_games_look_the_same_from_outside(seed: int, alive: bool) -> None:
    """Two games that differ in hands only ask the same public questions and tell the same story."""
    origin = start(Options(), 2 + seed, seed)
    for _ in walk(origin, lambda seat: POLICY, seed, 60):
        pass
    s = msgspec.msgpack.decode(msgspec.msgpack.encode(origin.state), type=State)
    s.emperor_alive, s.next, s.battle = alive, Turn(s.active), None
    twin = RULES.resample(s, None, Chance(b"twin%d" % seed))
    assert twin.hands != s.hands
    tables = [Table.at(RULES, state, Chance(b"same")) for state in (s, twin)]
    chance = Chance(b"answers%d" % seed)
    for _ in range(400):
        if tables[0].over:
            break
        assert tables[0].asked.keys() == tables[1].asked.keys()
        seat = awaited(tables[0])
        questions = [table.asked[seat] for table in tables]
        assert questions[0].private == questions[1].private
        assert questions[0].key == questions[1].key
        if not questions[0].private:
            assert questions[0] == questions[1]
        answer = passing(questions[0], chance)
        told = []
        for table in tables:
            events = table.answer(seat, answer).events
            told.append([event for event in events if event.audience is None])
        assert told[0] == told[1]
        boards = [RULES.board(table.view(None), RULES.words) for table in tables]
        assert boards[0] == boards[1]
        assert tables[0].view(None) == tables[1].view(None)


def spied() -> Played:
    hands = {0: ["plant_spy.free_move"], 1: ["ambush", JAM, JAM], 2: ["outbid_bribe"]}
    deck = ["influence.sneak_attack", "emperor_dies", "ambush", JAM] * 5
    game = Played(position({"E0.c": "AC"}, {"E2.c": "A"}, {"E4.c": "A"}, hands=hands, deck=deck))
    return game(0, "card", "plant_spy.free_move", "1")


def test_what_a_spy_saw_stays_certain_until_it_is_played() -> None:
    game = spied()
    for seed in range(10):
        twin = RULES.resample(game.s, 0, Chance(b"%d" % seed))
        assert twin.hands[1] == {"ambush": 1, JAM: 2}
    assert any(RULES.resample(game.s, 2, Chance(b"%d" % i)).hands[1] != game.s.hands[1] for i in range(10))
    game(0, "end")(1, "discard", JAM)
    assert game.s.known[0][1] == {"ambush": 1, JAM: 1}


def test_what_was_stolen_is_known_to_both() -> None:
    hands = {0: ["steal_plans.free_move", "ambush"], 1: [JAM, "outbid_bribe"], 2: ["plant_spy.free_move"]}
    game = Played(position({"E0.c": "A"}, {"E2.c": "A"}, {"E4.c": "A"}, hands=hands, turn=2))
    game(2, "card", "plant_spy.free_move", "1", "end")
    assert game.s.known[2][1] == {JAM: 1, "outbid_bribe": 1}
    game(0, "card", "steal_plans.free_move", "1", JAM, "ambush")
    assert game.s.known[0][1] == {"ambush": 1, "outbid_bribe": 1}
    assert game.s.known[1][0] == {JAM: 1}
    assert game.s.known[2][1] == {}, "the third one does not know what changed hands"


def test_a_known_hand_is_known_as_a_prize() -> None:
    hands = {0: ["plant_spy.free_move"], 1: [JAM, "ambush"], 2: []}
    game = Played(position({"E0.c": "A"}, {"E4.c": "S"}, {"E4.c": "A"}, hands=hands), *[0] * 4, *die(6, 1))
    game(0, "card", "plant_spy.free_move", "1")
    game(0, "end")(1, "surrender", "2")
    assert game.s.known[0][2] == {JAM: 1, "ambush": 1}
    assert game.s.known[0][1] == {}


def test_hidden_orders_are_drawn_anew_for_others_only() -> None:
    game = Played(position({"E0.c": "ALLCCC"}, {"E0.c": "ALLCCC"}), *die(6, 1))
    game(0, "battle", "4", ("commander", "commander", "thought_admiral", "loyal_commander"))
    game(1, ("commander", "thought_admiral", "commander", "loyal_commander"))
    orders = game.s.battle.orders
    seen = Counter()
    for seed in range(20):
        twin = RULES.resample(game.s, 0, Chance(b"%d" % seed)).battle.orders
        assert twin[0] == orders[0]
        assert twin[1][0] == orders[1][0]
        assert len(twin[1]) == 4
        seen[tuple(twin[1])] += 1
    assert len(seen) > 5
    assert "order" not in repr(game.table.view(None).battle)


def test_offers_tell_the_two_and_nobody_else() -> None:
    hands = {0: [JAM, JAM, "ambush"], 1: ["outbid_bribe"], 2: ["ambush"]}
    options = Options(trading=True)
    game = Played(position({"E0.c": "A"}, {"E2.c": "A"}, {"E4.c": "A"}, hands=hands, options=options))
    game.act(0, "trade_offer", "1", (JAM, JAM), (), "E0.c")
    assert (game.s.known[1][0], game.s.known[2][0]) == ({JAM: 2}, {})
    for seed in range(8):
        assert RULES.resample(game.s, 1, Chance(b"%d" % seed)).hands[0][JAM] >= 2
    assert len(RULES.resample(game.s, 1, Chance(b"x")).offers) == 1
    for viewer in (2, None):
        assert RULES.resample(game.s, viewer, Chance(b"x")).offers == []


def test_after_the_death_an_offered_card_stays_in_hand_whatever_its_other_end_was() -> None:
    maps = ["influence.use_asteroid_maps", "catch_assassin.use_asteroid_maps"]
    s = position({"E0.c": "A"}, {"E3.c": "A"}, hands={0: maps}, options=Options(trading=True), alive=False)
    game = Played(s)
    game.act(0, "trade_offer", "1", ("use_asteroid_maps",) * 2, (), "E0.c")
    assert game.s.known[1][0] == dict.fromkeys(sorted(maps), 1)
    game.act(1, "trade_accept", "1.2.1", (), "E3.c")
    assert game.s.hands[1] == dict.fromkeys(sorted(maps), 1)
    assert game.s.known[0][1] == dict.fromkeys(sorted(maps), 1)
    assert game.s.known[1][0] == {}


def test_who_has_left_has_no_secrets_worth_keeping() -> None:
    s = position({"E0.c": "A"}, {}, {"E4.c": "A"}, hands={0: [JAM], 2: ["ambush"]})
    twin = RULES.resample(s, 0, Chance(b"x"))
    assert (twin.hands[1], twin.hands[0]) == ({}, {JAM: 1})


def test_after_the_death_discards_are_told_by_the_end_that_counts() -> None:
    cards = ["plant_spy.free_move", "steal_plans.free_move"]
    alive = RULES.view(position({"E0.c": "A"}, {"E3.c": "A"}, discard=cards), None)
    assert [card.alive for card in alive.discard] == ["plant_spy", "steal_plans"]
    dead = RULES.view(position({"E0.c": "A"}, {"E3.c": "A"}, discard=cards, alive=False), None)
    assert [(card.alive, card.dead) for card in dead.discard] == [("free_move", "free_move")] * 2
