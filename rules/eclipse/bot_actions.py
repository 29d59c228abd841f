"""How a bot player carries out its actions: the answers to what Explore, Influence, Research, Upgrade, Build and Move
ask, discoveries included."""

from rules.choices import BACK
from rules.engine.questions import SKIP, Answer

from .appraisal import CONTACT, HOLE, UNIT, number_of
from .components import DISCOVERIES, SCORING, TILES
from .hexes import EDGES, distance, edges, neighbours, opposite
from .mind import DONE, NEVER, TRADE, Mind, first_ones
from .ships import SHIP_TYPES

REFRESH, TRACK = "refresh", "track"
LURE = {"parts": 2.4, "technology": 2.2, "ship": 1.9}
"""What the faces of discoveries are worth in the first rounds."""


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
