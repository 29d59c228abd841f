"""The components: cards, races and the numbers of the rules; read from `data/`, each entry with its source."""

import msgspec

from rules.components import SeatColour, load

Names = tuple[str, ...]


class Unit(msgspec.Struct, frozen=True):
    """A profession and its unit cards. `kind`: attack, produce or capture. `efficiency`: what 1, 2, ... units give."""

    id: str
    kind: str
    count: int
    count_source: str
    set_size: int
    set_size_source: str
    tolerance: int
    tolerance_source: str
    efficiency: tuple[int, ...]
    efficiency_source: Names
    profession_source: str


class General(msgspec.Struct, frozen=True):
    """A general action card: it activates one profession that is not excluded."""

    id: str
    excluded: Names
    excluded_source: str
    count: int
    count_source: str


class Double(msgspec.Struct, frozen=True):
    """A double action card: it activates its profession several times."""

    id: str
    profession: str
    activations: int
    activations_source: str
    count: int
    count_source: str
    source: str


class Skill(msgspec.Struct, frozen=True):
    """A skill card; `n` is the number in its effect, `per_turn` how often its type may be played in a turn."""

    id: str
    per_turn: int
    count: int
    count_source: str
    source: str
    n: int = 0


class Money(msgspec.Struct, frozen=True):
    """A denomination of the money cards."""

    value: int
    count: int
    source: str


class _Cards(msgspec.Struct, frozen=True):
    units: tuple[Unit, ...]
    general: tuple[General, ...]
    double: tuple[Double, ...]
    skills: tuple[Skill, ...]
    money: tuple[Money, ...]


class Power(msgspec.Struct, frozen=True):
    """Something a race can do: its numbers by name, and the professions it is about."""

    id: str
    source: str
    n: dict[str, int] = {}
    professions: Names = ()


class Race(msgspec.Struct, frozen=True):
    """A race card."""

    id: str
    source: str
    powers: tuple[Power, ...]

    @property
    def reconstructed(self) -> bool:
        """Whether its powers are our own."""
        return any(power.source == "reconstructed" for power in self.powers)


class _Races(msgspec.Struct, frozen=True):
    races: tuple[Race, ...]


class Start(msgspec.Struct, frozen=True):
    """What each team begins with, and how many race cards a player chooses from."""

    coins: int
    race_cards: int
    source: str


class Hands(msgspec.Struct, frozen=True):
    """Opening hands in turn order."""

    players: int
    cards: tuple[int, ...]
    source: str


class Teams(msgspec.Struct, frozen=True):
    """With so many players there are teams."""

    players: int
    teams: int
    source: str


class Mode(msgspec.Struct, frozen=True):
    """A choice of phase 1."""

    id: str
    source: str
    draw: int = 0
    points: int = 0


class Play(msgspec.Struct, frozen=True):
    """Costs and limits of a turn."""

    card_cost: int
    exchange_cost: int
    trading_area: int
    unit_payment: int
    hand_limit: int
    royal_buyoff: int
    source: str


class Victory(msgspec.Struct, frozen=True):
    """What it takes to win."""

    money: int
    sets: int
    sets_money: int
    professions: int
    professions_money: int
    source: str


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of the rules."""

    start: Start
    hands: tuple[Hands, ...]
    teams: Teams
    modes: tuple[Mode, ...]
    play: Play
    victory: Victory


class _Colours(msgspec.Struct, frozen=True):
    colours: tuple[SeatColour, ...]


_cards = load(__file__, "cards.toml", _Cards)
NUMBERS = load(__file__, "numbers.toml", Numbers)
PLAY = NUMBERS.play
VICTORY = NUMBERS.victory
MODES = {mode.id: mode for mode in NUMBERS.modes}
OPENING_HANDS = {hands.players: hands.cards for hands in NUMBERS.hands}

UNITS = {unit.id: unit for unit in _cards.units}
PROFESSIONS = tuple(UNITS)
GENERAL = {card.id: card for card in _cards.general}
DOUBLE = {card.id: card for card in _cards.double}
SKILLS = {card.id: card for card in _cards.skills}
MONEY = _cards.money
_all: tuple[Unit | General | Double | Skill, ...] = (*_cards.units, *_cards.general, *_cards.double, *_cards.skills)
COUNTS = {card.id: card.count for card in _all}
"""How many there are of each general card."""
PLACE = {card: at for at, card in enumerate(COUNTS)}
"""The order in which cards are listed."""

RACES = {race.id: race for race in load(__file__, "races.toml", _Races).races}
POWERS = {race.id: {power.id: power for power in race.powers} for race in RACES.values()}
COLOURS = load(__file__, "colours.toml", _Colours).colours


def kind_of(card: str) -> str:
    """unit, general, double or skill."""
    if card in UNITS:
        return "unit"
    if card in GENERAL:
        return "general"
    return "double" if card in DOUBLE else "skill"
