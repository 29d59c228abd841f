"""Sequence of play: a turn of some actions, then the hand is filled, then the player to the left."""

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import Option

from . import action_cards, battle, influence, movement, winning
from .common import BACK, back
from .components import EMPEROR_DIES
from .defeating_a_player import surrender
from .hands import can_draw, card_options, discard_all, discardable, draw, fill_hand
from .state import State, Turn, hand_size, is_playing, playing_from


def turn(game: Game[State], seat: int) -> Flow[None]:
    """A player's turn."""
    s = game.state
    begin_turn(game, seat)
    while s.winner is None and is_playing(s, seat) and has_something_to_do(s, seat):
        s.busy = False
        kind = yield from choose(seat, "action", lambda: actions(s, seat), left=s.actions_left)
        s.busy = True
        if kind == "end":
            break
        s.fought = None
        yield from act(game, seat, kind)
    if s.winner is None:
        end_turn(game, seat)


def begin_turn(game: Game[State], seat: int) -> None:
    """The turn passes to this seat."""
    s = game.state
    s.active, s.actions_left = seat, s.options.actions
    s.due = s.options.emperor_dies_forced and s.emperor_alive
    game.tell("turn", seat=seat, round=s.round)


def has_something_to_do(s: State, seat: int) -> bool:
    """Whether there is anything but to end the turn, as far as everybody can see."""
    return s.actions_left > 0 or may_play_free_card(s, seat)


def may_play_free_card(s: State, seat: int) -> bool:
    """Whether the hand, as far as everybody can see, may hold a card that costs no action."""
    return hand_size(s, seat) > 0 and not (s.emperor_alive and s.options.leave_emperor_dies_out)


def actions(s: State, seat: int) -> list[Option]:
    """What can be begun now; it follows from what everybody can see."""
    cards = hand_size(s, seat) > 0
    kinds = []
    if s.actions_left:
        kinds.append("move")
        if battle.fields(s, seat):
            kinds.append("battle")
    if cards and (s.actions_left or may_play_free_card(s, seat)):
        kinds.append("card")
    if s.actions_left:
        if s.emperor_alive:
            kinds += ["influence", "accuse"]
        if cards and can_draw(s):
            kinds.append("discard")
        kinds.append("surrender")
    return [Option(kind) for kind in (*kinds, "end")]


def act(game: Game[State], seat: int, kind: str) -> Flow[None]:
    """One action, or none when the player goes back."""
    s = game.state
    if kind == "move":
        s.actions_left -= yield from movement.move(game, seat)
    elif kind == "battle":
        yield from battle.battle(game, seat)
    elif kind == "card":
        yield from action_cards.play(game, seat)
    elif kind == "influence":
        yield from influence.own_favour(game, seat)
    elif kind == "accuse":
        yield from influence.accuse(game, seat)
    elif kind == "discard":
        yield from replace_card(game, seat)
    elif kind == "surrender":
        yield from surrender(game, seat)


def replace_card(game: Game[State], seat: int) -> Flow[None]:
    """Discard an unwanted card and draw another."""
    s = game.state

    def build() -> list[Option]:
        one_each = dict.fromkeys(discardable(s, seat), 1)
        return [*card_options(s, one_each), back()]

    label = yield from choose(seat, "discard", build, private=True)
    if label != BACK:
        s.actions_left -= 1
        discard_all(game, seat, (label,))
        draw(game, seat, 1)


def end_turn(game: Game[State], seat: int) -> None:
    """Fill the hand and pass the turn on."""
    s = game.state
    if s.due and s.emperor_alive and s.hands[seat].get(EMPEROR_DIES):
        action_cards.emperor_dies(game, seat)
    if is_playing(s, seat):
        fill_hand(game, seat)
    s.actions_left, s.due = 0, False
    pass_turn(game, seat)


def pass_turn(game: Game[State], seat: int) -> None:
    """The player to the left is next; a round ends when the turn comes to the first player or passes its place."""
    s = game.state
    following = playing_from(s, seat + 1)[0]
    n = len(s.heads)
    steps_to_first = (s.first - seat - 1) % n
    if steps_to_first <= (following - seat - 1) % n:
        s.first = following
        s.round += 1
        winning.check_round_limit(game)
    s.next = Turn(following)
