"""Hands and battles."""

import io

import pytest
from PIL import Image

from render.canvas import ALT_LENGTH, MOST_PIXELS
from render.cards import heights, lines_of
from render.struggle_for_the_throne import battle, hand
from render.struggle_for_the_throne.battle import draw_battle
from render.struggle_for_the_throne.hand import CARD_WIDTH, SAME, draw_hand, ends_of
from render.struggle_for_the_throne.wording import card_name, effect, end_of
from rules.struggle_for_the_throne import components
from rules.struggle_for_the_throne.views import BattleView, CardView, CombatView
from tests.render.marks import says

from .samples import CARDS, NAMES, fight, make


def test_every_card_end_has_a_name_and_an_effect_when_it_counts() -> None:
    for end in components.ENDS.values():
        assert not card_name(end.id).startswith("card.")
        assert not effect(end.id).startswith("card_text.")


@pytest.mark.parametrize("alive", [True, False])
def test_no_text_on_a_card_is_cut(alive: bool) -> None:
    for card in components.CARDS.values():
        ends = ends_of(CardView(card.alive, card.dead), alive)
        for end, height in zip(ends, heights([ends], CARD_WIDTH), strict=True):
            lines = lines_of(end, CARD_WIDTH)
            said = " ".join(line.says for line in lines if line.part == "does")
            assert said == end.does
            assert lines[-1].below + lines[-1].size / 2 <= height, (card.id, end.name)


def test_an_end_that_is_the_same_is_told_once() -> None:
    assert [end.does == SAME for end in ends_of(CardView("ambush", "ambush"), True)] == [False, True]
    assert [end.does == SAME for end in ends_of(CardView("ambush", "ambush"), False)] == [True, False]


def test_a_card_in_a_battle_shows_the_end_that_was_played() -> None:
    assert end_of("ambush") == "ambush"
    assert end_of("influence.sneak_attack") == "sneak_attack"


def test_a_hand_shows_each_card_and_stacks_the_same() -> None:
    canvas = draw_hand(make(4, viewer=1, hand=CARDS), NAMES)
    assert says(canvas, "card") == [
        "influence/sneak_attack:2",
        "assassinate_commander/cut_supply_lines:1",
        "steal_plans/free_move:1",
        "emperor_dies/emperor_dies:1",
    ]
    assert says(canvas, "count") == ["2"]
    boxes = [mark.box for mark in canvas.marks if mark.kind == "card"]
    assert not any(a.meets(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert all(box.inside(canvas.box) for box in boxes)


@pytest.mark.parametrize("alive", [True, False])
def test_the_end_that_counts_now_is_the_live_one(alive: bool) -> None:
    assert [end.live for end in ends_of(CARDS[0], alive)] == [alive, not alive]


def test_the_hand_depends_on_the_phase() -> None:
    assert hand(make(4, viewer=1, hand=CARDS), names=NAMES) != hand(
        make(4, viewer=1, hand=CARDS, alive=False), names=NAMES
    )


@pytest.mark.parametrize("viewer", [None, 1])
def test_an_empty_hand(viewer: int | None) -> None:
    picture = hand(make(4, viewer=viewer), names=NAMES)
    assert picture.alt == "No cards in hand."


def test_the_largest_hand_stays_within_limits() -> None:
    cards = tuple(CardView(card.alive, card.dead) for card in components.CARDS.values() for _ in range(card.count))
    picture = hand(make(4, viewer=1, hand=cards), names=NAMES)
    assert picture.width * picture.height <= MOST_PIXELS
    assert len(picture.png) < 250 * 1024
    assert len(picture.alt) < ALT_LENGTH


def test_a_battle_shows_its_pairs_with_their_totals() -> None:
    canvas = draw_battle(make(4, battle=fight()), NAMES)
    assert says(canvas, "side") == [
        "1:thought_admiral:cut_supply_lines:9:True",
        "2:commander::6:False",
        "1:squadron::6:False",
        "2:loyal_commander:hold_hostages:9:True",
        "1:commander:sneak_attack:0:None",
        "2:squadron::0:None",
        "1:squadron::0:None",
        "2:squadron::0:None",
    ]
    assert says(canvas, "hidden") == ["1"]


def test_a_battle_tells_its_results_in_words() -> None:
    alt = battle(make(4, battle=fight()), names=NAMES).alt
    assert "Thought Admiral with Cut Supply Lines 3+6=9 against Commander 5+1=6" in alt
    assert f"{NAMES[2]} wins" in alt


def test_a_battle_with_two_dice_and_one_without_pairs() -> None:
    pair = CombatView("squadron", "squadron", "", "", (3, 4), (6, 1), 0, 0, 2)
    assert draw_battle(make(4, battle=BattleView("C.0", 1, 2, 1, (pair,))), NAMES).marks
    assert says(draw_battle(make(4, battle=BattleView("C.0", 1, 2, 3, ())), NAMES), "hidden") == ["3"]
    assert battle(make(4), names=NAMES).alt == "No battle under way."


def test_a_very_long_battle_stays_within_limits() -> None:
    pair = CombatView("head.commander", "squadron", "ambush", "", (3,), (6,), 3, 0, 2)
    picture = battle(make(4, battle=BattleView("C.0", 1, 2, 60, (pair,) * 50)), names=NAMES)
    assert picture.width * picture.height <= MOST_PIXELS
    assert len(picture.alt) < ALT_LENGTH
    assert Image.open(io.BytesIO(picture.png)).size == (picture.width, picture.height)
