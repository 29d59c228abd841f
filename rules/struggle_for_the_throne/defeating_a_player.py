"""Defeating a player: the chain of command, the prize, surrender."""

from rules.engine.flow import Flow, Game, choose, choose_many
from rules.engine.questions import Option, places

from . import trading
from .common import BACK, back
from .components import COMMANDER, HAND_SIZE, KEPT_AFTER_CAPTURE, RANKS, SQUADRON
from .hands import discard_down, label_of, pass_all
from .state import Battle, Head, State, others_from
from .units import add, counted, destroy, disband, flags_free, head_token, is_head, rank_of
from .winning import check_winner


def lose_unit(game: Game[State], loser: int, winner: int, planet: str, unit: str) -> Flow[None]:
    """A unit is lost in combat; the chain of command and the end of a family follow from it."""
    s = game.state
    destroy(s, loser, planet, rank_of(unit))
    if not is_head(s, unit):
        return
    if s.options.admiral_death_eliminates:
        yield from dishonour(game, loser, winner)
    elif s.groups[loser]:
        yield from succeed(game, loser)
    else:
        yield from defeat(game, loser, winner)


# Chain of command


def succeed(game: Game[State], seat: int) -> Flow[None]:
    """A unit of the highest rank left becomes head of the family, the owner choosing among equals."""
    s = game.state
    rank = min(rank for group in s.groups[seat].values() for rank, n in enumerate(group) if n)
    options = candidates(s, seat, rank)
    chosen = options[0].id
    if len(options) > 1:
        s.heads[seat] = Head(rank, "")
        chosen = yield from choose(seat, "head", lambda: candidates(s, seat, rank), unit=RANKS[rank])
    if s.battle is not None and chosen.startswith(IN_COMBAT):
        planet, n = s.battle.planet, int(chosen.removeprefix(IN_COMBAT))
        mark_head(s, s.battle, seat, n - 1, rank)
        game.tell("head.in_combat", seat=seat, unit=RANKS[rank], n=n, places=(planet,))
    else:
        planet = chosen
        game.tell("head", seat=seat, unit=RANKS[rank], planet=planet, places=(planet,))
    s.heads[seat] = Head(rank, planet)


IN_COMBAT = "combat."


def candidates(s: State, seat: int, rank: int) -> list[Option]:
    """The units of this rank by planet; those that wait in a combat of the battle under way by its number."""
    waiting = waiting_in_combat(s.battle, seat, rank) if s.battle is not None else []
    found = []
    for planet, group in sorted(s.groups[seat].items()):
        here = s.battle is not None and planet == s.battle.planet
        if group[rank] > (len(waiting) if here else 0):
            found.append(Option(planet, place=planet))
        if here:
            found += [
                Option(f"{IN_COMBAT}{n + 1}", "option.in_combat", {"planet": planet, "n": n + 1}, planet)
                for n in waiting
            ]
    return found


def waiting_in_combat(fought: Battle, seat: int, rank: int) -> list[int]:
    """The unresolved combats (from 0) in which a unit of this rank of the seat waits."""
    if seat not in (fought.attacker, fought.defender):
        return []
    return [
        n
        for n, combat in enumerate(fought.combats)
        if combat.winner is None
        and rank_of(combat.attacker_unit if seat == fought.attacker else combat.defender_unit) == rank
    ]


def mark_head(s: State, fought: Battle, seat: int, n: int, rank: int) -> None:
    """The unit in this combat is the head now."""
    if seat == fought.attacker:
        fought.combats[n].attacker_unit = head_token(s, rank)
    else:
        fought.combats[n].defender_unit = head_token(s, rank)


# The end of a family


def leave_game(game: Game[State], seat: int) -> None:
    """A seat is out: no head, no offers."""
    s = game.state
    s.heads[seat] = None
    s.out.append(seat)
    trading.lapse(game, seat)


def defeat(game: Game[State], loser: int, winner: int) -> Flow[None]:
    """The last unit of a family is destroyed."""
    leave_game(game, loser)
    game.tell("defeated", seat=loser, rival=winner)
    yield from take_prize(game, winner, loser)


def take_prize(game: Game[State], winner: int, loser: int) -> Flow[None]:
    """The winner takes the loser's cards and keeps five; unless that was the last rival."""
    s = game.state
    check_winner(game)
    if s.winner is not None:
        return
    cards = pass_all(s, loser, winner)
    game.tell("prize", seat=winner, rival=loser, n=len(cards))
    if cards:
        game.tell(
            "prize_cards", to=(winner,), owner=loser, rival=loser, cards=counted(label_of(s, card) for card in cards)
        )
    if not s.options.keep_all_captured_cards:
        limit = KEPT_AFTER_CAPTURE if s.options.keep_ten_captured_cards else HAND_SIZE
        yield from discard_down(game, winner, limit)


def dishonour(game: Game[State], loser: int, winner: int) -> Flow[None]:
    """Optional rule: with its Thought Admiral a family falls; Commanders and Squadrons go over where they stand."""
    s = game.state
    spoils = {planet: list(group) for planet, group in sorted(s.groups[loser].items())}
    disband(s, loser)
    leave_game(game, loser)
    game.tell("admiral_fell", seat=loser, rival=winner, places=spoils)
    for planet in (yield from keep_planets(game, winner, spoils)):
        for rank in (COMMANDER, SQUADRON):
            n = spoils[planet][rank]
            if n:
                add(s, winner, planet, rank, n)
                s.supply -= n if rank == SQUADRON else 0
                game.tell("spoils", seat=winner, units=counted([RANKS[rank]] * n), planet=planet, places=(planet,))
    yield from take_prize(game, winner, loser)


def keep_planets(game: Game[State], winner: int, spoils: dict[str, list[int]]) -> Flow[list[str]]:
    """The planets whose spoils the winner keeps: where it stands itself, and as many others as it has flags for."""
    s = game.state
    gained = [planet for planet, group in spoils.items() if group[COMMANDER] or group[SQUADRON]]
    new = [planet for planet in gained if planet not in s.groups[winner]]
    spare = flags_free(s, winner)
    if len(new) <= spare:
        return gained
    kept: tuple[str, ...] = ()
    if spare:
        kept = yield from choose_many(winner, "spoils", lambda: places(new), spare, spare, n=spare)
    return [planet for planet in gained if planet in s.groups[winner] or planet in kept]


# Surrender


def surrender(game: Game[State], seat: int) -> Flow[None]:
    """Give up to one named rival, who takes the hand; the units leave the board."""
    s = game.state

    def build() -> list[Option]:
        return [*(Option(str(rival), "option.seat", {"seat": rival}) for rival in others_from(s, seat)), back()]

    choice = yield from choose(seat, "surrender", build)
    if choice == BACK:
        return
    left = disband(s, seat)
    leave_game(game, seat)
    game.tell("surrendered", seat=seat, rival=int(choice), places=left)
    yield from take_prize(game, int(choice), seat)
