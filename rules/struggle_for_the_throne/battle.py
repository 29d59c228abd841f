"""Battle: single combats between two players' units on one planet, lined up in secret."""

from rules.engine.flow import Flow, Game, Offer, ask_all, choose, window
from rules.engine.questions import Arg, Option, Question, numbers, places

from . import home_control
from .common import BACK, back, one_or_ask
from .components import BOARD, ENDS, tile_of
from .defeating_a_player import lose_unit
from .hands import card_option, discard, end_of_label, labels
from .movement import unit_options
from .state import Battle, Combat, State, hand_size, home_tiles_of, is_playing, others_from
from .units import bonus, tokens

AMBUSH = "ambush"
ATTACKER, DEFENDER = "attacker", "defender"
STOP = "stop"


def battle(game: Game[State], seat: int) -> Flow[None]:
    """One round of battle, an action."""
    s = game.state
    declared = yield from declare(s, seat)
    if declared is None:
        return
    planet, foe, size, ambush = declared
    s.actions_left -= 1
    s.battle = Battle(planet, seat, foe, size, ([], []), [])
    game.tell("battle", seat=seat, rival=foe, planet=planet, size=size, places=(planet,))
    if ambush:
        discard(s, seat, ambush)
        game.tell("ambush", seat=seat)
    if not has_begun(s, planet, seat, foe):
        s.begun.append((planet, min(seat, foe), max(seat, foe)))
    yield from line_up(s)
    yield from lay_down(game)
    if not s.emperor_alive:
        yield from place_cards(game, ATTACKER)
        yield from place_cards(game, DEFENDER)
    yield from fight(game)
    s.fought = Battle(planet, seat, foe, size, ([], []), under_way(s).combats)
    s.battle = None


def under_way(s: State) -> Battle:
    """The battle that is being fought."""
    assert s.battle is not None
    return s.battle


# Declaring


def foes(s: State, seat: int, planet: str) -> list[int]:
    """The rivals that may be attacked on a planet, as far as everybody can see."""
    if s.emperor_alive and tile_of(planet) == BOARD.tiles[0].id:
        return []
    return [
        foe
        for foe in others_from(s, seat)
        if planet in s.groups[foe] and (not needs_ambush(s, seat, foe, planet) or hand_size(s, seat))
    ]


def fields(s: State, seat: int) -> list[str]:
    """The planets where a battle is possible, as far as everybody can see."""
    return [planet for planet in sorted(s.groups[seat]) if foes(s, seat, planet)]


def has_begun(s: State, planet: str, seat: int, foe: int) -> bool:
    """Whether these two fight on this planet already."""
    return (planet, min(seat, foe), max(seat, foe)) in s.begun


def needs_ambush(s: State, seat: int, foe: int, planet: str) -> bool:
    """Whether a battle needs an Ambush card: the Emperor lives, and it is a new one outside the own home tiles."""
    return s.emperor_alive and tile_of(planet) not in home_tiles_of(s, seat) and not has_begun(s, planet, seat, foe)


def declare(s: State, seat: int) -> Flow[tuple[str, int, int, str] | None]:
    """Where, against whom, with how many, and with which Ambush card if one is needed. None: the player went back."""
    planet = yield from one_or_ask(seat, "battle.where", lambda: places(fields(s, seat)))
    if planet == BACK:
        return None
    rivals = [Option(str(foe), "option.seat", {"seat": foe}) for foe in foes(s, seat, planet)]
    whom = yield from one_or_ask(seat, "battle.whom", lambda: rivals, planet=planet)
    if whom == BACK:
        return None
    foe = int(whom)
    most = min(sum(s.groups[seat][planet]), sum(s.groups[foe][planet]))
    size = yield from one_or_ask(seat, "battle.size", lambda: numbers(1, most), planet=planet, rival=foe)
    if size == BACK:
        return None
    ambush = ""
    if needs_ambush(s, seat, foe, planet):
        cards = labels(s, seat, AMBUSH)
        ambush = yield from choose(
            seat,
            "battle.ambush",
            lambda: [*(card_option(s, label) for label in cards), back()],
            private=True,
            planet=planet,
            rival=foe,
        )
        if ambush == BACK:
            return None
    return planet, foe, int(size), ambush


# Lining up


def line_up(s: State) -> Flow[None]:
    """Both choose in secret which units fight and in which order; who has no choice is not asked."""
    planet, size = under_way(s).planet, under_way(s).size
    sides = (under_way(s).attacker, under_way(s).defender)

    def order(seat: int) -> Question:
        there = tokens(s, seat, planet)
        args: dict[str, Arg] = {"planet": planet, "rival": sides[1 - sides.index(seat)], "n": size}
        options = tuple(unit_options({token: min(n, size) for token, n in there.items()}))
        return Question("battle.order", options, size, size, True, True, args=args)

    choosing = [seat for seat in sides if len(tokens(s, seat, planet)) > 1]
    answers = yield from ask_all(choosing, order)
    for seat, hidden in zip(sides, under_way(s).orders, strict=True):
        hidden.extend(answers.get(seat) or list(tokens(s, seat, planet)) * size)


def more_or_stop() -> list[Option]:
    """Go on laying down pairs, or not."""
    return [Option("more"), Option(STOP)]


def lay_down(game: Game[State]) -> Flow[None]:
    """Pair after pair is laid open, until one side has no more or the attacker stops."""
    s = game.state
    attacker, defender, size = under_way(s).attacker, under_way(s).defender, under_way(s).size
    for i in range(size):
        if i and (yield from choose(attacker, "battle.more", more_or_stop, laid=i, size=size)) == STOP:
            break
        attacker_unit, defender_unit = (order[i] for order in under_way(s).orders)
        under_way(s).combats.append(Combat(attacker_unit, defender_unit))
        game.tell("battle.pair", owner=defender, n=i + 1, attacker_unit=attacker_unit, defender_unit=defender_unit)


# Cards after the Emperor's death


def place_cards(game: Game[State], side: str) -> Flow[None]:
    """One side lays battle cards beside combats, at most one on each."""
    s = game.state
    sides = (under_way(s).attacker, under_way(s).defender)
    seat, rival = sides if side == ATTACKER else sides[::-1]

    def build(_: int) -> list[Option]:
        return [
            Option(f"{label}.{i + 1}", "option.battle_card", {"card": end_of_label(s, label), "n": i + 1})
            for label in labels(s, seat)
            if ENDS[end_of_label(s, label)].combat_side == side
            for i in open_combats(under_way(s), side)
        ]

    def resolve(_: int, chosen: str) -> Flow[None]:
        label, number = chosen.rsplit(".", 1)
        discard(s, seat, label)
        combat = under_way(s).combats[int(number) - 1]
        if side == ATTACKER:
            combat.attacker_card = label
        else:
            combat.defender_card = label
        game.tell("battle.card", seat=seat, card=label, n=int(number))
        yield from ()

    yield from window(
        lambda: (seat,) if hand_size(s, seat) and open_combats(under_way(s), side) else (),
        Offer(f"battle_cards.{side}", build, resolve),
        key=f"battle_cards.{side}",
        skip="option.pass",
        planet=under_way(s).planet,
        rival=rival,
    )


def open_combats(fought: Battle, side: str) -> list[int]:
    """The combats that have no card of this side yet."""
    cards = [combat.attacker_card if side == ATTACKER else combat.defender_card for combat in fought.combats]
    return [i for i, card in enumerate(cards) if not card]


# Fighting


def fight(game: Game[State]) -> Flow[None]:
    """The combats one after the other; those left lapse when a side is out of the game."""
    s = game.state
    for i in range(len(under_way(s).combats)):
        fought = under_way(s)
        resolve_combat(game, fought, i)
        combat = fought.combats[i]
        winner = combat.winner
        assert winner is not None
        loser, unit = (
            (fought.defender, combat.defender_unit)
            if winner == fought.attacker
            else (fought.attacker, combat.attacker_unit)
        )
        yield from lose_unit(game, loser, winner, fought.planet, unit)
        if s.winner is not None or not is_playing(s, loser):
            return


def resolve_combat(game: Game[State], fought: Battle, i: int) -> None:
    """Both roll and add the bonuses of unit and card; the defender wins ties."""
    s = game.state
    combat = fought.combats[i]
    dice = 2 if s.options.two_dice_combat else 1
    combat.attacker_dice = tuple(game.roll() for _ in range(dice))
    combat.defender_dice = tuple(game.roll() for _ in range(dice))
    combat.attacker_bonus = (
        bonus(combat.attacker_unit) + card_bonus(combat.attacker_card) + home_control.combat_bonus(s, fought.defender)
    )
    combat.defender_bonus = (
        bonus(combat.defender_unit) + card_bonus(combat.defender_card) + home_control.combat_bonus(s, fought.attacker)
    )
    attack = sum(combat.attacker_dice) + combat.attacker_bonus
    defence = sum(combat.defender_dice) + combat.defender_bonus
    combat.winner = fought.attacker if attack > defence else fought.defender
    game.tell(
        "battle.combat",
        n=i + 1,
        seat=fought.attacker,
        rival=fought.defender,
        attacker_unit=combat.attacker_unit,
        defender_unit=combat.defender_unit,
        attacker_dice=tuple(map(str, combat.attacker_dice)),
        defender_dice=tuple(map(str, combat.defender_dice)),
        attacker_bonus=combat.attacker_bonus,
        defender_bonus=combat.defender_bonus,
        attack=attack,
        defence=defence,
        winner=combat.winner,
        places=(fought.planet,),
    )


def card_bonus(card: str) -> int:
    """The combat bonus of a card, 0 for none."""
    return ENDS[card].combat_bonus if card else 0
