"""Eclipse's players' boards, supply, battles and scores show what the view says."""

from collections.abc import Callable
from itertools import combinations

import msgspec
import pytest

from render.eclipse import EXTRAS, battle, board, hand, placement
from render.eclipse.battle import draw_battle
from render.eclipse.parts import total_words
from render.eclipse.player import draw_player, player
from render.eclipse.scores import draw_scores
from render.eclipse.supply import draw_supply
from rules.eclipse.components import SPECIES, TECHNOLOGIES
from rules.eclipse.ships import PARTS
from rules.eclipse.view import view
from rules.eclipse.views import View
from tests.render.marks import placed, says

from .eclipse_samples import (
    ALIENS,
    NAMES,
    begun,
    ended,
    fighting,
    midgame,
    placing,
    replaced,
    researching,
    unchosen,
)

# Players


@pytest.mark.parametrize("seat", range(6))
def test_a_players_board_shows_tracks_actions_and_technologies(seat: int) -> None:
    view = midgame(viewer=seat)
    one, canvas = view.seats[seat], draw_player(view, seat, NAMES)
    assert placed(canvas, "stored") == {track.kind: str(track.stored) for track in one.tracks}
    assert placed(canvas, "income") == {track.kind: str(track.income) for track in one.tracks}
    assert placed(canvas, "counts") == {track.kind: str(track.income) for track in one.tracks}
    for track in one.tracks:
        assert sum(mark.kind == "cube" and mark.place == track.kind for mark in canvas.marks) == track.cubes
    assert placed(canvas, "graveyard") == {track.kind: str(track.graveyard) for track in one.tracks if track.graveyard}
    assert says(canvas, "upkeep") == [str(one.upkeep)]
    assert says(canvas, "discs") == [str(one.discs)]
    assert says(canvas, "net") == [str(one.tracks[0].income - one.upkeep)]
    assert says(canvas, "colony") == [f"{one.colony_ships}/{one.colony_ships + one.used_ships}"]
    done = {action: f"{n}+{dict(one.reactions).get(action, 0)}" for action, n in one.actions if n}
    assert done.items() <= placed(canvas, "action").items()
    assert set(placed(canvas, "technology")) == {id for _, ids in one.technologies for id in ids}
    assert list(placed(canvas, "discount").values()) == [str(n) for n in one.discounts]
    assert says(canvas, "total") == [str(one.total)]


@pytest.mark.parametrize("species", SPECIES)
def test_blueprints_show_every_part_and_what_they_add_up_to(species: str) -> None:
    view_ = view(begun(2, (species, next(other for other in ALIENS if other != species))), 0)
    canvas = draw_player(view_, 0, NAMES)
    plans = view_.seats[0].blueprints
    squares = {f"{plan.ship}.{k}": square.part for plan in plans for k, square in enumerate(plan.squares)}
    assert placed(canvas, "square") == squares
    assert placed(canvas, "blueprint") == {plan.ship: total_words(plan) for plan in plans}
    boxes = [mark.box for mark in canvas.marks if mark.kind == "blueprint"]
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    for mark in canvas.marks:
        if mark.kind == "part":
            assert any(mark.box.inside(box) for box in boxes)


def test_figures_of_a_ship_in_words() -> None:
    plan = midgame(viewer=1).seats[1].blueprints[0]
    assert total_words(plan) == (
        "initiative 3, cannons 1, missiles 2+2, computer +0, shield -0, hull 0, movement 1, energy 2 of 3"
    )


def test_reputation_is_seen_by_its_owner_only() -> None:
    own, other = midgame(viewer=1), midgame(viewer=2)
    assert "reputation:2" in " ".join(says(draw_player(own, 1, NAMES), "slot")).replace("either:", "")
    assert all(one.endswith(":None") for one in says(draw_player(other, 1, NAMES), "slot"))
    assert player(other, 1, names=NAMES) == player(midgame(), 1, names=NAMES)
    assert player(own, 1, names=NAMES) != player(other, 1, names=NAMES)
    drawing = fighting(viewer=1, drawing=1)
    assert says(draw_player(drawing, 1, NAMES), "drawn") == ["3", "4"]
    assert not says(draw_player(fighting(viewer=2, drawing=1), 1, NAMES), "drawn")


@pytest.mark.parametrize("make", [midgame, fighting, placing], ids=["midgame", "battle", "placing"])
def test_what_only_the_viewer_knows_is_not_on_the_board(make: Callable[..., View]) -> None:
    for viewer in range(6):
        assert board(make(viewer=viewer), names=NAMES) == board(make(), names=NAMES)
        assert battle(make(viewer=viewer), names=NAMES) == battle(make(), names=NAMES)
        assert placement(make(viewer=viewer), names=NAMES) == placement(make(), names=NAMES)


def test_hands_of_spectators_and_of_seats_without_species_are_plain_notes() -> None:
    assert hand(midgame(), names=NAMES).alt == "Nobody's board."
    assert EXTRAS["player6"](midgame(2, 8), names=NAMES).alt == "Nobody's board."
    assert hand(unchosen(viewer=0), names=NAMES).height < 300
    for seat in range(6):
        assert EXTRAS[f"player{seat + 1}"](midgame(), names=NAMES) == player(midgame(), seat, names=NAMES)


# The supply board


def test_prices_are_the_viewers_or_as_printed() -> None:
    view = midgame(viewer=1)
    shown = placed(draw_supply(view, NAMES), "supply")
    known = {id for _, ids in view.seats[1].technologies for id in ids}
    for one in view.supply:
        assert shown[one.id] == f"{one.count}:{'owned' if one.id in known else one.prices[1]}"
    assert set(shown) == set(TECHNOLOGIES)
    public = placed(draw_supply(midgame(), NAMES), "supply")
    assert public == {one.id: f"{one.count}:{one.price}" for one in midgame().supply}
    assert any(one.prices[1] not in (None, one.price) for one in view.supply)
    researcher = placed(draw_supply(researching(), NAMES), "supply")
    assert researcher != placed(draw_supply(replaced(researching(), action=""), NAMES), "supply")


def test_parts_that_cannot_be_taken_are_faded() -> None:
    view = midgame(viewer=1)
    known = {id for _, ids in view.seats[1].technologies for id in ids}
    shown = placed(draw_supply(view, NAMES), "offered")
    assert shown == {id: str(not PARTS[id].technology or PARTS[id].technology in known) for id in shown}
    assert len(shown) == 17


# Battles


def test_a_battle_shows_every_ship_with_its_damage_and_every_roll() -> None:
    view = fighting()
    fight, canvas = view.battle, draw_battle(view, NAMES)
    assert fight is not None
    two = [(k, one) for k, one in enumerate(fight.ships) if one.party in (fight.attacker, fight.defender)]
    expected = {
        str(k): f"{one.party}:{one.ship}:{one.damage}/{one.hull + 1}:{one.fallen}:{one.retreat}:{one.away}"
        for k, one in two
    }
    assert placed(canvas, "warship") == expected
    assert [mark.place for mark in canvas.marks if mark.kind == "waiting"] == ["4", "gcds"]
    last = fight.volleys[-1]
    assert says(canvas, "volley")[-1] == " ".join(f"{die.roll}{'!' if die.hit else ''}" for die in last.dice)
    assert "3: " not in battle(view, names=NAMES).alt[:40]
    assert "Rolls" in battle(view, names=NAMES).alt


def test_damage_and_loss_of_a_ship_are_seen() -> None:
    view = fighting()
    assert view.battle is not None
    seen = set()
    for change in ({}, {"damage": 1}, {"damage": 2}, {"fallen": True}, {"away": True}, {"retreat": "0,-1"}):
        hurt = msgspec.structs.replace(view.battle.ships[11], **change)
        ships = (*view.battle.ships[:11], hurt, *view.battle.ships[12:])
        seen.add(battle(replaced(view, battle=msgspec.structs.replace(view.battle, ships=ships)), names=NAMES).png)
    assert len(seen) == 6


def test_missiles_come_before_the_first_round() -> None:
    assert says(draw_battle(fighting(0), NAMES), "step") == ["missiles"]
    assert says(draw_battle(fighting(2), NAMES), "step") == ["Round 2"]
    assert battle(midgame(), names=NAMES).alt == "No battle under way."


def test_an_attack_on_the_population_shows_the_squares() -> None:
    view = fighting()
    assert view.battle is not None
    volley = msgspec.structs.replace(view.battle.volleys[-1], round=-1)
    attack = msgspec.structs.replace(view.battle, step="population", volleys=(volley,), acting=None)
    assert battle(replaced(view, battle=attack), names=NAMES).png != battle(view, names=NAMES).png
    place = next(one.place for one in view.hexes if one.disc == 1)
    alone = msgspec.structs.replace(attack, place=place, parties=(0,), attacker=-1, defender=-1)
    assert says(draw_battle(replaced(view, battle=alone), NAMES), "side") == ["0", "1"]
    assert f"Anna attacks {NAMES[1]}" in battle(replaced(view, battle=alone), names=NAMES).alt


# Scores


def test_scores_show_their_breakdown_the_winner_first() -> None:
    view = ended()
    canvas = draw_scores(view, NAMES)
    for seat in view.seats:
        for part, n in seat.points:
            assert placed(canvas, "score")[f"{seat.seat}.{part}"] == str(n)
    totals = [mark for mark in canvas.marks if mark.kind == "total"]
    assert {int(mark.place) for mark in totals[: len(view.winners)]} == set(view.winners)
    assert [int(mark.says) for mark in totals] == sorted((seat.total for seat in view.seats), reverse=True)
    assert "?" in says(draw_scores(midgame(), NAMES), "score")
