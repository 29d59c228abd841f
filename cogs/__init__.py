"""Discord: slash commands, buttons, messages. Knows discord.py; decides nothing about rules."""

EXTENSIONS = (
    "cogs.lobby",
    "cogs.table",
    "cogs.absence",
    "cogs.repair",
    "cogs.history",
    "cogs.spectators",
    "cogs.fairness",
    "cogs.stats",
    "cogs.admin",
    "cogs.timing",
    "cogs.struggle_for_the_throne",
    "cogs.throne_of_the_world",
)
"""Loaded in this order: `cogs.table` makes the group `/table`, to which others add (`cogs.groups`)."""
