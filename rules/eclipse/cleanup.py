"""Cleanup Phase: new technologies, discs and cubes back, and the next round."""

from rules.engine.flow import Flow, Game

from .common import return_cube
from .components import PLAYERS, RESOURCES
from .setup import draw_technologies
from .state import State, Turn, playing_from


def cleanup_phase(game: Game[State]) -> Flow[None]:
    """The whole phase (ruling 105)."""
    s = game.state
    s.phase = "cleanup"
    drawn = draw_technologies(s, game.chance, PLAYERS[len(s.boards)].new_technologies)
    game.tell("cleanup.technologies", technologies=tuple(drawn))
    for seat in playing_from(s, s.start):
        yield from clean_up(game, seat)
    next_start = s.start if s.following is None else s.following
    s.start, s.following = playing_from(s, next_start)[0], None
    s.round += 1
    s.phase, s.next = "action", Turn(s.start)
    game.tell("cleanup.round", round=s.round)


def clean_up(game: Game[State], seat: int) -> Flow[None]:
    """Discs from the actions back to the track, the graveyard to its tracks, colony ships and the summary card up."""
    s, board = game.state, game.state.boards[seat]
    board.discs += sum(board.actions.values()) + sum(board.reactions.values())
    board.actions, board.reactions = {}, {}
    board.colony_ships += board.used_ships
    board.used_ships, board.passed = 0, False
    for kind in RESOURCES:
        while s.boards[seat].graveyard[kind]:
            s.boards[seat].graveyard[kind] -= 1
            yield from return_cube(game, seat, (kind,))
