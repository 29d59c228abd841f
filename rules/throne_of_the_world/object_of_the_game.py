"""Object of the game: coins come and go, teams without coins are out, and the first to fulfil a condition wins."""

from typing import Any

from rules.engine.flow import Game
from rules.engine.rules import Standing

from .common import spread, told
from .components import VICTORY
from .hands import put
from .state import State, is_playing, money_of, playing_from, real_units, seats
from .unit_cards import complete_sets, professions_in_play


class Won(Exception):
    """The game is won: nothing that was begun goes on."""


def pay(game: Game[State], n: int, kind: str, *, by: int | None = None, to: int | None = None, **args: Any) -> None:
    """Coins go from a seat's team (None: the bank) to another, as many as there are; it is told as `kind`."""
    s = game.state
    n = n if by is None else min(n, money_of(s, by))
    if by is not None:
        s.money[s.teams[by]] -= n
    if to is not None:
        s.money[s.teams[to]] += n
    game.tell(kind, n=n, **args)
    settle(game)


def settle(game: Game[State]) -> None:
    """After every change of coins or units: who has no coin left is out, then somebody may have won."""
    s = game.state
    for team, coins in enumerate(s.money):
        if not coins and team not in s.out:
            eliminate(game, team)
    check_winner(game)


def eliminate(game: Game[State], team: int) -> None:
    """A team leaves the game; its hands and units are discarded."""
    s = game.state
    s.out.append(team)
    members = tuple(seat for seat in seats(s) if s.teams[seat] == team)
    game.tell("eliminated", seats=members)
    for seat in members:
        cards = [*spread(s.hands[seat]), *spread(s.units[seat])]
        for card in cards:
            put(s.discard, card)
        s.hands[seat], s.units[seat] = {}, {}
        for known in s.known:
            known[seat] = {}
        if cards:
            game.tell("eliminated_cards", owner=seat, seat=seat, cards=told(cards))


def check_winner(game: Game[State]) -> None:
    """The active player wins, else the next in turn order, whose team fulfils a condition."""
    s = game.state
    for seat in playing_from(s, s.active):
        victory = victory_of(s, seat)
        if victory:
            win(game, s.teams[seat], victory)
    if not playing_from(s, s.active):
        win(game, s.teams[s.active], "last")


def victory_of(s: State, seat: int) -> str:
    """The condition that the seat or a team mate fulfils, the first in the rulebook's order; "" for none."""
    money = money_of(s, seat)
    team = [other for other in seats(s) if s.teams[other] == s.teams[seat]]
    if money >= VICTORY.money:
        return "money"
    if money >= VICTORY.sets_money and any(len(complete_sets(s, one)) >= VICTORY.sets for one in team):
        return "sets"
    if money >= VICTORY.professions_money and any(professions_in_play(s, one) >= VICTORY.professions for one in team):
        return "professions"
    return "last" if all(s.teams[other] == s.teams[seat] for other in playing_from(s, seat)) else ""


def win(game: Game[State], team: int, victory: str) -> None:
    """The game ends here."""
    s = game.state
    s.winners = [seat for seat in seats(s) if s.teams[seat] == team]
    s.victory, s.phase, s.attack, s.demand = victory, "over", None, None
    game.tell(f"won.{victory}", seats=tuple(s.winners))
    raise Won


def check_round_limit(game: Game[State]) -> None:
    """House option: after so many rounds the richest team wins; of equals the one with more sets, professions, units,
    then the one that plays later in a round."""
    s = game.state
    if 0 < s.options.round_limit < s.round:
        order = playing_from(s, s.first)
        best = max(order, key=lambda seat: (*strength(s, seat), order.index(seat)))
        win(game, s.teams[best], "round_limit")


def strength(s: State, seat: int) -> tuple[int, int, int, int]:
    """How the seat stands: coins, complete sets, professions, units."""
    return money_of(s, seat), len(complete_sets(s, seat)), professions_in_play(s, seat), real_units(s, seat)


def standings(s: State) -> list[Standing]:
    """The winners, then the teams left by coins and what their better player has, then the others, the last out first."""
    best = [max(strength(s, seat) for seat in seats(s) if s.teams[seat] == team) for team in range(len(s.money))]

    def place(seat: int) -> tuple[int, ...]:
        team = s.teams[seat]
        if not is_playing(s, seat) and seat not in s.winners:
            return (0, s.out.index(team))
        return (1 + (seat in s.winners), *best[team])

    places = {seat: place(seat) for seat in seats(s)}
    found = []
    for seat in sorted(seats(s), key=lambda seat: places[seat], reverse=True):
        coins, sets, professions, units = strength(s, seat)
        parts = {"coins": coins, "sets": sets, "professions": professions, "units": units}
        rank = 1 + sum(other > places[seat] for other in places.values())
        found.append(Standing(seat, rank, coins, parts, seat in s.winners))
    return found
