"""A refused answer, slash parameter or act says what stands against it, and names the rulebook's chapter."""

from __future__ import annotations

import pytest

from rules.throne_of_the_world.races import has
from sandbox.client import Message

from .world import THRONE, WORLD, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def opened(here: World, key: str, question: str, **given) -> tuple[Game, int]:
    """A game of two whose seat is asked that."""
    game = await here.game(2, key=key, **given)
    for _ in range(60):
        asked = [seat for seat in game.table.asked if seat not in game.table.sealed]
        if game.table.asked[asked[0]].key == question:
            return game, asked[0]
        await game.answer_simply(asked[0])
    raise AssertionError(f"still asked {game.table.asked}")


async def refuses(game: Game, seat: int, command: str, *words: str, **given: str) -> None:
    """The command is refused privately in these words, and changes nothing."""
    before = await game.stands()
    reply = (await game.command(game.people[seat], command, given=given)).reply
    assert reply.ephemeral
    for word in words:
        assert word in reply.text, reply.text
    assert await game.stands() == before


async def test_struggle_for_the_throne(here: World):
    game, seat = await opened(here, THRONE, "action", options={"trading": "yes"})
    home = next(iter(game.table.state.groups[seat]))
    await refuses(
        game,
        seat,
        "throne move",
        "C.3 does not touch",
        "-# Rulebook: Movement: Moving Units",
        units="squadron",
        to="C.3",
    )
    await refuses(game, seat, "throne battle", "No rival stands", "-# Rulebook: Battle")
    await refuses(game, seat, "table answer", "No rival stands", "-# Rulebook: Battle", choice="battle")
    await refuses(game, seat, "table answer", "not among", "-# Rulebook: Sequence of Play", choice="nonsense")
    await refuses(game, seat, "throne card", "You do not hold Build Squadron", "Rulebook: ", card="build squadron")
    await refuses(
        game, seat, "throne trade withdraw", "No such offer lies open", "Rulebook: Optional Rules", offer="1.2.1"
    )
    await game.answer("move")
    await game.answer("squadron")
    await refuses(game, seat, "table answer", f"does not touch {home}", "Rulebook: Movement", choice="C.3")
    assert home in game.table.state.groups[seat]


async def test_throne_of_the_world(here: World):
    game, seat = await opened(here, WORLD, "mode")
    await game.answer("march", seat)
    hand = game.table.state.hands[seat]
    lacking = next(card for card in ("harvest", "hunger", "steal", "supply") if card not in hand)
    foreign = next(name for name in ("breath", "barter") if not has(game.table.state, seat, name))
    await refuses(game, seat, "table answer", "is not an ability of your race", "Rulebook: Races", choice=foreign)
    await game.answer("card", seat)
    named = game.live.words.say(f"card.{lacking}")
    await refuses(game, seat, "table answer", f"You do not hold {named}", "Rulebook: How to Play", choice=named)
    await refuses(game, seat, "table answer", "1 time at the most", "Rulebook: ", choice="back+back")


async def test_another_command_takes_back_what_was_begun(here: World):
    game, seat = await opened(here, THRONE, "action")
    person = game.people[seat]
    await game.answer("accuse")
    assert game.table.asked[seat].key != "action"
    offered = await person.autocomplete("throne discard", {"card": ""}, "card", channel=game.thread)
    assert offered.choices
    assert "back" not in [choice.value for choice in offered.choices][:1]
    left = game.table.state.actions_left
    said = await game.says(person, "throne discard", card=offered.choices[0].value)
    assert "discards" in said
    assert game.table.state.actions_left == left - 1
    await game.answer("accuse")
    before = await game.stands()
    refused = await game.says(person, "throne discard", card="nonsense")
    assert "not among" in refused
    assert await game.stands() == before, "a refused command leaves the choice begun where it was"
    assert "You are asked something else" in await game.says(person, "throne head", unit="x")
    await game.says(person, "throne end")
    assert seat not in game.table.asked or len(game.table.asked) > 1


async def test_another_command_in_the_other_game(here: World):
    game, seat = await opened(here, WORLD, "mode")
    await game.answer("march", seat)
    await game.answer("card", seat)
    assert game.table.asked[seat].key == "card"
    said = await game.says(game.people[seat], "world end")
    assert "You are asked something else" not in said
    assert game.table.asked.get(seat) is None or game.table.asked[seat].key not in ("card", "move")


def place(message: Message, label: str) -> int:
    return [button.label for button in message.buttons].index(label)


async def test_what_is_final_stands_last_and_looks_so(here: World):
    game, _ = await opened(here, THRONE, "action")
    turn = await game.turn()
    styles = {button.label: button.style for button in turn.buttons}
    assert styles["Surrender"] == 4
    assert styles["End the turn"] == 2
    assert styles["Move"] == 1
    assert place(turn, "Surrender") > place(turn, "End the turn") > place(turn, "Move")


async def test_how_many_bots_sit_in(here: World):
    game = await here.lobby(1)
    assert "2 bot players sit in now" in await game.says(here.people[0], "game bots", count=2)
    assert "1 bot player sits in now" in await game.says(here.people[0], "game bots", count=1)


async def test_a_panel_is_edited_in_place(here: World):
    game, seat = await opened(here, THRONE, "action")
    await game.answer("card", seat)
    panel = await game.panel(game.people[seat])
    before = await game.seen(game.people[seat])
    again = await game.raw_press(game.people[seat], panel, f"t:{game.id}:0:0:open:")
    assert again.message.id == panel.id
    assert [m.id for m in await game.seen(game.people[seat])] == [m.id for m in before]
