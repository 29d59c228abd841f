"""Optional rule: cards, Squadrons and Commanders may be traded at any time outside an action.

An offer lies open between two players until it is accepted, withdrawn or declined. What is promised is checked when the
offer is made and again when it is accepted.
"""

from collections import Counter
from collections.abc import Iterable

from rules.engine.errors import Illegal
from rules.engine.flow import Act, Game
from rules.engine.questions import Answer, Option, Question, places

from .components import CARDS, COMMANDER, EMPEROR_DIES, RANKS, SQUADRON
from .hands import card_option, card_options, discardable, label_of, labels, learn, pass_on, spread
from .state import Offer, State, is_playing, others_from
from .units import add, counted, expendable_at, remove

MOST_OFFERS = 5
"""How many offers of one seat may lie open."""
MOST_THINGS = 10
"""How much one side of a trade may hold."""
NOTHING = "nothing"
TRADED_RANKS = (COMMANDER, SQUADRON)


def acts(s: State, seat: int) -> list[Act]:
    """Offer, accept, withdraw."""
    if not s.options.trading or s.busy or s.winner is not None or not is_playing(s, seat):
        return []
    found = []
    if sum(offer.by == seat for offer in s.offers) < MOST_OFFERS:
        found.append(Act("trade_offer", offer_trade, offer_fields(s, seat)))
    received = [offer for offer in s.offers if offer.to == seat]
    if received:
        found.append(Act("trade_accept", accept_trade, accept_fields(s, seat, received)))
    own = [offer for offer in s.offers if seat in (offer.by, offer.to)]
    if own:
        found.append(Act("trade_withdraw", withdraw_trade, (which_offer(own),)))
    return found


# Fields


def offer_fields(s: State, seat: int) -> tuple[Question, ...]:
    """To whom, what for what, and where the units received shall go."""
    rivals = tuple(Option(str(rival), "option.seat", {"seat": rival}) for rival in others_from(s, seat))
    gives = [*card_options(s, discardable(s, seat)), *unit_options(s, seat)]
    wanted = [card_option(s, label, MOST_THINGS) for label in all_labels(s)]
    wanted += [Option(RANKS[rank], f"unit.{RANKS[rank]}", count=MOST_THINGS) for rank in TRADED_RANKS]
    return (
        Question("trade.to", rivals, private=True),
        any_of("trade.gives", gives),
        any_of("trade.wants", wanted),
        Question("trade.into", tuple(places(sorted(s.groups[seat]))), private=True),
    )


def accept_fields(s: State, seat: int, received: list[Offer]) -> tuple[Question, ...]:
    """Which offer, which own units go (as many as are wanted), and where the units received shall go."""
    return (
        which_offer(received),
        any_of("trade.from", unit_options(s, seat)),
        Question("trade.into", tuple(places(sorted(s.groups[seat]))), private=True),
    )


def any_of(key: str, options: list[Option]) -> Question:
    """Any of these, none included; where there is nothing, an option says so."""
    most = min(MOST_THINGS, sum(option.count for option in options))
    return Question(key, tuple(options or [Option(NOTHING)]), 0, max(1, most), private=True)


def which_offer(offers: Iterable[Offer]) -> Question:
    """Which of these offers."""
    options = tuple(
        Option(
            offer_name(offer),
            "option.offer",
            {
                "name": offer_name(offer),
                "by": offer.by,
                "to": offer.to,
                "gives": told_things(offer.gives),
                "wants": told_things(offer.wants),
            },
        )
        for offer in offers
    )
    return Question("trade.which", options, private=True)


def unit_options(s: State, seat: int) -> list[Option]:
    """The seat's Commanders and Squadrons that are not its head, as `rank.planet`."""
    return [
        Option(f"{RANKS[rank]}.{planet}", "option.target", {"unit": RANKS[rank], "planet": planet}, planet, n)
        for rank in TRADED_RANKS
        for planet, n in expendable_at(s, seat, rank).items()
    ]


def offer_name(offer: Offer) -> str:
    """What tells an offer from the others: who made it, to whom, and the how manieth it was."""
    return f"{offer.by + 1}.{offer.to + 1}.{offer.id}"


def all_labels(s: State) -> list[str]:
    """The labels of all cards but Emperor Dies."""
    return sorted({label_of(s, card) for card in CARDS if card != EMPEROR_DIES})


def told_counts(things: dict[str, int]) -> dict[str, int]:
    """Cards by label, and units by rank, with their numbers."""
    found: dict[str, int] = {}
    for thing, n in things.items():
        name = thing.partition(".")[0] if is_unit(thing) else thing
        found[name] = found.get(name, 0) + n
    return found


def told_things(things: dict[str, int]) -> tuple[str, ...]:
    """Cards and units as the argument of a text."""
    return counted(name for name, n in told_counts(things).items() for _ in range(n))


def told_openly(things: dict[str, int]) -> tuple[str, ...]:
    """The same for everybody: what the cards are is not told."""
    return told_things({thing: n for thing, n in things.items() if is_unit(thing)}) + counted(
        "card" for thing, n in things.items() if not is_unit(thing) for _ in range(n)
    )


def is_unit(thing: str) -> bool:
    """Whether this is a unit, not a card."""
    return thing.partition(".")[0] in RANKS


# Acts


def offer_trade(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """An offer to one rival; only the two know of it."""
    s = game.state
    to, gives, wants, into = fields
    given, wanted = dict(Counter(gives)), dict(Counter(wants))
    given.pop(NOTHING, None)
    if not given and not wanted:
        raise Illegal("why.trade_nothing")
    pair = f"{seat}.{to[0]}"
    s.offer_counts[pair] = s.offer_counts.get(pair, 0) + 1
    offer = Offer(s.offer_counts[pair], seat, int(to[0]), given, wanted, into[0])
    s.offers.append(offer)
    learn(s, offer.to, seat, Counter(cards_bearing(s, seat, given)))
    tell_offer(game, "trade.offered", offer)


def cards_bearing(s: State, seat: int, things: dict[str, int]) -> list[str]:
    """The seat's cards for the labels among the things; of different cards with one label the first."""
    found: list[str] = []
    for label, n in things.items():
        if not is_unit(label):
            found += [card for card in spread(s.hands[seat]) if label_of(s, card) == label][:n]
    return found


def find_offer(s: State, field: Answer) -> Offer:
    """The offer that was chosen."""
    return next(offer for offer in s.offers if offer_name(offer) == field[0])


def tell_offer(game: Game[State], kind: str, offer: Offer) -> None:
    """Tell the two that an offer concerns, and nobody else has a say in taking it back."""
    gives, wants = told_things(offer.gives), told_things(offer.wants)
    game.tell(kind, to=(offer.by, offer.to), owner=offer.by, by=offer.by, rival=offer.to, gives=gives, wants=wants)


def withdraw_trade(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """An offer is withdrawn by its maker or declined by the other."""
    s = game.state
    offer = find_offer(s, fields[0])
    s.offers.remove(offer)
    tell_offer(game, "trade.withdrawn" if seat == offer.by else "trade.declined", offer)


def lapse(game: Game[State], gone: int | None = None) -> None:
    """Offers of and to a seat that is out lapse; without a seat, all offers."""
    s = game.state
    for offer in s.offers:
        if gone is None or gone in (offer.by, offer.to):
            tell_offer(game, "trade.lapsed", offer)
    s.offers = [offer for offer in s.offers if gone is not None and gone not in (offer.by, offer.to)]


def accept_trade(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """The trade is made, all at once."""
    s = game.state
    offer = find_offer(s, fields[0])
    units = Counter(thing for thing in fields[1] if thing != NOTHING)
    check_trade(s, offer, units)
    s.offers.remove(offer)
    given = dict(units) | {thing: n for thing, n in offer.wants.items() if not is_unit(thing)}
    into = offer.into if offer.into in s.groups[offer.by] else min(s.groups[offer.by])
    touched = sorted(
        {*hand_units(s, offer.by, seat, offer.gives, fields[2][0]), *hand_units(s, seat, offer.by, given, into)}
    )
    got, paid = cards_bearing(s, offer.by, offer.gives), cards_bearing(s, seat, given)
    pass_on(s, offer.by, seat, got)
    pass_on(s, seat, offer.by, paid)
    game.tell(
        "traded",
        by=offer.by,
        rival=seat,
        gives=told_openly(offer.gives),
        wants=told_openly(offer.wants),
        places=touched,
    )
    tell_offer(game, "traded_cards", offer)


def check_trade(s: State, offer: Offer, units: Counter[str]) -> None:
    """Illegal unless both still have what is to change hands; only who could pay learns what the other lacks."""
    if not has_all(s, offer.to, {thing: n for thing, n in offer.wants.items() if not is_unit(thing)}):
        raise Illegal("why.trade_lacking")
    chosen: Counter[str] = Counter()
    for thing, n in units.items():
        chosen[thing.partition(".")[0]] += n
    if chosen != Counter({thing: n for thing, n in offer.wants.items() if is_unit(thing)}):
        raise Illegal("why.trade_units")
    if not has_all(s, offer.by, offer.gives):
        raise Illegal("why.trade_gone", seat=offer.by)


def has_all(s: State, seat: int, things: dict[str, int]) -> bool:
    """Whether the seat has these cards and units to give."""
    held = labels(s, seat)
    for thing, n in things.items():
        rank, _, planet = thing.partition(".")
        if is_unit(thing):
            held[thing] = expendable_at(s, seat, RANKS.index(rank)).get(planet, 0)
        if held.get(thing, 0) < n:
            return False
    return True


def hand_units(s: State, giver: int, taker: int, things: dict[str, int], into: str) -> list[str]:
    """Units change sides and join a group of their new owner. Returns the planets."""
    touched = []
    for thing, n in things.items():
        if is_unit(thing):
            unit, _, planet = thing.partition(".")
            remove(s, giver, planet, RANKS.index(unit), n)
            add(s, taker, into, RANKS.index(unit), n)
            touched += [planet, into]
    return touched
