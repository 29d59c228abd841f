"""The text board: a whole view in few lines."""

from rules.engine.questions import Arg
from rules.engine.words import Words

from .components import RANKS, tile_of
from .units import counted
from .views import BattleView, CardView, CombatView, GroupView, HouseView, View

COLUMNS_PER_STEP = 4


def board(view: View, words: Words) -> str:
    """Everything in the view, the tiles laid out as on the table, group by group."""
    lines = [head_line(view, words), *tile_map(view), ""]
    lines += [house_line(house, words) for house in view.houses]
    lines += ["", *tile_lines(view.groups, words)]
    battle = view.battle or view.fought
    if battle is not None:
        lines += ["", *battle_lines(battle, words)]
    lines += more_lines(view, words)
    return "\n".join(lines)


def head_line(view: View, words: Words) -> str:
    """Phase, piles, and whose turn it is."""
    args: dict[str, Arg] = {
        "round": view.round,
        "phase": words.say("board.alive" if view.emperor_alive else "board.dead"),
        "deck": view.deck,
        "discards": len(view.discard),
        "supply": view.squadron_supply,
    }
    now = ""
    if view.winner is not None:
        now = words.say("board.won", {"seat": view.winner})
    elif view.active is not None:
        now = words.say("board.active", {"seat": view.active, "left": view.actions_left})
    return f"{words.say('board.head', args)}\n{now}"


def tile_map(view: View) -> list[str]:
    """The tiles where they lie, home tiles with the number of their seat."""
    homes = {tile_of(planet): house.seat + 1 for house in view.houses for planet in house.homes}
    rows: dict[int, dict[int, str]] = {}
    for tile, q, r in view.tiles:
        label = f"{tile}:{homes[tile]}" if tile in homes else tile
        rows.setdefault(r, {})[2 * q + r] = label
    left = min(column for row in rows.values() for column in row)
    found = []
    for _, row in sorted(rows.items()):
        line = ""
        for column, label in sorted(row.items()):
            line = line.ljust((column - left) * COLUMNS_PER_STEP) + label
        found.append(line)
    return found


def short_units(units: dict[str, int], words: Words) -> str:
    """Units in few letters, the strongest first."""
    parts = (f"{units[rank]}{words.say(f'unit_short.{rank}')}" for rank in RANKS if units.get(rank))
    return " ".join(parts)


def house_line(house: HouseView, words: Words) -> str:
    """One seat."""
    args: dict[str, Arg] = {"n": house.seat + 1, "seat": house.seat, "house": house.house}
    if not house.playing:
        return words.say("board.out", args)
    more: dict[str, Arg] = {
        "units": short_units(house.units, words),
        "head": words.say(f"unit_short.{house.head}"),
        "head_at": house.head_at or "?",
        "cards": house.cards,
        "flags": house.flags_free,
        "homes": "+".join(house.homes),
        "lost": "" if house.controls_home else words.say("board.lost_home"),
    }
    return words.say("board.house", {**args, **more})


def tile_lines(groups: tuple[GroupView, ...], words: Words) -> list[str]:
    """All planets with units on them, one line a tile."""
    tiles: dict[str, dict[str, list[str]]] = {}
    for group in sorted(groups, key=lambda group: (group.planet, group.seat)):
        planets = tiles.setdefault(tile_of(group.planet), {})
        planets.setdefault(group.planet, []).append(f"[{group.seat + 1}] {short_units(group.units, words)}")
    return ["  ".join(f"{planet} {' '.join(found)}" for planet, found in planets.items()) for planets in tiles.values()]


def battle_lines(battle: BattleView, words: Words) -> list[str]:
    """The battle under way."""
    args: dict[str, Arg] = {
        "planet": battle.planet,
        "attacker": battle.attacker,
        "defender": battle.defender,
        "size": battle.size,
    }
    return [words.say("board.battle", args), *(combat_line(n, c, words) for n, c in enumerate(battle.combats, 1))]


def combat_line(n: int, combat: CombatView, words: Words) -> str:
    """One pair."""
    attack = sum(combat.attacker_dice) + combat.attacker_bonus
    defence = sum(combat.defender_dice) + combat.defender_bonus
    args: dict[str, Arg] = {
        "n": n,
        "attacker": combat.attacker_unit,
        "defender": combat.defender_unit,
        "attacker_card": f"+ {words.say(f'card.{combat.attacker_card}')} " if combat.attacker_card else "",
        "defender_card": f"+ {words.say(f'card.{combat.defender_card}')} " if combat.defender_card else "",
        "result": f": {attack}-{defence}" if combat.attacker_dice else "",
    }
    return words.say("board.combat", args)


def more_lines(view: View, words: Words) -> list[str]:
    """Fights that go on, offers, discards, the viewer's hand."""
    lines = []
    if view.battles_begun:
        fights = ", ".join(f"{planet} {a + 1}-{b + 1}" for planet, a, b in view.battles_begun)
        lines.append(words.say("board.begun", {"fights": fights}))
    for offer in view.offers:
        sides: dict[str, Arg] = {
            "gives": counted(thing for thing, n in offer.gives.items() for _ in range(n)),
            "wants": counted(thing for thing, n in offer.wants.items() for _ in range(n)),
        }
        lines.append(words.say("board.offer", {"id": offer.id, "by": offer.by, "to": offer.to, **sides}))
    if view.discard:
        lines.append(words.say("board.discards", {"cards": card_names(view.discard, view.emperor_alive)}))
    if view.hand:
        lines.append(hand_line(view, words))
    return ["", *lines] if lines else []


def hand_line(view: View, words: Words) -> str:
    """The viewer's cards."""
    return words.say("board.hand", {"cards": card_names(view.hand, view.emperor_alive)}) if view.hand else ""


def card_names(cards: tuple[CardView, ...], emperor_alive: bool) -> tuple[str, ...]:
    """Cards as the argument of a text."""
    return counted(card_name(card.alive, card.dead, emperor_alive) for card in cards)


def card_name(alive: str, dead: str, emperor_alive: bool) -> str:
    """A card by its words key: both ends while both matter."""
    if not emperor_alive:
        return dead
    return alive if alive == dead else f"{alive}.{dead}"
