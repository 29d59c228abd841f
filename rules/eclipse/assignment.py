"""Combat Phase: a type of ships rolls its dice, and its player assigns them to enemy ships."""

from collections.abc import Sequence

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import Arg, Option

from .battles import battle, enemy, least_rolls, points, standing, totals_for
from .dice import Die as Rolled
from .dice import Target, allocate
from .state import Battle, Die, Party, State, Volley

BY_RULE = "rule"
KEPT_VOLLEYS = 12
"""How many of the latest volleys stay in the state to be drawn."""


def fire(game: Game[State], party: Party, ship: str) -> Flow[None]:
    """All ships of a type roll together, then all hits are assigned (ruling 78)."""
    s = game.state
    roll(game, party, ship)
    if isinstance(party, int):
        yield from assign(game, party)
    for die, at in rule(s, open_dice(s)):
        hit(s, die, at)
    b = battle(s)
    targets = tuple(-1 if die.target is None else die.target for die in b.volleys[-1].dice)
    ships = tuple(b.ships[at].ship for at in targets if at >= 0)
    if ships:
        game.tell("combat.hits", party=party, enemy=enemy(b, party), ships=ships, targets=targets, places=[b.place])


def roll(game: Game[State], party: Party, ship: str) -> None:
    """The dice of a type."""
    s, b = game.state, battle(game.state)
    sum_, n = totals_for(s, party, ship), len(standing(b, party, ship))
    weapons = sum_.missiles if b.step == "missiles" else sum_.cannons
    needed = min(least_rolls(s, b, party, ship).values())
    dice = [Die(damage, game.roll()) for damage in weapons for _ in range(n)]
    for die in dice:
        die.hit = die.roll >= needed
    b.volleys = [*b.volleys[1 - KEPT_VOLLEYS :], Volley(b.round, party, ship, dice)]
    game.tell(
        "combat.missiles" if b.step == "missiles" else "combat.cannons", party=party, ship=ship, n=n, round=b.round,
        rolls=tuple(die.roll for die in dice), damages=tuple(die.damage for die in dice),
        needed=needed, hits=sum(die.hit for die in dice), places=[b.place],
    )  # fmt: skip


def assign(game: Game[State], seat: int) -> Flow[None]:
    """The player assigns die after die, or leaves the rest to the rule for Ancients. Nothing is asked when each die can
    hit one ship only, or when that rule destroys all of the enemy's ships, nor for a die whose targets are all alike."""
    s = game.state
    while (left := open_dice(s)) and is_choice(s, left):
        die = battle(s).volleys[-1].dice[left[0]]
        aims = [option.id for option in targets(s) if option.id != BY_RULE]
        answer = aims[0]
        if len(aims) > 1:
            answer = yield from choose(
                seat, "combat.assign", lambda: targets(s), roll=die.roll, damage=die.damage, n=len(left)
            )
        if answer == BY_RULE:
            return
        ship, _, damage = answer.partition(".")
        hit(s, left[0], next(at for at in least_now(s) if is_like(battle(s), at, ship, int(damage))))


def least_now(s: State) -> dict[int, int]:
    """The least roll with which the present volley hits each enemy ship."""
    volley = battle(s).volleys[-1]
    return least_rolls(s, battle(s), volley.party, volley.ship)


def hittable(s: State, die: Die) -> list[int]:
    """The enemy ships that a die hits and that are not doomed yet."""
    b = battle(s)
    return [at for at, roll in least_now(s).items() if die.roll >= roll and points(s, b, at) > 0]


def open_dice(s: State) -> list[int]:
    """The dice still to be assigned that can hit something, the strongest first, of equal ones the lowest roll."""
    dice = battle(s).volleys[-1].dice
    left = [at for at, die in enumerate(dice) if die.target is None and hittable(s, die)]
    return sorted(left, key=lambda at: (-dice[at].damage, dice[at].roll))


def is_choice(s: State, left: list[int]) -> bool:
    """Whether it makes a difference how these dice are assigned."""
    b = battle(s)
    aims = [hittable(s, b.volleys[-1].dice[at]) for at in left]
    if all(len(ships) == 1 for ships in aims):
        return False
    if len(left) == 1 and len({(b.ships[at].ship, b.ships[at].damage) for at in aims[0]}) == 1:
        return False
    dealt: dict[int, int] = {}
    for at, ship in rule(s, left):
        dealt[ship] = dealt.get(ship, 0) + b.volleys[-1].dice[at].damage
    return any(dealt.get(at, 0) < points(s, b, at) for at in least_now(s))


def rule(s: State, left: Sequence[int]) -> list[tuple[int, int]]:
    """These dice and their targets by the rule for Ancients (ruling 80)."""
    b = battle(s)
    dice = [Rolled(b.volleys[-1].dice[at].roll, b.volleys[-1].dice[at].damage) for at in left]
    needed = {at: roll for at, roll in least_now(s).items() if points(s, b, at) > 0}
    ships = list(needed)
    chosen = allocate(
        dice, [Target(b.ships[at].ship, needed[at], points(s, b, at), b.ships[at].damage) for at in ships]
    )
    return [(die, ships[n]) for die, n in zip(left, chosen, strict=True) if n is not None]


def targets(s: State) -> list[Option]:
    """What the next die may hit, what the rule would do first; ships that are doomed already last. Equal ships are one."""
    b, left = battle(s), open_dice(s)
    die = b.volleys[-1].dice[left[0]]
    first = dict(rule(s, left))
    found = [at for at, roll in least_now(s).items() if die.roll >= roll]
    order = sorted(found, key=lambda at: (at != first.get(left[0]), points(s, b, at) <= 0))
    options: dict[str, Option] = {}
    for at in order:
        one, left_over = b.ships[at], points(s, b, at)
        words = "option.combat.target" if left_over > 0 else "option.combat.doomed"
        args: dict[str, Arg] = {"ship": one.ship, "damage": one.damage, "points": left_over}
        options.setdefault(f"{one.ship}.{one.damage}", Option(f"{one.ship}.{one.damage}", words, args, b.place))
    if len(left) == 1:
        return list(options.values())
    all_ = tuple(b.ships[first[at]].ship for at in left if at in first)
    return [Option(BY_RULE, "option.combat.rule", {"ships": all_}), *options.values()]


def is_like(b: Battle, at: int, ship: str, damage: int) -> bool:
    """Whether this is a ship of that type with so much damage."""
    return b.ships[at].ship == ship and b.ships[at].damage == damage


def hit(s: State, die: int, at: int) -> None:
    """A die of the present volley is assigned to a ship."""
    b = battle(s)
    b.volleys[-1].dice[die].target = at
    b.ships[at].damage += b.volleys[-1].dice[die].damage
