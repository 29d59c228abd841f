"""A bot player by simple policy: it does what brings most points for the disc, and never more than it can pay.

It keeps no memory: every answer follows from the view and the question, so the parts of one action agree.
"""

from collections.abc import Callable

from rules.choices import BACK
from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer, Option
from rules.engine.rules import Decision

from .appraisal import CONTACT, HOLE, UNIT, Sight, number_of
from .components import DISCOVERIES, SCORING, TILES
from .hexes import EDGES, distance, edges, neighbours, opposite
from .odds import of_battle
from .plans import ACTIONS, Plans
from .ships import SHIP_TYPES

PASS, COLONY, TRADE, DONE, PROPOSE, ACCEPT = "pass", "colony", "trade", "done", "propose.", "accept."
REFRESH, TRACK = "refresh", "track"
LEAST = 0.12
"""An action worth less is not taken."""
CHEAP = 2
"""A reputation tile of this value may go for an ambassador."""
HOPELESS = 0.25
"""With a smaller chance to win, ships retreat."""
ODDS_LIMIT = 3000
NEVER = -1000.0
LURE = {"parts": 2.4, "technology": 2.2, "ship": 1.9}
"""What the faces of discoveries are worth in the first rounds."""


class Mind(Plans):
    """What a bot thinks about at a decision."""

    def __init__(self, decision: Decision, chance: Chance) -> None:
        super().__init__(Sight(decision.view, decision.seat))
        self.question, self.chance = decision.question, chance

    @property
    def ids(self) -> list[str]:
        """The options that are neither a way back nor a pass nor trade."""
        return [option.id for option in self.question.options if option.id not in (BACK, SKIP, TRADE, DONE)]

    def has(self, id: str) -> bool:
        """Whether this is one of the options."""
        return any(option.id == id for option in self.question.options)

    def offered(self, begin: str) -> list[str]:
        """With whom the options that begin so would form a relation: those who did not decline one last, and nobody while
        a good reputation tile would have to go for it."""
        declined = [str(to) for by, to in self.sight.view.declined if by == self.sight.seat]
        found = [id.removeprefix(begin) for id in self.ids if id.startswith(begin)]
        return [] if self.is_full else [seat for seat in found if seat not in declined]

    @property
    def is_full(self) -> bool:
        """Whether a relation would cost a reputation tile that is worth more."""
        room = any(slot.kind != "reputation" and not slot.holds for slot in self.sight.me.slots)
        return not room and min(self.sight.view.hand, default=0) > CHEAP

    def best(self, value: Callable[[str], float], least: float = float("-inf")) -> Answer:
        """The option of the highest value; the way out when none reaches `least`, or there is none."""
        found = max(self.ids, key=lambda id: (value(id), id), default="")
        ways_out = [id for id in (SKIP, BACK, DONE) if self.has(id)]
        if ways_out and (not found or value(found) < least):
            return (ways_out[0],)
        return (found or self.question.options[0].id,)


def policy(decision: Decision, chance: Chance) -> Answer:
    """A sensible answer."""
    question = decision.question
    return question.check(ANSWERS.get(question.key, first_ones)(Mind(decision, chance)))


def first_ones(mind: Mind) -> Answer:
    """As many as must be."""
    options = [option.id for option in mind.question.options if option.id != BACK for _ in range(option.count)]
    return tuple(options[: max(mind.question.least, 1)])


def any_one(mind: Mind) -> Answer:
    """Any of them."""
    return (mind.chance.pick(mind.question.options).id,)


# The action


def action(mind: Mind) -> Answer:
    """The most useful action, as long as the disc for it is worth it and can be paid; relations and colony ships first."""
    sight = mind.sight
    if partners := mind.offered(ACCEPT):
        return (f"{ACCEPT}{partners[0]}",)
    if mind.has(COLONY) and mind.landing() > 0:
        return (COLONY,)
    if not sight.can_spare(1):
        return (PASS,)
    cost = sight.price_of_disc()
    worth = {id: mind.worth(id) for id in mind.ids if id in ACTIONS}
    if not worth:
        return (PASS,)
    found = max(worth, key=lambda id: (worth[id], id))
    return (found,) if worth[found] - cost > LEAST else (PASS,)


def reaction(mind: Mind) -> Answer:
    """Only what is clearly useful, for a passed player."""
    sight = mind.sight
    if partners := mind.offered(ACCEPT):
        return (f"{ACCEPT}{partners[0]}",)
    if mind.has(COLONY) and mind.landing() > 0:
        return (COLONY,)
    if not sight.can_spare(1):
        return (SKIP,)
    worth = {"build": mind.build(1)[0], "move": mind.war.attack(1)[0], "upgrade": mind.war.upgrade(1)[0]}
    found = max(worth, key=lambda id: (worth[id], id))
    return (found,) if mind.has(found) and worth[found] - sight.price_of_disc() > 3 * LEAST else (SKIP,)


# Colony ships and trade


def colony(mind: Mind) -> Answer:
    """The square and the track that bring most."""
    return mind.best(lambda id: NEVER if id.startswith(PROPOSE) else mind.sight.cube(id.rpartition(".")[2]), 0.001)


def last_words(mind: Mind) -> Answer:
    """Relations with whom it has just met; colony ships."""
    partners = mind.offered(PROPOSE)
    return (f"{PROPOSE}{partners[0]}",) if partners else colony(mind)


def trade(mind: Mind) -> Answer:
    """For what is being done now, out of what can be spared best."""
    sight = mind.sight
    wanted = {"research": "science", "build": "materials"}.get(sight.view.action, "money")

    def value(id: str) -> float:
        give, _, get = id.partition(".")
        spare = min(sight.stored(give), sight.left_after(0)) if give == "money" else sight.stored(give)
        return spare if get == wanted else NEVER

    return mind.best(value, NEVER + 1)


# Explore


def explore_place(mind: Mind) -> Answer:
    """The space that promises most; a second one only if it can be held."""
    sight = mind.sight
    return mind.best(mind.space, 0.3 if sight.can_spare(1) and sight.sustains() else -NEVER)


def explore_keep(mind: Mind) -> Answer:
    """The better tile, if it is good for anything."""
    sight = mind.sight
    worth = {id: sight.tile_worth(TILES[id]) for id in mind.ids if id in TILES}
    if mind.has("another") and max(worth.values(), default=0.0) < 1.2:
        return ("another",)
    found = max(worth, key=lambda id: (worth[id], id), default="")
    return (found,) if found and worth[found] > -0.3 else ("discard",)


def explore_orientation(mind: Mind) -> Answer:
    """Ways to own hexes and into the unknown, not to rivals."""
    sight = mind.sight
    number = str(mind.question.args.get("tile", ""))

    def value(id: str) -> float:
        total = 0.0
        for edge in EDGES:
            place = neighbours(sight.view.exploring)[edge]
            hex_ = sight.hexes.get(place)
            if not edges(number, int(id))[edge]:
                continue
            if hex_ is None:
                total += HOLE * sight.rounds / 4 * (1 if distance(place) <= 2 else 0.7)
            elif opposite(edge) in hex_.wormholes:
                total += 0.5 if hex_.disc == sight.seat else -CONTACT if hex_.disc is not None else 0.1
        return total

    return mind.best(value)


def explore_disc(mind: Mind) -> Answer:
    """Take control if the hex is worth it and can be held."""
    sight = mind.sight
    hex_ = sight.numbers[str(mind.question.args["tile"])]
    return ("disc",) if mind.holds(hex_) and sight.hex_worth(hex_) > 0 else (SKIP,)


# Discoveries


def discovery_side(mind: Mind) -> Answer:
    """The face early in the game, where it is good for something; points later."""
    sight = mind.sight
    tile = DISCOVERIES[str(mind.question.args["tile"])]
    share = (sight.rounds - 1) / 8
    if tile.effect == "resources":
        worth = sum(UNIT[kind] * n for kind, n in tile.gain.items()) * (1 + 1.6 * share)
    elif tile.effect == "technology":
        worth = 0.6 + LURE["technology"] * share
    elif tile.effect == "ship":
        worth = LURE["ship"] * share + 0.4
    else:
        worth = LURE["parts"] * share + 0.5
    return ("use",) if worth > SCORING.discovery else ("points",)


def discovery_square(mind: Mind) -> Answer:
    """Aside, to be placed with the next upgrade."""
    return ("aside",) if mind.has("aside") else first_ones(mind)


# Influence


def influence_from(mind: Mind) -> Answer:
    """Discs from the track to good hexes, colony ships up when they are needed."""
    sight = mind.sight
    if mind.has(TRACK) and mind.goal():
        return (TRACK,)
    if mind.has(REFRESH) and len(sight.open_squares) > sight.me.colony_ships:
        return (REFRESH,)
    return (DONE,)


def influence_to(mind: Mind) -> Answer:
    """That hex."""
    goal = mind.goal()
    return (goal,) if goal and mind.has(goal) else (BACK,)


# Research


def research(mind: Mind) -> Answer:
    """The best technology, after trading for it if need be."""
    worth, id = mind.research()
    if not id or worth <= 0:
        return (SKIP,)
    return (id,) if mind.has(id) else (TRADE,) if mind.has(TRADE) else (SKIP,)


def technology(mind: Mind) -> Answer:
    """The best of those that are free."""
    return mind.best(mind.sight.technology_worth)


def artifacts(mind: Mind) -> Answer:
    """Materials late in the game for Monoliths, science earlier."""
    kind = "materials" if mind.sight.has("monolith") or mind.sight.rounds < 3 else "science"
    return (kind,) * mind.question.least


# Upgrade


def upgrade_return(mind: Mind) -> Answer:
    """Tiles where better ones go."""
    plan = mind.war.upgrade(mind.amounts.upgrade)[1]
    wanted = [f"{plan.ship}.{at}" for at, _ in plan.parts] if plan else []
    found = next((id for id in mind.ids if id in wanted), None)
    if found is not None:
        return (found,)
    return (SKIP,) if mind.has(SKIP) else first_ones(mind)


def upgrade_take(mind: Mind) -> Answer:
    """The parts of the plan; whatever mends the blueprints if they must be mended."""
    plan = mind.war.upgrade(number_of(mind.question.args["n"]))[1]
    wanted = [part for _, part in plan.parts] if plan else []
    found = next((id for id in mind.ids if id in wanted), None)
    if found is not None:
        return (found,)
    return (SKIP,) if mind.has(SKIP) else first_ones(mind)


def upgrade_square(mind: Mind) -> Answer:
    """Where it was planned, or where it makes a ship strongest."""
    part = str(mind.question.args["part"])
    plan = mind.war.upgrade(number_of(mind.question.args["n"]))[1]
    for at, planned in plan.parts if plan else ():
        if planned == part and plan and mind.has(f"{plan.ship}.{at}"):
            return (f"{plan.ship}.{at}",)
    return mind.best(lambda id: mind.war.with_part(part, id))


# Build


def build_item(mind: Mind) -> Answer:
    """What was planned, after trading for it if need be."""
    plan = mind.build(number_of(mind.question.args["n"]))
    if not plan[1] or plan[0] <= 0:
        return (SKIP,)
    return (plan[1][0],) if mind.has(plan[1][0]) else (TRADE,) if mind.has(TRADE) else (SKIP,)


def build_place(mind: Mind) -> Answer:
    """Ships beside their target, structures where they are safe."""
    sight = mind.sight
    item = str(mind.question.args["item"])
    target = mind.war.prospect((item,))[1] if item in SHIP_TYPES else None

    def value(number: str) -> float:
        hex_ = sight.numbers[number]
        if target is not None:
            return float(any(there.place == target.hex.place for there in sight.links(hex_.place)))
        rivals = sum(there.disc not in (None, sight.seat) for there in sight.links(hex_.place))
        return hex_.points - 2 * sight.foes(hex_) - 0.5 * rivals + 0.2 * distance(hex_.place)

    return mind.best(value)


# Move


def move_ship(mind: Mind) -> Answer:
    """The best ship that can go to the target, as long as it helps."""
    gain, target = mind.war.attack(number_of(mind.question.args["n"]))
    if target is None or gain <= 0.02:
        return (SKIP,)
    for place, ship in mind.war.at_hand(target):
        id = f"{mind.sight.hexes[place].number}.{ship}"
        if mind.has(id):
            return (id,)
    return (SKIP,)


def move_to(mind: Mind) -> Answer:
    """The best target among those in reach."""
    start = mind.sight.numbers[str(mind.question.args["at"])].place
    ship = str(mind.question.args["ship"])
    war = mind.war
    wanted = {
        target.hex.number: war.worth(target, [*war.there(target), ship]) - war.worth(target, war.there(target))
        for target in war.targets
        if (start, ship) in target.near
    }
    target = war.attack(war.moves)[1]
    if target is not None and mind.has(target.hex.number):
        return (target.hex.number,)
    return mind.best(lambda number: wanted.get(number, -1.0))


# Diplomacy


def partner(mind: Mind) -> Answer:
    """Anybody who has not declined."""
    partners = mind.offered("")
    return (partners[0],) if partners else (SKIP,)


def reply(mind: Mind) -> Answer:
    """Accepted, unless a good reputation tile would have to go for it."""
    return (SKIP,) if mind.is_full else (mind.ids[0],)


def cube(mind: Mind) -> Answer:
    """From the track that gains most by it."""
    return mind.best(mind.sight.cube)


def cube_back(mind: Mind) -> Answer:
    """To the track that loses least by it."""
    return mind.best(lambda kind: -mind.sight.cube(kind, -1))


def least_tile(mind: Mind) -> Answer:
    """The tile of the least value."""
    return mind.best(lambda id: -float(id))


def best_tile(mind: Mind) -> Answer:
    """The tile of the highest value."""
    return mind.best(float)


# Battle


def battle_action(mind: Mind) -> Answer:
    """Attack; retreat only where the battle is as good as lost."""
    view = mind.sight.view
    retreats = [id for id in mind.ids if id.startswith("retreat")]
    battle = view.battle
    if retreats and battle is not None and battle.round > 1:
        odds = of_battle(view, ODDS_LIMIT)
        if odds is not None:
            wins = odds.attacker_wins if battle.attacker == mind.sight.seat else odds.defender_wins
            if wins < HOPELESS:
                return (retreats[0],)
    return (next((id for id in mind.ids if not id.startswith("retreat")), mind.ids[0]),)


def withdraw(mind: Mind) -> Answer:
    """Rather away than destroyed."""
    return (mind.ids[0],) if mind.ids else (SKIP,)


def conquer(mind: Mind) -> Answer:
    """Take the hex if it is worth its disc."""
    sight = mind.sight
    hex_ = next(hex_ for hex_ in sight.view.hexes if hex_.number == mind.ids[0])
    return (hex_.number,) if mind.holds(hex_) and sight.hex_worth(hex_) > 0 else (SKIP,)


def population(mind: Mind) -> Answer:
    """Bombs, else all cannons."""
    return ("bombs",) if mind.has("bombs") else (mind.ids[0],)


def everything(mind: Mind) -> Answer:
    """As many as may be."""
    options: list[Option] = [option for option in mind.question.options for _ in range(option.count)]
    return tuple(option.id for option in options[: mind.question.most])


# Upkeep


def short(mind: Mind) -> Answer:
    """Trade what can be spared; else give up the hex that is worth least."""
    sight = mind.sight

    def value(id: str) -> float:
        if "." in id:
            return 0.3 + 0.001 * sight.stored(id.partition(".")[0])
        return -sight.hex_worth(sight.numbers[id]) if id in sight.numbers else 0.0

    return mind.best(value)


ANSWERS: dict[str, Callable[[Mind], Answer]] = {
    "setup.species": any_one,
    "action.choose": action,
    "action.end": last_words,
    "reaction.choose": reaction,
    "colony.square": colony,
    "colony.upkeep": colony,
    "trade.what": trade,
    "explore.place": explore_place,
    "explore.keep": explore_keep,
    "explore.orientation": explore_orientation,
    "explore.disc": explore_disc,
    "discovery.side": discovery_side,
    "discovery.technology": technology,
    "discovery.square": discovery_square,
    "influence.from": influence_from,
    "influence.to": influence_to,
    "research.technology": research,
    "research.artifacts": artifacts,
    "upgrade.return": upgrade_return,
    "upgrade.take": upgrade_take,
    "upgrade.square": upgrade_square,
    "build.item": build_item,
    "build.place": build_place,
    "move.ship": move_ship,
    "move.to": move_to,
    "diplomacy.partner": partner,
    "diplomacy.answer": reply,
    "diplomacy.cube": cube,
    "diplomacy.return": least_tile,
    "cube.track": cube_back,
    "combat.action": battle_action,
    "combat.withdraw": withdraw,
    "conquest.place": conquer,
    "population.attack": population,
    "population.cubes": everything,
    "reputation.keep": best_tile,
    "reputation.return": least_tile,
    "upkeep.short": short,
}
