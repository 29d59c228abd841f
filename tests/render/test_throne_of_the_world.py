"""The pictures of Throne of the World show what the view says, always the same way, small and fast enough."""

from collections.abc import Callable
from itertools import combinations

import msgspec
import pytest
from PIL import ImageChops

from render import sprites, text
from render.canvas import Canvas, Picture
from render.palette import SEATS
from render.throne_of_the_world import EXTRAS, attack, board, draft, emblems, hand, look
from render.throne_of_the_world.area import CARD_WIDTH as SMALL_WIDTH
from render.throne_of_the_world.attack import draw_attack_picture
from render.throne_of_the_world.board import draw_board
from render.throne_of_the_world.draft import draw_draft
from render.throne_of_the_world.hand import draw_hand
from render.throne_of_the_world.hand import lines_of as hand_lines
from render.throne_of_the_world.seats import POWER_SIZE, ROOM, power_lines
from render.throne_of_the_world.wording import in_short, say
from rules.throne_of_the_world.components import COLOURS, COUNTS, PROFESSIONS, RACES, SKILLS
from rules.throne_of_the_world.views import DemandView, View
from tests.render.marks import placed, says

from .checks import digest, digests_elsewhere, within_limits
from .throne_of_the_world_samples import (
    ALL,
    FULL_HAND,
    HAND,
    LONG,
    NAMES,
    SOME,
    card,
    crowded,
    drafting,
    make,
    raid,
    seat,
)
from .timing import warm_seconds
from .vision import KINDS, distance

VIEWS: dict[str, Callable[[], View]] = {
    "two": lambda: make(2),
    "three": lambda: make(3, out=(2,)),
    "teams": lambda: make(4),
    "full": lambda: make(4, (ALL,) * 4),
    "crowded": crowded,
    "attack": lambda: make(3, attack=raid()),
    "demand": lambda: make(3, demand=DemandView(1, 0, 1), played="general_c"),
    "draft": lambda: drafting(4),
    "won": lambda: make(3, active=None, phase="over", winners=(2,), victory="sets"),
    "empty": lambda: make(2, ({}, {}), area=()),
}
each_view = pytest.mark.parametrize("view", [make() for make in VIEWS.values()], ids=VIEWS.keys())


def drawn(view: View, **more: list[str]) -> Canvas:
    return draw_board(view, NAMES, more.get("ringed", []), more.get("changed", []), "")


@each_view
def test_every_set_of_every_player_is_shown(view: View) -> None:
    shown = placed(drawn(view), "set")
    expected = {
        f"{one.seat}.{held.profession}": f"{held.units + held.virtual}/{held.complete}:{held.virtual}:{held.efficiency}:{held.acted}"
        for one in view.seats
        if one.playing
        for held in one.sets
    }
    assert shown == expected


@each_view
def test_every_player_is_shown_with_money_cards_and_race(view: View) -> None:
    canvas = drawn(view)
    playing = [one for one in view.seats if one.playing]
    assert placed(canvas, "seat") == {str(one.seat): f"{NAMES[one.seat]}:{one.race}" for one in view.seats}
    assert placed(canvas, "cards") == {str(one.seat): str(one.cards) for one in playing}
    money = {f"team.{one.team}" if view.teams else str(one.seat): str(one.money) for one in playing}
    assert placed(canvas, "money") == money
    assert sorted(placed(canvas, "out")) == sorted(str(one.seat) for one in view.seats if not one.playing)
    powers = [f"{say('power', power)}::False" for one in playing for power in one.powers]
    assert sorted(says(canvas, "power")) == sorted(powers)


@each_view
def test_nothing_overlaps_or_leaves_the_picture(view: View) -> None:
    canvas = drawn(view)
    for kind in ("set", "area", "seat"):
        boxes = [mark.box for mark in canvas.marks if mark.kind == kind]
        assert all(box.inside(canvas.box) for box in boxes)
        assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    panels = {mark.place: mark.box for mark in canvas.marks if mark.kind == "seat"}
    for mark in canvas.marks:
        if mark.kind == "set":
            assert mark.box.inside(panels[mark.place.partition(".")[0]])


@each_view
def test_the_frame_tells_the_state_of_the_game(view: View) -> None:
    canvas = drawn(view)
    if view.area:
        assert says(canvas, "draw pile") == [str(view.deck)]
        assert says(canvas, "discards") == [str(len(view.discards))]
    assert [mark.place for mark in canvas.marks if mark.kind == "area"] == [one.id for one in view.area]
    if view.active is not None:
        assert says(canvas, "turn") == [f"{NAMES[view.active]}: {say('phase', view.phase)}"]
        assert says(canvas, "points") == [str(view.seats[view.active].points)]


def test_teams_stand_together_with_their_money() -> None:
    canvas = drawn(make(4))
    assert says(canvas, "team") == ["Team A", "Team B"]
    order = [mark.place for mark in canvas.marks if mark.kind == "seat"]
    assert order == ["0", "2", "1", "3"]
    assert not says(drawn(make(3)), "team")


def test_what_it_takes_to_win_is_counted() -> None:
    canvas = drawn(make(3, (ALL, *SOME[1:])))
    assert placed(canvas, "sets")["0"] == "7/3"
    assert placed(canvas, "kinds") == {"0": "7/7", "1": "3/7", "2": "2/7"}


def test_the_winner_and_the_victory_are_told() -> None:
    canvas = drawn(make(4, active=None, phase="over", winners=(0, 2), victory="money"))
    assert says(canvas, "turn") == [f"{NAMES[0]} and {NAMES[2]} win"]
    assert say("victory", "money") in says(canvas, "round")[0]
    assert not says(canvas, "points")


def test_used_powers_and_acted_professions_are_marked() -> None:
    view = make(3, races=("humans", "ninjas", "orcs"))
    one = seat(1, SOME[1], race="ninjas", used=("infiltrate",), acted=("soldiers",), points=1)
    other = msgspec.structs.replace(view, seats=(view.seats[0], one, view.seats[2]))
    canvas = drawn(other)
    assert "Infiltrate::True" in says(canvas, "power")
    assert placed(canvas, "set")["1.soldiers"].endswith(":True")
    assert board(other, names=NAMES).png != board(view, names=NAMES).png


def test_an_attack_shows_its_settlement() -> None:
    canvas = draw_attack_picture(make(3, attack=raid(coins=2)), NAMES)
    assert says(canvas, "attack") == ["1:knights:11:0"]
    assert says(canvas, "piece") == ["soldiers", "hunters", "coin"]
    assert says(canvas, "missing") == ["2"]
    assert list(placed(canvas, "seat")) == ["0"]
    assert says(drawn(make(3, attack=raid(coins=2))), "piece") == ["soldiers", "hunters", "coin"]


def test_pieces_of_an_attack_fill_as_much_of_the_bar_as_they_count() -> None:
    found = raid(("soldiers", "soldiers", "soldiers"), damage=9)
    pieces = [mark.box for mark in draw_attack_picture(make(3, attack=found), NAMES).marks if mark.kind == "piece"]
    assert max(box.width for box in pieces) - min(box.width for box in pieces) <= 2
    assert not any(a.meets(b) for a, b in combinations(pieces, 2))


@pytest.mark.parametrize("source", [*PROFESSIONS, "breath"])
def test_any_source_of_an_attack_can_be_drawn(source: str) -> None:
    found = msgspec.structs.replace(raid(), source=source)
    assert say("source", "breath") == "Breath"
    assert attack(make(3, attack=found), names=NAMES).png


def test_a_demand_shows_who_asks_whom() -> None:
    canvas = draw_attack_picture(make(4, demand=DemandView(1, 0, 1)), NAMES)
    assert says(canvas, "demand") == ["1:0:1"]
    assert says(canvas, "team") == ["Team A"]
    assert "asks Anna for a card" in attack(make(4, demand=DemandView(1, 0, 1)), names=NAMES).alt


def test_without_an_attack_or_a_draft_there_is_a_note() -> None:
    assert attack(make(3), names=NAMES).alt == "No attack under way."
    assert draft(make(3), names=NAMES).alt == "No races to choose from."


@pytest.mark.parametrize("view", [make(3, viewer=0, hand=HAND), make(3, viewer=1, hand=FULL_HAND)])
def test_a_hand_shows_each_card_and_stacks_the_same(view: View) -> None:
    canvas = draw_hand(view, NAMES)
    counts = {one.id: view.hand.count(one) for one in view.hand}
    assert says(canvas, "card") == [f"{id}:{count}" for id, count in counts.items()]
    assert says(canvas, "count") == [str(count) for count in counts.values() if count > 1]
    boxes = [mark.box for mark in canvas.marks if mark.kind == "card"]
    assert all(box.inside(canvas.box) for box in boxes)
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("id", COUNTS)
def test_no_text_of_a_card_is_cut(id: str) -> None:
    assert not say("card", id).startswith("card.")
    lines = hand_lines(card(id))
    assert " ".join(lines) == ("" if id in PROFESSIONS else say("card_text", id))
    if id in SKILLS:
        assert " ".join(text.wrap(in_short(id), 22, SMALL_WIDTH - 16, lines=3)) == in_short(id)


@pytest.mark.parametrize("race", RACES)
def test_no_power_is_cut(race: str) -> None:
    one = seat(0, {}, race=race)
    lines = power_lines(one)
    assert [name for name, _, _ in lines if name] == [f"{say('power', power)}:" for power in one.powers]
    assert " ".join(words for _, words, _ in lines) == " ".join(say("power_text", power) for power in one.powers)
    assert all(text.width(words, POWER_SIZE) <= ROOM for _, words, _ in lines)


def test_the_race_cards_are_shown_to_their_owner_only() -> None:
    view = drafting()
    assert says(draw_draft(view, NAMES), "race") == ["dwarves", "orcs"]
    assert hand(view, names=NAMES) == draft(view, names=NAMES)
    public = drafting(viewer=None)
    assert board(view, names=NAMES) == board(public, names=NAMES)
    assert "Ferocity" in draft(view, names=NAMES).alt


def test_what_only_the_viewer_knows_is_not_on_the_board() -> None:
    for view, viewer in ((make(4), 2), (make(3, attack=raid()), 0), (crowded(), 1)):
        mine = msgspec.structs.replace(view, viewer=viewer, hand=make(3, viewer=viewer, hand=HAND).hand)
        assert board(mine, names=NAMES) == board(view, names=NAMES)
        assert attack(mine, names=NAMES) == attack(view, names=NAMES)


def test_rings_are_drawn_where_they_belong() -> None:
    canvas = drawn(make(3, out=(2,)), ringed=["0.farmers", "2.miners"], changed=["0.farmers", "nowhere"])
    rings = [(mark.kind, mark.place) for mark in canvas.marks if mark.kind in ("ringed", "changed")]
    assert rings == [("changed", "0.farmers"), ("ringed", "0.farmers")]
    cell = next(mark.box for mark in canvas.marks if (mark.kind, mark.place) == ("set", "0.farmers"))
    assert all(cell.inside(mark.box) for mark in canvas.marks if mark.kind == "ringed")


@pytest.mark.parametrize(
    "change",
    [
        lambda v: msgspec.structs.replace(v, active=0),
        lambda v: msgspec.structs.replace(v, phase="payment"),
        lambda v: msgspec.structs.replace(v, round=5),
        lambda v: msgspec.structs.replace(v, first=1),
        lambda v: msgspec.structs.replace(v, deck=40),
        lambda v: msgspec.structs.replace(v, discards=()),
        lambda v: msgspec.structs.replace(v, area=v.area[:4]),
        lambda v: msgspec.structs.replace(v, card="steal"),
        lambda v: msgspec.structs.replace(v, skills=("steal",)),
        lambda v: msgspec.structs.replace(v, harvest=True),
        lambda v: msgspec.structs.replace(v, attack=raid()),
        lambda v: msgspec.structs.replace(v, demand=DemandView(1, 0, 0)),
        lambda v: msgspec.structs.replace(v, winners=(1,), victory="last", active=None, phase="over"),
        lambda v: msgspec.structs.replace(v, seats=(msgspec.structs.replace(v.seats[0], money=9), *v.seats[1:])),
        lambda v: msgspec.structs.replace(v, seats=(msgspec.structs.replace(v.seats[0], cards=9), *v.seats[1:])),
        lambda v: msgspec.structs.replace(v, seats=(seat(0, ALL), *v.seats[1:])),
        lambda v: msgspec.structs.replace(v, seats=(seat(0, {}, playing=False), *v.seats[1:])),
    ],
)
def test_what_changes_is_seen_and_told(change: Callable[[View], View]) -> None:
    view = make(3)
    before, after = board(view, names=NAMES), board(change(view), names=NAMES)
    assert after.png != before.png
    assert after.alt != before.alt or change(view).first == 1


def test_every_emblem_differs_by_shape_alone() -> None:
    signs = [*PROFESSIONS, "bolt", "bolts", "sparkle", "pawn"]
    races = [look.race_sign(race) for race in RACES]
    assert len(set(races)) == len(RACES)
    for group in (signs, races):
        for one, other in combinations(group, 2):
            difference = ImageChops.difference(sprites.mask(one, 40), sprites.mask(other, 40))
            assert sum(difference.histogram()[128:]) > 180, (one, other)


def test_shapes_of_a_game_do_not_replace_others() -> None:
    with pytest.raises(ValueError, match="heart"):
        sprites.learn({"heart": emblems.SIGNS["heart"]})


@pytest.mark.parametrize("kind", KINDS)
def test_seats_differ_for_every_kind_of_colour_vision_and_by_ground(kind: str) -> None:
    looks = [look.seat_look(one) for one in make(4).seats]
    assert len(looks) == len(COLOURS)
    assert len({one.ground for one in looks}) == len(looks)
    assert min(distance(SEATS[a.colour], SEATS[b.colour], KINDS[kind]) for a, b in combinations(looks, 2)) > 18


def test_equal_views_give_equal_bytes_in_any_process() -> None:
    code = """
from render.throne_of_the_world import board
from tests.render.throne_of_the_world_samples import NAMES, crowded
pictures = [board(crowded(), names=NAMES, ringed={"0.farmers", "1.miners", "2.knights"}, changed={"3.hunters"})]"""
    here = board(crowded(), names=NAMES, ringed=["2.knights", "1.miners", "0.farmers"], changed=["3.hunters"])
    assert digests_elsewhere(code) == {digest(here)}


def checked(picture: Picture) -> None:
    within_limits(picture, 250 * 1024)


@each_view
@pytest.mark.parametrize("names", [NAMES, LONG, {}], ids=["names", "long", "none"])
def test_size_and_description_stay_within_limits(view: View, names: dict[int, str]) -> None:
    checked(board(view, names=names))
    for draw in EXTRAS.values():
        checked(draw(view, names=names))


@each_view
def test_the_description_ends_with_the_piles(view: View) -> None:
    """However many units there are and however long the names, nothing is cut off."""
    assert board(view, names=LONG).alt.endswith(f"Draw pile {view.deck}, discards {len(view.discards)}.")


def test_the_largest_hand_stays_within_limits() -> None:
    whole = [id for id, count in COUNTS.items() for _ in range(count)]
    checked(hand(make(3, viewer=1, hand=whole), names=LONG))
    told = hand(make(3, viewer=1, hand=FULL_HAND), names=LONG).alt
    assert all(say("card", id) in told for id in FULL_HAND)
    checked(hand(make(3), names=NAMES))


@pytest.mark.parametrize("name", ["🦊" * 100, "שלום עולם " * 9, "x" * 100, "", "\u202e\u200f", "漢字かな", "W" * 99])
def test_any_name_will_do(name: str) -> None:
    view = crowded()
    names = dict.fromkeys(range(4), name)
    checked(board(view, names=names, title=name))
    checked(attack(view, names=names))
    checked(hand(make(3, viewer=0, hand=HAND), names=names))


def test_a_seat_without_a_name_is_called_by_its_colour() -> None:
    view = make(2)
    assert placed(draw_board(view, {0: "Anna"}, [], [], ""), "seat") == {"0": "Anna:humans", "1": "Blue:dwarves"}


def test_warm_pictures_are_quick() -> None:
    jobs: list[Callable[[], Picture]] = [
        lambda: board(crowded(), names=NAMES),
        lambda: hand(make(3, viewer=1, hand=FULL_HAND), names=NAMES),
        lambda: attack(make(4, attack=raid()), names=NAMES),
    ]
    for job in jobs:
        assert warm_seconds(job) < 0.08
