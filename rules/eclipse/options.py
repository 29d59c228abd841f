"""What may be agreed before the game."""

from typing import Literal

import msgspec

from .components import SPECIES, Species


class Options(msgspec.Struct, frozen=True):
    """`species`: which take part; the rulebook advises against Draco and Planta with two players. `choice`: players
    choose theirs in turn, or chance deals them out."""

    species: Literal["all", "terrans", "no_draco_planta"] = "all"
    choice: Literal["free", "random"] = "free"

    @property
    def taking_part(self) -> list[Species]:
        """The species in the game."""
        if self.species == "terrans":
            return [species for species in SPECIES.values() if species.kind == "terran"]
        out = () if self.species == "all" else ("descendants_of_draco", "planta")
        return [species for species in SPECIES.values() if species.id not in out]
