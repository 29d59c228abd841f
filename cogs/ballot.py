"""A vote of the table as it stands: who may vote, the count, and its message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import discord
from discord import ui

import db

from .forms import Item, rows_of
from .items import Press, button
from .live import Live
from .panels import text_panel
from .texts import say


def may_vote(live: Live, besides: Iterable[int] = ()) -> tuple[int, ...]:
    """The seats of people, without those."""
    return tuple(seat for seat in live.members if not live.is_bot(seat) and seat not in besides)


def majority(voters: int) -> int:
    """More than half."""
    return voters // 2 + 1


class Count(NamedTuple):
    """How a vote stands among those who still sit there: for, against, and how many it takes."""

    ayes: tuple[int, ...]
    nays: tuple[int, ...]
    missing: tuple[int, ...]
    needed: int

    @classmethod
    def of(cls, live: Live, vote: db.Vote) -> Count:
        """Seats that a bot player has taken over count no more."""
        voters = [seat for seat in vote.voters if not live.is_bot(seat)]
        ayes, nays = (tuple(seat for seat in side if seat in voters) for side in (vote.ayes, vote.nays))
        missing = tuple(seat for seat in voters if seat not in (*ayes, *nays))
        return cls(ayes, nays, missing, majority(len(voters)))

    @property
    def verdict(self) -> bool | None:
        """Whether it has passed; None while that is open."""
        if len(self.ayes) >= self.needed:
            return True
        return False if len(self.ayes) + len(self.missing) < self.needed else None


def vote_panel(live: Live, vote: db.Vote, marker: int) -> tuple[ui.LayoutView, tuple[int, ...]]:
    """A vote as it stands, and the seats that have not voted."""
    count = Count.of(live, vote)
    text = [
        live.words.say(f"vote.{vote.kind}.ask", vote.subject),
        say("vote.count", ayes=len(count.ayes), nays=len(count.nays), needed=count.needed),
        say("vote.missing", seats=", ".join(map(live.mention, count.missing)), ends=f"<t:{vote.expires_ms // 1000}:R>"),
    ]
    buttons: list[Item] = [
        button(Press(live.id, 0, vote.id, "voteaye"), say("button.voteaye"), discord.ButtonStyle.success),
        button(Press(live.id, 0, vote.id, "votenay"), say("button.votenay"), discord.ButtonStyle.danger),
    ]
    return text_panel("\n".join(text), marker, rows_of(buttons)), count.missing
