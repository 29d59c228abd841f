"""Diplomacy, with four and more players: relations are proposed, formed with ambassadors, and broken by an attack."""

from collections.abc import Iterable
from functools import partial

from rules.choices import BACK, one_or_ask
from rules.engine.flow import Act, Flow, Game, choose
from rules.engine.questions import SKIP, Answer, Option, Question

from .common import must_choose, return_cube, seat_options, track_option
from .components import AMBASSADORS, PLAY, RESOURCES
from .hexes import links, present
from .state import Proposal, State, controlled, playing_from, ships_in, species

ACCEPT = "accept"


# Who may


def may_form(s: State, one: int, other: int) -> bool:
    """Whether these two could form a relation now, if both want it (rulings 64, 66, 67, 70)."""
    return (
        one != other
        and len(s.boards) >= PLAY.diplomacy_from
        and other not in s.boards[one].ambassadors
        and all(is_free(s, seat) for seat in (one, other))
        and at_peace(s, one, other)
        and meet(s, one, other)
    )


def is_free(s: State, seat: int) -> bool:
    """Whether the seat may form another relation: no traitor, with an ambassador, a cube and a place on its track, and
    not just making room for the last one."""
    board = s.boards[seat]
    return (
        not board.out
        and s.traitor != seat
        and len(board.ambassadors) < AMBASSADORS
        and any(board.tracks.values())
        and not surplus(s, seat, 0)
        and surplus(s, seat) <= len(board.reputation)
    )


def surplus(s: State, seat: int, more: int = 1) -> int:
    """How many reputation tiles are in the way of one more ambassador, or of those there are; more than there are tiles
    if there is no place for it."""
    board, slots = s.boards[seat], species(s, seat).slots
    ambassadors = max(0, len(board.ambassadors) + more - slots.ambassador)
    if ambassadors > slots.either:
        return len(board.reputation) + 1
    return max(0, len(board.reputation) - slots.reputation - (slots.either - ambassadors))


def at_peace(s: State, one: int, other: int) -> bool:
    """Whether no ship of either is in a hex with a ship or the disc of the other."""
    return not any(
        (ships_in(hex_, one) and present(hex_, other)) or (ships_in(hex_, other) and present(hex_, one))
        for hex_ in s.hexes.values()
    )


def meet(s: State, one: int, other: int) -> bool:
    """Whether a hex with the disc of one connects to a hex with the other's, by wormholes on both sides."""
    return any(s.hexes[to].disc == other for place in controlled(s, one) for to in links(s, place))


def partners(s: State, seat: int) -> list[int]:
    """With whom the seat could form a relation now, clockwise."""
    return [other for other in playing_from(s, seat) if may_form(s, seat, other)]


# Proposals


def proposable(s: State, seat: int) -> list[int]:
    """To whom the seat could propose a relation now: partners to whom no proposal of its lies open."""
    asked = [proposal.to for proposal in s.proposals if proposal.by == seat]
    return [other for other in partners(s, seat) if other not in asked]


def acceptable(s: State, seat: int) -> list[int]:
    """Whose proposals the seat could accept now: a relation is formed in a turn of one of the two (ruling 65)."""
    by = [proposal.by for proposal in s.proposals if proposal.to == seat and s.active in (seat, proposal.by)]
    return [other for other in by if may_form(s, seat, other)]


def acts(s: State, seat: int) -> list[Act]:
    """Propose, accept, withdraw or decline."""
    if s.phase != "action" or len(s.boards) < PLAY.diplomacy_from:
        return []
    own = [proposal for proposal in s.proposals if seat in (proposal.by, proposal.to)]
    new = proposable(s, seat)
    ready = acceptable(s, seat)
    found = []
    if new:
        found.append(Act("propose", propose, (with_whom(new), from_track(s, seat))))
    if ready:
        found.append(Act("accept", accept, (with_whom(ready), from_track(s, seat))))
    if own:
        found.append(Act("withdraw", withdraw, (with_whom(other_of(proposal, seat) for proposal in own),)))
    return found


def with_whom(others: Iterable[int]) -> Question:
    """Which other player."""
    return Question("diplomacy.with", tuple(seat_options(dict.fromkeys(others))))


def from_track(s: State, seat: int) -> Question:
    """From which track the cube for the ambassador comes."""
    return Question("diplomacy.cube", tuple(cube_options(s, seat)))


def cube_options(s: State, seat: int) -> list[Option]:
    """The population tracks with cubes."""
    board = s.boards[seat]
    return [track_option(board, kind, -1) for kind in RESOURCES if board.tracks[kind]]


def other_of(proposal: Proposal, seat: int) -> int:
    """The other one of the two."""
    return proposal.to if proposal.by == seat else proposal.by


def propose(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """A proposal lies open until it is accepted, declined or withdrawn."""
    to, track = int(fields[0][0]), fields[1][0]
    game.state.proposals.append(Proposal(seat, to, track))
    forget(game.state, to, seat)
    game.tell("diplomacy.proposed", seat=seat, partner=to)


def propose_to(game: Game[State], seat: int, other: int) -> Flow[None]:
    """A proposal in answer to a question, or none after all, or if the relation has been formed meanwhile."""
    track = yield from one_or_ask(seat, "diplomacy.cube", lambda: cube_options(game.state, seat))
    if track != BACK and other in proposable(game.state, seat):
        propose(game, seat, ((str(other),), (track,)))


def withdraw(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """The proposals between the two are withdrawn or declined."""
    s, other = game.state, int(fields[0][0])
    if any((proposal.by, proposal.to) == (other, seat) for proposal in s.proposals):
        note_declined(s, other, seat)
    drop(s, seat, other)
    game.tell("diplomacy.withdrawn", seat=seat, partner=other)


def note_declined(s: State, by: int, to: int) -> None:
    """Everybody knows who would not come to terms with whom, until `to` thinks better of it."""
    forget(s, by, to)
    s.declined.append((by, to))


def forget(s: State, by: int, to: int) -> None:
    """What `to` once declined counts no more."""
    s.declined = [pair for pair in s.declined if pair != (by, to)]


def drop(s: State, one: int, other: int) -> None:
    """No proposal between the two is left."""
    s.proposals = [proposal for proposal in s.proposals if {proposal.by, proposal.to} != {one, other}]


def accept_of(game: Game[State], seat: int, by: int) -> Flow[None]:
    """The proposal of `by` is accepted in answer to a question, or not after all, or it is gone meanwhile."""
    track = yield from one_or_ask(seat, "diplomacy.cube", lambda: cube_options(game.state, seat))
    if track != BACK and by in acceptable(game.state, seat):
        yield from take_up(game, seat, by, track)


def accept(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
    """The act."""
    return take_up(game, seat, int(fields[0][0]), fields[1][0])


def take_up(game: Game[State], seat: int, by: int, track: str) -> Flow[None]:
    """The relation that `by` proposed is formed; its cube comes from the track named then, or another if that is empty
    now."""
    s = game.state
    proposal = next(proposal for proposal in s.proposals if (proposal.by, proposal.to) == (by, seat))
    named = proposal.track if s.boards[by].tracks[proposal.track] else cube_options(s, by)[0].id
    return form(game, by, named, seat, track)


# Forming


def form(game: Game[State], one: int, track: str, other: int, other_track: str) -> Flow[None]:
    """Both give the other an ambassador with a cube, and make room for it where their track is full. What they give is
    given before they are asked, since they may use colony ships and accept others meanwhile."""
    s = game.state
    drop(s, one, other)
    forget(s, one, other)
    forget(s, other, one)
    for seat, partner, kind in ((one, other, track), (other, one, other_track)):
        s.boards[seat].tracks[kind] -= 1
        s.boards[partner].ambassadors.append(seat)
    game.tell("diplomacy.formed", seat=one, partner=other)
    for seat in (one, other):
        yield from make_room(game, seat)


def make_room(game: Game[State], seat: int) -> Flow[None]:
    """Return reputation tiles to the bag until the ambassadors fit on the track (ruling 67)."""
    s = game.state
    while surplus(s, seat, 0):
        ask = must_choose if len(s.boards[seat].reputation) == 1 else choose  # how many there are is public, not which
        value = yield from ask(seat, "diplomacy.return", lambda: reputation_options(s, seat), private=True)
        board = s.boards[seat]
        board.reputation.remove(int(value))
        board.returned.append(int(value))
        s.reputation.shuffle_in([value])
        game.tell("diplomacy.made_room", seat=seat)
        game.tell("diplomacy.tile_returned", to=[seat], owner=seat, n=int(value))


def reputation_options(s: State, seat: int) -> list[Option]:
    """The seat's reputation tiles by value."""
    values = sorted(dict.fromkeys(s.boards[seat].reputation))
    return [Option(str(value), "option.diplomacy.reputation", {"n": value}) for value in values]


# The end of the Combat Phase


def after_combat(game: Game[State], order: Iterable[int]) -> Flow[None]:
    """Once more relations may be formed, each seat in this order proposing to whom it likes (ruling 65)."""
    s = game.state
    for seat in order:
        declined: list[int] = []
        while left := [other for other in partners(s, seat) if other not in declined]:
            build = partial(seat_options, left)
            other = yield from choose(seat, "diplomacy.partner", build, skip="option.diplomacy.nobody")
            if other == SKIP:
                break
            declined.append(int(other))
            yield from offer(game, seat, int(other))


def offer(game: Game[State], seat: int, other: int) -> Flow[None]:
    """One asks another, who accepts or not; then both name a track. Who has proposed already is not asked again."""
    s = game.state
    if any((proposal.by, proposal.to) == (other, seat) for proposal in s.proposals):
        track = yield from must_choose(seat, "diplomacy.cube", lambda: cube_options(s, seat))
        yield from take_up(game, seat, other, track)
        return
    game.tell("diplomacy.proposed", seat=seat, partner=other)
    yes = [Option(ACCEPT, "option.diplomacy.accept")]
    if (yield from choose(other, "diplomacy.answer", lambda: yes, skip="option.diplomacy.decline", by=seat)) == SKIP:
        drop(s, seat, other)
        note_declined(s, seat, other)
        game.tell("diplomacy.withdrawn", seat=other, partner=seat)
        return
    track = yield from must_choose(seat, "diplomacy.cube", lambda: cube_options(s, seat))
    other_track = yield from must_choose(other, "diplomacy.cube", lambda: cube_options(s, other))
    yield from form(game, seat, track, other, other_track)


# Breaking


def attacked(s: State, seat: int, place: str) -> list[int]:
    """The partners whom a ship of the seat attacks by entering a hex: those with a disc or a ship there (ruling 68)."""
    hex_ = s.hexes[place]
    return [other for other in s.boards[seat].ambassadors if present(hex_, other)]


def betray(game: Game[State], seat: int, broken: Iterable[int]) -> Flow[None]:
    """These relations end by the seat's attack, and it takes the traitor card (ruling 69)."""
    s = game.state
    victims = tuple(broken)
    if not victims:
        return
    s.traitor = seat
    game.tell("diplomacy.traitor", seat=seat)
    for victim in victims:
        s.boards[seat].ambassadors.remove(victim)
        s.boards[victim].ambassadors.remove(seat)
        game.tell("diplomacy.broken", seat=seat, partner=victim)
        yield from return_cube(game, victim)
        yield from return_cube(game, seat)
