"""An attack: the victim answers it at once, with units that return to the hand, with coins, or both."""

from rules.engine.flow import Flow, Game
from rules.engine.questions import Option

from .common import must_choose, place
from .components import PROFESSIONS
from .hands import discard, gain, put
from .object_of_the_game import pay
from .races import has, number
from .state import Attack, State, is_playing, money_of, opponents
from .unit_cards import tolerance

PAY = "pay"


def damage_to(s: State, victim: int, damage: int) -> int:
    """What is left of the damage when it reaches the victim."""
    return max(0, damage - number(s, victim, "bark", "reduction"))


def targets(s: State, seat: int, damage: int) -> list[Option]:
    """The opponents, and what an attack with this damage would do to them."""
    return [
        Option(str(rival), "option.attack", {"seat": rival, "n": damage_to(s, rival, damage)})
        for rival in opponents(s, seat)
    ]


def attack(game: Game[State], seat: int, victim: int, source: str, damage: int) -> Flow[None]:
    """One attack on one player, settled completely."""
    s = game.state
    s.attack = Attack(seat, victim, source, damage_to(s, victim, damage))
    game.tell("attacked", seat=seat, rival=victim, source=source, n=s.attack.damage)
    yield from defend(game)
    if has(s, seat, "rend") and under_way(s).returned and is_playing(s, victim):
        yield from rend(game)
    s.attack = None
    if has(s, seat, "plunder"):
        pay(game, number(s, seat, "plunder", "coins"), "plundered", to=seat, seat=seat)


def under_way(s: State) -> Attack:
    """The attack that is being settled."""
    assert s.attack is not None
    return s.attack


def defend(game: Game[State]) -> Flow[None]:
    """The victim settles the damage bit by bit, free among all ways in which nothing is given in vain."""
    s = game.state
    attacker, victim, damage = under_way(s).attacker, under_way(s).victim, under_way(s).damage
    if not can_settle(s, under_way(s)):
        for profession in PROFESSIONS:
            while s.units[victim].get(profession):
                return_unit(game, profession)
        pay_damage(game)
        return
    while missing := under_way(s).missing:
        choice = yield from must_choose(victim, "defend", lambda: defences(s), rival=attacker, n=missing, damage=damage)
        if choice == PAY:
            pay_damage(game)
            return
        return_unit(game, choice)


def defences(s: State) -> list[Option]:
    """What the victim may give next: a unit, or all that is missing in coins."""
    attacked = s.attack
    if attacked is None:
        return []
    victim, missing = attacked.victim, attacked.missing
    options = []
    for profession in defenders(s, victim):
        worth = tolerance(s, victim, profession)
        if may_return(s, attacked, profession):
            option = Option(profession, "option.return", {"unit": profession, "n": worth}, place(victim, profession))
            options.append(option)
    if money_of(s, victim) >= missing:
        options.append(Option(PAY, "option.pay", {"n": missing}))
    return options


def defenders(s: State, victim: int) -> list[str]:
    """The professions of which the victim has real units."""
    return [profession for profession in PROFESSIONS if s.units[victim].get(profession)]


def may_return(s: State, attacked: Attack, profession: str) -> bool:
    """Whether this unit may be returned next: no unit is then superfluous, and the rest can still be settled."""
    victim = attacked.victim
    least = min(tolerance(s, victim, other) for other in (*attacked.returned, profession))
    left = {unit: s.units[victim][unit] for unit in defenders(s, victim)}
    left[profession] -= 1
    missing = attacked.missing - tolerance(s, victim, profession)
    return can_finish(s, victim, missing, least, left)


def can_finish(s: State, victim: int, missing: int, least: int, left: dict[str, int]) -> bool:
    """Whether `missing` points can be settled with coins and the units left, so that none of the units returned (the
    weakest counts for `least`) was superfluous."""
    if missing <= 0:
        return -missing < least
    if money_of(s, victim) >= missing:
        return True
    for profession, n in left.items():
        if n:
            worth = tolerance(s, victim, profession)
            if can_finish(s, victim, missing - worth, min(least, worth), {**left, profession: n - 1}):
                return True
    return False


def can_settle(s: State, attacked: Attack) -> bool:
    """Whether all units and all coins together are enough."""
    units = sum(tolerance(s, attacked.victim, unit) * n for unit, n in s.units[attacked.victim].items())
    return units + money_of(s, attacked.victim) >= attacked.missing


def return_unit(game: Game[State], profession: str) -> None:
    """A unit goes back to its owner's hand."""
    s, attacked = game.state, under_way(game.state)
    victim = attacked.victim
    put(s.units[victim], profession, -1)
    gain(s, victim, profession, openly=True)
    attacked.returned.append(profession)
    attacked.tolerance += tolerance(s, victim, profession)
    game.tell("unit_returned", seat=victim, unit=profession, places=(place(victim, profession),))


def pay_damage(game: Game[State]) -> None:
    """What is missing is paid to the attacker, or as much of it as there is."""
    attacked = under_way(game.state)
    coins = min(attacked.missing, money_of(game.state, attacked.victim))
    attacked.coins += coins
    by, to = attacked.victim, attacked.attacker
    pay(game, coins, "damage_paid", by=by, to=to, seat=by, rival=to)


def rend(game: Game[State]) -> Flow[None]:
    """The attacker's race tears units apart: of those that returned, the owner discards some."""
    s = game.state
    attacker, victim = under_way(s).attacker, under_way(s).victim
    for _ in range(min(number(s, attacker, "rend", "discard"), len(under_way(s).returned))):
        unit = yield from must_choose(
            victim,
            "rend",
            lambda: [Option(unit, f"card.{unit}") for unit in PROFESSIONS if unit in under_way(s).returned],
            rival=attacker,
        )
        under_way(s).returned.remove(unit)
        discard(s, victim, unit)
        game.tell("rent", seat=victim, rival=attacker, unit=unit)
