"""What a viewer may know, built up from what is open and from the viewer's own hand."""

from .components import CARDS, RANKS, THRONE
from .hands import spread
from .home_control import controls_home
from .state import Battle, State, board_of, hand_size, is_playing, seats
from .trading import offer_name, told_counts
from .units import flags_free, rank_of
from .views import BattleView, CardView, CombatView, GroupView, HouseView, OfferView, View


def view(s: State, viewer: int | None) -> View:
    """The table as this seat (None: a spectator) sees it."""
    return View(
        viewer=viewer,
        emperor_alive=s.emperor_alive,
        round=s.round,
        active=None if s.winner is not None else s.active,
        first=s.first,
        actions_left=s.actions_left,
        tiles=tuple((tile.id, tile.q, tile.r) for tile in board_of(s).tiles),
        throne=THRONE,
        houses=tuple(house_view(s, seat) for seat in seats(s)),
        groups=tuple(
            GroupView(planet, seat, named(group))
            for seat in seats(s)
            for planet, group in sorted(s.groups[seat].items())
        ),
        hand=() if viewer is None else card_views(s.hands[viewer]),
        discard=discard_views(s),
        deck=len(s.deck),
        squadron_supply=s.supply,
        battle=None if s.battle is None else battle_view(s.battle),
        battles_begun=tuple(s.begun),
        offers=tuple(
            OfferView(offer_name(offer), offer.by, offer.to, told_counts(offer.gives), told_counts(offer.wants))
            for offer in s.offers
            if viewer in (offer.by, offer.to)
        ),
        winner=s.winner,
        fought=None if s.fought is None else battle_view(s.fought),
    )


def house_view(s: State, seat: int) -> HouseView:
    """What everybody sees of a seat."""
    head = s.heads[seat]
    totals = [sum(group[rank] for group in s.groups[seat].values()) for rank in range(len(RANKS))]
    return HouseView(
        seat=seat,
        house=s.houses[seat],
        homes=tuple(s.homes[seat]),
        head=RANKS[head.rank] if head else "",
        head_at=head.planet if head else "",
        cards=hand_size(s, seat),
        flags_free=flags_free(s, seat),
        playing=is_playing(s, seat),
        controls_home=controls_home(s, seat),
        units=named(totals),
    )


def named(counts: list[int]) -> dict[str, int]:
    """Counts by rank's name, only of ranks that are there."""
    return {name: n for name, n in zip(RANKS, counts, strict=True) if n}


def card_views(cards: dict[str, int]) -> tuple[CardView, ...]:
    """Cards by their two ends."""
    return tuple(CardView(CARDS[card].alive, CARDS[card].dead) for card in spread(cards))


def discard_views(s: State) -> tuple[CardView, ...]:
    """The discards. After the death only the end that counts is told, since cards are played by that alone."""
    if s.emperor_alive:
        return card_views(s.discard)
    return tuple(CardView(end, end) for end in sorted(CARDS[card].dead for card in spread(s.discard)))


def battle_view(fought: Battle) -> BattleView:
    """The battle without its hidden orders."""
    combats = tuple(
        CombatView(
            RANKS[rank_of(combat.attacker_unit)],
            RANKS[rank_of(combat.defender_unit)],
            combat.attacker_card,
            combat.defender_card,
            combat.attacker_dice,
            combat.defender_dice,
            combat.attacker_bonus,
            combat.defender_bonus,
            combat.winner,
        )
        for combat in fought.combats
    )
    return BattleView(fought.planet, fought.attacker, fought.defender, fought.size, combats)
