"""Mistakes: taking back with a preview, with consent, by the host or a moderator; and the report of a rule that failed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import db.__main__
from rules import rules_of
from rules.__main__ import main
from rules.engine import decode_record
from rules.engine.log import Undone, effective
from rules.report import read_report, reproduce
from sandbox.client import Message

from .watching import play
from .world import EVERY, GAMES, THRONE, WAIT, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(params=EVERY)
def key(request: pytest.FixtureRequest) -> str:
    """Every game."""
    return str(request.param)


async def played(here: World, key: str, turns: int) -> Game:
    """A game of two after so many turns."""
    game = await here.game(2, key=key)
    for _ in range(80):
        if game.live.turn.number > turns:
            return game
        await game.answer_simply(game.unanswered)
    raise AssertionError(f"still turn {game.live.turn.number}")


async def undone(game: Game) -> list[Undone]:
    """Every undo in the log."""
    records = [decode_record(data) for _, data in await game.world.store.records(game.id)]
    return [record.what for record in records if isinstance(record.what, Undone)]


async def listed(game: Game, n: int = 0) -> Message:
    """The list of turns, as the person `n` gets it."""
    return (await game.command(game.people[n], "game rewind")).reply


async def test_the_host_goes_back_to_a_turn_of_the_list(here: World, key: str):
    game = await played(here, key, 4)
    host = game.people[0]
    shown = await listed(game)
    assert shown.ephemeral
    options = shown.select().options
    assert len(options) >= 3
    target = options[2]
    before = await game.stands()
    preview = (await host.choose(shown.id, shown.select().custom_id, [target.value], finish=WAIT)).message
    assert "This would be taken back" in preview.text
    assert await game.stands() == before, "a look changes nothing"
    lines = [line for line in preview.text.splitlines() if line.startswith("> ")]
    done = (await host.press(preview.id, preview.button("Take all that back").custom_id, finish=WAIT)).message
    assert "Taken back" in done.text
    (entry,) = await undone(game)
    starts = await here.store.checkpoints(game.id)
    assert entry.host
    assert starts[int(target.value)] < entry.to <= starts[int(target.value) + 1]
    note = await game.said("takes the game back, back to")
    assert target.label in note.text
    assert await game.said("The host has taken back")
    assert lines, "the preview shows what is taken back"


async def test_what_was_taken_back_is_not_on_the_list(here: World):
    game = await played(here, THRONE, 4)
    shown = await listed(game)
    values = [option.value for option in shown.select().options]
    host = game.people[0]
    preview = (await host.choose(shown.id, shown.select().custom_id, [values[1]], finish=WAIT)).message
    await host.press(preview.id, preview.button("Take all that back").custom_id, finish=WAIT)
    await game.answer_simply(game.unanswered)
    left = [option.value for option in (await listed(game)).select().options]
    assert values[0] not in left
    assert values[-1] in left
    stale = await game.raw_press(host, preview, preview.button("Take all that back").custom_id)
    assert "choose again" in (stale.message.text + "".join(m.text for m in stale.followups))
    assert len(await undone(game)) == 1


async def test_moderators_may_others_may_not(here: World):
    game = await played(here, THRONE, 2)
    moderator, player = game.people[4], game.people[1]
    assert "Only" in (await listed(game, 1)).text
    shown = await listed(game)
    refused = await game.raw_press(player, shown, shown.select().custom_id, [shown.select().options[0].value])
    assert "Only" in (refused.followups[-1] if refused.followups else refused.message).text
    assert await undone(game) == []
    assert "Only" in (await listed(game, 4)).text
    for permission in ("manage_messages", "moderate_members"):
        await here.client.permit(moderator, grant=[permission])
        try:
            assert (await listed(game, 4)).selects, permission
            assert "Taken back" in await game.says(moderator, "game rewind", steps=1)
        finally:
            await here.client.permit(moderator, deny=[permission])
    assert len(await undone(game)) == 2
    assert moderator.name in (await game.said("takes the game back")).text


async def test_a_long_list_has_pages_and_survives_a_restart(here: World):
    game = await played(here, THRONE, 30)
    shown = await listed(game)
    assert len(shown.select().options) == 25
    await here.restart()
    older = (await game.people[0].press(shown.id, shown.button("▶").custom_id, finish=WAIT)).message
    first = older.select().options[-1]
    await game.people[0].choose(older.id, older.select().custom_id, [first.value], finish=WAIT)
    assert first.value == "0"


async def test_undo_shows_exactly_what_it_takes_back(here: World, key: str):
    game = await played(here, key, 3)
    seat = game.unanswered
    length = game.table.length
    await game.answer_simply(seat)
    person = game.people[seat]
    shown = (await game.command(person, "table undo")).reply
    told = [line[2:] for line in shown.text.splitlines() if line.startswith("> ")]
    lines = [line for line in (await game.says(person, "table log")).splitlines()[1:] if line]
    assert told == lines[len(lines) - len(told) :]
    assert game.table.length == length + 1


async def wished(game: Game) -> tuple[int, Message]:
    """Play until somebody who is not asked has to ask the other to take his last step back; and what he is shown."""
    for n in range(60):
        await play(game, 1, seed=str(n))
        if len(game.table.asked) == 1:
            seat = 1 - game.unanswered
            shown = (await game.command(game.people[seat], "table undo")).reply
            if "Ask for it" in [button.label for button in shown.buttons]:
                return seat, shown
    raise AssertionError("nothing needs consent")


async def own_last_step(game: Game, seat: int) -> tuple[int, bytes]:
    """The seat's last step that counts, and how the table stood before it."""
    records = [decode_record(data) for _, data in await game.world.store.records(game.id)]
    line = [records[seq] for seq in effective(records)]
    at = max(n for n, record in enumerate(line) if record.seat == seat)
    return line[at].seq, line[at - 1].digest


async def test_undo_with_consent(here: World, key: str):
    """Refused, it changes nothing; with the other's word the table stands as before, and who asked is told so."""
    game = await played(here, key, 2)
    seat, shown = await wished(game)
    step, before = await own_last_step(game, seat)
    asker, other = game.people[seat], game.people[1 - seat]
    await asker.press(shown.id, shown.button("Ask for it").custom_id, finish=WAIT)
    stands = await game.stands()
    await game.press(other, await game.said("Do you agree"), "Refuse")
    assert await game.said("does not agree")
    assert await game.stands() == stands
    shown = (await game.command(asker, "table undo")).reply
    await asker.press(shown.id, shown.button("Ask for it").custom_id, finish=WAIT)
    wish, config = await game.said("Do you agree"), here.tables.config
    assert wish.mentions == (other.id,)
    here.tables.config = replace(config, time=replace(config.time, recent_seconds=3600.0))
    try:
        here.skip(hours=2)
        seen = {message.id for message in await game.seen()}
        await game.act(other, wish, "Agree")
        assert [entry.to for entry in await undone(game)] == [step]
        assert game.table.digest == before
        assert seat in game.table.asked
        assert [m for m in await game.seen() if asker.id in m.mentions and m.id not in seen], "his press was long ago"
    finally:
        here.tables.config = config
    assert "nothing to do again" in await game.says(asker, "table redo"), "it was not his alone"


@pytest.mark.parametrize("key", GAMES)
async def test_redo_is_for_who_took_back(here: World, key: str):
    """Also after a restart, and only until something else is done."""
    game = await played(here, key, 2)
    for _ in range(60):
        seat, before = game.unanswered, game.table.digest
        await game.answer_simply(seat)
        after, shown = game.table.digest, (await game.command(game.people[seat], "table undo")).reply
        if "Take it back" in [button.label for button in shown.buttons]:
            break
    person = game.people[seat]
    await person.press(shown.id, shown.button("Take it back").custom_id, finish=WAIT)
    assert game.table.digest == before
    await here.restart()
    assert "nothing to do again" in await game.says(game.people[1 - seat], "table redo")
    assert "does it again after all" in await game.says(person, "table redo")
    assert game.table.digest == after
    shown = (await game.command(person, "table undo")).reply
    await person.press(shown.id, shown.button("Take it back").custom_id, finish=WAIT)
    await game.says(game.people[1 - seat], "table leave", sure=True)
    assert "nothing to do again" in await game.says(person, "table redo"), "somebody else has left since"


def replays(file: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with some code run before."""
    code = "\n".join([*more, "import sys; from rules.__main__ import main; sys.exit(main(['report', sys.argv[1]]))"])
    return subprocess.run(
        [sys.executable, "-c", code, str(file)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


FAULTS = {
    "struggle_for_the_throne": (
        "rules.struggle_for_the_throne.movement.move",
        "import rules.struggle_for_the_throne.movement as m\nm.move = lambda *a, **k: 1 / 0",
        "move",
    ),
    "throne_of_the_world": (
        "rules.throne_of_the_world.how_to_play.begin",
        "import rules.throne_of_the_world.how_to_play as m\nm.begin = lambda *a: 1 / 0",
        "march",
    ),
}


@pytest.mark.parametrize("key", FAULTS)
async def test_a_report_reproduces_the_fault(
    here: World, key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    game = await played(here, key, 2)
    where, patch, answer = FAULTS[key]
    for _ in range(20):
        if answer in [option.id for option in game.table.asked[game.unanswered].options]:
            break
        await game.answer_simply(game.unanswered)
    monkeypatch.setattr(where, lambda *given, **more: 1 / 0)
    said = await game.answer(answer, game.unanswered)
    assert "Sorry: a rule failed" in said
    report_id = said.partition("Report ")[2].split()[0]
    file = tmp_path / "report.json"
    database = str(here.config.database.path)
    assert db.__main__.main(["report", database, report_id, str(file)]) == 0
    assert file.stat().st_mode & 0o077 == 0, "it holds hands: nobody but the operator may read it"
    report = read_report(file.read_bytes())
    assert report.header == game.table.header
    assert report.version == rules_of(key).version
    assert main(["report", str(file)]) == 0
    out = capsys.readouterr().out
    assert "ZeroDivisionError" in out
    assert "Traceback" in out
    monkeypatch.undo()
    assert reproduce(report, rules_of(key)).fault == "", "the rules are whole again"
    assert main(["report", str(file)]) == 1
    assert replays(file).returncode == 1
    elsewhere = replays(file, patch)
    assert elsewhere.returncode == 0, elsewhere.stdout + elsewhere.stderr
    assert db.__main__.main(["report", database, "nothing", str(file)]) == 1
    assert report_id in capsys.readouterr().err
    file.write_text("{}")
    assert main(["report", str(file)]) == 2
