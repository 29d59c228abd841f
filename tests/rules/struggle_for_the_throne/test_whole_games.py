"""Whole games: what must hold at every step, and that they end."""

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

import rules.struggle_for_the_throne
from rules.engine.chance import Chance
from rules.engine.rules import Decision, random_player
from rules.engine.words import Words
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.components import CARDS, COMMANDER, EMPEROR_DIES, RANKS, SQUADRON, UNITS
from rules.struggle_for_the_throne.options import Options
from rules.struggle_for_the_throne.state import State
from rules.struggle_for_the_throne.units import flag_limit, flags_used

from .helpers import Played, position
from .walks import restless, start, walk

POLICY = RULES.bots["policy"]
BOOLEAN = [name for name in Options.__struct_fields__ if name != "round_limit"]
RAW = re.compile(
    r"[{}]|[a-z]_[a-z]|\d\.[a-z]{2}|\b(squadron|commander|ambush|influence)\b|\b(event|ask|option|card|unit)\.[a-z]"
)


def seats_for(options: Options, seed: int) -> int:
    if options.twelve_players:
        return 7 + seed % 6
    return 2 + seed % 2 if options.double_forces else 2 + seed % 5


def totals(s: State) -> tuple[int, Counter[str]]:
    """All Squadrons, and all cards there are."""
    board = sum(group[SQUADRON] for own in s.groups for group in own.values())
    cards = Counter(s.deck.counts())
    for pile in (*s.hands, s.discard, s.removed):
        cards.update(pile)
    return board + s.supply, cards


def check_state(s: State) -> None:
    """What is true at every step."""
    boxes = 2 if s.options.twelve_players else 1
    squadrons, cards = totals(s)
    assert squadrons == UNITS[SQUADRON].total * boxes
    emperors = 0 if s.options.leave_emperor_dies_out else 1
    expected = {c.id: emperors if c.id == EMPEROR_DIES else c.count * boxes for c in CARDS.values()}
    assert cards == Counter({card: n for card, n in expected.items() if n})
    assert EMPEROR_DIES not in s.discard
    for rank in range(SQUADRON):
        total = sum(group[rank] for own in s.groups for group in own.values())
        assert total <= UNITS[rank].per_set * s.options.sets * len(s.heads)
    for seat, head in enumerate(s.heads):
        assert bool(s.groups[seat]) == (head is not None)
        assert all(any(group) and min(group) >= 0 for group in s.groups[seat].values())
        if head is not None and s.battle is None:
            assert s.groups[seat][head.planet][head.rank] > 0
            highest = min(rank for group in s.groups[seat].values() for rank, n in enumerate(group) if n)
            assert head.rank == highest or (head.rank, highest) == (SQUADRON, COMMANDER), "a Commander may come later"
    for planet, a, b in s.begun:
        assert planet in s.groups[a]
        assert planet in s.groups[b]
    for viewer, known in enumerate(s.known):
        for seat, sure in enumerate(known):
            assert all(0 < n <= s.hands[seat].get(card, 0) for card, n in sure.items()), (viewer, seat)
    for planet, present in s.arrivals.items():
        assert sorted(present) == [seat for seat, own in enumerate(s.groups) if planet in own]


@pytest.mark.parametrize("option", ["", *BOOLEAN])
@pytest.mark.parametrize("seed", range(2))
def test_random_play_keeps_everything_in_order(option: str, seed: int) -> None:
    options = Options(round_limit=40, **({option: True} if option else {}))
    table = start(options, seats_for(options, seed), seed)
    steps = 0
    for _, _, change in walk(table, lambda seat: restless, seed, 450, acts=8):
        steps += 1
        s = table.state
        check_state(s)
        encoded = msgspec.msgpack.encode(s)
        assert msgspec.msgpack.decode(encoded, type=State) == s
        assert len(encoded) < 4096
        for viewer in (None, *range(len(s.heads))):
            view = table.view(viewer)
            if steps % 20 == 0:
                assert RULES.board(view, RULES.words)
                table.acts(viewer or 0)
        assert msgspec.msgpack.encode(s) == encoded, "views, boards and acts change nothing"
        for seat, question in table.asked.items():
            assert s.heads[seat] is not None
            question.check(RULES.safe(question))
        assert change.events or change.records
    assert steps > 100
    assert table.over or steps == 450


def test_flags_are_kept_but_for_losses() -> None:
    table = start(Options(), 4, 3)
    used = [0] * 4
    for _, _, change in walk(table, lambda seat: restless, 3, 3000):
        told = {event.kind for event in change.events}
        for seat in range(4):
            now = flags_used(table.state, seat)
            if now > max(used[seat], flag_limit(table.state)):
                assert told & {"destroyed", "battle.combat"}, told
            used[seat] = now


def shown(words: Words, text: str, key: str) -> None:
    assert text, key
    assert not RAW.search(text), (key, text)


@pytest.mark.parametrize("seed", range(12))
def test_everything_has_words(seed: int) -> None:
    odd = {
        name: True for i, name in enumerate(("trading", "home_control", "admiral_death_eliminates")) if seed >> i & 1
    }
    options = Options(double_forces=seed % 4 == 3, **odd)
    table = start(options, seats_for(options, seed), seed)
    words = RULES.words
    for _, _, change in walk(table, lambda seat: restless, seed, 700, acts=6):
        for event in change.events:
            assert f"event.{event.kind}" in words, event.kind
            shown(words, words.event(event), event.kind)
        questions = [*table.asked.values()]
        questions += [
            field for seat in range(len(table.state.heads)) for act in table.acts(seat) for field in act.fields
        ]
        for question in questions:
            assert f"ask.{question.key}" in words, question.key
            shown(words, words.question(question), question.key)
            assert all(f"window.{name}" in words for name in question.windows), question.windows
            for option in question.options:
                label = words.option(question, option)
                shown(words, label, f"{question.key} {option.id}")
                assert label != option.id or option.place or option.id.isdigit(), (question.key, option.id)
        for seat in range(len(table.state.heads)):
            for act in table.acts(seat):
                assert f"act.{act.name}" in words


def test_words_for_all_components_and_options() -> None:
    words = RULES.words
    for card in CARDS.values():
        for end in (card.alive, card.dead):
            assert f"card_text.{end}" in words
            assert f"card.{end}" in words
        assert f"card.{card.id}" in words
    for rank in RANKS:
        assert all(f"{table}.{rank}" in words for table in ("unit", "units", "unit_short"))
    for name in Options.__struct_fields__:
        assert f"option_name.{name}" in words
        assert 0 < len(words.texts[f"option_text.{name}"]) <= 100, "a menu shows no more"
    for colour in RULES.colours:
        assert f"house.{colour.id}" in words
    for why in ("trade_nothing", "trade_gone", "trade_lacking", "trade_units"):
        assert f"why.{why}" in words


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_policy_bots_end_their_games(seats: int) -> None:
    for seed in range(4):
        table = start(Options(), seats, seed)
        steps = 0
        for _ in walk(table, lambda seat: POLICY, seed, 3000):
            steps += 1
            check_state(table.state)
        assert table.over, (seats, seed)
        assert steps < 2000


@pytest.mark.parametrize("option", BOOLEAN)
def test_policy_bots_end_games_with_every_option(option: str) -> None:
    options = Options(**{option: True})
    for seed in range(2):
        table = start(options, 9 if options.twelve_players else 3, seed)
        for _ in walk(table, lambda seat: POLICY, seed, 6000, acts=10):
            pass
        assert table.over, seed


def test_policy_swaps_cards_that_nothing_is_left_to_play_on() -> None:
    s = position({"E0.c": "A"}, {"E0.c": "A"}, hands={0: ["bribe_commander"] * 5, 1: ["assassinate_commander"] * 5})
    table = Played(s).table
    for _ in range(2):
        (seat,) = table.asked
        answers = {POLICY(Decision(seat, table.view(seat), table.asked[seat]), Chance(b"%d" % n)) for n in range(9)}
        assert answers == {("discard",)}
        table.answer(seat, ("end",))


def test_policy_comes_out_of_the_centre_when_all_are_there() -> None:
    game = Played(position({"C.c": "A"}, {"C.c": "A"}, hands={0: ["ambush"] * 5}))
    for answer in (("move",), ("C.0",)):
        assert POLICY(Decision(0, game.table.view(0), game.table.asked[0]), Chance(b"0")) == answer
        game(0, answer)


def test_policy_beats_random() -> None:
    won = 0
    for seed in range(20):
        table = start(Options(), 3, seed)
        for _ in walk(table, lambda seat, seed=seed: POLICY if seat == seed % 3 else restless, seed, 6000):
            pass
        won += table.state.winner == seed % 3
    assert won >= 15


def test_random_play_with_surrender_ends_soon() -> None:
    for seed in range(25):
        table = start(Options(), 2 + seed % 5, seed)
        steps = sum(1 for _ in walk(table, lambda seat: random_player, seed, 3000))
        assert table.over
        assert steps < 1500


def test_a_round_limit_ends_random_play_without_surrender() -> None:
    table = start(Options(round_limit=12), 4, 1)
    steps = sum(1 for _ in walk(table, lambda seat: restless, 1, 5000))
    assert table.over
    assert 100 < steps < 1500
    assert table.state.round == 13


def test_every_kind_and_key_in_the_source_has_words() -> None:
    folder = Path(rules.struggle_for_the_throne.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    kinds = re.findall(r'(?:game\.tell\(\s*|tell_offer\(\s*game,\s*)"([a-z_.]+)"', source)
    asks = re.findall(r'(?:choose|choose_many|one_or_ask|exactly|choose_cards)\(\s*(?:s, )?\w+,\s*"([a-z_.]+)"', source)
    asks += re.findall(r'Question\(\s*"([a-z_.]+)"', source) + re.findall(r'any_of\("([a-z_.]+)"', source)
    whys = re.findall(r'"(why\.[a-z_]+)"', source)
    assert len(set(kinds)) > 40
    assert len(set(asks)) > 25
    assert len(set(whys)) >= 8
    missing = [f"event.{kind}" for kind in kinds] + [f"ask.{ask}" for ask in asks] + whys
    assert [key for key in missing if key not in RULES.words] == []


def test_every_ruling_has_a_test() -> None:
    rulings = Path(rules.struggle_for_the_throne.__file__).parent / "rulings.md"
    numbers = re.findall(r"^(\d+)\. \([RD]\) ", rulings.read_text(encoding="utf-8"), re.M)
    assert numbers == [str(n) for n in range(1, 72)]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    tested = set(re.findall(r"^def test_ruling_(\d\d)_", tests, re.M))
    assert tested == {f"{int(n):02}" for n in numbers}


@pytest.mark.parametrize("seed", range(3))
def test_a_table_replayed_from_its_checkpoint_stands_at_the_same_point(seed: int) -> None:
    options = Options(trading=True, admiral_death_eliminates=seed == 1, double_forces=seed == 2)
    table = start(options, seats_for(options, seed), seed)
    for steps, _ in enumerate(walk(table, lambda seat: restless if seed else POLICY, seed, 400, acts=7)):
        if steps % 3 == 0:
            twin = table.copy()
            assert msgspec.msgpack.encode(twin.state, order="sorted") == msgspec.msgpack.encode(
                table.state, order="sorted"
            )
            assert twin.asked == table.asked
