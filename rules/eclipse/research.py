"""Research: technologies from the supply board, and what some of them do at once."""

from rules.engine.flow import Flow, Game, choose_many
from rules.engine.questions import SKIP, Option

from . import trade
from .common import price
from .components import RESOURCES, TECHNOLOGIES, TECHNOLOGY_TRACK
from .state import State, controlled, has_artifact, species

ARTIFACT_KEY = "artifact_key"


def research(game: Game[State], seat: int) -> Flow[None]:
    """The action: buy a technology, or two where the species may (rulings 45 to 47)."""
    left = species(game.state, seat).actions.research
    while left and (yield from buy_one(game, seat)):
        left -= 1


def buy_one(game: Game[State], seat: int) -> Flow[bool]:
    """Choose a technology and pay it; whether one was bought."""
    s = game.state
    technology = yield from trade.or_trade(
        game, seat, "research.technology", lambda: offered(s, seat), skip="option.research.done"
    )
    if technology == SKIP:
        return False
    cost = price(s, seat, technology) or 0
    s.boards[seat].storage["science"] -= cost
    game.tell("research.bought", seat=seat, technology=technology, n=cost)
    yield from gain(game, seat, technology)
    return True


def offered(s: State, seat: int) -> list[Option]:
    """The technologies on the supply board that the seat lacks, has room for and can pay."""
    found = []
    for technology in s.supply:
        cost = price(s, seat, technology)
        if cost is not None and cost <= s.boards[seat].storage["science"]:
            found.append(Option(technology, "option.research.technology", {"technology": technology, "n": cost}))
    return found


def has_room(s: State, seat: int, technology: str) -> bool:
    """Whether the seat lacks a technology and there is a free place for it (rulings 45 and 46)."""
    return price(s, seat, technology) is not None


def cheapest(s: State, seat: int) -> list[str]:
    """The technologies of the lowest printed cost on the supply board that the seat lacks and has room for (ruling 42)."""
    lacking = [technology for technology in s.supply if has_room(s, seat, technology)]
    least = min((TECHNOLOGIES[technology].price for technology in lacking), default=0)
    return [technology for technology in lacking if TECHNOLOGIES[technology].price == least]


def gain(game: Game[State], seat: int, technology: str) -> Flow[None]:
    """A technology tile goes from the supply board to the player's; what it does at once happens."""
    s = game.state
    board = s.boards[seat]
    s.supply[technology] -= 1
    if not s.supply[technology]:
        del s.supply[technology]
    board.technologies.append(technology)
    discs = TECHNOLOGY_TRACK.extra_discs.get(technology, 0)
    board.reserve -= discs
    board.discs += discs
    if discs:
        game.tell("research.discs", seat=seat, n=discs)
    if technology == ARTIFACT_KEY:
        yield from open_artifacts(game, seat)


def open_artifacts(game: Game[State], seat: int) -> Flow[None]:
    """Five of one resource for each Artifact in own hexes, each five chosen separately (ruling 48)."""
    s = game.state
    n = sum(has_artifact(s.hexes[place]) for place in controlled(s, seat))
    if not n:
        return
    each = TECHNOLOGY_TRACK.artifact_gain
    chosen = yield from choose_many(
        seat,
        "research.artifacts",
        lambda: [Option(kind, f"resource.{kind}", count=n) for kind in RESOURCES],
        n,
        n,
        n=n,
        each=each,
    )
    for kind in RESOURCES:
        if kind in chosen:
            amount = each * chosen.count(kind)
            s.boards[seat].storage[kind] += amount
            game.tell("research.artifact", seat=seat, n=amount, resource=kind)
