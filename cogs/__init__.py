"""Discord: slash commands, buttons, messages. Knows discord.py; decides nothing about rules."""

EXTENSIONS = ("cogs.lobby", "cogs.table", "cogs.struggle_for_the_throne", "cogs.throne_of_the_world", "cogs.repair")
