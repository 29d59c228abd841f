"""The reel: the board's whole life as one animated picture."""

from __future__ import annotations

import hashlib

import pytest

from cogs.past import Past
from render import reel
from render.worker import PictureFailed

from .watching import KEYS, begun, finish, opened, picture, play
from .world import Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def reel_of(game: Game, person: int, **given) -> bytes:
    """The reel that this person is shown."""
    shown = (await game.command(game.people[person], "table reel", **given)).reply
    assert shown.images[0].alt
    assert [a["filename"] for a in shown.raw["attachments"]] == ["reel.gif"]
    return await picture(game, shown)


@pytest.mark.parametrize("key", KEYS)
async def test_a_reel_of_the_game_so_far(here: World, key: str):
    game = await begun(here, key)
    await play(game, 300, until_turn=6)
    data = await reel_of(game, 4)
    assert len(data) < reel.MOST_BYTES
    film = opened(data)
    assert film.format == "GIF"
    assert film.n_frames >= 5
    assert film.info["loop"] == 0
    times, frames = [], set()
    for n in range(film.n_frames):
        film.seek(n)
        times.append(film.info["duration"])
        frames.add(hashlib.sha256(film.convert("RGB").tobytes()).digest())
    assert times == [reel.STEP_MS] * (len(times) - 1) + [reel.HOLD_MS]
    assert len(frames) == len(times)


@pytest.mark.parametrize("key", KEYS)
async def test_whoever_watches_sees_the_public_views(here: World, key: str, monkeypatch: pytest.MonkeyPatch):
    game = await begun(here, key)
    await play(game, 300, until_turn=4)
    given = []
    made = here.tables.painter.reel

    async def noted(key, views, **more):
        given.append(views)
        return await made(key, views, **more)

    monkeypatch.setattr(here.tables.painter, "reel", noted)
    await reel_of(game, 0)
    await reel_of(game, 0, mine=True)
    public, mine = given
    assert not any(getattr(view, "hand", None) for view in public)
    past = await Past.of(here.tables, game.live)
    for seat, shown in ((None, public), (0, mine)):
        assert shown == [await past.view(board, seat) for board in past.boards]
    assert mine != public
    assert "You are watching" in await game.says(game.people[4], "table reel", mine=True)


async def test_an_ended_game_has_one_reel(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await here.game(2, options={"round_limit": "3"})
    await finish(game)
    drawn = []
    run = here.tables.painter._run

    async def noted(*given):
        drawn.append(given)
        return await run(*given)

    monkeypatch.setattr(here.tables.painter, "_run", noted)
    slot = await here.store.slot(game.id, "end")
    ending = await game.people[5].message(str(slot.message_id))
    shown = (await game.press(game.people[5], ending, "The reel")).message
    first = await picture(game, shown)
    frames = len(drawn)
    assert frames > 3
    assert await reel_of(game, 4) == first
    assert len(drawn) == frames, "it was made again"


async def test_when_it_cannot_be_made(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await begun(here, KEYS[0])

    async def fails(*given, **more):
        raise PictureFailed("no")

    with monkeypatch.context() as broken:
        broken.setattr(here.tables.painter, "reel", fails)
        assert "cannot be made just now" in await game.says(game.people[4], "table reel")
    assert await reel_of(game, 4)
