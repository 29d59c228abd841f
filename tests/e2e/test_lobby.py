"""From the join panel to the start."""

from __future__ import annotations

import pytest

from rules import rules_of
from rules.engine import commitment
from tests.conformance.cases import values

from .world import ECLIPSE, THRONE, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
PEOPLE = 12


async def panel(game: Game):
    """The join panel as it stands."""
    await game.settled()
    return next(message for message in await game.seen() if "SHA-256" in message.text)


async def press(game: Game, person, label: str) -> None:
    """Press a button of the join panel, and wait for what comes of it."""
    before = await game.world.store.members(game.id)
    shown = await panel(game)
    await person.press(shown.id, shown.button(label).custom_id)

    async def changed() -> bool:
        return await game.world.store.members(game.id) != before

    await until(changed)


async def test_the_commitment_stands_before_anybody_joins(here: World):
    game = await here.lobby(0)
    shown = await panel(game)
    stored = await here.store.game(game.id)
    assert commitment(stored.secret) in shown.text
    assert "Nobody sits here yet" in shown.text


async def test_joining_and_leaving_by_buttons(here: World):
    game = await here.lobby(0)
    for person in here.people[:3]:
        await press(game, person, "Join")
    await press(game, here.people[1], "Leave")
    members = await here.store.members(game.id)
    assert [(member.seat, str(member.user_id)) for member in members] == [
        (0, here.people[0].id),
        (1, here.people[2].id),
    ]
    assert len({member.salt for member in members}) == 2
    shown = await panel(game)
    assert f"<@{here.people[2].id}>" in shown.text
    doing = await game.raw_press(here.people[0], shown, shown.button("Join").custom_id)
    assert "You sit here already" in doing.followups[-1].text
    doing = await game.raw_press(here.people[5], shown, shown.button("Leave").custom_id)
    assert "You do not sit here" in doing.followups[-1].text


async def test_the_host_leaves(here: World):
    game = await here.lobby(3)
    await press(game, here.people[0], "Leave")
    await game.settled()

    async def handed() -> bool:
        return str((await here.store.game(game.id)).host_id) == here.people[1].id

    await until(handed)

    async def shown() -> bool:
        return f"host <@{here.people[1].id}>" in (await panel(game)).text

    await until(shown)
    assert "Only" in await game.says(here.people[2], "game start")
    assert "is the host now" in await game.says(here.people[1], "game host", user=here.people[2].id)
    assert "started" in await game.says(here.people[2], "game start")


async def test_bot_players(here: World):
    game = await here.lobby(1)
    await press(game, here.people[0], "Add a bot")
    await press(game, here.people[0], "Add a bot")
    await press(game, here.people[0], "Remove a bot")
    assert [member.kind for member in await here.store.members(game.id)] == ["human", "bot"]
    await game.says(here.people[0], "game bots", count=3, level="random")
    assert [member.bot for member in await here.store.members(game.id)] == ["", "policy", "random", "random"]
    shown = await panel(game)
    assert "Only" in await game.says(here.people[1], "game cancel")
    refused = await game.raw_press(here.people[1], shown, shown.button("Add a bot").custom_id)
    assert "Only" in refused.followups[-1].text


async def test_colours(here: World):
    game = await here.lobby(2)
    shown = await panel(game)
    select = shown.select()
    for person, wish in zip(here.people, ("mengel", "klevann"), strict=False):
        await person.choose(shown.id, select.custom_id, [wish])

    async def wished() -> bool:
        return [member.preference for member in await here.store.members(game.id)] == ["mengel", "klevann"]

    await until(wished)
    assert "would like Mengel (purple)" in (await panel(game)).text
    await game.says(here.people[0], "game start")
    await game.settled()
    view = game.table.view(None)
    assert [house.house for house in view.houses] == ["mengel", "klevann"]
    assert "would like" not in await game.says(here.people[0], "game info")


async def test_options_by_menu_modal_and_command(here: World):
    game = await here.lobby(2)
    shown = await panel(game)
    opened = (await here.people[0].press(shown.id, shown.button("Options").custom_id, finish=WAIT)).message
    switches, numbers = opened.selects
    changed = await here.people[0].choose(opened.id, switches.custom_id, ["trading", "two_dice_combat"], finish=WAIT)
    assert "Two dice in combat, Trading" in changed.message.text
    asked = await here.people[0].choose(opened.id, numbers.custom_id, ["round_limit"], finish=WAIT)
    modal = (await here.people[0].modals())[-1]
    assert asked.modal is not None
    done = await here.people[0].submit(modal, {modal.fields[0].custom_id: "7"}, finish=WAIT)
    assert "Round limit: 7" in done.message.text
    assert "Four actions" in await game.says(here.people[0], "game options", name="Four actions a turn", value="on")
    assert "Only" in await game.says(here.people[1], "game options", name="trading", value="off")
    for name, value, why in (
        ("trading", "7", "“Trading” cannot be 7. Say yes or no."),
        ("round_limit", "yes", "“Round limit” cannot be yes."),
        ("nonsense", "yes", "no optional rule nonsense"),
    ):
        assert why in await game.says(here.people[0], "game options", name=name, value=value)
    offered = await here.people[0].autocomplete("game options", {"name": "round"}, "name", channel=game.thread)
    assert [choice.value for choice in offered.choices] == ["round_limit"]
    assert "Round limit: 7" in (await panel(game)).text
    await game.says(here.people[0], "game start")
    options = game.table.header.options
    assert options["trading"]
    assert options["two_dice_combat"]
    assert options["actions_per_turn_4"]
    assert options["round_limit"] == 7
    assert "More…" in [button.label for button in (await game.turn()).buttons]


async def test_options_that_are_one_of_several_ways(here: World):
    game = await here.lobby(2, key=ECLIPSE)
    host, shown = here.people[0], await panel(game)
    opened = (await host.press(shown.id, shown.button("Options").custom_id, finish=WAIT)).message
    species, choice = opened.selects
    assert [option.value for option in species.options] == ["all", "terrans", "no_draco_planta"]
    changed = await host.choose(opened.id, species.custom_id, ["no_draco_planta"], finish=WAIT)
    assert "Rules: Species: without Draco and Planta" in changed.message.text
    await host.choose(opened.id, choice.custom_id, ["random"], finish=WAIT)
    assert "Choice of species: dealt out by chance" in (await panel(game)).text
    offered = await host.autocomplete("game options", {"name": "species", "value": "t"}, "value", channel=game.thread)
    assert [choice.value for choice in offered.choices] == ["terrans", "no_draco_planta"]
    assert "cannot be klingons" in await game.says(host, "game options", name="species", value="klingons")


async def test_every_switch_at_a_start(here: World):
    for name, value in not_the_defaults():
        seats = 7 if name == "twelve_players" else 2
        game = await here.game(seats, options={name: value})
        assert str(game.table.header.options[name]) in ("True", value), name
        assert (await game.turn()).buttons
        await game.says(here.people[0], "game cancel", sure=True)


def not_the_defaults() -> list[tuple[str, str]]:
    """Every optional rule of the game, with a value that is not its default."""
    return [(name, "yes" if others[0] is True else str(others[0])) for name, others in values(rules_of(THRONE))]


async def test_twelve_players(here: World):
    game = await here.lobby(12)
    assert "More than 6 players need" in (await panel(game)).text
    assert "cannot start yet" in await game.says(here.people[0], "game start")
    await game.says(here.people[0], "game options", name="twelve_players", value="yes")
    assert "started" in await game.says(here.people[0], "game start")
    turn = await game.turn()
    assert turn.images
    assert len(game.live.members) == 12


async def test_info_and_list(here: World):
    game = await here.lobby(2)
    assert "SHA-256" in await game.says(here.people[4], "game info")
    assert f"<#{game.thread}> — waiting for players" in await game.says(here.people[4], "game list")
    await game.says(here.people[0], "game start")
    assert "This game is running" in await game.says(here.people[4], "game info")
    assert f"<#{game.thread}> — running" in await game.says(here.people[4], "game list")
    await game.says(here.people[0], "game cancel", sure=True)
    assert "This game is ended early" in await game.says(here.people[4], "game info")
    assert f"<#{game.thread}>" not in await game.says(here.people[4], "game list")


@pytest.mark.parametrize(
    "name",
    [
        "😀" * 32,
        "שלום עולם",
        "**bold** _it_ `code` ||x||",
        "@everyone",
        "<@&123456789012345678>",
        "‮evil‬\u200b",
        "> # [a](http://b.c)",
    ],
)
async def test_names_do_no_harm(here: World, name: str):
    person = await here.client.add_person(name)
    game = await here.lobby(0)
    for seated in (here.people[0], person):
        assert "You sit in" in await game.says(seated, "game join")
    await game.says(here.people[0], "game start")
    turn = await game.turn()
    assert turn.images
    assert not turn.raw["mention_everyone"]
    assert "@everyone" not in turn.text
    assert "<@&" not in turn.text
    assert "**bold**" not in turn.text
    assert set(turn.mentions) <= {here.people[0].id, person.id}
    text = await game.says(person, "table board", text=True)
    assert "```" in text
    assert text.count("`") % 3 == 0
    await game.says(here.people[0], "game cancel", sure=True)
