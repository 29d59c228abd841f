"""What was told of a battle is enough to draw it."""

import msgspec
from msgspec.structs import replace

from rules.eclipse import RULES
from rules.eclipse.story import battles
from rules.engine import Event

from .battlefield import HERE, dice, field, fight, refuge
from .helpers import DIRECTORATE, FEDERATION, UNION
from .test_combat_example import VERNOR, contested


def test_the_example_retold_is_the_battle_as_it_stood() -> None:
    rolls = dice(6, 6, 5, 4, 3, 2) + dice(6, 6) + dice(3, 2) + dice(3) + dice(4, 2) + dice(6) + dice(1, 2)
    game = fight(contested(), *rolls)
    game(VERNOR, "interceptor.0", "interceptor.0")(0, "interceptor.0", "cruiser.0")
    game(VERNOR, "retreat.interceptor.202")(0, "attack.interceptor")(VERNOR, "attack.cruiser", "interceptor.0")
    seen = RULES.view(game.s, None).battle
    [retold] = battles(game.events)
    assert seen is not None
    assert (retold.place, retold.number, retold.parties) == (seen.place, seen.number, seen.parties)
    assert (retold.attacker, retold.defender, retold.round, retold.step) == (1, 0, seen.round, seen.step)
    assert retold.ships == seen.ships
    assert retold.volleys == seen.volleys


def test_every_hex_has_its_story() -> None:
    s = field(DIRECTORATE, UNION, FEDERATION, ships={0: {"interceptor": 1}, 1: {"interceptor": 1}})
    refuge(s, 2)
    s.hexes["4,-2"].ancients = 1
    s.hexes["4,-2"].fleets = s.hexes[HERE].fleets[:1]
    game = fight(s, *dice(1), *dice(6, 6), 0, *dice(1), *dice(6))
    first, second = battles(game.events)
    assert (first.number, second.number) == ("202", "201")
    assert [ship.fallen for ship in first.ships] == [True, False]
    assert [ship.fallen for ship in second.ships] == [True, False]
    assert [len(volley.dice) for volley in first.volleys] == [1, 2]


def test_the_attack_on_the_population_is_part_of_it() -> None:
    s = field(DIRECTORATE, UNION, disc=0, ships={0: {"interceptor": 1}, 1: {"interceptor": 1}}, cubes=[0])
    game = fight(s, *dice(1), *dice(6), *dice(6))(1, "attack.interceptor")
    [retold] = battles(game.events)
    assert retold.step == "population"
    assert [volley.round for volley in retold.volleys] == [1, 1, -1]
    assert retold.volleys[-1].dice[0].hit


def test_a_turns_view_shows_the_battle_that_was_fought_in_it() -> None:
    s = field(DIRECTORATE, UNION, ships={0: {"interceptor": 1}, 1: {"interceptor": 1}})
    game = fight(s, *dice(1), *dice(6))
    during = RULES.view(game.s, None)
    after = replace(during, battle=None)
    stored = [msgspec.msgpack.decode(msgspec.msgpack.encode(event), type=Event) for event in game.events]
    [told] = battles(game.events)
    first = [event.kind for event in stored].index("combat.begins") + 1
    assert RULES.retold(after, (), stored).battle == told
    assert RULES.retold(after, stored[:first], stored[first:]).battle == told
    assert RULES.retold(after, (), ()) == RULES.retold(after, stored, ()) == after
    assert during.battle is not None
    assert RULES.retold(during, (), stored) == during
    elsewhere = replace(during, battle=replace(during.battle, place="0,0"))
    assert RULES.retold(elsewhere, (), stored).battle == told
