"""`/stats`: the ladder of a server, what one person has played, and how a game goes here.

Games of several servers are kept apart: in a server only its own games count. Somebody's games everywhere are shown to
that person alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from db.records import Ended
from render.stats import Bar, Row, Sheet
from render.worker import PictureFailed

from . import records
from .base import TablesCog
from .errors import Refused
from .items import Interaction
from .lobby import GAME_CHOICES
from .lobby_panels import title_of
from .messages import Message
from .panels import board_items, layout
from .records import Result
from .replies import attend, show, tell
from .texts import bare, cut, say

LADDER = 20
MOST_ACTIVE = 5


class StatsCog(TablesCog):
    """Everything is computed anew from the games that were played to their end."""

    stats = app_commands.Group(name="stats", description="Who has played what, and how well")

    async def _games(self, key: str, guild_id: int | None) -> list[Ended]:
        """The ended games of a server (None: of all), of that kind if one is named."""
        return [game for game in await self.tables.store.ended(guild_id=guild_id) if key in ("", game.key)]

    @stats.command(name="ladder", description="The best players of this server")
    @app_commands.describe(game="In one game only")
    @app_commands.choices(game=GAME_CHOICES)
    @app_commands.guild_only()
    async def ladder(self, interaction: Interaction, game: str = "") -> None:
        async def work() -> None:
            games = await self._games(game, _server(interaction))
            places = await asyncio.to_thread(records.ladder, games)
            if not places:
                raise Refused(say("stats.no_ladder"))
            lines = [say("stats.ladder", game=title_of(game) if game else say("stats.all"))]
            for n, place in enumerate(places, 1):
                if n <= LADDER or place.user == interaction.user.id:
                    person = f"<@{place.user}>"
                    lines.append(
                        say("stats.place", n=n, person=person, rating=round(place.rating), played=place.played,
                            won=place.won)
                    )  # fmt: skip
            await tell(interaction, cut("\n".join([*lines, say("stats.how")])))

        await attend(interaction, work)

    @stats.command(name="me", description="Your games on all servers, for your eyes only")
    @app_commands.describe(game="In one game only")
    @app_commands.choices(game=GAME_CHOICES)
    async def me(self, interaction: Interaction, game: str = "") -> None:
        await attend(interaction, lambda: self._person(interaction, interaction.user, game, None))

    @stats.command(name="person", description="The games of somebody on this server")
    @app_commands.describe(person="Whose", game="In one game only")
    @app_commands.choices(game=GAME_CHOICES)
    @app_commands.guild_only()
    async def person(self, interaction: Interaction, person: discord.User, game: str = "") -> None:
        async def work() -> None:
            await self._person(interaction, person, game, _server(interaction))

        await attend(interaction, work)

    async def _person(
        self, interaction: Interaction, person: discord.User | discord.Member, key: str, guild_id: int | None
    ) -> None:
        games = await self._games(key, guild_id)
        played, way = await asyncio.to_thread(_career, games, person.id)
        if not played:
            raise Refused(say("stats.none", person=f"<@{person.id}>"))
        shown = sheet_of(bare(person.display_name), played, way)
        try:
            picture = await self.tables.painter.sheet(shown)
        except PictureFailed:
            await tell(interaction, shown.alt)
            return
        await show(interaction, Message(layout(board_items(picture, ""), discord.Colour.gold()), picture))

    @stats.command(name="game", description="How a game goes on this server")
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=GAME_CHOICES)
    @app_commands.guild_only()
    async def game(self, interaction: Interaction, game: str) -> None:
        async def work() -> None:
            games = await self._games(game, _server(interaction))
            if not games:
                raise Refused(say("stats.not_played", game=title_of(game)))
            await tell(interaction, await asyncio.to_thread(_summary, game, games))

        await attend(interaction, work)


def _server(interaction: Interaction) -> int:
    """The server; Refused in direct messages."""
    if interaction.guild_id is None:
        raise Refused(say("stats.no_server"))
    return interaction.guild_id


def _career(games: Sequence[Ended], user: int) -> tuple[list[Result], list[float]]:
    """What somebody has played, the latest first, and his rating after each game that was rated."""
    _, way = records.ratings(games)
    played = [result for game in games for result in records.results(game) if result.user == user]
    return played[::-1], way.get(user, [])


def sheet_of(name: str, played: Sequence[Result], way: Sequence[float]) -> Sheet:
    """A person's games in words and numbers, for the picture and for its description."""
    won = sum(result.won for result in played)
    rating = str(round(way[-1])) if way else say("stats.unrated")
    facts = (
        (str(len(played)), say("stats.games", n=len(played))),
        (str(won), say("stats.victories", n=won)),
        (f"{won / len(played):.0%}", say("stats.share")),
        (rating, say("stats.rating")),
    )
    kinds = Counter(result.key for result in played)
    wins = Counter(result.key for result in played if result.won)
    bars = tuple(
        Bar(title_of(key), wins[key] / n, say("stats.of", n=wins[key], of=n)) for key, n in kinds.most_common()
    )
    rows = tuple(
        Row(say("stats.row", game=r.game, title=title_of(r.key)), say("stats.result", **_result(r)), r.won)
        for r in played
    )
    told = [name, *(f"{number} {what}" for number, what in facts)]
    told += [f"{bar.label}: {bar.says}" for bar in bars] + [f"{row.left}: {row.right}" for row in rows]
    curve = say("stats.curve" if way else "stats.no_curve")
    return Sheet(name, "; ".join(told), facts, say("stats.by_game"), bars, curve, tuple(way), say("stats.last"), rows)


def _result(result: Result) -> dict[str, object]:
    day = time.strftime("%Y-%m-%d", time.gmtime(result.ended_ms / 1000))
    how = say(f"stats.{result.part}", rank=result.standing.rank, of=result.of)
    return {"how": how, "day": day}


def _summary(key: str, games: Sequence[Ended]) -> str:
    """How often a game was played here, by whom, and how it ended."""
    found = [records.standings_of(game) for game in games]
    seats = Counter(standing.seat for standings in found for standing in standings if standing.winner)
    scores = [standing.score for standings in found for standing in standings if standing.winner]
    people = Counter(
        result.user for game in games for result in records.results(game) if result.user is not None
    ).most_common(MOST_ACTIVE)
    lines = [
        say("stats.summary", game=title_of(key), n=len(games)),
        say("stats.seats", n=f"{sum(map(len, found)) / len(found):.1f}"),
    ]
    if scores:
        lines.append(say("stats.scores", mean=f"{sum(scores) / len(scores):.1f}", best=max(scores)))
        lines += [say("stats.seat", n=seat + 1, won=n) for seat, n in sorted(seats.items())]
    if people:
        lines.append(say("stats.active", people=", ".join(f"<@{user}> ({n})" for user, n in people)))
    return cut("\n".join(lines))


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(StatsCog(bot))
