"""A whole game while the bot is killed again and again. CHAOS_KILLS says how often."""

import os

from sandbox.chaos import chaos, well

KILLS = int(os.environ.get("CHAOS_KILLS", "5"))
SEED = int(os.environ.get("CHAOS_SEED", "7"))


async def test_nothing_is_lost_or_doubled_however_often_the_bot_is_killed():
    figures = await chaos("struggle_for_the_throne", 2, SEED, KILLS)
    assert well(figures, KILLS), figures
