"""What may be agreed before the game."""

from typing import Annotated, Literal

import msgspec

from .components import RACES


class Options(msgspec.Struct, frozen=True):
    """`races`: all thirteen, or only those whose powers are documented. `round_limit`: a house rule, 0 means none."""

    races: Literal["all", "documented"] = "all"
    round_limit: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0

    @property
    def race_cards(self) -> list[str]:
        """The race cards in the game."""
        return [race.id for race in RACES.values() if self.races == "all" or not race.reconstructed]
