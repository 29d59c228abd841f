"""The plans of a bot player: what each action would bring now, and what the bot would do with it."""

from collections.abc import Callable

from .appraisal import CONTACT, UNIT, Sight
from .components import SCORING, SPECIES, Amounts
from .hexes import neighbours, ring
from .views import HexView, SquareView
from .warfare import War

COST = 0.1
"""What a material spent is worth elsewhere."""
IDLE = 0.25
"""The share of exploring that is left when the hex could not be held."""


class Plans:
    """What a seat could do with its turn, as it sees the table."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self._war: War | None = None

    @property
    def war(self) -> War:
        """Thoughts of war, once they are needed."""
        self._war = self._war or War(self.sight)
        return self._war

    @property
    def amounts(self) -> Amounts:
        """How much an action of the seat's species does."""
        return SPECIES[self.sight.me.species].actions

    def worth(self, action: str) -> float:
        """What an action brings, in points."""
        return ACTIONS[action](self)

    # Colony ships

    def landing(self) -> float:
        """What the best use of a colony ship brings."""
        return max((self.sight.best_track(square.kind)[0] for square in self.sight.open_squares), default=0.0)

    def refresh(self) -> float:
        """What turning colony ships up brings now rather than next round."""
        sight = self.sight
        ships = min(self.amounts.refresh, sight.me.used_ships)
        values = sorted((sight.best_track(square.kind)[0] for square in sight.open_squares), reverse=True)
        used = values[sight.me.colony_ships :][:ships]
        return sum(used) / max(2, sight.rounds) * 1.3

    # Explore

    def explore(self) -> float:
        """The best space; less where the hex could not be held."""
        sight = self.sight
        if not sight.can_spare(2) and sight.rounds > 1:
            return 0.0
        spaces = [space.place for space in sight.view.spaces if sight.seat in space.seats]
        keeps = 1.0 if sight.can_spare(2) and sight.sustains() else IDLE
        return keeps * max((self.space(place) for place in spaces), default=0.0)

    def space(self, place: str) -> float:
        """What exploring a space may bring: the tiles there are, and no rivals next to it."""
        sight = self.sight
        around = [hex_ for to in neighbours(place) if (hex_ := sight.hexes.get(to)) is not None]
        rivals = sum(hex_.disc not in (None, sight.seat) for hex_ in around)
        return sight.explore_worth(ring(place)) - CONTACT * rivals + 0.02 * (6 - len(around))

    # Influence

    def holds(self, hex_: HexView, taken: int = 0, money: int = 0) -> bool:
        """Whether a disc for a hex can be paid now and later, `taken` more and `money` being reckoned with already."""
        gain = money + self.sight.money_of(hex_.squares)
        return self.sight.can_spare(1 + taken, gain) and self.sight.sustains(1 + taken, gain)

    def influence(self) -> float:
        """The best hexes to take, and colony ships to turn up."""
        sight, total, taken, money = self.sight, 0.0, 0, 0
        goals = sorted(((sight.hex_worth(hex_), hex_.number) for hex_ in sight.goals), reverse=True)
        for value, number in goals:
            hex_ = sight.numbers[number]
            if taken < self.amounts.influence and value > 0 and self.holds(hex_, taken + 1, money):
                total, taken, money = total + value, taken + 1, money + sight.money_of(hex_.squares)
        return total + self.refresh()

    def goal(self) -> str:
        """The number of the best hex to take, "" if none is worth it."""
        found = [(self.sight.hex_worth(hex_), hex_.number) for hex_ in self.sight.goals if self.holds(hex_)]
        worth, number = max(found, default=(0.0, ""))
        return number if worth > 0 else ""

    # Research, Upgrade, Build, Move

    def research(self) -> tuple[float, str]:
        """The best technology to be had, paid by trade if need be, and what it brings."""
        sight, found = self.sight, [(0.0, "")]
        most = sight.fundable("science")
        for one in sight.view.supply:
            price = one.prices[sight.seat]
            if one.count and price is not None and price <= most:
                found.append((sight.technology_worth(one.id) - UNIT["science"] * 0.6 * price, one.id))
        return max(found)

    def build(self, items: int) -> tuple[float, list[str]]:
        """What to build with so many items, and what that brings."""
        sight = self.sight
        gain, ships = self.war.purchase(items)
        thrift = 0.7 if not sight.has("monolith") or sight.rounds > 4 else 0.4
        plans = [(0.0, list[str]()), (thrift * gain, list(ships))]
        if sight.has("monolith"):
            plans.append(self.monoliths(items))
        if sight.has("orbital") and sight.rounds > 1:
            plans.append(self.orbitals(items))
        return max(plans, key=lambda plan: plan[0])

    def monoliths(self, items: int) -> tuple[float, list[str]]:
        """As many Monoliths as there is room and money for, by trade if need be."""
        sight, cost = self.sight, SPECIES[self.sight.me.species].costs["monolith"]
        n = min(items, sum(not hex_.monolith for hex_ in sight.own), sight.fundable("materials") // cost)
        hurry = 1.0 if sight.rounds <= 4 else 0.6
        return hurry * n * (SCORING.monolith - COST * cost), ["monolith"] * n

    def orbitals(self, items: int) -> tuple[float, list[str]]:
        """The same for Orbitals."""
        sight, cost = self.sight, SPECIES[self.sight.me.species].costs["orbital"]
        n = min(items, sum(not hex_.orbital for hex_ in sight.own), sight.available("materials") // cost)
        each = sight.squares_worth([SquareView("orbital", False, False)]) - COST * cost
        return each * n, ["orbital"] * n

    def items(self) -> int:
        """How much the Build action builds."""
        return self.amounts.build + self.sight.has("nanorobots")


ACTIONS: dict[str, Callable[[Plans], float]] = {
    "explore": Plans.explore,
    "influence": Plans.influence,
    "research": lambda plans: plans.research()[0],
    "upgrade": lambda plans: plans.war.upgrade(plans.amounts.upgrade)[0],
    "build": lambda plans: plans.build(plans.items())[0],
    "move": lambda plans: plans.war.attack(plans.war.moves)[0],
}
