"""Action Phase: one action or pass in turn until all have passed; whoever has passed may only react.

Each action is a flow of its chapter; it is called when the disc lies on its space.
"""

from collections.abc import Iterable

from rules.engine.flow import Ask, Flow, Game, choose
from rules.engine.questions import SKIP, Arg, Option, Question

from . import build, colony_ships, combat, diplomacy, explore, influence, move, research, scoring, trade, upgrade
from .common import income, upkeep
from .components import ACTIONS, PLAY, REACTIONS
from .state import State, Turn, on_board, playing_from, species

PASS, COLONY, TRADE, GIVE_UP, PROPOSE, ACCEPT = "pass", "colony", "trade", "give_up", "propose", "accept."


def turn(game: Game[State], seat: int) -> Flow[None]:
    """A player's turn."""
    s = game.state
    s.active, s.action, s.refreshed = seat, "", 0
    if s.boards[seat].passed:
        yield from react(game, seat)
    else:
        yield from act_or_pass(game, seat)
    s.active, s.action = None, ""
    end_turn(game, seat)


def act_or_pass(game: Game[State], seat: int) -> Flow[None]:
    """An action, or passing for the rest of the round (rulings 13 to 15)."""
    s = game.state
    while is_beside(choice := (yield from choose_action(game, seat))):
        yield from beside(game, seat, choice)
    if choice == PASS:
        pass_round(game, seat)
    elif choice == GIVE_UP:
        yield from scoring.leave(game, seat, "gave_up")
    else:
        met = diplomacy.partners(s, seat)
        if not (yield from carry_out(game, seat, choice)):
            yield from last_words(game, seat, met)


def choose_action(game: Game[State], seat: int) -> Flow[str]:
    """What the player does; the question says what upkeep would take of the money there would be. Who can only pass is
    not asked."""
    s, board = game.state, game.state.boards[seat]
    if len(only := choices(s, seat)) == 1:
        return only[0].id

    def question(_: int) -> Question:
        money = board.storage["money"] + income(board, "money")
        args: dict[str, Arg] = {"discs": board.discs, "upkeep": upkeep(board), "money": money}
        return Question("action.choose", tuple(choices(s, seat)), args=args)

    return (yield Ask((seat,), question))[seat][0]


def choices(s: State, seat: int) -> list[Option]:
    """Actions need a disc on the track, and something to do; a player without discs and ships on the board may only
    research (rulings 14 and 104)."""
    present = on_board(s, seat)
    actions = ACTIONS if present else ("research",)
    found = [action for action in actions if s.boards[seat].discs and is_of_use(s, seat, action)]
    if colony_ships.can_land(s, seat):
        found.append(COLONY)
    if trade.can_trade(s, seat):
        found.append(TRADE)
    ways_out = [PASS] if present else [PASS, GIVE_UP]
    return [*options_of(found), *acceptances(s, seat), *options_of(ways_out)]


def options_of(ids: Iterable[str]) -> list[Option]:
    """Actions and the like as options."""
    return [Option(id, f"option.action.{id}") for id in ids]


def acceptances(s: State, seat: int) -> list[Option]:
    """Proposals of relations that can be accepted now (ruling 65)."""
    return [Option(f"{ACCEPT}{by}", "option.diplomacy.accept_of", {"seat": by}) for by in diplomacy.acceptable(s, seat)]


def is_of_use(s: State, seat: int, action: str) -> bool:
    """Whether an action or reaction could do anything; an Upgrade always can."""
    match action:
        case "explore":
            return bool(explore.spaces(s, seat))
        case "influence":
            return len(influence.sources(s, seat)) > 1
        case "research":
            return trade.can_trade(s, seat) or bool(research.offered(s, seat))
        case "build":
            return trade.can_trade(s, seat) or bool(build.buildable(s, seat))
        case "move":
            return any(move.free_to_go(s, seat))
    return True


def is_beside(choice: str) -> bool:
    """Whether this is done beside the action or reaction, which is still to be chosen."""
    return choice in (COLONY, TRADE) or choice.startswith(ACCEPT)


def beside(game: Game[State], seat: int, choice: str) -> Flow[None]:
    """A colony ship, a trade, or a relation."""
    if choice == COLONY:
        return colony_ships.use(game, seat)
    if choice == TRADE:
        return trade.trade(game, seat)
    return diplomacy.accept_of(game, seat, int(choice.removeprefix(ACCEPT)))


def carry_out(game: Game[State], seat: int, action: str) -> Flow[bool]:
    """A disc goes from the track to the action's space, and the action is done; whether it ended the turn at once."""
    s, board = game.state, game.state.boards[seat]
    board.discs -= 1
    board.actions[action] = board.actions.get(action, 0) + 1
    s.action = action
    game.tell("action.taken", seat=seat, action=action)
    amounts = species(s, seat).actions
    if action == "explore":
        return (yield from explore.explore(game, seat))
    if action == "influence":
        yield from influence.influence(game, seat)
    elif action == "research":
        yield from research.research(game, seat)
    elif action == "upgrade":
        yield from upgrade.upgrade(game, seat, amounts.upgrade)
    elif action == "build":
        yield from build.build(game, seat, build.items(s, seat))
    else:
        yield from move.move(game, seat, amounts.move)
    return False


def last_words(game: Game[State], seat: int, met: list[int]) -> Flow[None]:
    """Before the turn ends: colony ships, and relations proposed to whom one has just met. The player is asked only
    where there is something to do."""
    s = game.state

    def options() -> list[Option]:
        news = [other for other in diplomacy.proposable(s, seat) if other not in met]
        proposals = [Option(f"{PROPOSE}.{other}", "option.diplomacy.propose", {"seat": other}) for other in news]
        return [*colony_ships.options(s, seat), *proposals]

    while options():
        id = yield from choose(seat, "action.end", options, skip="option.action.end")
        if id == SKIP:
            return
        if id.startswith(PROPOSE):
            yield from diplomacy.propose_to(game, seat, int(id.partition(".")[2]))
        else:
            colony_ships.land(game, seat, id)


def pass_round(game: Game[State], seat: int) -> None:
    """The player passes; the first to do so begins the next round."""
    s = game.state
    s.boards[seat].passed = True
    if s.following is None:
        s.following = seat
        game.tell("action.first_pass", seat=seat)
    else:
        game.tell("action.passed", seat=seat)


# Reactions


def react(game: Game[State], seat: int) -> Flow[None]:
    """A weaker Upgrade, Build or Move for a disc, or passing again (rulings 16 and 17)."""
    s = game.state
    choice = yield from choose_reaction(game, seat)
    if choice == SKIP:
        return
    board = s.boards[seat]
    board.discs -= 1
    board.reactions[choice] = board.reactions.get(choice, 0) + 1
    s.action = choice
    game.tell("action.reaction", seat=seat, action=choice)
    if choice == "upgrade":
        yield from upgrade.upgrade(game, seat, PLAY.reaction)
    elif choice == "build":
        yield from build.build(game, seat, PLAY.reaction)
    else:
        yield from move.move(game, seat, PLAY.reaction)
    yield from last_words(game, seat, diplomacy.partners(s, seat))


def choose_reaction(game: Game[State], seat: int) -> Flow[str]:
    """The reaction, after what else is done in the turn; SKIP, without asking, once nothing is left to do."""
    s = game.state

    def question(_: int) -> Question:
        options = (*reactions(s, seat), Option(SKIP, "option.action.no_reaction"))
        return Question("reaction.choose", options, windows=("reaction",))

    while reactions(s, seat):
        choice = (yield Ask((seat,), question))[seat][0]
        if not is_beside(choice):
            return choice
        yield from beside(game, seat, choice)
    return SKIP


def reactions(s: State, seat: int) -> list[Option]:
    """The reactions, and what may be done in any own turn."""
    able = s.boards[seat].discs and on_board(s, seat)
    found = [action for action in REACTIONS if able and is_of_use(s, seat, action)]
    if colony_ships.can_land(s, seat):
        found.append(COLONY)
    if found and trade.can_trade(s, seat):
        found.append(TRADE)
    return [*options_of(found), *(acceptances(s, seat) if found else ())]


# The order of turns


def end_turn(game: Game[State], seat: int) -> None:
    """The next player who has anything to decide; once all have passed the phase is over (ruling 15)."""
    s = game.state
    order = playing_from(s, seat + 1)
    if not order:
        scoring.end(game)
        return
    if all(s.boards[other].passed for other in order):
        s.phase, s.next = "combat", combat.next_in_combat(s)
        return
    s.next = Turn(next(other for other in order if not s.boards[other].passed or reactions(s, other)))
