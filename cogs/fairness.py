"""Whether chance was fair: `/table verify` checks an ended game, `/table luck` says who had how much of it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import discord
import msgspec
from discord import app_commands

from rules import luck, rules_of
from rules.engine import Event, Illegal, Words, decode_record
from rules.engine.log import effective

from .base import GuestCog
from .errors import Refused
from .groups import add_under
from .items import Interaction, Press, verbs
from .live import Live
from .replies import attend, tell
from .texts import cut, plain, say

ROOT: Final = Path(__file__).parents[1]
LARGEST: Final = 8 << 20
SECONDS: Final = 30
MEMORY: Final = 1 << 30
FIRST_SECONDS: Final = 600.0
"""A game's first message that was posted later than so long after the game was opened has been put back since."""
CHILD: Final = f"""
import contextlib, sys
with contextlib.suppress(ImportError):
    import os, resource
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
    resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from rules.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""What checks a file: a process of its own, since anybody may hand in anything."""
TELLING: Final = 3
"""So many kinds of cards are told of which a seat had more, or less, than its share."""


class FairnessCog(GuestCog):
    """`/table verify`, `/table luck`, and the two buttons below the result."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._checking = asyncio.Lock()
        verbs["verify"] = self.verify_press
        verbs["luck"] = self.luck_press

    # ---------------------------------------------------------------- verify

    @app_commands.command(name="verify", description="Check an ended game: chance, log and result")
    @app_commands.describe(file="A game's file; without one, the game of this channel", commitment="As it was posted")
    async def verify(
        self, interaction: Interaction, file: discord.Attachment | None = None, commitment: str = ""
    ) -> None:
        async def work() -> None:
            if file is None:
                await tell(interaction, await self._verify_live(await self.table.here(interaction)))
                return
            if file.size > LARGEST:
                raise Refused(say("verify.too_large"))
            found = await self._check(await file.read(), commitment.strip().lower())
            posted = say("verify.given" if commitment else "verify.not_posted")
            await tell(interaction, verdict(found, posted))

        await attend(interaction, work)

    async def verify_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The button below a result."""

        async def work() -> None:
            await tell(interaction, await self._verify_live(await self.table.live_of(press)))

        await attend(interaction, work, fresh=True)

    async def _verify_live(self, live: Live) -> str:
        """Check a game of ours against what its first message says."""
        if not live.table.over:
            raise Illegal("engine.not_over")
        posted, at = await self._posted(live)
        found = await self._check(await self.tables.composer.export(live), posted)
        first = at - live.game.created_ms / 1000 < FIRST_SECONDS
        key = "not_posted" if not posted else "posted" if first else "put_back"
        return verdict(found, say(f"verify.{key}", at=round(at)), live.words)

    async def _posted(self, live: Live) -> tuple[str, float]:
        """The commitment that stands in the game's first message, "" when that is gone; and since when it stands there,
        in seconds since 1970."""
        slot = await self.tables.store.slot(live.id, "lobby")
        if slot is None:
            return "", 0.0
        try:
            channel = self.bot.get_partial_messageable(slot.channel_id)
            message = await channel.fetch_message(slot.message_id)
        except discord.HTTPException:
            return "", 0.0
        shown = " ".join(str(part.content) for part in _parts(message.components) if hasattr(part, "content"))
        found = re.search(r"\b[0-9a-f]{64}\b", shown)
        return found[0] if found else "", message.created_at.timestamp()

    async def _check(self, data: bytes, commitment: str) -> dict[str, Any]:
        """What `python -m rules verify` says; one at a time. Refused when that takes too long."""
        if self._checking.locked():
            raise Refused(say("verify.busy"))
        async with self._checking:
            more = ["--commitment", commitment] if commitment else []
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", CHILD, "verify", "-", "--json", *more,
                cwd=ROOT, env={}, stdin=-1, stdout=-1, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            try:
                async with asyncio.timeout(SECONDS):
                    told, _ = await process.communicate(data)
                found: dict[str, Any] = msgspec.json.decode(told)
            except (TimeoutError, msgspec.DecodeError):
                raise Refused(say("verify.failed", seconds=SECONDS)) from None
            finally:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return found

    # ---------------------------------------------------------------- luck

    @app_commands.command(name="luck", description="The dice and cards of each player against what could be expected")
    async def luck(self, interaction: Interaction) -> None:
        async def work() -> None:
            await tell(interaction, await self._luck(await self.table.here(interaction)))

        await attend(interaction, work)

    async def luck_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The button below a result."""

        async def work() -> None:
            await tell(interaction, await self._luck(await self.table.live_of(press)))

        await attend(interaction, work, fresh=True)

    async def _luck(self, live: Live) -> str:
        """The luck of everybody; while the game goes on, only what everybody has seen."""
        declared, over = luck.declared(live.rules), live.table.over
        records = [decode_record(data) for _, data in await self.tables.store.records(live.id)]
        counting = {0, *effective(records)}
        told = await self.tables.store.events(live.id, 0)
        happened = [msgspec.msgpack.decode(data, type=Event) for seq, _, data in told if seq in counting]
        events = [event for event in happened if over or event.audience is None]
        lines = dice_lines(live.words, luck.rolled(declared, events))
        if over:
            lines += card_lines(live.words, luck.drew(declared, events))
            draws = [draw for record in records for draw in record.draws]
            mean, margin = luck.evenness(draws)
            lines.append(say("luck.draws", n=len(draws), mean=f"{mean:.3f}", margin=f"{margin:.3f}"))
            lines.append(say("luck.how"))
        elif not lines:
            raise Refused(say("luck.none"))
        else:
            lines.append(say("luck.so_far"))
        return cut("\n".join([say("luck.title", title=live.rules.title, game=live.id), *lines]))


def dice_lines(words: Words, found: Sequence[luck.Rolled]) -> list[str]:
    """A line for each seat that rolled."""
    return [
        say(
            "luck.dice",
            seat=words.seat_name(seat),
            n=dice,
            mean=f"{total / dice:.2f}",
            expected=f"{expected / dice:.2f}",
            above=round(above * 100),
        )
        for seat, dice, total, expected, above in found
    ]


def card_lines(words: Words, found: Sequence[luck.Drew]) -> list[str]:
    """A line for each seat that drew, with the kinds that are furthest from its share."""
    lines = []
    for seat in dict.fromkeys(drew.seat for drew in found):
        own = sorted((drew for drew in found if drew.seat == seat), key=lambda drew: drew.expected - drew.got)
        more = [drew for drew in own[:TELLING] if drew.got > drew.expected]
        less = [drew for drew in own[: -TELLING - 1 : -1] if drew.got < drew.expected]
        parts = {
            "more": say("luck.more", cards=_cards(words, more)) if more else "",
            "less": say("luck.less", cards=_cards(words, less)) if less else "",
        }
        lines.append(say("luck.cards", seat=words.seat_name(seat), n=sum(drew.got for drew in own), **parts))
    return lines


def _cards(words: Words, found: Sequence[luck.Drew]) -> str:
    return ", ".join(
        say(
            "luck.card",
            card=words.texts.get(f"card.{drew.kind}", drew.kind),
            n=drew.got,
            expected=f"{drew.expected:.1f}",
        )
        for drew in found
    )


def verdict(found: dict[str, Any], posted: str, words: Words | None = None) -> str:
    """What the check has found, in words."""
    if not found["valid"]:
        if found["where"] == "version":  # what needs no rules has been checked before
            return say("verify.version", why=found["why"])
        return say("verify.invalid", where=plain(found["where"]), why=plain(found["why"]))
    rules = rules_of(found["game"])
    name = (words or rules.words).seat_name
    standings = [
        say(
            "verify.standing",
            rank=s["rank"],
            seat=name(s["seat"]),
            score=s["score"],
            won=say("verify.won") * s["winner"],
        )
        for s in found["standings"]
    ]
    shown = {key: found[key] for key in ("seats", "commitment", "records", "draws")}
    return cut(say("verify.valid", title=rules.title, posted=posted, standings="\n".join(standings), **shown))


def _parts(components: Any) -> list[Any]:
    """All components of a message, also those inside others."""
    return [part for each in components for part in (each, *_parts(getattr(each, "children", ())))]


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", FairnessCog(bot))
