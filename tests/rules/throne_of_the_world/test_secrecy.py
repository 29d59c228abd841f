"""What a viewer cannot know leaves no trace, team mates included."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from rules.bots import play_out
from rules.engine.chance import Chance
from rules.engine.rules import Decision
from rules.engine.table import Table
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.state import State
from tests.conformance.cases import Case
from tests.conformance.test_secrecy import sees, walk

from .helpers import ANY, Played, charge, totals

POLICY = RULES.bots["policy"]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_twins_look_the_same(seats: int, seed: int) -> None:
    results = [walk(Case(RULES, seats, {}), f"twins/{seed}/{n}") for n in range(3)]
    assert sum(different for _, different in results) > 5
    assert sum(same for same, _ in results) > 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_resampled_state_looks_the_same(seats: int) -> None:
    table = Case(RULES, seats, {}).start(f"resample/{seats}")
    chance = Chance(b"resample")
    differs = 0
    while not table.over and table.length < 500:
        play_out(table, ["policy"] * seats, chance, limit=5)
        s: State = table.state
        for viewer in (None, *range(seats)):
            twin = RULES.resample(s, viewer, chance)
            assert RULES.view(twin, viewer) == RULES.view(s, viewer)
            assert totals(twin) == totals(s)
            if viewer is not None:
                assert twin.known[viewer] == s.known[viewer]
                assert twin.hands[viewer] == s.hands[viewer]
            for knower, known in enumerate(twin.known):
                for seat, cards in enumerate(known):
                    assert not Counter(cards) - Counter(twin.hands[seat]), (knower, seat)
            differs += twin.hands != s.hands
    assert differs > 50


def public(table: Table, viewer: int | None) -> Any:
    """What the viewer gets, and the shape of the others' questions."""
    shapes = {seat: (question.key, question.private) for seat, question in table.asked.items()}
    return sees(table, viewer), shapes


PRIVATE_ANSWERS = ("back", "skip")


def shared_answer(tables: list[Table], seat: int, chance: Chance) -> tuple[str, ...]:
    """An answer that shows nothing of a hand: private questions are passed where that is possible."""
    question = tables[0].asked[seat]
    if question.private:
        for id in PRIVATE_ANSWERS:
            if any(option.id == id for option in question.options):
                return (id,)
        common = [
            o.id for o in question.options if all(any(o.id == p.id for p in t.asked[seat].options) for t in tables)
        ]
        return tuple(common[: max(1, question.least)])
    answer = POLICY(Decision(seat, tables[0].view(seat), question), chance)
    return answer if chance.below(2) else (chance.pick(question.options).id,) if question.least < 2 else answer


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_team_mates_and_opponents_see_only_public_shapes(viewer: int | None, seed: int) -> None:
    """Two team games that differ only in what the viewer cannot know ask the same questions, private ones included."""
    origin = Case(RULES, 4, {}).start(f"team/{seed}")
    chance = Chance(b"team%d" % seed)
    play_out(origin, ["policy"] * 4, chance, until=lambda table: table.length > 30 and table.state.phase == "mode")
    if origin.over:
        return
    s = msgspec.msgpack.decode(msgspec.msgpack.encode(origin.state), type=State)
    twin = RULES.resample(s, viewer, Chance(b"twin%d" % seed))
    assert twin.hands != s.hands
    assert all(twin.hands[seat] != s.hands[seat] for seat in range(4) if seat != viewer and len(s.hands[seat]) > 3)
    tables = [Table.at(RULES, state, Chance(b"same")) for state in (s, twin)]
    for _ in range(60):
        assert public(tables[0], viewer) == public(tables[1], viewer)
        if tables[0].over:
            return
        seat = next(iter(tables[0].asked))
        answer = shared_answer(tables, seat, chance)
        if not all(answer_fits(table, seat, answer) for table in tables):
            return
        told = []
        for table in tables:
            events = table.answer(seat, answer).events
            if any(event.owner is not None for event in events) or table._game.chance.n != tables[0]._game.chance.n:
                return
            told.append([event for event in events if event.seen_by(viewer)])
        if any(event.drawn for events in told for event in events):
            return
        assert told[0] == told[1]


def answer_fits(table: Table, seat: int, answer: tuple[str, ...]) -> bool:
    """Whether the answer can be given."""
    ids = [option.id for option in table.asked[seat].options]
    return all(id in ids for id in answer)


def test_draft_choices_are_sealed_and_dealt_races_hidden() -> None:
    table = Case(RULES, 4, {}).start("draft")
    before = [table.view(viewer) for viewer in (None, 1, 2, 3)]
    table.answer(0, (table.asked[0].options[0].id,))
    assert [table.view(viewer) for viewer in (None, 1, 2, 3)] == before
    assert table.view(None).draft == ()
    for seed in range(5):
        twin = RULES.resample(table.state, 1, Chance(b"%d" % seed))
        assert twin.drafts[1] == table.state.drafts[1]
        dealt = [race for races in twin.drafts for race in races]
        assert len(set(dealt)) == 8
    assert any(RULES.resample(table.state, 1, Chance(b"%d" % n)).drafts != table.state.drafts for n in range(5))


def test_what_was_taken_openly_is_known_to_all() -> None:
    game = charge("", "", "", hands={0: ["steal"]}, area=["knights"])(0, "exchange", "steal", "knights")
    assert game.s.known[1][0] == game.s.known[2][0] == {"knights": 1}
    assert game.s.known[0] == [{}, {}, {}]
    game.play(0, "knights")
    assert game.s.known[1][0] == {}


def test_what_changed_hands_secretly_is_known_to_both() -> None:
    hands = {0: ["steal"], 1: ["soldiers"]}
    game = charge("", "S", "", hands={**hands, 0: ["steal", ANY]}).play(0, "steal")
    assert game.s.known[1][0] == {"soldiers": 1}
    assert game.s.known[2][0] == {}
    back = charge("K", "S", "", hands={0: [ANY, "steal"], 1: ["supply"]}).play(0, ANY, "1")(1, "soldiers")
    assert back.s.known[0][1] == back.s.known[2][1] == {"soldiers": 1}
    back.play(0, "steal")
    assert back.s.known[2][1] == {}, "it may have been the Soldier"
    for seed in range(6):
        assert RULES.resample(game.s, 1, Chance(b"%d" % seed)).hands[0].get("soldiers") == 1


def test_others_read_the_same_of_every_step_on_the_way_to_a_card() -> None:
    words = RULES.words.texts
    keys = [key for key in words if key.startswith("public.card")]
    assert len(keys) == 5
    assert len({words[key] for key in keys}) == 1
    assert len({words[key.replace("public.", "step.")] for key in keys}) == 1
    assert isinstance(charge("", ""), Played)
