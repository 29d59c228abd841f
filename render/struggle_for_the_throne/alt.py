"""The pictures in words, for people who cannot see them."""

from collections.abc import Mapping

from rules.struggle_for_the_throne.views import View

from .look import houses
from .seats import name_of
from .stacks import describe, groups_of


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
        units = "; ".join(f"{group.planet} {describe(group)}" for group in mine)
        parts.append(f"{name} ({house.house}), cards {house.cards}: {units}.")
    parts.append(f"Deck {view.deck}, discards {len(view.discard)}, Squadron supply {view.squadron_supply}.")
    return " ".join(parts)
