"""The pictures in words, for people who cannot see them."""

from collections import Counter
from collections.abc import Mapping

from rules.struggle_for_the_throne.views import View

from .groups import groups_of
from .look import houses
from .seats import name_of
from .wording import card_name, end_of, house_name, unit_name


def board_alt(view: View, names: Mapping[int, str]) -> str:
    """Turn, Emperor, players and units."""
    parts = [f"Board, round {view.round}. The Emperor {'lives' if view.emperor_alive else 'is dead'}."]
    if view.winner is not None:
        parts.append(f"{name_of(view, names, view.winner)} has won.")
    elif view.active is not None:
        parts.append(f"{name_of(view, names, view.active)} to act, actions left: {view.actions_left}.")
    if view.battle is not None:
        parts.append(f"Battle at {view.battle.planet}.")
    stacks = groups_of(view, houses(view))
    for house in view.houses:
        name = name_of(view, names, house.seat)
        if not house.playing:
            parts.append(f"{name} is out.")
            continue
        mine = [group for groups in stacks.values() for group in groups if group.seat == house.seat]
        units = "; ".join(f"{group.planet} {group}" for group in mine)
        parts.append(f"{name} ({house_name(house.house)}), cards {house.cards}: {units}.")
    parts.append(f"Deck {view.deck}, discards {len(view.discard)}, Squadron supply {view.squadron_supply}.")
    return " ".join(parts)


def hand_alt(view: View, names: Mapping[int, str]) -> str:
    """Every card with both ends, the one that counts now first."""
    if not view.hand:
        return "No cards in hand."
    words = []
    for card, count in Counter(view.hand).items():
        now, then = (card.alive, card.dead) if view.emperor_alive else (card.dead, card.alive)
        other = "" if now == then else f" (other end: {card_name(then)})"
        words.append(f"{count}x {card_name(now)}{other}" if count > 1 else f"{card_name(now)}{other}")
    return f"Hand of {name_of(view, names, view.viewer)}, {len(view.hand)} cards: {'; '.join(words)}."


def battle_alt(view: View, names: Mapping[int, str]) -> str:
    """Every pair with its result."""
    fight = view.battle or view.fought
    if fight is None:
        return "No battle under way."
    attacker, defender = name_of(view, names, fight.attacker), name_of(view, names, fight.defender)
    parts = [f"Battle at {fight.planet}: {attacker} attacks {defender}, pairs: {fight.size}."]
    for number, pair in enumerate(fight.combats, 1):
        ours = _fighter(pair.attacker_unit, pair.attacker_card, pair.attacker_dice, pair.attacker_bonus)
        theirs = _fighter(pair.defender_unit, pair.defender_card, pair.defender_dice, pair.defender_bonus)
        end = "" if pair.winner is None else f", {name_of(view, names, pair.winner)} wins"
        parts.append(f"{number}: {ours} against {theirs}{end}.")
    return " ".join(parts)


def _fighter(unit: str, card: str, dice: tuple[int, ...], bonus: int) -> str:
    words = unit_name(unit) + (f" with {card_name(end_of(card))}" if card else "")
    return f"{words} {sum(dice)}+{bonus}={sum(dice) + bonus}" if dice else words
