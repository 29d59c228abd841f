"""Stepping through a game board by board: each as the viewer could know it then."""

from __future__ import annotations

import hashlib

import pytest

from cogs.past import Past

from .watching import KEYS, begun, finish, page_of, picture, play, shortened, step
from .world import WAIT, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("key", KEYS)
async def test_step_by_step(here: World, key: str):
    game = await begun(here, key)
    await play(game, 300, until_turn=6)
    person = game.people[0]
    shown = (await game.command(person, "table history")).reply
    page, pages = page_of(shown.text)
    assert page == pages
    assert shown.button("⏭").disabled
    seen = set()
    while not shown.button("◀").disabled:
        assert shown.images[0].alt
        seen.add(hashlib.sha256(await picture(game, shown)).digest())
        shown = await step(person, shown, "◀")
        page -= 1
        assert page_of(shown.text) == (page, pages)
    assert page == 1
    assert len(seen) > pages // 2, "the same board again and again"
    assert page_of((await step(person, shown, "⏭")).text)[0] == pages
    assert page_of((await step(person, shown, "⏮")).text)[0] == 1


@pytest.mark.parametrize("key", KEYS)
async def test_a_turn_by_its_number(here: World, key: str):
    game = await begun(here, key)
    await play(game, 300, until_turn=6)
    person = game.people[4]
    shown = (await game.command(person, "table history", turn=3)).reply
    slot = await here.store.slot(game.id, "turn3")
    assert slot is not None
    assert (
        f"[turn 3](https://discord.com/channels/{game.live.game.guild_id}/{slot.channel_id}/{slot.message_id})"
        in shown.text
    )
    story = await person.message(str(slot.message_id))
    for line in story.text.splitlines()[1:]:
        assert line in shown.text, "the turn's message tells the same"
    last = (await game.command(person, "table history", turn=999)).reply.text
    assert page_of(last)[0] == page_of(last)[1]
    asked = await person.press(shown.id, shown.button("Go to turn…").custom_id, finish=WAIT)
    assert asked.modal is not None
    answered = await person.submit(asked.modal, {"number": "2"}, finish=WAIT)
    assert "[turn 2]" in answered.message.text
    asked = await person.press(shown.id, shown.button("Go to turn…").custom_id, finish=WAIT)
    refused = await person.submit(asked.modal, {"number": "two"}, finish=WAIT)
    assert "such as 12" in refused.followups[-1].text


@pytest.mark.parametrize("key", KEYS)
async def test_nobody_sees_more_than_he_could_then(here: World, key: str):
    """Every board shown is the one drawn from that seat's view of that state, and no view holds another's hand."""
    game = await begun(here, key)
    await play(game, 300, until_turn=5)
    drawn = []
    board = here.tables.painter.board

    async def noted(*given, **more):
        drawn.append(given[1])
        return await board(*given, **more)

    here.tables.painter.board = noted
    try:
        for person, seat in ((game.people[0], 0), (game.people[1], 1), (game.people[4], None)):
            past = await Past.of(here.tables, game.live)
            for n, shown in enumerate(past.boards):
                drawn.clear()
                await game.command(person, "table history", turn=shown.turn)
                hands = [getattr(view, "hand", None) for view in drawn]
                assert hands
                if seat is None:
                    assert not any(hands), f"board {n} shows a hand to one who watches"
                else:
                    assert drawn[0] == await past.view(past.boards[past.at_turn(shown.turn)], seat)
    finally:
        here.tables.painter.board = board


async def test_steps_taken_back_are_no_boards(here: World):
    game = await here.game(2, bots=0)
    await play(game, 300, until_turn=4)
    boards = (await Past.of(here.tables, game.live)).boards
    assert "Taken back" in await game.says(here.people[0], "game rewind", steps=16)
    await game.settled()
    after = await Past.of(here.tables, game.live)
    assert len(after.boards) < len(boards)
    assert page_of(await game.says(game.people[0], "table history"))[1] == len(after.boards)


@pytest.mark.parametrize("key", KEYS)
async def test_from_the_message_at_the_end(here: World, key: str):
    with shortened(key) as options:
        game: Game = await here.game(2, key=key, options=options)
    await finish(game)
    for _ in range(2):
        slot = await here.store.slot(game.id, "end")
        watcher = game.people[4]
        ending = await watcher.message(str(slot.message_id))
        shown = (await game.press(watcher, ending, "Board by board")).message
        assert shown.ephemeral
        page, pages = page_of(shown.text)
        assert page == pages > 3
        assert page_of((await step(watcher, shown, "◀")).text)[0] == page - 1
        await here.restart()
