"""`/my settings` and `/my games`: a person's own settings, and all games he sits in, in whatever server."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Final, get_args

import discord
from discord import app_commands, ui
from discord.ext import commands
from msgspec.structs import replace

import db

from .base import TablesCog
from .errors import Refused
from .groups import add_under
from .hours import DAY_MS, local_date, midnight, read_sleep, write_sleep, zones
from .items import Interaction, Press, button, menu, verbs
from .live import Live
from .lobby_panels import title_of
from .panels import link_to, text_panel
from .people import Person, Ping, Remind
from .replies import ask_in_modal, attend, show, tell
from .texts import cut, plain, say

NONE: Final = ("none", "-", "no", "off")
PINGS: Final[tuple[str, ...]] = get_args(Ping)
REMINDS: Final[tuple[str, ...]] = get_args(Remind)


def choices_of(group: str, names: Sequence[str]) -> list[app_commands.Choice[str]]:
    """Names with their words, as choices."""
    return [app_commands.Choice(name=say(f"{group}.{name}"), value=name) for name in names]


class SettingsCog(TablesCog):
    """`/my settings` and `/my games`."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        for verb in ("myping", "myremind", "mynext"):
            verbs[verb] = self.pick_press
        verbs["myhours"] = verbs["myvacation"] = self.modal_press

    # ---------------------------------------------------------------- settings

    @app_commands.command(
        name="settings", description="Show or change your settings: pings, reminders, sleep, vacation"
    )
    @app_commands.describe(
        ping="How you want to be told that you are asked",
        next="Tell me when I am next",
        remind="When to remind you before a deadline",
        zone="Your time zone, such as Europe/Berlin",
        sleep="When you sleep, such as 23:00-07:00; none: never",
        vacation_from="First day of your vacation, such as 2026-12-20; today if left out",
        vacation_until="Last day of your vacation; none: you are back",
    )
    @app_commands.choices(ping=choices_of("my_ping", PINGS), remind=choices_of("my_remind", REMINDS))
    async def settings(
        self,
        interaction: Interaction,
        ping: str = "",
        next: bool | None = None,
        remind: str = "",
        zone: str = "",
        sleep: str = "",
        vacation_from: str = "",
        vacation_until: str = "",
    ) -> None:
        def change(person: Person) -> Person:
            given = {"ping": ping, "remind": remind, "next": next}
            person = replace(person, **{name: value for name, value in given.items() if value not in ("", None)})
            person = self.with_hours(person, zone, sleep)
            return self.with_vacation(person, vacation_from, vacation_until)

        await attend(interaction, lambda: self.update(interaction, change))

    @settings.autocomplete("zone")
    async def zone_names(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Time zones with that in their name."""
        typed = current.strip().lower().replace(" ", "_")
        return [app_commands.Choice(name=zone, value=zone) for zone in zones() if typed in zone.lower()][:25]

    async def update(self, interaction: Interaction, change: Callable[[Person], Person]) -> None:
        """Change the person's settings and show them."""
        user = interaction.user.id
        was = await self.tables.people.of(user)
        person = change(was)
        if person != was:
            await self.tables.deadlines.set_person(user, person)
        await show(interaction, self.panel(person))

    def with_hours(self, person: Person, zone: str, sleep: str) -> Person:
        """The person with that time zone and those nights, as far as they are given."""
        if zone:
            named = {name.lower(): name for name in zones()}.get(zone.strip().lower().replace(" ", "_"))
            if named is None:
                raise Refused(say("settings.no_zone", zone=plain(zone)))
            person = replace(person, zone=named)
        if not sleep:
            return person
        if sleep.strip().lower() in NONE:
            return replace(person, sleep=None)
        try:
            return replace(person, sleep=read_sleep(sleep))
        except ValueError:
            raise Refused(say("settings.no_sleep", sleep=plain(sleep))) from None

    def with_vacation(self, person: Person, first: str, last: str) -> Person:
        """The person with that vacation, as far as it is given. Vacations are bounded, so that no table waits for ever."""
        now = self.tables.clock.now_ms()
        if not last:
            if first:
                raise Refused(say("settings.no_end"))
            return person
        if last.strip().lower() in NONE:
            return person.away_for(None, now)
        try:
            begin = midnight(person.zone, datetime.date.fromisoformat(first.strip())) if first else now
            end = midnight(person.zone, datetime.date.fromisoformat(last.strip()) + datetime.timedelta(days=1))
        except (ValueError, OverflowError):
            raise Refused(say("settings.no_date")) from None
        begin = max(begin, now)
        if end <= begin:
            raise Refused(say("settings.no_span"))
        away = person.away_for((begin, end), now)
        most = self.tables.config.time.vacation_days
        if begin - now > 365 * DAY_MS or away.days_away(now) > most:
            raise Refused(
                say(
                    "settings.too_long",
                    most=f"{most:g}",
                    left=f"{max(0.0, most - person.away_for(None, now).days_away(now)):.0f}",
                )
            )
        return away

    def panel(self, person: Person) -> ui.LayoutView:
        """The person's settings, with what changes them."""
        now = self.tables.clock.now_ms()
        span = person.vacation(now)
        away = say("settings.never")
        if span is not None:
            days = (local_date(person.zone, span[0]), local_date(person.zone, span[1] - 1))
            away = say("settings.from_until", first=days[0].isoformat(), last=days[1].isoformat())
        text = say(
            "settings.panel",
            ping=say(f"my_ping.{person.ping}"),
            next=say("settings.yes" if person.next else "settings.no"),
            remind=say(f"my_remind.{person.remind}"),
            zone=person.zone,
            sleep=write_sleep(person.sleep) if person.sleep else say("settings.never"),
            vacation=away,
        )
        label = say("button.mynextoff" if person.next else "button.mynext")
        return text_panel(
            text,
            None,
            [
                ui.ActionRow(self._menu("myping", "my_ping", PINGS, person.ping)),
                ui.ActionRow(self._menu("myremind", "my_remind", REMINDS, person.remind)),
                ui.ActionRow(
                    button(Press(0, 0, 0, "mynext"), label),
                    button(Press(0, 0, 0, "myhours"), say("button.myhours")),
                    button(Press(0, 0, 0, "myvacation"), say("button.myvacation")),
                ),
            ],
        )

    def _menu(self, verb: str, group: str, names: Sequence[str], now: str) -> ui.Item[Any]:
        entries = [discord.SelectOption(label=say(f"{group}.{n}")[:100], value=n, default=n == now) for n in names]
        return menu(Press(0, 0, 0, verb), entries)

    async def pick_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A setting was picked."""

        def change(person: Person) -> Person:
            if press.verb == "mynext":
                return replace(person, next=not person.next)
            value: Any = values[0]
            return replace(person, ping=value) if press.verb == "myping" else replace(person, remind=value)

        await attend(interaction, lambda: self.update(interaction, change))

    async def modal_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Ask for what has to be written."""
        person = self.tables.people.known(interaction.user.id)
        if press.verb == "myhours":
            night = write_sleep(person.sleep) if person.sleep else ""
            fields = [("zone", "settings.zone", person.zone), ("sleep", "settings.sleep", night)]
        else:
            fields = [("from", "settings.first", ""), ("until", "settings.last", "")]
        await ask_in_modal(interaction, SettingsModal(press.verb, fields))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """A submitted setting; its custom id says which, so that it survives a restart."""
        data: Any = interaction.data or {}
        prefix, _, verb = data.get("custom_id", "").partition(":")
        if interaction.type is not discord.InteractionType.modal_submit or prefix != "my":
            return
        given = written(data["components"])

        def change(person: Person) -> Person:
            if verb == "myhours":
                return self.with_hours(person, given["zone"], given["sleep"] or NONE[0])
            return self.with_vacation(person, given["from"], given["until"] or NONE[0])

        await attend(interaction, lambda: self.update(interaction, change))

    # ---------------------------------------------------------------- games

    @app_commands.command(name="games", description="All games you sit in, in whatever server, and where you are asked")
    async def games(self, interaction: Interaction) -> None:
        async def work() -> None:
            user = interaction.user.id
            found = [
                game for status in ("running", "lobby") for game in await self.tables.store.games(status, user_id=user)
            ]
            asked = [game for game in found if self.is_asked(game, user)]
            lines = [self.line(game, user) for game in [*asked, *(game for game in found if game not in asked)]]
            kept = [
                live for live in self.tables.live.values() if any(m.kept_for == user for m in live.members.values())
            ]
            lines += [self.line(live.game, user, say("settings.kept")) for live in kept]
            await tell(interaction, cut("\n".join(reversed(lines))) if lines else say("settings.no_games"))

        await attend(interaction, work)

    def is_asked(self, game: db.Game, user: int) -> bool:
        """Whether the table waits for this person."""
        live = self.tables.live.get(game.id)
        seat = live.seat_of(user) if live else None
        return live is not None and seat in self.tables.deadlines.unanswered(live)

    def line(self, game: db.Game, user: int, how: str = "") -> str:
        """The game in a line: where it is, and (instead of `how`) whom it waits for until when."""
        guild = self.bot.get_guild(game.guild_id or 0)
        live = self.tables.live.get(game.id)
        if not how and live is None:
            how = say(f"status.{game.status}") if game.status == "lobby" else say("settings.broken")
        elif not how and live is not None:
            how = self.how(live, asked=self.is_asked(game, user))
        where = plain(guild.name) if guild is not None else say("settings.somewhere")
        link = link_to(game, game.channel_id or game.home_channel_id)
        return say("settings.game", game=game.id, title=title_of(game.key), server=where, how=how, link=link)

    def how(self, live: Live, *, asked: bool) -> str:
        """Whom the game waits for, and until when."""
        names = ", ".join(live.name(seat) for seat in live.table.asked)
        text = say("settings.asked") if asked else say("settings.waits", seats=names)
        due = live.timing.due_ms
        return text if due is None else f"{text}, {say('settings.until', due=f'<t:{due // 1000}:R>')}"


class SettingsModal(ui.Modal):
    """Asks for settings in writing. It is read in `on_interaction`, restarts or not."""

    def __init__(self, verb: str, asked: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(title=say(f"button.{verb}")[:45], timeout=None, custom_id=f"my:{verb}")
        for name, key, now in asked:
            field: ui.TextInput[Any] = ui.TextInput(custom_id=name, max_length=40, required=False, default=now or None)
            self.add_item(ui.Label(text=say(key), component=field))

    async def on_submit(self, interaction: Interaction) -> None:
        """See `SettingsCog.on_interaction`."""


def written(components: Any) -> dict[str, str]:
    """The texts of a submitted modal by their fields' names."""
    inner = [part.get("component") or part["components"][0] for part in components]
    return {part["custom_id"]: str(part.get("value") or "").strip() for part in inner}


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "my", SettingsCog(bot))
