"""What a viewer may know of a game of Throne of the World. Card figures are in `components`, texts in words.toml.

Words: `card.<card id>`, `card_text.<card id>`, `race.<race>`, `race_text.<race>`, `power.<power>`,
`power_text.<power>`, `profession.<profession>`, `victory.<victory>`. A unit card's id is its profession's.
"""

import msgspec


class CardView(msgspec.Struct, frozen=True):
    """A card the viewer may see. `kind`: unit, general, double or skill. `profession`: of a unit or a double action;
    `excluded`: the professions marked X on a general action."""

    id: str
    kind: str
    profession: str = ""
    excluded: tuple[str, ...] = ()


class SetView(msgspec.Struct, frozen=True):
    """A seat's units of one profession. `units`: real units in play; `virtual`: units that are not cards; `complete`: how
    many (both together) make it complete; `efficiency`: what one activation gives now (coins, damage or demands, race
    powers included); `tolerance`: of each unit here; `acted`: it was activated this turn."""

    profession: str
    units: int
    virtual: int
    complete: int
    efficiency: int
    tolerance: int
    acted: bool

    @property
    def is_complete(self) -> bool:
        """Whether the set is complete."""
        return self.units + self.virtual >= self.complete


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `race`: "" until all are revealed; `reconstructed`: the race's powers are our own; `powers`: their ids;
    `used`: those used this turn that have a limit a turn; `team` 0, 1, ...; `money`: the team's; `sets`: all seven
    professions in a fixed order; `units`: real units in play; `cards`: in hand; `points`: action points left."""

    seat: int
    colour: str
    team: int
    race: str
    reconstructed: bool
    powers: tuple[str, ...]
    used: tuple[str, ...]
    money: int
    sets: tuple[SetView, ...]
    units: int
    cards: int
    points: int
    playing: bool


class AttackView(msgspec.Struct, frozen=True):
    """The attack being settled. `source`: the attacking profession, or the power. `damage`: after all modifiers;
    `returned`: professions of units sent back to hand so far; `tolerance`: what these counted for together; `coins`: paid
    so far; `missing`: what is still to be settled."""

    attacker: int
    victim: int
    source: str
    damage: int
    returned: tuple[str, ...]
    tolerance: int
    coins: int
    missing: int


class DemandView(msgspec.Struct, frozen=True):
    """A Royal Family's demand that the victim is to answer; `left`: demands of this activation after it."""

    attacker: int
    victim: int
    left: int


class View(msgspec.Struct, frozen=True):
    """The whole table for one viewer. `viewer` None: a spectator, whose `hand` and `draft` are empty. `phase`: draft, mode
    (phase 1), play (2), payment (3), discard (4), or over. `draft`: the races the viewer may choose from. `card`: the
    action or skill card being resolved, "" for none. `skills`: types of skill card played this turn; `harvest`: no units
    need be paid this turn. `teams`: whether it is a game of two teams. `victory`: money, sets, professions, last or
    round_limit."""

    viewer: int | None
    teams: bool
    phase: str
    round: int
    first: int | None
    active: int | None
    seats: tuple[SeatView, ...]
    area: tuple[CardView, ...]
    deck: int
    discards: tuple[CardView, ...]
    hand: tuple[CardView, ...]
    draft: tuple[str, ...]
    card: str
    skills: tuple[str, ...]
    harvest: bool
    attack: AttackView | None
    demand: DemandView | None
    winners: tuple[int, ...]
    victory: str
