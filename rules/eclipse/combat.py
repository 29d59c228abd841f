"""Combat Phase: the battles of a hex, with missiles, engagement rounds, retreat and stalemate.

One hex is one segment: all its battles, then the attack on its population and the reputation it brings."""

from functools import partial

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import Arg, Option

from . import assignment, population, reputation
from .battles import (
    armed,
    battle,
    goals,
    hostile,
    in_line,
    is_fought_over,
    is_over,
    next_types,
    points,
    standing,
    totals_for,
    types,
    warships,
)
from .common import hex_options
from .state import (
    ANCIENT,
    Battle,
    Combat,
    EndOfCombat,
    Party,
    State,
    add_ship,
    place_of,
    remove_ship,
    ships_in,
)

ATTACK, HOLD, RETREAT, STAY = "attack", "hold", "retreat", "stay"


def next_in_combat(s: State, before: str = "999") -> Combat | EndOfCombat:
    """The hex to be fought over next, in descending number, so the centre is last (ruling 71); `before`: the number of
    the one that is done."""
    for number, place in sorted(((hex_.number, place) for place, hex_ in s.hexes.items()), reverse=True):
        if number < before and (is_fought_over(s, s.hexes[place]) or population.attacker(s, place) is not None):
            return Combat(place)
    return EndOfCombat()


def combat(game: Game[State], place: str) -> Flow[None]:
    """Everything that is fought out in one hex."""
    s, number = game.state, game.state.hexes[place].number
    begin(game, place)
    yield from battles(game)
    yield from population.attack(game, place)
    yield from reputation.draw_all(game)
    s.battle = None
    s.next = next_in_combat(s, number)


def begin(game: Game[State], place: str) -> None:
    """The ships meet."""
    s, hex_ = game.state, game.state.hexes[place]
    ships = warships(hex_)
    line = in_line(hex_)
    s.battle = Battle(place, parties=line, entered=[fleet.seat for fleet in hex_.fleets], ships=ships)
    if is_fought_over(s, hex_):
        game.tell(
            "combat.begins", hex=hex_.number, parties=tuple(line), of=tuple(one.party for one in ships),
            ships=tuple(one.ship for one in ships), hulls=tuple(totals_for(s, o.party, o.ship).hull for o in ships),
            places=[place],
        )  # fmt: skip


def battles(game: Game[State]) -> Flow[None]:
    """Two at a time: the two latest, then whoever is left and the next earlier one, who is the defender (ruling 72)."""
    s = game.state
    line = list(battle(s).parties)
    champion: Party | None = None
    for rival in line:
        if champion is None:
            champion = rival
        elif isinstance(rival, int) or (isinstance(champion, int) and hostile(s, champion, s.hexes[battle(s).place])):
            champion = yield from fight(game, champion, rival)


def fight(game: Game[State], attacker: Party, defender: Party) -> Flow[Party | None]:
    """One battle to its end; who is left in the hex, if anybody."""
    s, b = game.state, battle(game.state)
    b.attacker, b.defender, b.round = attacker, defender, 0
    b.fought += [seat for seat in (attacker, defender) if isinstance(seat, int) and seat not in b.fought]
    game.tell("combat.battle", attacker=attacker, defender=defender)
    yield from missiles(game)
    while not is_over(battle(s)):
        yield from engagement_round(game)
    b = battle(s)
    b.acting, b.acted = None, []
    for one in b.ships:
        if not one.away:
            one.retreat = ""
    left = next((party for party in (attacker, defender) if standing(b, party)), None)
    if left is not None:
        game.tell("combat.won", party=left, hex=s.hexes[b.place].number, places=[b.place])
    return left


def missiles(game: Game[State]) -> Flow[None]:
    """All types with missiles fire them once, by initiative (ruling 77)."""
    s = game.state
    battle(s).step = "missiles"
    while not is_over(battle(s)) and (tied := next_types(s, battle(s))):
        party, ship = tied[0]
        options = launches(s)
        if len(options) > 1 and isinstance(party, int):
            answer = yield from choose(party, "combat.missiles", lambda: launches(s))
            ship = answer.partition(".")[2]
        elif options:
            ship = options[0].id.partition(".")[2]
        battle(s).acted.append((party, ship))
        if options:
            yield from fire(game, party, ship)


def launches(s: State) -> list[Option]:
    """The types whose turn it is to fire missiles."""
    b = battle(s)
    return [attack_option(b, *one) for one in next_types(s, b) if totals_for(s, *one).missiles]


# Engagement rounds


def engagement_round(game: Game[State]) -> Flow[None]:
    """Every type attacks or retreats, by initiative. When one side is gone only those leave that had announced it
    (ruling 83)."""
    s, b = game.state, battle(game.state)
    b.step, b.round, b.acted = "engagement", b.round + 1, []
    if not armed(s, b, b.attacker) and not armed(s, b, b.defender):
        yield from stalemate(game)
        return
    game.tell("combat.round", n=b.round)
    while tied := next_types(s, battle(s)):
        party, ship, what, goal = yield from decide(game, tied)
        battle(s).acted.append((party, ship))
        if what == ATTACK:
            yield from fire(game, party, ship)
        elif what == RETREAT and goal and isinstance(party, int):
            announce(game, party, ship, goal)
        elif what == RETREAT and isinstance(party, int):
            leave(game, party, ship)


def decide(game: Game[State], tied: list[tuple[Party, str]]) -> Flow[tuple[Party, str, str, str]]:
    """Which of the types acts now, and what it does: (party, type, what, place). Ships that had announced their retreat
    leave; a player is asked only where there is something to choose."""
    s = game.state
    party = tied[0][0]
    for _, ship in tied:
        if battle(s).ships[standing(battle(s), party, ship)[0]].retreat:
            return party, ship, RETREAT, ""
    options = [option for _, ship in tied for option in actions(s, party, ship)]
    if isinstance(party, str) or is_over(battle(s)) or not options:
        return party, tied[0][1], ATTACK if options and not is_over(battle(s)) else HOLD, ""
    id = options[0].id
    if len(options) > 1:
        ships = [ship for _, ship in tied]
        id = yield from choose(
            party, "combat.action", lambda: [o for ship in ships for o in actions(s, party, ship)], n=battle(s).round
        )
    what, ship, *goal = id.split(".")
    return party, ship, what, place_of(s, goal[0]) if goal else ""


def actions(s: State, party: Party, ship: str) -> list[Option]:
    """What a type may do: attack with its cannons, or do nothing without, or retreat (ruling 81)."""
    b = battle(s)
    found = [attack_option(b, party, ship)] if totals_for(s, party, ship).cannons else []
    if isinstance(party, int):
        where = goals(s, b, party, ship)
        if where and not found:
            found.append(Option(f"{HOLD}.{ship}", "option.combat.hold", {"ship": ship}))
        found += [
            Option(
                f"{RETREAT}.{ship}.{s.hexes[place].number}", "option.combat.retreat",
                {"ship": ship, "hex": s.hexes[place].number}, place,
            )
            for place in where
        ]  # fmt: skip
    return found


def attack_option(b: Battle, party: Party, ship: str) -> Option:
    """Fire with all ships of a type."""
    args: dict[str, Arg] = {"ship": ship, "n": len(standing(b, party, ship))}
    return Option(f"{ATTACK}.{ship}", "option.combat.attack", args, b.place)


def announce(game: Game[State], seat: int, ship: str, goal: str) -> None:
    """A type goes to the edge of the hex, where it can still be hit (ruling 82)."""
    s, b = game.state, battle(game.state)
    for at in standing(b, seat, ship):
        b.ships[at].retreat = goal
    game.tell("combat.retreats", party=seat, ship=ship, hex=s.hexes[goal].number, places=[b.place, goal])


def leave(game: Game[State], seat: int, ship: str) -> None:
    """A type gets away to where it had announced."""
    s, b = game.state, battle(game.state)
    gone = standing(b, seat, ship)
    goal = b.ships[gone[0]].retreat
    for at in gone:
        b.ships[at].away = True
    remove_ship(s.hexes[b.place], seat, ship, len(gone))
    add_ship(s.hexes[goal], seat, ship, len(gone))
    note_retreat(b, gone)
    n = len(gone)
    game.tell("combat.left", party=seat, ship=ship, n=n, hex=s.hexes[goal].number, places=[b.place, goal])


def note_retreat(b: Battle, gone: list[int]) -> None:
    """If these were a player's last ships here, and all of them on retreat, that player has retreated (ruling 92)."""
    for party in dict.fromkeys(b.ships[at].party for at in gone):
        last = [at for at in gone if b.ships[at].party == party]
        if isinstance(party, int) and not standing(b, party) and all(b.ships[at].retreat for at in last):
            b.retreated.append(party)


# Destruction


def fire(game: Game[State], party: Party, ship: str) -> Flow[None]:
    """A type fires, and those of its targets go whose damage exceeds their hull (ruling 79)."""
    s = game.state
    battle(s).acting = party, ship
    yield from assignment.fire(game, party, ship)
    b = battle(s)
    b.acting = None
    hit = dict.fromkeys(die.target for die in b.volleys[-1].dice if die.target is not None)
    fell(game, party, [at for at in hit if points(s, b, at) <= 0])


def fell(game: Game[State], by: Party, dead: list[int]) -> None:
    """These ships are destroyed, and at once back with their owners (ruling 85)."""
    s, b = game.state, battle(game.state)
    hex_ = s.hexes[b.place]
    b.fallen += dead
    for at in dead:
        one = b.ships[at]
        if isinstance(one.party, int):
            remove_ship(hex_, one.party, one.ship)
        elif one.party == ANCIENT:
            hex_.ancients -= 1
        else:
            hex_.gcds = False
        if isinstance(by, int):
            kills = b.kills.setdefault(str(by), {})
            kills[one.ship] = kills.get(one.ship, 0) + 1
        game.tell("combat.destroyed", party=one.party, ship=one.ship, at=at, places=[b.place])
    note_retreat(b, dead)


# Stalemate


def stalemate(game: Game[State]) -> Flow[None]:
    """Nobody has a cannon: ships on retreat leave, and if both sides are still there, the attacker's retreat, each type
    as it likes, or are destroyed (ruling 84)."""
    s, b = game.state, battle(game.state)
    for party, ship in list(types(b)):
        if isinstance(party, int) and b.ships[standing(b, party, ship)[0]].retreat:
            leave(game, party, ship)
    if is_over(b):
        return
    game.tell("combat.stalemate", party=b.attacker, places=[b.place])
    seat = b.attacker
    assert isinstance(seat, int)
    for ship in list(dict.fromkeys(b.ships[at].ship for at in standing(b, seat))):
        if goals(s, battle(s), seat, ship):
            to = yield from choose(seat, "combat.withdraw", partial(withdrawals, s, seat, ship), ship=ship)
            if to != STAY:
                announce(game, seat, ship, place_of(s, to))
                leave(game, seat, ship)
    b = battle(s)
    if ships_in(s.hexes[b.place], seat):
        fell(game, b.defender, standing(b, seat))


def withdrawals(s: State, seat: int, ship: str) -> list[Option]:
    """Where a type may go in a stalemate, or that it stays, which is its end."""
    return [*hex_options(s, goals(s, battle(s), seat, ship)), Option(STAY, "option.combat.stay")]
