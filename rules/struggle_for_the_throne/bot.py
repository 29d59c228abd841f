"""A bot player by simple policy: it hunts the rival that is weak and near, fights when the odds are good, ends games.

It keeps no memory: every answer follows from the view and the question, so the parts of one action agree.
"""

from collections.abc import Callable
from functools import cache, cached_property
from math import sqrt

from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer, Option, Question
from rules.engine.rules import Decision, random_player

from .action_cards import TARGETS
from .common import BACK
from .components import BOARD, ENDS, GREAT_BOARD, INFLUENCE, RANKS, UNITS, tile_of
from .units import rank_of
from .views import CombatView, GroupView, HouseView, View

WORTH = (3.0, 2.0, 1.5, 1.0)
"""What a unit of each rank is worth in a fight."""
ALIVE_WORTH = {
    "emperor_dies": 9.0,
    "bribe_commander": 6.0,
    "assassinate_commander": 5.0,
    "ambush": 4.5,
    "influence": 4.0,
    "sabotage_squadron": 4.0,
    "steal_plans": 3.0,
    "outbid_bribe": 2.0,
    "catch_assassin": 2.0,
    "plant_spy": 0.5,
}
DEAD_WORTH = {
    "bribe_commander": 6.0,
    "build_squadron": 5.5,
    "assassinate_commander": 5.0,
    "cut_supply_lines": 5.0,
    "ambush": 4.0,
    "sabotage_squadron": 4.0,
    "hold_hostages": 4.0,
    "free_move": 3.0,
    "use_asteroid_maps": 3.0,
    "sneak_attack": 2.0,
    "outbid_bribe": 2.0,
    "jam_communications": 1.5,
    "catch_assassin": 1.0,
}
"""What holding a card is worth."""
JUNK = 2.0
"""Cards up to this worth are swapped when nothing better is to be done."""
RESTLESS = 40
"""One answer in so many is any legal one, so that no two bots can block each other for ever."""
ENOUGH = 0.3
"""A battle card is laid when it changes more than this (see `turning`)."""
PATIENCE = 60.0
"""After so many rounds own losses hardly count any more."""


@cache
def odds(difference: int) -> float:
    """The chance that an attacker with so much more bonus wins a combat of one die each."""
    return sum(a + difference > d for a in range(1, 7) for d in range(1, 7)) / 36


class Sight:
    """What the bot reads from its view."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.board = BOARD if len(view.tiles) == len(BOARD.tiles) else GREAT_BOARD
        self.house = view.houses[seat]
        self.rivals = [house for house in view.houses if house.playing and house.seat != seat]
        self.own = {group.planet: group for group in view.groups if group.seat == seat}
        self.hand = [card.alive if view.emperor_alive else card.dead for card in view.hand]

    def worth_of_card(self, end: str) -> float:
        """What holding a card with this end is worth now."""
        if end in TARGETS and not self.has_target(end):
            return 0.0
        return (ALIVE_WORTH if self.view.emperor_alive else DEAD_WORTH).get(end, 0.0)

    def groups_of(self, seat: int) -> list[GroupView]:
        """A seat's groups."""
        return [group for group in self.view.groups if group.seat == seat]

    @cached_property
    def main(self) -> GroupView:
        """The bot's strongest group."""
        return max(self.own.values(), key=lambda group: (power(group.units), group.planet))

    @cached_property
    def prey(self) -> HouseView:
        """The rival that is weak and near."""
        steps = self.board.distances(self.main.planet)

        def effort(house: HouseView) -> float:
            near = min(steps[group.planet] for group in self.groups_of(house.seat))
            return power(house.units) + near

        return min(self.rivals, key=lambda house: (effort(house), house.seat))

    @cached_property
    def leader(self) -> HouseView:
        """The strongest rival."""
        return max(self.rivals, key=lambda house: (power(house.units), -house.seat))

    def expendable(self, house: HouseView, planet: str, units: dict[str, int], rank: str) -> int:
        """How many units of a rank on a planet are not the head."""
        return units.get(rank, 0) - (house.head == rank and house.head_at == planet)

    def has_target(self, end: str) -> bool:
        """Whether any rival has a unit that the card may hit."""
        return any(
            self.expendable(house, group.planet, group.units, RANKS[rank]) > 0
            for house in self.rivals
            for group in self.groups_of(house.seat)
            for rank in TARGETS[end]
        )

    # Battle

    def peaceful(self, planet: str) -> bool:
        """Whether nobody may fight there."""
        return self.view.emperor_alive and tile_of(planet) == BOARD.tiles[0].id

    def may_fight(self, planet: str, foe: int) -> bool:
        """Whether a battle may be begun or gone on with, as far as the bot's own hand allows."""
        if self.peaceful(planet):
            return False
        pair = (planet, min(self.seat, foe), max(self.seat, foe))
        at_home = tile_of(planet) in {tile_of(home) for home in self.house.homes}
        return not self.view.emperor_alive or at_home or pair in self.view.battles_begun or "ambush" in self.hand

    @property
    def caution(self) -> float:
        """How much own losses count: less as the game drags on."""
        return max(0.15, 1.0 - self.view.round / PATIENCE)

    def gains(self, planet: str, foe: int, *, attacking: bool) -> list[tuple[float, str]]:
        """Each own unit on the planet with what it may be expected to gain against an average enemy, best first."""
        theirs = each_unit(next(group for group in self.groups_of(foe) if group.planet == planet).units)
        found = []
        for rank in each_unit(self.own[planet].units):
            total = sum(self.gain(rank, other, attacking) for other in theirs)
            found.append((total / len(theirs), rank))
        return sorted(found, reverse=True)

    def gain(self, rank: str, other: str, attacking: bool) -> float:
        """What a combat of these two may be expected to bring."""
        mine, theirs = RANKS.index(rank), RANKS.index(other)
        difference = UNITS[mine].bonus - UNITS[theirs].bonus
        won = odds(difference) if attacking else 1 - odds(-difference)
        return won * WORTH[theirs] - (1 - won) * WORTH[mine] * self.caution

    @cached_property
    def attack(self) -> tuple[float, str, int, int]:
        """The best battle: what it may bring, where, against whom, with how many."""
        best = (0.0, "", -1, 0)
        for planet in sorted(self.own):
            for house in self.rivals:
                there = [group for group in self.groups_of(house.seat) if group.planet == planet]
                if there and self.may_fight(planet, house.seat):
                    gains = self.gains(planet, house.seat, attacking=True)[: sum(there[0].units.values())]
                    size = max(range(1, len(gains) + 1), key=lambda n: sum(g for g, _ in gains[:n]))
                    best = max(best, (sum(g for g, _ in gains[:size]), planet, house.seat, size))
        return best

    # Movement

    @cached_property
    def march(self) -> tuple[str, str]:
        """Where to move a whole group from and to: stragglers to the main group, the main group to the prey, or home
        from the peaceful centre when the prey stays there."""
        goal = self.main.planet
        for group in sorted(self.own.values(), key=lambda group: self.board.distances(goal)[group.planet]):
            if 0 < self.board.distances(goal)[group.planet] <= 2 and not self.meets(group.planet):
                return group.planet, self.step(group.planet, goal)
        if self.view.emperor_alive and "ambush" not in self.hand:
            return ("", "")
        targets = [group.planet for group in self.groups_of(self.prey.seat) if not self.peaceful(group.planet)]
        if not targets and self.peaceful(goal):
            targets = [self.house.homes[0]]
        steps = self.board.distances(goal)
        if not targets or goal in targets:
            return ("", "")
        return goal, self.step(goal, min(targets, key=lambda planet: (steps[planet], planet)))

    def meets(self, planet: str) -> bool:
        """Whether a rival stands there, too."""
        return any(group.planet == planet and group.seat != self.seat for group in self.view.groups)

    def step(self, start: str, goal: str) -> str:
        """The next planet on a shortest way."""
        steps = self.board.distances(goal)
        return min(self.board.adjacent[start], key=lambda planet: (steps[planet], planet))

    # Cards

    @cached_property
    def wanted_card(self) -> str:
        """The end of the card to play now, empty for none."""
        playable = [end for end in dict.fromkeys(self.hand) if self.wants_to_play(end)]
        return max(playable, key=lambda end: (self.worth_of_card(end), end), default="")

    def wants_to_play(self, end: str) -> bool:
        """Whether the card with this end can and should be played by itself now."""
        if ENDS[end].actions > self.view.actions_left:
            return False
        if end == "emperor_dies":
            return self.view.round > 4 or power(self.house.units) >= power(self.leader.units)
        if end == "free_move":
            return bool(self.march[0])
        if end == "build_squadron":
            home = self.house.homes[0]
            return self.view.squadron_supply > 0 and (home in self.own or self.house.flags_free > 0)
        return end == "steal_plans" or (end in TARGETS and self.has_target(end))


def power(units: dict[str, int]) -> float:
    """What units are worth together."""
    return sum(WORTH[RANKS.index(rank)] * n for rank, n in units.items())


def each_unit(units: dict[str, int]) -> list[str]:
    """Every single unit."""
    return [rank for rank, n in units.items() for _ in range(n)]


# Answers by question


def policy(decision: Decision, chance: Chance) -> Answer:
    """A sensible answer."""
    question = decision.question
    if not chance.below(RESTLESS) and question.key not in NEVER_AT_RANDOM:
        return random_player(decision, chance)
    answer = ANSWERS.get(question.key, first_ones)(Sight(decision.view, decision.seat), question, chance)
    return question.check(answer)


def has(question: Question, id: str) -> bool:
    """Whether the question has this option."""
    return any(option.id == id for option in question.options)


def pick(question: Question, id: str) -> Answer:
    """This option if it is there, else the first that is no way back, else that."""
    if has(question, id):
        return (id,)
    ways = [option.id for option in question.options if option.id not in (BACK, SKIP)]
    return (ways[0] if ways else question.options[0].id,)


def first_ones(sight: Sight, question: Question, chance: Chance) -> Answer:
    """As many as must be."""
    picked = [option.id for option in question.options if option.id not in (BACK, SKIP) for _ in range(option.count)]
    return tuple(picked[: question.least])


def action(sight: Sight, question: Question, chance: Chance) -> Answer:
    """What to do in the turn."""
    gain, planet, _, _ = sight.attack
    if has(question, "card") and sight.wanted_card:
        return ("card",)
    if has(question, "battle") and planet and gain > 0:
        return ("battle",)
    if has(question, "accuse") and INFLUENCE in sight.hand:
        return ("accuse",)
    if has(question, "move") and sight.march[0]:
        return ("move",)
    if has(question, "discard") and any(sight.worth_of_card(end) <= JUNK for end in sight.hand):
        return ("discard",)
    return ("accuse",) if has(question, "accuse") else ("end",)


def card_end(sight: Sight, option: Option) -> str:
    """The end that counts now of the card an option stands for."""
    label = option.id.partition(".")[0] if sight.view.emperor_alive else option.id
    return label if label in ENDS else ""


def card(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The card the bot wanted when it said it would play one."""
    for option in question.options:
        if card_end(sight, option) == sight.wanted_card:
            return (option.id,)
    return (BACK,)


def victim(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The leader while the Emperor lives, the prey afterwards."""
    return pick(question, str((sight.leader if sight.view.emperor_alive else sight.prey).seat))


def move_from(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Where the march begins."""
    return pick(question, sight.march[0])


def move_units(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The whole group."""
    return tuple(option.id for option in question.options if option.id not in (BACK, SKIP) for _ in range(option.count))


def move_to(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Where it goes."""
    return pick(question, sight.march[1])


def battle_where(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Where the best battle is."""
    return pick(question, sight.attack[1])


def battle_whom(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Against whom it is."""
    return pick(question, str(sight.attack[2]))


def battle_size(sight: Sight, question: Question, chance: Chance) -> Answer:
    """With how many it is."""
    return pick(question, str(sight.attack[3]))


def battle_order(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The units with the best prospects, in any order."""
    battle = sight.view.battle
    if battle is None:
        return first_ones(sight, question, chance)
    attacking = battle.attacker == sight.seat
    gains = sight.gains(battle.planet, battle.defender if attacking else battle.attacker, attacking=attacking)
    ranks = [rank for _, rank in gains]
    left = [option.id for option in question.options for _ in range(option.count)]
    left.sort(key=lambda token: ranks.index(RANKS[rank_of(token)]))
    return tuple(chance.shuffled(left[: question.least]))


def battle_card(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The card that turns a combat best for what it is worth, if it turns one enough."""
    battle = sight.view.battle
    if battle is None:
        return (SKIP,)
    attacking = battle.attacker == sight.seat
    turned = {
        option.id: turning(battle.combats[int(n) - 1], label, attacking)
        for option in question.options
        if option.id != SKIP
        for label, n in [option.id.rsplit(".", 1)]
    }
    best = max(turned, key=lambda id: (turned[id], id), default=SKIP)
    return (best if turned.get(best, 0) > ENOUGH else SKIP,)


def turning(combat: CombatView, label: str, attacking: bool) -> float:
    """What a card changes in a combat, measured by what is at stake and by how good a card it takes."""
    attacker, defender = RANKS.index(combat.attacker_unit), RANKS.index(combat.defender_unit)
    difference = UNITS[attacker].bonus - UNITS[defender].bonus
    if combat.attacker_card:
        difference += ENDS[combat.attacker_card].combat_bonus
    help_ = ENDS[label].combat_bonus
    with_card = odds(difference + help_) if attacking else odds(difference - help_)
    return abs(with_card - odds(difference)) * (WORTH[attacker] + WORTH[defender]) / sqrt(help_)


def counter(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Use what there is."""
    return pick(question, "")


def all_of_them(sight: Sight, question: Question, chance: Chance) -> Answer:
    """All cards there are."""
    cards = [option.id for option in question.options if option.id not in (BACK, SKIP) for _ in range(option.count)]
    return tuple(cards[: question.most])


def accuse_whom(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The leader."""
    return pick(question, str(sight.leader.seat))


def bid(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Defend oneself; help against the leader if one has two cards or more."""
    rival = question.args["rival"]
    side = "accused." if rival == sight.seat else "accuser."
    cards = [option.id for option in question.options if option.id.startswith(side) for _ in range(option.count)]
    if rival == sight.seat:
        return tuple(cards[:2]) or (SKIP,)
    if question.args["seat"] != sight.seat and rival == sight.leader.seat and len(cards) > 1:
        return (cards[0],)
    return (SKIP,)


def counter_influence(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Counter the leader."""
    if question.args["seat"] == sight.leader.seat and len(question.options) > 1:
        return (question.options[0].id,)
    return (SKIP,)


def worst_cards(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The cards least worth holding."""
    cards = [o for o in question.options if o.id not in (BACK, SKIP) for _ in range(o.count)]
    cards.sort(key=lambda option: sight.worth_of_card(card_end(sight, option)))
    return tuple(option.id for option in cards[: question.least]) or (question.options[0].id,)


def steal(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The cards worth more than junk, as many as own junk can pay for."""
    cards = [o for o in question.options for _ in range(o.count)]
    cards.sort(key=lambda option: -sight.worth_of_card(card_end(sight, option)))
    junk = sum(sight.worth_of_card(end) <= JUNK for end in sight.hand)
    good = [option.id for option in cards if sight.worth_of_card(card_end(sight, option)) > JUNK]
    return tuple(good[: min(junk, question.most)])


def join_main(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Everything to the main group, or to the first place there is."""
    return pick(question, sight.main.planet) * question.least


def head(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Anyone."""
    return (question.options[-1].id,)


NEVER_AT_RANDOM = ("action", "surrender", "surrender.to")
ANSWERS: dict[str, Callable[[Sight, Question, Chance], Answer]] = {
    "action": action,
    "card": card,
    "card.victim": victim,
    "move.from": move_from,
    "move.units": move_units,
    "move.to": move_to,
    "battle.where": battle_where,
    "battle.whom": battle_whom,
    "battle.size": battle_size,
    "battle.ambush": counter,
    "battle.order": battle_order,
    "battle_cards.attacker": battle_card,
    "battle_cards.defender": battle_card,
    "counter": counter,
    "accuse.whom": accuse_whom,
    "accuse.cards": all_of_them,
    "bid": bid,
    "influence.counter": counter_influence,
    "discard": worst_cards,
    "prize.discard": worst_cards,
    "steal.take": steal,
    "steal.give": worst_cards,
    "bribe.place": join_main,
    "squadrons.join": join_main,
    "head": head,
}
