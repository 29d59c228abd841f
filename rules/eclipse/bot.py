"""A bot player by simple policy: it does what brings most points for the disc, and never more than it can pay.

It keeps no memory: every answer follows from the view and the question, so the parts of one action agree.
"""

from collections.abc import Callable

from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer, Option
from rules.engine.rules import Decision

from . import bot_actions as carry_out
from .mind import NEVER, Mind, first_ones
from .odds import of_battle
from .plans import ACTIONS

PASS, COLONY, PROPOSE, ACCEPT = "pass", "colony", "propose.", "accept."
LEAST = 0.12
"""An action worth less is not taken."""
HOPELESS = 0.25
"""With a smaller chance to win, ships retreat."""
ODDS_LIMIT = 3000


def policy(decision: Decision, chance: Chance) -> Answer:
    """A sensible answer."""
    question = decision.question
    return question.check(ANSWERS.get(question.key, first_ones)(Mind(decision, chance)))


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
    "explore.place": carry_out.explore_place,
    "explore.keep": carry_out.explore_keep,
    "explore.orientation": carry_out.explore_orientation,
    "explore.disc": carry_out.explore_disc,
    "discovery.side": carry_out.discovery_side,
    "discovery.technology": carry_out.technology,
    "discovery.square": carry_out.discovery_square,
    "influence.from": carry_out.influence_from,
    "influence.to": carry_out.influence_to,
    "research.technology": carry_out.research,
    "research.artifacts": carry_out.artifacts,
    "upgrade.return": carry_out.upgrade_return,
    "upgrade.take": carry_out.upgrade_take,
    "upgrade.square": carry_out.upgrade_square,
    "build.item": carry_out.build_item,
    "build.place": carry_out.build_place,
    "move.ship": carry_out.move_ship,
    "move.to": carry_out.move_to,
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
