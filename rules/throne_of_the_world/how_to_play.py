"""How to play: a turn of four phases, then the next player's."""

from rules.engine.flow import Flow, Game, choose, choose_many
from rules.engine.questions import Option

from . import action_cards, playing_units, skill_cards
from .common import BACK, back, card_options, kinds, picked, place, told
from .components import MODES, PLAY, PROFESSIONS, SKILLS, UNITS
from .hands import can_draw, discard, draw, draw_card, gain, lose, put
from .object_of_the_game import check_round_limit, pay
from .races import covers, has, number
from .special_abilities import abilities, use
from .spending import cost_of, has_free_skill
from .state import State, Turn, can_spend, hand_size, is_playing, money_of, playing_from
from .unit_cards import is_complete

MARCH, TRADE, CHARGE, RECOVER = "march", "trade", "charge", "recover"


def turn(game: Game[State], seat: int) -> Flow[None]:
    """A player's turn."""
    s = game.state
    s.active, s.phase = seat, "mode"
    game.tell("turn", seat=seat, round=s.round)
    mode = yield from choose(seat, "mode", lambda: modes(s, seat))
    begin(game, seat, mode)
    if mode != RECOVER:
        yield from play_cards(game, seat)
        yield from pay_units(game, seat)
        if is_playing(s, seat):
            yield from discard_cards(game, seat)
    end_turn(game, seat)


# 1. Choose an action


def cards_of(s: State, seat: int, mode: str) -> int:
    """How many cards a choice of phase 1 draws."""
    cards = MODES[mode].draw
    if mode == MARCH:
        return number(s, seat, "swiftness", "draw", number(s, seat, "providence", "march_draw", cards))
    if mode == CHARGE:
        return number(s, seat, "frenzy", "draw", cards)
    return number(s, seat, "providence", "recover_draw", cards) if mode == RECOVER else cards


def points_of(s: State, seat: int, mode: str) -> int:
    """How many action points it gives."""
    points = MODES[mode].points
    if mode == MARCH:
        return number(s, seat, "swiftness", "points", points)
    return number(s, seat, "frenzy", "points", points) if mode == CHARGE else points


def modes(s: State, seat: int) -> list[Option]:
    """The four choices, with what they give this player."""
    return [
        Option(mode, f"option.mode.{mode}", {"draw": cards_of(s, seat, mode), "points": points_of(s, seat, mode)})
        for mode in MODES
    ]


def begin(game: Game[State], seat: int, mode: str) -> None:
    """Phase 1."""
    s = game.state
    game.tell(f"mode.{mode}", seat=seat, points=points_of(s, seat, mode))
    if mode == TRADE:
        renew_area(game)
    if cards_of(s, seat, mode):
        draw(game, seat, cards_of(s, seat, mode))
    s.points = points_of(s, seat, mode)
    if mode == RECOVER and has(s, seat, "sunlight"):
        pay(game, number(s, seat, "sunlight", "coins"), "sunlight", to=seat, seat=seat)


def renew_area(game: Game[State]) -> None:
    """The trading area is discarded and laid out anew."""
    s = game.state
    for card in s.area:
        put(s.discard, card)
    s.area = []
    fill_area(game)


def fill_area(game: Game[State]) -> None:
    """Cards are turned over into the trading area."""
    s = game.state
    while len(s.area) < PLAY.trading_area and can_draw(s):
        card = draw_card(game)
        if card is not None:
            s.area.append(card)
    game.tell("area", cards=told(s.area))


# 2. Play cards


def play_cards(game: Game[State], seat: int) -> Flow[None]:
    """Phase 2: cards for action points, exchanges and abilities, in any order."""
    s = game.state
    s.phase = "play"
    while len(moves(s, seat)) > 1:
        move = yield from choose(seat, "move", lambda: moves(s, seat), points=s.points)
        if move == "end":
            return
        if move == "card":
            yield from play_a_card(game, seat)
        elif move == "exchange":
            yield from exchange(game, seat)
        else:
            yield from use(game, seat, move)


def moves(s: State, seat: int) -> list[Option]:
    """What can be begun now; it follows from what everybody can see."""
    found = []
    if hand_size(s, seat) and (s.points >= PLAY.card_cost or has_free_skill(s, seat)):
        found.append("card")
    if hand_size(s, seat) and s.area and can_spend(s, seat, exchange_cost(s, seat)):
        found.append("exchange")
    return [Option(move) for move in (*found, *abilities(s, seat), "end")]


def play_a_card(game: Game[State], seat: int) -> Flow[None]:
    """Choose a card and play it, or go back."""
    s = game.state
    card = yield from choose(seat, "card", lambda: playable(s, seat), private=True)
    if card == BACK:
        return
    if card in UNITS:
        yield from playing_units.play(game, seat, card)
    elif card in SKILLS:
        yield from skill_cards.play(game, seat, card)
    else:
        yield from action_cards.play(game, seat, card)


def playable(s: State, seat: int) -> list[Option]:
    """The cards that can be played now, each kind once, and the way back."""
    units = playing_units.playable_units(s, seat)
    found = []
    for card in kinds(s.hands[seat]):
        if card in UNITS:
            fits = card in units
        elif card in SKILLS:
            fits = skill_cards.may_play(s, seat, card)
        else:
            fits = bool(action_cards.professions_for(s, seat, card))
        if fits and cost_of(s, seat, card) <= s.points:
            found.append(Option(card, f"card.{card}"))
    return [*found, back()]


def exchange_cost(s: State, seat: int) -> int:
    """What exchanging a card costs."""
    return number(s, seat, "swimming", "cost", PLAY.exchange_cost)


def exchange(game: Game[State], seat: int) -> Flow[None]:
    """Pay and exchange a card for one of the trading area, or go back."""
    s = game.state
    give = yield from choose(
        seat,
        "exchange.give",
        lambda: [*(Option(card, f"card.{card}") for card in kinds(s.hands[seat])), back()],
        private=True,
    )
    if give == BACK:
        return
    take = yield from choose(
        seat,
        "exchange.take",
        lambda: [*(Option(card, f"card.{card}") for card in kinds(dict.fromkeys(s.area, 1))), back()],
        private=True,
        card=give,
    )
    if take == BACK:
        return
    s.area[s.area.index(take)] = give
    lose(s, seat, give)
    gain(s, seat, take, openly=True)
    pay(game, exchange_cost(s, seat), "exchanged", by=seat, seat=seat, give=give, take=take)


# 3. Pay for your units


def pay_units(game: Game[State], seat: int) -> Flow[None]:
    """Phase 3: pay for each unit in play or discard it."""
    s = game.state
    s.phase = "payment"
    if any(covers(s, seat, "unity", profession) and is_complete(s, seat, profession) for profession in PROFESSIONS):
        pay(game, number(s, seat, "unity", "coins"), "unity", to=seat, seat=seat)
    total = sum(payable(s, seat).values())
    if s.harvest or not total:
        return
    least = max(0, total - affordable(s, seat))
    answer = yield from choose_many(
        seat,
        "payment",
        lambda: [
            Option(unit, f"card.{unit}", place=place(seat, unit), count=n) for unit, n in payable(s, seat).items()
        ],
        least,
        total,
        skip=None if least else "option.pay_all",
        n=price(s, seat, total),
        money=money_of(s, seat),
        spared=max(0, total - affordable(s, seat, kept=1)),
    )
    dropped = picked(answer)
    for unit in dropped:
        put(s.units[seat], unit, -1)
        put(s.discard, unit)
    if dropped:
        places = [place(seat, unit) for unit in dict.fromkeys(dropped)]
        game.tell("units_dropped", seat=seat, cards=told(dropped), places=places)
    if len(dropped) < total:
        pay(game, price(s, seat, total - len(dropped)), "units_paid", by=seat, seat=seat)


def payable(s: State, seat: int) -> dict[str, int]:
    """The units that must be paid for."""
    return {
        unit: s.units[seat][unit]
        for unit in PROFESSIONS
        if s.units[seat].get(unit) and not covers(s, seat, "horde", unit)
    }


def price(s: State, seat: int, units: int) -> int:
    """What so many units cost; a share of the whole is rounded up."""
    return -(-units * PLAY.unit_payment // number(s, seat, "frugality", "share", 1))


def affordable(s: State, seat: int, kept: int = 0) -> int:
    """How many units the team's coins can pay for while so many coins are kept."""
    return (money_of(s, seat) - kept) * number(s, seat, "frugality", "share", 1) // PLAY.unit_payment


# 4. Discard


def discard_cards(game: Game[State], seat: int) -> Flow[None]:
    """Phase 4: discard any cards, down to the hand limit at least."""
    s = game.state
    s.phase = "discard"
    held = hand_size(s, seat)
    if not held:
        return
    limit = number(s, seat, "providence", "hand_limit", PLAY.hand_limit)
    least = max(0, held - limit)
    skip = None if least else "option.keep_all"
    answer = yield from choose_many(
        seat,
        "discard",
        lambda: card_options(s.hands[seat]),
        least,
        held,
        skip=skip,
        private=True,
        at_least=least,
        limit=limit,
    )
    cards = picked(answer)
    for card in cards:
        discard(s, seat, card)
    if cards:
        game.tell("discarded", seat=seat, cards=told(cards))


def end_turn(game: Game[State], seat: int) -> None:
    """Unused points are lost; the next player left in the game follows. A round ends when the first player's place is
    reached or passed."""
    s = game.state
    s.points, s.acted, s.skills, s.used, s.harvest = 0, [], [], [], False
    following = playing_from(s, seat + 1)[0]
    n = len(s.teams)
    if (s.first - seat - 1) % n <= (following - seat - 1) % n:
        s.round += 1
        check_round_limit(game)
    s.next = Turn(following)
