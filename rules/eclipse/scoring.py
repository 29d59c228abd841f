"""Game end: points and what they are made of, the order of the players."""

from rules.engine.flow import Flow, Game
from rules.engine.rules import Standing

from .common import return_cube
from .components import CATEGORIES, PLAY, SCORING, TECHNOLOGY_TRACK, TILES
from .state import State, controlled, in_category, seats, species

PARTS = ("reputation", "ambassadors", "hexes", "discoveries", "monoliths", "technologies", "traitor", "species")


def points(s: State, seat: int, *, hidden: bool = True) -> dict[str, int]:
    """The seat's points by source (ruling 107). Without `hidden`, reputation tiles, which only their owner knows, are
    left out."""
    board = s.boards[seat]
    if board.out:
        return dict(board.score)
    own = [s.hexes[place] for place in controlled(s, seat)]
    found = {"reputation": sum(board.reputation)} if hidden else {}
    return found | {
        "ambassadors": SCORING.ambassador * len(board.ambassadors),
        "hexes": sum(TILES[hex_.number].points for hex_ in own),
        "discoveries": SCORING.discovery * len(board.discoveries),
        "monoliths": SCORING.monolith * sum(hex_.monolith for hex_ in own),
        "technologies": technology_points(s, seat),
        "traitor": SCORING.traitor * (s.traitor == seat),
        "species": species_points(s, seat),
    }


def technology_points(s: State, seat: int) -> int:
    """The points of the three technology tracks."""
    if not s.boards[seat].technologies:
        return 0
    return sum(TECHNOLOGY_TRACK.points[in_category(s, seat, category)] for category in CATEGORIES)


def species_points(s: State, seat: int) -> int:
    """What the species scores extra: for each own hex, or for each Ancient left on the board."""
    if not s.boards[seat].species:
        return 0
    bonus = species(s, seat).bonus
    if bonus == "controlled_hexes":
        return SCORING.species_bonus * len(controlled(s, seat))
    if bonus == "ancients":
        return SCORING.species_bonus * sum(hex_.ancients for hex_ in s.hexes.values())
    return 0


def last_round(s: State) -> bool:
    """Whether this is the last round."""
    return s.round >= PLAY.rounds


def standings(s: State) -> list[Standing]:
    """Everybody, the best first; equal points are decided by the stored resources, and if they are equal, too, the place
    is shared (ruling 108). While the game lasts, hidden reputation does not count."""
    over = s.phase == "over"
    parts = {seat: points(s, seat, hidden=over) for seat in seats(s)}
    worth = {seat: (sum(parts[seat].values()), sum(s.boards[seat].storage.values())) for seat in seats(s)}
    found = []
    for seat in sorted(seats(s), key=lambda seat: worth[seat], reverse=True):
        rank = 1 + sum(other > worth[seat] for other in worth.values())
        found.append(Standing(seat, rank, worth[seat][0], parts[seat], winner=over and rank == 1))
    return found


def winners(s: State) -> tuple[int, ...]:
    """Who has won; nobody while the game lasts."""
    return tuple(standing.seat for standing in standings(s) if standing.winner)


def leave(game: Game[State], seat: int, how: str) -> Flow[None]:
    """The seat, which has no hex any more, leaves the game, collapsed or by its own will (rulings 103 and 104): its score
    is counted as the board stands, then its pieces leave; partners take their ambassador and cube home."""
    s, board = game.state, game.state.boards[seat]
    board.score = points(s, seat)
    board.out, board.passed = how, True
    game.tell(f"scoring.{how}", owner=seat, seat=seat, points=sum(board.score.values()))
    for hex_ in s.hexes.values():
        hex_.fleets = [fleet for fleet in hex_.fleets if fleet.seat != seat]
    if s.traitor == seat:
        s.traitor = None
    s.proposals = [proposal for proposal in s.proposals if seat not in (proposal.by, proposal.to)]
    while s.boards[seat].ambassadors:
        partner = s.boards[seat].ambassadors.pop(0)
        s.boards[partner].ambassadors.remove(seat)
        yield from return_cube(game, partner)


def end(game: Game[State]) -> None:
    """The game is over; hidden tiles are shown and points told."""
    s = game.state
    s.phase = "over"
    for standing in standings(s):
        game.tell("scoring.points", owner=standing.seat, seat=standing.seat, points=standing.score, rank=standing.rank)
    game.tell("scoring.won", seats=winners(s))
