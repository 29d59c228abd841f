"""What a bot player makes of the table: what cards, attacks and units are worth to it, measured in coins.

Everything is read from the bot's view; the figures below are experience, not rules.
"""

from functools import cached_property

from .components import DOUBLE, GENERAL, PLAY, POWERS, PROFESSIONS, SKILLS, UNITS, VICTORY
from .views import SeatView, SetView, View

WIN = 1000.0
KILL = 40.0
"""What it is worth to remove a rival."""
POOR = 7
"""With so few coins every coin counts more."""
POINT = 1.0
"""What an action point is worth: cards worth less are not played."""
HORIZON = 2.2
"""For how many turns a unit is expected to work."""
RETURNED = 2.0
"""What it costs a rival to take a unit back to hand."""
CARD = 1.1
"""What any card in hand is worth."""
ALARM = 6.0
"""What it is worth to hit a rival who is close to winning where it hurts."""


class Sight:
    """What the bot reads from its view."""

    def __init__(self, view: View, seat: int, hand: list[str] | None = None, points: int | None = None) -> None:
        self.view = view
        self.me = view.seats[seat]
        self.rivals = [other for other in view.seats if other.playing and other.team != self.me.team]
        self.hand = [card.id for card in view.hand] if hand is None else hand
        self.points = self.me.points if points is None else points
        self.sets = {one.profession: one for one in self.me.sets}
        self.few = len({other.team: 0 for other in self.rivals}) == 1
        self.alarms = {other.seat: alarm(other) for other in self.rivals}
        self.worths: dict[str, float] = {}

    def has(self, power: str) -> bool:
        """Whether the bot's race has this power."""
        return power in self.me.powers

    # Coins and rivals

    @cached_property
    def coin(self) -> float:
        """What a coin is worth."""
        return 1.5 if self.me.money <= POOR else 1.0

    def spite(self, rival: SeatView) -> float:
        """What it is worth that this rival loses a coin."""
        if self.few:
            return 1.4 if rival.money <= POOR else 0.9
        return (0.7 if rival is self.leader else 0.4) + (0.3 if rival.money <= POOR else 0.0)

    @cached_property
    def leader(self) -> SeatView:
        """The rival who is closest to winning."""
        return max(self.rivals, key=lambda other: (lead(other) + self.alarms[other.seat], -other.seat))

    def win_coins(self, n: int) -> float:
        """What gaining so many coins is worth."""
        money = self.me.money + n
        if money >= VICTORY.money or (money >= VICTORY.sets_money > self.me.money and self.waits_for_coins):
            return WIN
        return n * self.coin

    @cached_property
    def waits_for_coins(self) -> bool:
        """Whether only coins are missing."""
        complete = sum(one.is_complete for one in self.me.sets)
        professions = sum(size(one) > 0 for one in self.me.sets)
        return complete >= VICTORY.sets or professions >= VICTORY.professions

    # Attacks

    def attack(self, rival: SeatView, damage: int) -> float:
        """What an attack with this damage may be expected to bring."""
        if damage <= 0:
            return 0.0
        shield = sum(one.units * one.tolerance for one in rival.sets)
        if damage - shield >= rival.money:
            return KILL * (3 if self.few else 1) + self.win_coins(rival.money)
        by_units = min(damage, shield)
        coins = damage - by_units
        value = self.win_coins(coins) + coins * self.spite(rival) if coins else 0.0
        hurt = RETURNED * (1 + self.alarms[rival.seat] / 4) * min(1.2, 0.4 + self.spite(rival))
        if self.has("rend") and by_units:
            value += 1.5
        return value + by_units / 3.5 * hurt

    def bark(self, rival: SeatView) -> int:
        """By how much the rival's race blunts an attack."""
        return POWERS[rival.race]["bark"].n["reduction"] if "bark" in rival.powers else 0

    def best_attack(self, damage: int) -> tuple[float, int]:
        """The best target for an attack with this damage."""
        worths = [(self.attack(rival, damage - self.bark(rival)), -rival.seat) for rival in self.rivals]
        value, seat = max(worths, default=(0.0, 0))
        return value, -seat

    # Activating

    def activates(self, card: str, profession: str) -> bool:
        """Whether the action card can activate this profession of the bot's."""
        if card in DOUBLE:
            return DOUBLE[card].profession == profession
        if card not in GENERAL:
            return False
        free = self.has("omnipotence") or (self.has("coven") and profession == "wizards")
        return free or profession not in GENERAL[card].excluded

    def may_act(self, profession: str) -> bool:
        """Whether the profession may still be activated this turn."""
        again = self.has("diligence") and UNITS[profession].kind == "produce"
        return again or not self.sets[profession].acted

    def activation(self, profession: str, efficiency: int) -> float:
        """What one activation brings."""
        kind = UNITS[profession].kind
        if kind == "attack":
            value = self.best_attack(efficiency)[0]
            return value + (self.coin if self.has("plunder") else 0.0)
        if kind == "capture":
            cards = sum(rival.cards for rival in self.rivals)
            return min(efficiency, cards) * 1.7
        value = self.win_coins(efficiency)
        if self.has("carnivore") and profession == "hunters":
            value = max(value, self.best_attack(efficiency)[0])
        return value + (CARD if self.has("prospecting") and profession == "miners" else 0.0)

    def action(self, card: str) -> tuple[float, str]:
        """What an action card brings now, and with which profession."""
        best = (0.0, "")
        for profession in PROFESSIONS:
            one = self.sets[profession]
            if size(one) and self.may_act(profession) and self.activates(card, profession):
                if UNITS[profession].kind == "capture" and not any(rival.cards for rival in self.rivals):
                    continue
                times = DOUBLE[card].activations if card in DOUBLE else 1
                value = times * self.activation(profession, one.efficiency)
                best = max(best, (value + (self.coin if self.has("seduction") else 0.0), profession))
        return best

    # Units

    def unit(self, profession: str, spare: int = 0) -> float:
        """What playing a unit of this profession brings; `spare`: units of it that have been taken into account."""
        one = self.sets[profession]
        n = size(one) + spare
        if n >= one.complete:
            return 0.0
        if self.hand_wins(profession):
            return WIN
        efficiency = UNITS[profession].efficiency
        more = max(1, min(self.hand.count(profession), one.complete - n, max(1, self.points)))
        gains = [(efficiency[n + k - 1] - (efficiency[n - 1] if n else 0)) / k for k in range(1, more + 1)]
        rate = {"produce": 1.0, "attack": 0.75, "capture": 1.4}[UNITS[profession].kind]
        helpers = sum(self.activates(card, profession) for card in self.hand)
        often = 0.35 + 0.2 * min(2, helpers)
        value = max(gains) * rate * often * HORIZON
        if helpers and self.may_act(profession) and self.points > 1:
            value += max(gains) * rate
        return value + self.progress(profession, n) + 0.5 - self.upkeep(profession)

    def unit_in_play(self, profession: str) -> float:
        """What it is worth to keep a unit that is in play."""
        steps, n = UNITS[profession].efficiency, size(self.sets[profession])
        lost = steps[n - 1] - (steps[n - 2] if n > 1 else 0)
        helpers = sum(self.activates(card, profession) for card in self.hand)
        return lost * (0.7 + 0.3 * min(2, helpers)) + self.progress(profession, n - 1)

    def upkeep(self, profession: str) -> float:
        """What a unit costs to keep."""
        if self.has("horde") and profession == "soldiers":
            return 0.0
        cost = HORIZON / 2 * (0.5 if self.has("frugality") else 1.0)
        return cost * (3.0 if self.me.money <= self.me.units + 3 else 1.0)

    def progress(self, profession: str, n: int) -> float:
        """What the unit means on the way to a victory by sets or professions."""
        if self.me.money < VICTORY.professions_money - 4:
            return 0.0
        held = [name for name in PROFESSIONS if size(self.sets[name]) or name in self.hand]
        missing = VICTORY.professions - len(held)
        value = 0.0
        if not n:
            value += (2.5, 1.2, 0.6, 0.3)[missing] if missing < 4 else 0.0
        if n + 1 == self.sets[profession].complete:
            value += 0.7 + sum(one.is_complete for one in self.me.sets)
        return value

    # Winning at once

    @cached_property
    def winning_units(self) -> list[str]:
        """The units in hand that win this turn when played, if points and coins suffice."""
        if self.me.money < VICTORY.professions_money or "assemble" in self.view.skills:
            reach = self.points
        else:
            reach = self.points + (SKILLS["assemble"].n - 1 if "assemble" in self.hand and self.points else 0)
        if self.me.money >= VICTORY.professions_money:
            missing = [name for name in PROFESSIONS if not size(self.sets[name])]
            if missing and len(missing) <= reach and all(name in self.hand for name in missing):
                return missing
        if self.me.money >= VICTORY.sets_money:
            return self.units_for_sets(reach)
        return []

    def units_for_sets(self, reach: int) -> list[str]:
        """The units that complete enough sets, if they are in hand and can be played."""
        gaps = []
        for profession, one in self.sets.items():
            gap = max(0, one.complete - size(one))
            if self.hand.count(profession) >= gap:
                gaps.append((gap, profession))
        needed = sorted(gaps)[: VICTORY.sets]
        units = [profession for gap, profession in needed for _ in range(gap)]
        return units if len(needed) == VICTORY.sets and 0 < len(units) <= reach else []

    def hand_wins(self, profession: str) -> bool:
        """Whether this unit is part of a win this turn."""
        return profession in self.winning_units

    # Skills

    def skill(self, card: str) -> float:
        """What a skill card brings now."""
        if card in self.view.skills:
            return 0.0
        value = getattr(self, card)()
        return float(value) + (self.coin if self.has("brew") and value > 0 else 0.0)

    def supply(self) -> float:
        """Cards."""
        return SKILLS["supply"].n * (1.0 if len(self.hand) < PLAY.hand_limit else 0.3) if self.points > 1 else 1.5

    def assemble(self) -> float:
        """Several units for one point."""
        units = self.units_to_assemble
        if any(self.hand_wins(unit) for unit in units) and len(self.winning_units) > self.points:
            return WIN + 1
        return sum(self.unit(unit) for unit in units) - POINT if len(units) > 1 else 0.0

    @cached_property
    def units_to_assemble(self) -> list[str]:
        """The units that Assemble would play, those that win first."""
        if self.winning_units:
            return self.winning_units[: SKILLS["assemble"].n]
        left: list[str] = []
        for profession in PROFESSIONS:
            room = self.sets[profession].complete - size(self.sets[profession])
            left += [profession] * max(0, min(room, self.hand.count(profession)))
        good = [unit for unit in left if self.unit(unit) > 0.3]
        return sorted(good, key=lambda unit: -self.unit(unit))[: SKILLS["assemble"].n]

    def harvest(self) -> float:
        """No payment."""
        if self.view.harvest:
            return 0.0
        units = self.me.units - (self.sets["soldiers"].units if self.has("horde") else 0)
        return units * (0.5 if self.has("frugality") else 1.0) * self.coin

    def assassinate(self) -> float:
        """A rival's unit."""
        return max((self.victim_unit(rival, one) for rival, one in self.foreign_units), default=0.0)

    def purchase(self) -> float:
        """A rival's unit for oneself."""
        if self.me.money <= SKILLS["purchase"].n:
            return 0.0
        return max((self.bought_unit(rival, one) for rival, one in self.foreign_units), default=0.0)

    def steal(self) -> float:
        """A rival's card."""
        return 2.0 if any(rival.cards for rival in self.rivals) else 0.0

    def hunger(self) -> float:
        """A rival's coins."""
        return max((self.starve(rival) for rival in self.rivals), default=0.0)

    def starve(self, rival: SeatView) -> float:
        """What Hunger on this rival brings."""
        if rival.units >= rival.money:
            return KILL * (3 if self.few else 1)
        return rival.units * self.spite(rival) + (self.alarms[rival.seat] / 2 if rival.units else 0.0)

    @property
    def nameable(self) -> list[SeatView]:
        """The rivals whose units may be singled out."""
        return [rival for rival in self.rivals if "shadow" not in rival.powers]

    @property
    def foreign_units(self) -> list[tuple[SeatView, SetView]]:
        """All units of rivals that may be singled out, by set."""
        return [(rival, one) for rival in self.nameable for one in rival.sets if one.units]

    def victim_unit(self, rival: SeatView, one: SetView) -> float:
        """What it is worth that this rival loses a unit of this set."""
        steps = UNITS[one.profession].efficiency
        n = size(one)
        lost = steps[n - 1] - (steps[n - 2] if n > 1 else 0)
        value = 0.8 + 0.5 * lost
        if n == 1 or one.is_complete:
            value += self.alarms[rival.seat]
        return value * min(1.3, 0.5 + self.spite(rival))

    def bought_unit(self, rival: SeatView, one: SetView) -> float:
        """What it is worth to take over a unit of this set."""
        if size(self.sets[one.profession]) >= one.complete:
            return 0.0
        missing = [name for name in PROFESSIONS if not size(self.sets[name])]
        price = SKILLS["purchase"].n
        if missing == [one.profession] and self.me.money - price >= VICTORY.professions_money:
            return WIN
        return self.victim_unit(rival, one) + self.unit(one.profession) - price * (self.coin + self.spite(rival)) * 0.6

    # Cards

    def worth(self, card: str) -> float:
        """What playing the card now brings."""
        if card not in self.worths:
            appraise = self.unit if card in UNITS else self.skill if card in SKILLS else self.action_worth
            self.worths[card] = appraise(card)
        return self.worths[card]

    def action_worth(self, card: str) -> float:
        """What an action card brings now."""
        return self.action(card)[0]

    def playable(self, card: str) -> bool:
        """Whether the card can be played now."""
        free = card in SKILLS and self.has("shadow_arts") and not self.view.skills
        if self.points < PLAY.card_cost and not free:
            return False
        if card in UNITS:
            return size(self.sets[card]) < self.sets[card].complete
        if card == "assemble":
            return card not in self.view.skills and any(self.playable(unit) for unit in self.hand if unit in UNITS)
        return self.worth(card) > 0

    @cached_property
    def plan(self) -> str:
        """The card to play next; "" for none."""
        cards = [card for card in dict.fromkeys(self.hand) if self.playable(card)]
        best = max(cards, key=lambda card: (self.urgency(card), card), default="")
        return best if best and self.worth(best) >= POINT * 0.8 else ""

    def urgency(self, card: str) -> float:
        """In which order cards are played: what helps others comes first, among those worth playing."""
        worth = self.worth(card)
        if worth < POINT * 0.8 or worth >= KILL:
            return worth
        if card == "supply" and self.points > 1:
            return worth + 6
        if card in UNITS and self.points > 1 and any(self.activates(other, card) for other in self.hand):
            return worth + 4
        return worth

    def keeping(self, card: str) -> float:
        """What it is worth to hold the card."""
        if card in UNITS:
            one = self.sets[card]
            if size(one) >= one.complete:
                return 0.2
            return 1.0 + 0.4 * self.hand.count(card) + self.progress(card, size(one)) + max(0.0, self.unit(card)) / 2
        if card in SKILLS:
            return {"assassinate": 1.6, "hunger": 1.6, "steal": 1.4, "harvest": 1.2}.get(card, 2.0)
        usable = [
            self.outlook(name)
            for name in PROFESSIONS
            if (size(self.sets[name]) or name in self.hand) and self.activates(card, name)
        ]
        copies = self.hand.count(card)
        return max(usable, default=0.6) * (1.0 if copies < 3 else 0.5)

    def outlook(self, profession: str) -> int:
        """What the profession gives once the units in hand are played."""
        steps = UNITS[profession].efficiency
        n = max(size(self.sets[profession]), self.hand.count(profession), 1)
        return steps[min(n, len(steps)) - 1]


def size(one: SetView) -> int:
    """How many units a set has."""
    return one.units + one.virtual


def lead(seat: SeatView) -> float:
    """How close a seat is to winning, roughly in coins."""
    complete = sum(one.is_complete for one in seat.sets)
    professions = sum(size(one) > 0 for one in seat.sets)
    return seat.money + 4 * complete + 2 * professions


def alarm(seat: SeatView) -> float:
    """How urgent it is to stop the seat."""
    complete = sum(one.is_complete for one in seat.sets)
    professions = sum(size(one) > 0 for one in seat.sets)
    near = professions >= VICTORY.professions - 2 or complete >= VICTORY.sets - 1
    return ALARM if near and seat.money >= VICTORY.sets_money - 5 else 0.0
