"""What a viewer may know, built up from what is open and from the viewer's own hand."""

from collections.abc import Iterable
from functools import cache

from .common import spread
from .components import DOUBLE, GENERAL, POWERS, PROFESSIONS, RACES, UNITS, kind_of
from .state import Attack, Demand, State, hand_size, is_playing, money_of, real_units, seats
from .unit_cards import efficiency, tolerance, units_of, virtual_of
from .views import AttackView, CardView, DemandView, SeatView, SetView, View


def view(s: State, viewer: int | None) -> View:
    """The table as this seat (None: a spectator) sees it."""
    drafting, over = s.phase == "draft", bool(s.winners)
    return View(
        viewer=viewer,
        teams=len(s.money) < len(s.teams),
        phase=s.phase,
        round=s.round,
        first=None if drafting else s.first,
        active=None if drafting or over else s.active,
        seats=tuple(seat_view(s, seat) for seat in seats(s)),
        area=card_views(s.area),
        deck=len(s.deck),
        discards=card_views(spread(s.discard)),
        hand=() if viewer is None else card_views(spread(s.hands[viewer])),
        draft=() if viewer is None else tuple(s.drafts[viewer]),
        card=s.card,
        skills=tuple(s.skills),
        harvest=s.harvest,
        attack=None if s.attack is None else attack_view(s.attack),
        demand=None if s.demand is None else demand_view(s.demand),
        winners=tuple(s.winners),
        victory=s.victory,
    )


def seat_view(s: State, seat: int) -> SeatView:
    """What everybody sees of a seat."""
    race, active = s.races[seat], s.active == seat
    return SeatView(
        seat=seat,
        colour=s.colours[seat],
        team=s.teams[seat],
        race=race,
        reconstructed=bool(race) and RACES[race].reconstructed,
        powers=tuple(POWERS[race]) if race else (),
        used=tuple(s.used) if active else (),
        money=money_of(s, seat),
        sets=tuple(set_view(s, seat, profession, active) for profession in PROFESSIONS),
        units=real_units(s, seat),
        cards=hand_size(s, seat),
        points=s.points if active else 0,
        playing=is_playing(s, seat),
    )


def set_view(s: State, seat: int, profession: str, active: bool) -> SetView:
    """A seat's units of one profession."""
    return SetView(
        profession=profession,
        units=units_of(s, seat, profession),
        virtual=virtual_of(s, seat, profession),
        complete=UNITS[profession].set_size,
        efficiency=efficiency(s, seat, profession),
        tolerance=tolerance(s, seat, profession),
        acted=active and profession in s.acted,
    )


@cache
def card_view(card: str) -> CardView:
    """A card with what is printed on it."""
    kind = kind_of(card)
    profession = DOUBLE[card].profession if kind == "double" else card if kind == "unit" else ""
    return CardView(card, kind, profession, GENERAL[card].excluded if kind == "general" else ())


def card_views(cards: Iterable[str]) -> tuple[CardView, ...]:
    """Cards with what is printed on them."""
    return tuple(card_view(card) for card in cards)


def attack_view(attacked: Attack) -> AttackView:
    """The attack being settled."""
    return AttackView(
        attacker=attacked.attacker,
        victim=attacked.victim,
        source=attacked.source,
        damage=attacked.damage,
        returned=tuple(attacked.returned),
        tolerance=attacked.tolerance,
        coins=attacked.coins,
        missing=attacked.missing,
    )


def demand_view(demand: Demand) -> DemandView:
    """The demand to be answered."""
    return DemandView(demand.attacker, demand.victim, demand.left)
