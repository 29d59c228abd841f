"""Plays games as people would: by what stands on their screens, and by nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from .client import Entry, Message, Outcome, Person, SandboxClient, SandboxError, Select
from .processes import Stalled

PRESS = re.compile(r"t:(?P<game>\d+):(?P<seat>\d+):(?P<number>\d+):(?P<verb>[a-z]+):(?P<arg>\S*)")
MENTION = re.compile(r"<@(\d+)>")
BOUNDS = re.compile(r"Choose (?:exactly|\d+ to) (\d+); you chose (\d+)")
ANSWERS = ("answer", "menu", "all", "none", "add", "done")
UNFIT = (
    "There is no running game in this channel",
    "is played in this channel",
    "You are asked something else",
    "not among the choices",
    "too far ahead",
    "has to be chosen before",
    "nothing more to choose",
    "-# Rulebook: ",
)
"""What is answered to a command that does not fit now."""
EVERY_GAMES = ("game", "table", "my", "stats", "admin")
"""The groups of commands that belong to no game."""
Parameters = Mapping[str, Sequence[str]]
"""A command's parameters, and what may be chosen for each; nothing: what its autocomplete offers."""
RELUCTANT = ("surrender", "back")
PATIENCE = 60
"""How often each person declines what is in RELUCTANT before it is as good as anything else."""
STALL_SECONDS = 60.0
RETRY_SECONDS = 3.0
DRAFT_PRESSES = 60
REFUSALS = re.compile(
    "That choice is gone|could not be saved|has moved on meanwhile|Sorry|not among the choices|asked something else"
    "|game is over|you chose|not running|does not open|That is for|not asked anything|Chosen so far"
)
"""What the bot says when a press did not answer."""


class Way(NamedTuple):
    """Something that could be pressed or chosen: on which message, what, and with which values."""

    message: Message
    custom_id: str
    verb: str
    arg: str
    select: Select | None = None


class Given(NamedTuple):
    """An answer that was pressed: by which interaction, and whether the bot said that it counts."""

    interaction: int
    seat: int
    confirmed: bool


class Changed(Exception):
    """What was to be pressed is not there any more: somebody was quicker."""


@dataclass
class GameDriver:
    """One game, all of its people played by one driver with its own dice."""

    client: SandboxClient
    people: Sequence[Person]
    rng: random.Random
    by: str = "buttons"
    pace: float = 0.0
    decisions: int = 0
    interactions: int = 0
    errors: list[str] = field(default_factory=list)
    ack_ms: list[float] = field(default_factory=list)
    game: int = 0
    thread: str = ""
    finished: bool = False
    stall_seconds: float = STALL_SECONDS
    retry_seconds: float = RETRY_SECONDS
    bots: int = 0
    """How many bot players to seat."""
    tolerant: bool = False
    """The bot may be away: what it does not answer is no error, and is tried again."""
    unanswered: int = 0
    there: asyncio.Event | None = None
    """Set while the bot is known to be there."""
    given: list[Given] = field(default_factory=list)
    _cursor: int | None = None
    _messages: dict[str, Message] = field(default_factory=dict)
    _group: str = ""
    _patience: dict[str, int] = field(default_factory=dict)

    # ---------------------------------------------------------------- before the game

    async def create(self, key: str, channel: str = "games", options: Mapping[str, str] | None = None) -> None:
        """Open the game in a channel, seat everybody and start it."""
        host = self.people[0]
        self._cursor, _ = await host.wait(None, 0)
        self.thread = await self._opened(host, key, channel)
        for name, value in (options or {}).items():
            await self._did(host.command("game options", channel=self.thread, finish=10, name=name, value=value))
        for person in self.people:
            await self._insist(person, "join", partial(self._joined, person))
        if self.bots:
            await self._did(host.command("game bots", channel=self.thread, finish=10, count=self.bots))
        await self._insist(host, "start", self._started)

    async def _opened(self, host: Person, key: str, channel: str) -> str:
        """The thread of the new game."""
        deadline = time.monotonic() + self.stall_seconds
        while True:
            try:
                made = await self._did(host.command("game create", game=key, channel=channel, finish=10))
                found = re.search(r"<#(\d+)>", made.reply.text)
                if found is not None:
                    return found[1]
                raise Changed
            except (Changed, LookupError) as error:
                if not self.tolerant or time.monotonic() > deadline:
                    raise Stalled("no game was opened") from error
                await asyncio.sleep(0.2)

    async def _insist(self, person: Person, verb: str, done: Callable[[], bool]) -> None:
        """Press the lobby's button (or run the command) until it has worked."""
        deadline = time.monotonic() + self.stall_seconds
        while not done():
            if time.monotonic() > deadline:
                raise Stalled(f"{person.name} cannot {verb}")
            with contextlib.suppress(Changed):
                if self.by == "slash":
                    await self._did(person.command(f"game {verb}", channel=self.thread, finish=10))
                elif (way := self._panel(f"lobby{verb}")) is not None:
                    await self._press(person, way)
                else:
                    await self._look(0.2)
                    continue
            until = time.monotonic() + self.retry_seconds
            while not done() and time.monotonic() < until:
                await self._look(0.2)

    def _joined(self, person: Person) -> bool:
        """Whether the join panel names the person in a seat; the host stands in its second line in any case."""
        panels = [m for m in self._messages.values() if any(w.verb.startswith("lobby") for w in ways(m))]
        return any(person.id in MENTION.findall(line) for m in panels for line in m.text.splitlines()[2:])

    def _started(self) -> bool:
        return self.finished or self._turn() is not None

    def _panel(self, verb: str) -> Way | None:
        """The join panel's button, if it can be pressed."""
        return next((way for message in self._messages.values() for way in ways(message) if way.verb == verb), None)

    # ---------------------------------------------------------------- the game

    async def run(self, most: int | None = None) -> None:
        """Answer whatever is asked until the game is over (or `most` decisions are made)."""
        seen: tuple[str, int] | None = None
        moved, tried = time.monotonic(), 0.0
        while not self.finished and (most is None or self.decisions < most):
            turn, now = self._turn(), time.monotonic()
            fresh = turn is not None and (turn.id, turn.version) != seen
            if turn is not None and (fresh or now - tried > self.retry_seconds):
                seen, tried = (turn.id, turn.version), now
                moved = now if fresh else moved
                for person in self._asked(turn):
                    with contextlib.suppress(Changed):
                        await self._answer(person, turn)
            elif not await self._look(1.0) and now - moved > self.stall_seconds:
                raise Stalled(f"game {self.game} stalls: {turn.text if turn else 'no turn'}")

    def _turn(self) -> Message | None:
        """The open turn message: the newest one with a table's buttons."""
        found = [m for m in self._messages.values() if any(w.verb in (*ANSWERS, "open", "hand") for w in ways(m))]
        turns = [m for m in found if m.images or "```" in m.text]
        return max(turns, key=lambda m: int(m.id), default=None)

    def _asked(self, turn: Message) -> list[Person]:
        """Whom the turn message says it waits for: its last text names them."""
        texts = [line for line in turn.text.splitlines() if line.strip()]
        asked = MENTION.findall(texts[-1]) if texts else []
        return [person for person in self.people if person.id in asked]

    async def _answer(self, person: Person, turn: Message) -> None:
        await asyncio.sleep(self.pace)
        if self.there is not None:
            await self.there.wait()
        if self.by == "slash":
            await self._by_slash(person)
            return
        seat = self.people.index(person)
        here = [w for w in ways(turn) if w.verb in ANSWERS and seat_of(w.custom_id) == seat]
        if here:
            outcome = await self._choose(person, here)
            shown = outcome.followups[-1] if outcome.followups else None
        else:
            opening = next((w for w in ways(turn) if w.verb == "open"), None)
            if opening is None:
                return
            shown = (await self._press(person, opening, finish=10)).message
        await self._private(person, seat, shown)

    async def _private(self, person: Person, seat: int, shown: Message | None) -> None:
        """Go on in the private panel as long as it asks something new."""
        number = -1
        for _ in range(DRAFT_PRESSES):
            if shown is None or not shown.ephemeral:
                return
            here = [w for w in ways(shown) if w.verb in ANSWERS and seat_of(w.custom_id) == seat]
            asked = max((number_of(w.custom_id) for w in here), default=-1)
            drafting = any(w.verb in ("add", "done") for w in here)
            if asked < 0 or (asked == number and not drafting) or "Your answer for now" in shown.text:
                return
            number = asked
            outcome = await self._choose(person, here)
            shown = outcome.message or (outcome.followups[-1] if outcome.followups else None)

    async def _choose(self, person: Person, here: Sequence[Way]) -> Outcome:
        """One of the ways, at random, with some reluctance."""
        done = [w for w in here if w.verb == "done"]
        adding = [w for w in here if w.verb == "add"]
        way = done[0] if done and not adding else self.rng.choice([w for w in here if w.verb != "done"] or list(here))
        patience = self._patience.get(person.id, 0)
        while way.arg in RELUCTANT and patience < PATIENCE and len(here) > 1:
            patience += 1
            way = self.rng.choice(here)
        self._patience[person.id] = patience
        values: list[str] = []
        if way.select is not None:
            options = [o.value for o in way.select.options]
            least, most = way.select.min_values, min(way.select.max_values, len(options))
            values = self.rng.sample(options, self.rng.randint(least, most))
        if way.verb not in ("add",):
            self.decisions += 1
        outcome = await self._press(person, way, values, finish=5 if way.message.ephemeral else 0.0)
        if way.verb != "add":
            counts = outcome.done and not REFUSALS.search(" ".join(said.text for said in answers_of(outcome)))
            self.given.append(Given(int(outcome.interaction_id), seat_of(way.custom_id), bool(counts)))
        return outcome

    async def _press(self, person: Person, way: Way, values: Sequence[str] = (), finish: float = 0.0) -> Outcome:
        if way.select is not None:
            return await self._did(person.choose(way.message.id, way.custom_id, values, finish=finish))
        return await self._did(person.press(way.message.id, way.custom_id, finish=finish))

    async def _did(self, doing: object) -> Outcome:
        """Count an interaction, and note when it was not answered."""
        try:
            outcome: Outcome = await doing  # type: ignore[misc]
        except SandboxError as error:
            if error.status != 409:
                raise
            raise Changed from error
        self.interactions += 1
        if outcome.ack_ms is not None:
            self.ack_ms.append(outcome.ack_ms)
        if outcome.error and self.tolerant:
            self.unanswered += 1
        elif outcome.error:
            self.errors.append(outcome.error)
        return outcome

    # ---------------------------------------------------------------- by slash commands

    async def _by_slash(self, person: Person) -> None:
        """The game's own commands in random order, as long as the replies ask for more; else `/table answer`."""
        for _ in range(DRAFT_PRESSES):
            shown = await self._one_command(person)
            if shown is None or "Your answer for now" in shown.text:
                return
            seat = self.people.index(person)
            if not any(w.verb in ANSWERS and seat_of(w.custom_id) == seat for w in ways(shown)):
                return

    async def _one_command(self, person: Person) -> Message | None:
        """The reply of the first command that fits; None when none does."""
        for command, parameters in await self._commands(person):
            if command.split()[-1] in RELUCTANT and self._patience.get(person.id, 0) < PATIENCE:
                self._patience[person.id] = self._patience.get(person.id, 0) + 1
                continue
            reply = await self._try(person, command, parameters)
            if reply is not None:
                self._group = command.split()[0]
                return reply
        return await self._try(person, "table answer", {"choice": []})

    async def _commands(self, person: Person) -> list[tuple[str, Parameters]]:
        """The game's own commands whose parameters all show what fits; others decide nothing."""
        found: list[tuple[str, Parameters]] = []
        for command in await person.commands(self.thread):
            if command["name"] in EVERY_GAMES or self._group not in ("", command["name"]):
                continue
            for sub in command.get("options") or ():
                options = sub.get("options") or ()
                if sub["type"] == 1 and all(o.get("autocomplete") or o.get("choices") for o in options):
                    choices = {o["name"]: [str(c["value"]) for c in o.get("choices") or ()] for o in options}
                    found.append((f"{command['name']} {sub['name']}", choices))
        self.rng.shuffle(found)
        return found

    async def _try(self, person: Person, command: str, parameters: Parameters) -> Message | None:
        """Fill the command in from its autocomplete and run it; its reply. None when it does not fit now."""
        given: dict[str, str] = {}
        for parameter, fixed in parameters.items():
            value = self.rng.choice(fixed) if fixed else await self._fill(person, command, given, parameter, "")
            if value is None:
                continue
            given[parameter] = value
        if parameters and not any(name in given for name, fixed in parameters.items() if not fixed):
            return None
        for _ in range(DRAFT_PRESSES):
            outcome = await self._did(person.command(command, channel=self.thread, finish=10, given=given))
            text = outcome.reply.text
            bounds = BOUNDS.search(text)
            if bounds is None:
                fits = not any(refusal in text for refusal in UNFIT)
                self.decisions += fits
                return outcome.reply if fits else None
            if int(bounds[2]) > int(bounds[1]):
                return None
            last = list(given)[-1]
            longer = await self._fill(person, command, {k: v for k, v in given.items() if k != last}, last, given[last])
            if longer is None:
                return None
            given[last] = longer
        return None

    async def _fill(
        self, person: Person, command: str, given: Mapping[str, str], parameter: str, so_far: str
    ) -> str | None:
        """What autocomplete offers for the parameter, one of it at random; longer than `so_far` if that is given."""
        for joint in ("", ">", "+") if not so_far else (">", "+"):
            typed = so_far + joint if so_far else ""
            offered = await self._did(
                person.autocomplete(command, {**given, parameter: typed}, parameter, channel=self.thread)
            )
            values = [str(choice.value) for choice in offered.choices if str(choice.value) not in RELUCTANT]
            values = [value for value in values if not so_far or parts(value) > parts(so_far)]
            if values:
                return self.rng.choice(values)
            if not so_far:
                every = [str(choice.value) for choice in offered.choices]
                return self.rng.choice(every) if every else None
        return None

    # ---------------------------------------------------------------- looking

    async def _look(self, timeout: float) -> bool:  # noqa: ASYNC109
        """Take in what is new in the thread; whether there was anything."""
        self._cursor, entries = await self.people[0].wait(self._cursor, timeout, channel=self.thread)
        for entry in entries:
            self.take(entry)
        return bool(entries)

    def take(self, entry: Entry) -> None:
        """Take in what is new in the thread."""
        message = entry.message
        if message is None:
            return
        if entry.kind == "delete":
            self._messages.pop(message.id, None)
            return
        self._messages[message.id] = message
        for way in ways(message):
            self.game = self.game or int(PRESS.match(way.custom_id)["game"])  # type: ignore[index]
        if any(a["filename"].startswith("game-") for a in message.raw["attachments"]):
            self.finished = True


def answers_of(outcome: Outcome) -> list[Message]:
    """What the bot said to an interaction, to that person alone."""
    shown = [outcome.message] if outcome.message is not None and outcome.message.ephemeral else []
    return [*shown, *outcome.followups]


def ways(message: Message) -> list[Way]:
    """Everything on the message that can be pressed or chosen and is one of our own."""
    found = []
    for button in message.buttons:
        match = PRESS.match(button.custom_id)
        if match and not button.disabled:
            found.append(Way(message, button.custom_id, match["verb"], match["arg"]))
    for select in message.selects:
        match = PRESS.match(select.custom_id)
        if match and not select.disabled:
            found.append(Way(message, select.custom_id, match["verb"], match["arg"], select))
    return found


def parts(answer: str) -> int:
    """How many options a written answer names."""
    return len(re.split("[+>]", answer))


def seat_of(custom_id: str) -> int:
    """The seat a custom id is for."""
    match = PRESS.match(custom_id)
    return int(match["seat"]) if match else -1


def number_of(custom_id: str) -> int:
    """The question number a custom id is for."""
    match = PRESS.match(custom_id)
    return int(match["number"]) if match else -1
