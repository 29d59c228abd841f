"""Those who watch: `/table follow` and `unfollow`, and hands that are shown late, by `/game spectators` and `/table open`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import discord
import msgspec
from discord import app_commands, ui

from render import Picture
from render.worker import PictureFailed

from .base import GuestCog
from .errors import Refused
from .following import BATTLE, END, ROUND, moments_of, quiet
from .forms import Item
from .groups import add_under
from .items import Interaction, Press, menu, verbs
from .live import Live
from .lobby_panels import hands_text
from .messages import Message
from .panels import layout, page_row, text_panel
from .past import Board, Past
from .payloads import Saying
from .replies import attend, show, tell
from .rights import in_charge_only
from .texts import cut, say

NEVER: Final = "never"
AFTER: Final = "after"
LATE: Final = ("1", "2", "3", "5", "10", "20")
HANDS: Final = 6
"""So many hands are shown at once."""
PLACES: Final = [
    app_commands.Choice(name=say("follow.dm"), value="dm"),
    app_commands.Choice(name=say("follow.channel"), value="channel"),
]
SHOWN: Final = [
    app_commands.Choice(name=say("hands.never"), value=NEVER),
    app_commands.Choice(name=say("hands.after"), value=AFTER),
    *(app_commands.Choice(name=say("hands.late", n=int(n)), value=n) for n in LATE),
]


class SpectatorsCog(GuestCog):
    """What people who have no seat may ask of a game."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["unfollow"] = self.unfollow_press
        verbs["openhands"] = self.open_press

    # ---------------------------------------------------------------- following

    @app_commands.command(name="follow", description="Be told of this game's rounds, battles or end")
    @app_commands.describe(
        rounds="At the end of each round", battles="When there is a battle", end="When the game is over", where="How"
    )
    @app_commands.choices(where=PLACES)
    async def follow(
        self,
        interaction: Interaction,
        rounds: bool | None = None,
        battles: bool = False,
        end: bool = True,
        where: str = "dm",
    ) -> None:
        async def work() -> None:
            live = await self.table.here(interaction, ended=False)
            declared = moments_of(live.rules).values()
            wanted = {ROUND: not battles if rounds is None else rounds, BATTLE: battles, END: end}
            moments = [name for name, on in wanted.items() if on and (name == END or name in declared)]
            if not moments:
                raise Refused(say("follow.nothing"))
            await self.tables.followers.follow(live, interaction.user.id, moments, where)
            said = say("follow.done", moments=", ".join(say(f"follow.{name}") for name in moments))
            if quiet(await self.tables.people.of(interaction.user.id)):
                said += "\n" + say("follow.muted")
            await tell(interaction, said)

        await attend(interaction, work)

    @app_commands.command(name="unfollow", description="Be told of this game no more")
    async def unfollow(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = await self.table.here(interaction)
            followed = await self.tables.followers.unfollow(live.id, interaction.user.id)
            await tell(interaction, say("follow.left" if followed else "follow.not"))

        await attend(interaction, work)

    async def unfollow_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Be told no more, from a message that tells something."""

        async def work() -> None:
            followed = await self.tables.followers.unfollow(press.game, interaction.user.id)
            await tell(interaction, say("follow.left" if followed else "follow.not"))

        await attend(interaction, work, fresh=True)

    # ---------------------------------------------------------------- hands shown late

    @app_commands.command(name="open", description="For those who watch: all hands, as they were some turns ago")
    async def open(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self._show_hands(interaction, await self.table.here(interaction), None)

        await attend(interaction, work)

    async def open_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The hands of another turn."""

        async def work() -> None:
            await self._show_hands(interaction, await self.table.live_of(press), int(press.arg))

        await attend(interaction, work)

    async def _show_hands(self, interaction: Interaction, live: Live, page: int | None) -> None:
        """The hands at one board, some at a time. Whoever is shown any while the game runs may not sit down in it."""
        boards = await self._boards(interaction, live)
        seats = sorted(live.members)
        parts = [seats[start : start + HANDS] for start in range(0, len(seats), HANDS)]
        pages = len(boards.boards) * len(parts)
        page = pages - len(parts) if page is None else min(page, pages - 1)
        board = boards.boards[page // len(parts)]
        async with live.lock:  # he might be about to sit down
            if not live.table.over:
                await self._watches(live, interaction.user.id)
                await self.tables.store.read_hands(live.id, interaction.user.id)
        await show(interaction, await self._hands(boards, board, parts[page % len(parts)], page, pages))

    async def _boards(self, interaction: Interaction, live: Live) -> Past:
        """The boards whose hands the person may see; Refused when there are none."""
        shown, behind = await self.tables.store.open_hands(live.id)
        if not hasattr(live.table.view(None), "hand"):
            raise Refused(say("hand.none"))
        if not shown:
            raise Refused(say("hands.off"))
        past = await Past.of(self.tables, live)
        if live.table.over:
            return past
        if behind is None:
            raise Refused(say("hands.not_over"))
        await self._watches(live, interaction.user.id)
        del past.boards[max(0, past.begun - behind + 1) :]
        if not past.boards:
            raise Refused(say("hands.too_early", n=behind))
        return past

    async def _watches(self, live: Live, user_id: int) -> None:
        """Refused when the person plays or has played in the game."""
        kept = any(member.kept_for == user_id for member in live.members.values())
        if kept or live.seat_of(user_id) is not None or await self.tables.store.has_sat(live.id, user_id):
            raise Refused(say("hands.seated"))

    async def _hands(self, past: Past, board: Board, seats: Sequence[int], page: int, pages: int) -> Message:
        """These hands at that board, as pictures or text."""
        live, pictures, texts = past.live, list[Picture](), list[str]()
        for seat in seats:
            view = await past.view(board, seat)
            try:
                picture = await self.tables.painter.hand(live.game.key, view, names=live.names)
            except PictureFailed:
                texts.append(f"{live.name(seat)}:\n```\n{cut(live.rules.hand(view, live.labels), 500)}\n```")
            else:
                pictures.append(msgspec.structs.replace(picture, filename=f"hand{seat}.png"))
        names = ", ".join(live.name(seat) for seat in seats)
        turn = "?" if board.turn is None else str(board.turn)
        items: list[Item] = [ui.TextDisplay(cut("\n".join([say("hands.head", turn=turn, seats=names), *texts])))]
        if pictures:
            media = [discord.MediaGalleryItem(f"attachment://{p.filename}", description=p.alt) for p in pictures]
            items.append(ui.MediaGallery(*media))
        if pages > 1:
            items.append(page_row(live.id, "openhands", page, pages))
        return Message(layout(items, live.colour(None)), more=tuple(pictures))


class HandsCog(GuestCog):
    """`/game spectators`."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["spectators"] = self.spectators_press

    @app_commands.command(name="spectators", description="Whether those who watch are shown all hands, some turns late")
    @app_commands.describe(hands="When the hands are shown (say nothing to see what is chosen)")
    @app_commands.choices(hands=SHOWN)
    async def spectators(self, interaction: Interaction, hands: str = "") -> None:
        async def work() -> None:
            await self._choose(interaction, (await self.lobbies.here(interaction)).id, hands)

        await attend(interaction, work)

    async def spectators_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Another choice from the menu."""
        await attend(interaction, lambda: self._choose(interaction, press.game, values[0]))

    async def _choose(self, interaction: Interaction, game_id: int, hands: str) -> None:
        """Set it, if anything is said; tell those who sit there when it is switched on; show what is chosen."""
        store, game = self.tables.store, await self.lobbies.lobby(game_id)
        if hands:
            in_charge_only(game, interaction)
            before = await store.open_hands(game_id)
            behind = None if hands in (NEVER, AFTER) else int(hands)
            await store.set_open_hands(game_id, hands != NEVER, behind)
            await self.lobbies.redraw(game)
            if hands not in (NEVER, AFTER) and before != (True, behind) and game.channel_id is not None:
                people = tuple(m.user_id for m in await store.members(game_id) if m.user_id is not None)
                mentions = " ".join(f"<@{user_id}>" for user_id in people)
                warning = f"{mentions} {say('hands.warning', n=behind)}".strip()
                await self.tables.sender.post(game_id, game.channel_id, "hands", Saying(warning, pings=people))
        text = hands_text(*await store.open_hands(game_id)) or say("hands.off")
        entries = [discord.SelectOption(label=choice.name, value=str(choice.value)) for choice in SHOWN]
        listed = menu(Press(game_id, 0, 0, "spectators"), entries, placeholder=say("hands.choose"))
        await show(interaction, text_panel(text, None, [ui.ActionRow(listed)]))


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", SpectatorsCog(bot))
    await add_under(bot, "game", HandsCog(bot))
