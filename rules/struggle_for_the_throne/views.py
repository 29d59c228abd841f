"""What a viewer may know of a game of Struggle for the Throne. Board data (tiles, planets) are in `components`."""

import msgspec


class HouseView(msgspec.Struct, frozen=True):
    """One seat. `house`: its house id; `homes`: its home planets; `head`: the rank of its head of family, "" when out;
    `head_at`: the planet where the head stands, "" while one is chosen; `cards`: how many it holds; `controls_home`:
    see the home control option."""

    seat: int
    house: str
    homes: tuple[str, ...]
    head: str
    head_at: str
    cards: int
    flags_free: int
    playing: bool
    controls_home: bool
    units: dict[str, int]


class GroupView(msgspec.Struct, frozen=True):
    """All units of one seat on one planet: how many of each rank (only ranks that are there)."""

    planet: str
    seat: int
    units: dict[str, int]


class CombatView(msgspec.Struct, frozen=True):
    """One pair of a battle. Dice, totals and winner are empty (0, 0, None) until it is resolved."""

    attacker_unit: str
    defender_unit: str
    attacker_card: str = ""
    defender_card: str = ""
    attacker_dice: tuple[int, ...] = ()
    defender_dice: tuple[int, ...] = ()
    attacker_bonus: int = 0
    defender_bonus: int = 0
    winner: int | None = None


class BattleView(msgspec.Struct, frozen=True):
    """The battle under way: who attacks whom where, how many combats it will have, and those laid open so far."""

    planet: str
    attacker: int
    defender: int
    size: int
    combats: tuple[CombatView, ...]


class OfferView(msgspec.Struct, frozen=True):
    """A trade that lies on the table (trading option): what is given for what, by card or unit name with counts."""

    id: str
    by: int
    to: int
    gives: dict[str, int]
    wants: dict[str, int]


class CardView(msgspec.Struct, frozen=True):
    """A card the viewer may see: `alive` and `dead` name its two ends (twice the latter in the discards after the death)."""

    alive: str
    dead: str


class View(msgspec.Struct, frozen=True):
    """The whole table for one viewer. `viewer` None: a spectator, whose `hand` is empty. `fought`: the last battle."""

    viewer: int | None
    emperor_alive: bool
    round: int
    active: int | None
    first: int
    actions_left: int
    tiles: tuple[tuple[str, int, int], ...]
    throne: str
    houses: tuple[HouseView, ...]
    groups: tuple[GroupView, ...]
    hand: tuple[CardView, ...]
    discard: tuple[CardView, ...]
    deck: int
    squadron_supply: int
    battle: BattleView | None
    battles_begun: tuple[tuple[str, int, int], ...]
    offers: tuple[OfferView, ...]
    winner: int | None
    fought: BattleView | None = None
