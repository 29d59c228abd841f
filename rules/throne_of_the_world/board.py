"""The text board: a whole view in few lines."""

from rules.engine.questions import Arg
from rules.engine.words import Words

from .common import told
from .views import CardView, SeatView, SetView, View

TEAMS = "ABCD"
DESCRIBED = 12
"""A hand of more kinds of card than this is listed by names only."""


def board(view: View, words: Words) -> str:
    """Everything in the view."""
    lines = [head_line(view, words), *now_lines(view, words), ""]
    for seat in view.seats:
        lines += seat_lines(view, seat, words)
    lines += ["", *pile_lines(view, words)]
    if view.hand:
        lines.append(words.say("board.hand", {"cards": names(view.hand)}))
    if any(seat.reconstructed for seat in view.seats):
        lines.append(words.say("board.reconstructed"))
    return "\n".join(lines)


def head_line(view: View, words: Words) -> str:
    """Round and piles."""
    return words.say("board.head", {"round": view.round, "deck": view.deck, "discards": len(view.discards)})


def now_lines(view: View, words: Words) -> list[str]:
    """Who has to do what."""
    lines = []
    if view.winners:
        lines.append(words.say(f"event.won.{view.victory}", {"seats": view.winners}))
    elif view.active is None:
        lines.append(words.say("board.draft"))
        if view.draft:
            lines.append(words.say("board.dealt", {"races": view.draft}))
    else:
        points = view.seats[view.active].points
        lines.append(words.say("board.active", {"seat": view.active, "phase": view.phase, "points": points}))
    if view.card:
        lines.append(words.say("board.card", {"card": view.card}))
    if view.attack is not None:
        args: dict[str, Arg] = {
            "seat": view.attack.attacker,
            "rival": view.attack.victim,
            "n": view.attack.damage,
            "missing": view.attack.missing,
            "units": told(view.attack.returned),
            "coins": view.attack.coins,
        }
        lines.append(words.say("board.attack", args))
    if view.demand is not None:
        lines.append(words.say("board.demand", {"seat": view.demand.attacker, "rival": view.demand.victim}))
    return lines


def seat_lines(view: View, seat: SeatView, words: Words) -> list[str]:
    """One seat: race, coins and cards, then its sets."""
    args: dict[str, Arg] = {
        "n": seat.seat + 1,
        "seat": seat.seat,
        "team": words.say("board.team", {"team": TEAMS[seat.team]}) if view.teams else "",
        "race": words.say(f"race.{seat.race}") if seat.race else words.say("board.hidden_race"),
        "mark": words.say("board.mark") if seat.reconstructed else "",
        "money": seat.money,
        "cards": seat.cards,
    }
    if not seat.playing:
        return [words.say("board.out", args)]
    lines = [words.say("board.seat", args)]
    sets = [set_text(one, words) for one in seat.sets if one.units + one.virtual]
    if sets:
        lines.append(words.say("board.sets", {"sets": ", ".join(sets)}))
    return lines


def set_text(one: SetView, words: Words) -> str:
    """One set in short."""
    args: dict[str, Arg] = {
        "profession": one.profession,
        "n": one.units + one.virtual,
        "of": one.complete,
        "gives": one.efficiency,
        "tolerance": one.tolerance,
        "complete": words.say("board.complete") if one.is_complete else "",
        "virtual": words.say("board.virtual") if one.virtual else "",
        "acted": words.say("board.acted") if one.acted else "",
    }
    return words.say("board.set", args)


def pile_lines(view: View, words: Words) -> list[str]:
    """The trading area and the discards."""
    lines = [words.say("board.area", {"cards": names(view.area)})]
    if view.discards:
        lines.append(words.say("board.discards", {"cards": names(view.discards)}))
    return lines


def names(cards: tuple[CardView, ...]) -> tuple[str, ...]:
    """Cards as the argument of a text."""
    return told(card.id for card in cards)


def hand_text(view: View, words: Words) -> str:
    """The viewer's cards, or the races to choose from, and what they do."""
    if view.draft:
        return "\n".join(words.say("board.dealt_race", {"race": race}) for race in view.draft)
    if not view.hand:
        return ""
    held = names(view.hand)
    if len(held) > DESCRIBED:
        return words.say("board.hand", {"cards": held})
    lines = [
        words.say("board.hand_card", {"card": name, "text": words.say(f"card_text.{name.rpartition('.')[2]}")})
        for name in held
    ]
    return "\n".join([words.say("board.hand_head", {"n": len(view.hand)}), *lines])
