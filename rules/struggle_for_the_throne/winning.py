"""Winning the game: the last one with units on the board."""

from rules.engine.flow import Game
from rules.engine.rules import Standing

from .components import RANKS
from .state import State, is_playing, playing_from, seats, strength


def check_winner(game: Game[State]) -> None:
    """The only player left wins."""
    s = game.state
    left = playing_from(s, 0)
    if len(left) == 1 and s.winner is None:
        s.winner = left[0]
        game.tell("won", seat=left[0])


def check_round_limit(game: Game[State]) -> None:
    """House option: after so many rounds the strongest wins; of equals the one who acts later in a round."""
    s = game.state
    if s.winner is None and 0 < s.options.round_limit < s.round:
        s.winner = max(enumerate(playing_from(s, s.first)), key=lambda placed: (*strength(s, placed[1]), placed[0]))[1]
        game.tell("round_limit", rounds=s.options.round_limit)
        game.tell("won", seat=s.winner)


def standings(s: State) -> list[Standing]:
    """The winner, then the players left by strength, then the others, the last one out first."""

    def place(seat: int) -> tuple[int, ...]:
        if not is_playing(s, seat):
            return (0, 0, s.out.index(seat))
        return (1 + (seat == s.winner), *strength(s, seat))

    places = {seat: place(seat) for seat in seats(s)}
    found = []
    for seat in sorted(seats(s), key=lambda seat: places[seat], reverse=True):
        parts = {f"unit.{name}": 0 for name in RANKS}
        for group in s.groups[seat].values():
            for name, n in zip(RANKS, group, strict=True):
                parts[f"unit.{name}"] += n
        rank = 1 + sum(other > places[seat] for other in places.values())
        found.append(Standing(seat, rank, sum(parts.values()), parts, seat == s.winner))
    return found
