"""Events: what happened, as data. Logs, channel texts, DMs and the undo barrier derive from them."""

import msgspec

from .questions import Arg


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """`kind` is a words key; `audience` None means everyone, else only these seats. `owner`: whose hidden information
    was shown by it. `drawn`: chance was drawn on the way to it. `places`: board places that changed."""

    kind: str
    args: dict[str, Arg] = {}
    audience: tuple[int, ...] | None = None
    owner: int | None = None
    drawn: bool = False
    places: tuple[str, ...] = ()

    def seen_by(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) may know of it."""
        return self.audience is None or seat in self.audience
