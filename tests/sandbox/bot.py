"""An ordinary discord.py bot with one of everything, for the sandbox's tests."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
from typing import Any

import discord
from discord import app_commands, ui
from PIL import Image

from sandbox.connect import TOKEN, redirect


def picture(name: str = "board.png", colour: str = "red") -> discord.File:
    """A small PNG."""
    data = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(data, "PNG")
    data.seek(0)
    return discord.File(data, name, description="a board")


class Act(ui.DynamicItem[ui.Button[Any]], template=r"act:(?P<what>\w+):(?P<game>\d+)"):
    """A button that survives restarts."""

    def __init__(self, what: str, game: int) -> None:
        super().__init__(ui.Button(label=what, custom_id=f"act:{what}:{game}"))
        self.what, self.game = what, game

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str]) -> Act:
        return cls(match["what"], int(match["game"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await getattr(self, "do_" + self.what)(interaction)

    async def do_move(self, i: discord.Interaction[Any]) -> None:
        await i.response.edit_message(
            view=board(f"moved by {i.user.display_name} pid={os.getpid()}"), attachments=[picture()]
        )

    async def do_hand(self, i: discord.Interaction[Any]) -> None:
        await i.response.send_message(f"hand of {i.user.display_name}", ephemeral=True)

    async def do_modal(self, i: discord.Interaction[Any]) -> None:
        await i.response.send_modal(Order())

    async def do_panel(self, i: discord.Interaction[Any]) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(Act("flip", 7), Act("modal", 7)))
        await i.response.send_message(view=view, ephemeral=True)

    async def do_flip(self, i: discord.Interaction[Any]) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay("flipped"))
        assert i.message is not None
        assert i.message.flags.ephemeral
        await i.response.edit_message(view=view)

    async def do_late(self, i: discord.Interaction[Any]) -> None:
        await i.response.defer()
        await asyncio.sleep(0.1)
        await i.followup.send("followed", ephemeral=True)

    async def do_mute(self, i: discord.Interaction[Any]) -> None:
        """Never answers."""


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"pick:(?P<game>\d+)"):
    """A select that survives restarts."""

    def __init__(self, game: int) -> None:
        options = [discord.SelectOption(label=f"Ship {n}", value=f"s{n}") for n in range(4)]
        super().__init__(ui.Select(custom_id=f"pick:{game}", options=options, min_values=1, max_values=2))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str]) -> Pick:
        return cls(int(match["game"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"picked {self.item.values}", ephemeral=True)


class WhoSelect(ui.UserSelect[Any]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"whom {[u.display_name for u in self.values]}", ephemeral=True)


class WhereSelect(ui.ChannelSelect[Any]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"where {[c.name for c in self.values]}", ephemeral=True)


class Selects(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(WhoSelect(custom_id="who", max_values=2))
        self.add_item(WhereSelect(custom_id="where", channel_types=[discord.ChannelType.text]))


class Order(ui.Modal, title="Order"):
    def __init__(self) -> None:
        super().__init__(custom_id="order", timeout=None)

    kind: Any = ui.Label(
        text="Kind", component=ui.Select(custom_id="kind", options=[discord.SelectOption(label=x) for x in "xyz"])
    )
    file: Any = ui.Label(text="Save file", component=ui.FileUpload(custom_id="file", required=False))
    note: Any = ui.Label(text="Note", component=ui.TextInput(custom_id="note", required=False, max_length=10))

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        files = [f.filename for f in self.file.component.values]
        text = f"{self.kind.component.values} {files} {self.note.component.value}"
        await interaction.response.send_message(text, ephemeral=True)


class OldModal(ui.Modal, title="Old"):
    text: Any = ui.TextInput(label="Words", custom_id="words", min_length=2)

    def __init__(self) -> None:
        super().__init__(custom_id="old", timeout=None)

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"words {self.text.value}")


def board(words: str = "# Turn 3") -> ui.LayoutView:
    """A Components V2 message with a picture, buttons and a select."""
    view = ui.LayoutView(timeout=None)
    buttons: ui.ActionRow[Any] = ui.ActionRow(*[Act(what, 7) for what in ("move", "hand", "modal", "late", "mute")])
    view.add_item(
        ui.Container(
            ui.TextDisplay(words),
            ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="the board")),
            ui.Separator(),
            buttons,
            ui.ActionRow(Pick(7)),
            ui.ActionRow(Act("panel", 7)),
        )
    )
    return view


game = app_commands.Group(name="game", description="games")


@game.command(name="create", description="create a game")
async def create(i: discord.Interaction[Any], title: str, seats: app_commands.Range[int, 2, 6] = 4) -> None:
    await i.response.send_message(f"{title} for {seats} by {i.user.mention} ctx={i.context}")


@create.autocomplete("title")
async def titles(i: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=x.title(), value=x) for x in ("eclipse", "throne", "empire") if current in x]


@game.command(name="number", description="autocompletes a number")
async def number(i: discord.Interaction[Any], n: int) -> None:
    await i.response.send_message(str(n))


@number.autocomplete("n")
async def numbers(i: discord.Interaction[Any], current: str) -> list[app_commands.Choice[Any]]:
    return [app_commands.Choice(name="wrong", value="text" if str(current) == "bad" else 5)]


@game.command(name="board", description="the board")
async def show(i: discord.Interaction[Any]) -> None:
    await i.response.send_message(view=board(), file=picture())


@game.command(name="slow", description="defers")
async def slow(i: discord.Interaction[Any], hidden: bool = False) -> None:
    await i.response.defer(thinking=True, ephemeral=hidden)
    await asyncio.sleep(0.05)
    await i.edit_original_response(content="done", attachments=[picture(colour="green")])
    await i.followup.send("secret", ephemeral=True)


@game.command(name="invite", description="direct message")
async def invite(i: discord.Interaction[Any], who: discord.Member, where: discord.TextChannel | None = None) -> None:
    await i.response.defer(ephemeral=True)
    try:
        await who.send(f"come to {where}")
        text = f"sent to {who.display_name} in {where}"
    except discord.HTTPException as error:
        text = f"{error.status} {error.code}"
    await i.followup.send(text)


@game.command(name="selects", description="entity selects")
async def selects(i: discord.Interaction[Any]) -> None:
    await i.response.send_message("choose", view=Selects())


@game.command(name="old", description="a modal of the old kind")
async def old(i: discord.Interaction[Any]) -> None:
    await i.response.send_modal(OldModal())


@game.command(name="late", description="answers too late")
async def late(i: discord.Interaction[Any], seconds: float) -> None:
    """Answers after so many seconds at most, or when the bot is told to go on."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(i.client.go_on.wait(), seconds)
    try:
        await i.response.send_message("late")
        result = "ok"
    except discord.HTTPException as error:
        result = f"{error.status} {error.code}"
    await i.client.results.put(result)


@app_commands.context_menu(name="Inspect")
async def inspect(i: discord.Interaction[Any], message: discord.Message) -> None:
    await i.response.send_message(f"about {message.id}", ephemeral=True)


class Bot(discord.Client):
    """The bot; `results` is where commands leave what the tests look at, `go_on` what some of them wait for."""

    def __init__(self, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(intents=intents or discord.Intents(guilds=True), guild_ready_timeout=0.05, **options)
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(game)
        self.tree.add_command(inspect)
        self.results: asyncio.Queue[str] = asyncio.Queue()
        self.go_on = asyncio.Event()
        self.events: list[tuple[str, Any]] = []
        self.resumed = asyncio.Event()

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Act, Pick)
        self.add_view(Selects())
        self.add_view(Order())  # type: ignore[arg-type]
        self.add_view(OldModal())  # type: ignore[arg-type]
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        self.events.append(("message", message))

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        self.events.append(("thread_update", after))

    async def on_resumed(self) -> None:
        self.resumed.set()

    @property
    def table(self) -> discord.Guild:
        return self.guilds[0]

    def place(self, name: str) -> discord.TextChannel:
        """A text channel by name."""
        return next(c for c in self.table.text_channels if c.name == name)


if __name__ == "__main__":
    redirect(os.environ["DISCORD_SANDBOX"])
    Bot().run(TOKEN, log_handler=None)
