"""How often each victory and each race wins among bots. BALANCE_GAMES sets how many games; with few the bounds are wide."""

import os
from collections import Counter
from collections.abc import Iterable

from rules.bots import play_out
from rules.engine.chance import Chance
from rules.engine.table import Table
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.components import RACES

GAMES = int(os.environ.get("BALANCE_GAMES", "20"))
SEATS = int(os.environ.get("BALANCE_SEATS", "3"))
ENOUGH = 1000
LEAST, MOST = 0.65, 1.5


def simulate(games: Iterable[int], seats: int) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Victories, and how often each race was played and won."""
    victories: Counter[str] = Counter()
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for game in games:
        table = Table.start(RULES, None, seats=seats, secret=b"balance%025d" % game)[0]
        play_out(table, ["policy"] * seats, Chance(b"balance%d" % game), limit=20_000)
        assert table.over
        s = table.state
        victories[s.victory] += 1
        played.update(s.races)
        won.update(s.races[seat] for seat in s.winners)
    return victories, played, won


def test_balance() -> None:
    victories, played, won = simulate(range(GAMES), SEATS)
    fair = sum(won.values()) / sum(played.values())
    shares = {race: won[race] / played[race] / fair for race in RACES if played[race]}
    print(dict(victories), {race: round(share, 2) for race, share in sorted(shares.items(), key=lambda it: it[1])})
    assert sum(victories.values()) == GAMES
    if GAMES >= ENOUGH:
        assert set(victories) == {"money", "sets", "professions", "last"}
        for race in RACES.values():
            assert not race.reconstructed or LEAST <= shares[race.id] <= MOST, (race.id, shares[race.id])
