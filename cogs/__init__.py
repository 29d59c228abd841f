"""Discord: slash commands, buttons, messages. Knows discord.py; decides nothing about rules."""

EXTENSIONS = (
    "cogs.lobby",
    "cogs.options",
    "cogs.table",
    "cogs.undo",
    "cogs.absence",
    "cogs.kick",
    "cogs.rewind",
    "cogs.talk",
    "cogs.repair",
    "cogs.pictures",
    "cogs.history",
    "cogs.spectators",
    "cogs.what_if",
    "cogs.fairness",
    "cogs.my",
    "cogs.privacy",
    "cogs.stats",
    "cogs.admin",
    "cogs.timing",
    "cogs.settings",
    "cogs.struggle_for_the_throne",
    "cogs.throne_of_the_world",
    "cogs.eclipse",
)
"""Loaded in this order: `cogs.lobby` makes the group `/game` and `cogs.table` makes `/table`, to which others add."""
