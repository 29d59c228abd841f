"""`/world`: every decision of Throne of the World as a slash command."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from .items import Interaction
from .lines import GameCog, Steps, completed

KEY = "throne_of_the_world"

RACE = Steps({}, {"draft": "race"})
MARCH = Steps({"mode": ("march",)}, {})
TRADE = Steps({"mode": ("trade",)}, {})
CHARGE = Steps({"mode": ("charge",)}, {})
RECOVER = Steps({"mode": ("recover",)}, {})
CARD = Steps(
    {"move": ("card",)},
    {
        "card": "card",
        "card.profession": "profession",
        "card.goal": "target",
        "card.aim": "target",
        "card.units": "units",
    },
)
EXCHANGE = Steps({"move": ("exchange",)}, {"exchange.give": "give", "exchange.take": "take"})
BREATH = Steps({"move": ("breath",)}, {"breath.goal": "rival", "breath.card": "cards"}, series=("cards",))
BARTER = Steps({"move": ("barter",)}, {"barter.card": "card"})
INFILTRATE = Steps({"move": ("infiltrate",)}, {"infiltrate.whom": "rival"})
END = Steps({"move": ("end",)}, {})
AGAIN = Steps({}, {"again": "target", "demand.next": "target"})
SEDUCE = Steps({}, {"seduction": "rival"})
PROSPECT = Steps({}, {"prospecting": "choice"})
PAY = Steps({}, {"payment": "discard"})
DISCARD = Steps({}, {"discard": "cards"})
DEFEND = Steps({}, {"defend": "give", "rend": "torn"}, series=("give",))
GIVE = Steps({}, {"demand": "card"})


class WorldCog(GameCog):
    """`/world`."""

    key = KEY
    world = app_commands.Group(name="world", description="Throne of the World", guild_only=True)

    @world.command(name="race", description="Choose your race before the game, in secret")
    @app_commands.describe(race="One of the two dealt to you")
    @completed(RACE)
    async def race(self, interaction: Interaction, race: str) -> None:
        await self.play(interaction, RACE, race=race)

    # ---------------------------------------------------------------- phase 1

    @world.command(name="march", description="Begin your turn: draw 2 cards and gain 3 action points")
    async def march(self, interaction: Interaction) -> None:
        await self.play(interaction, MARCH)

    @world.command(name="trade", description="Begin your turn: a new trading area and 4 action points")
    async def trade(self, interaction: Interaction) -> None:
        await self.play(interaction, TRADE)

    @world.command(name="charge", description="Begin your turn: gain 4 action points")
    async def charge(self, interaction: Interaction) -> None:
        await self.play(interaction, CHARGE)

    @world.command(name="recover", description="Draw 5 cards instead of a turn: no play, no payment, no discards")
    async def recover(self, interaction: Interaction) -> None:
        await self.play(interaction, RECOVER)

    # ---------------------------------------------------------------- phase 2

    @world.command(name="card", description="Play a unit, action or skill card")
    @app_commands.describe(
        card="Which card",
        profession="Action card: which profession acts",
        target="Whom it attacks, asks or is aimed at, or that it produces",
        units="Assemble: which units, joined by +",
    )
    @completed(CARD)
    async def card(
        self, interaction: Interaction, card: str, profession: str = "", target: str = "", units: str = ""
    ) -> None:
        await self.play(interaction, CARD, card=card, profession=profession, target=target, units=units)

    @world.command(name="exchange", description="Pay to exchange a card with the trading area")
    @app_commands.describe(give="The card you put down", take="The card you take")
    @completed(EXCHANGE)
    async def exchange(self, interaction: Interaction, give: str, take: str = "") -> None:
        await self.play(interaction, EXCHANGE, give=give, take=take)

    @world.command(name="again", description="Your units act once more, or your Royal Family asks again")
    @app_commands.describe(target="Whom they attack or ask, or produce, or skip to stop")
    @completed(AGAIN)
    async def again(self, interaction: Interaction, target: str) -> None:
        await self.play(interaction, AGAIN, target=target)

    @world.command(name="end", description="Play no more cards")
    async def end(self, interaction: Interaction) -> None:
        await self.play(interaction, END)

    # ---------------------------------------------------------------- abilities of races

    @world.command(name="breath", description="Dragons: discard cards for an attack")
    @app_commands.describe(cards="Which cards, joined by +", rival="Whom you attack")
    @completed(BREATH)
    async def breath(self, interaction: Interaction, rival: str = "", cards: str = "") -> None:
        await self.play(interaction, BREATH, rival=rival, cards=cards)

    @world.command(name="barter", description="Goblins: discard a card for coins")
    @app_commands.describe(card="Which card")
    @completed(BARTER)
    async def barter(self, interaction: Interaction, card: str = "") -> None:
        await self.play(interaction, BARTER, card=card)

    @world.command(name="infiltrate", description="Ninjas: take a random card from a hand")
    @app_commands.describe(rival="From whom")
    @completed(INFILTRATE)
    async def infiltrate(self, interaction: Interaction, rival: str = "") -> None:
        await self.play(interaction, INFILTRATE, rival=rival)

    @world.command(name="seduce", description="Mermaids: say who loses a coin after your action card")
    @app_commands.describe(rival="Who, or skip for nobody")
    @completed(SEDUCE)
    async def seduce(self, interaction: Interaction, rival: str) -> None:
        await self.play(interaction, SEDUCE, rival=rival)

    @world.command(name="prospect", description="Dwarves: draw an extra card, or not")
    @app_commands.describe(choice="draw or skip")
    @completed(PROSPECT)
    async def prospect(self, interaction: Interaction, choice: str) -> None:
        await self.play(interaction, PROSPECT, choice=choice)

    # ---------------------------------------------------------------- phases 3 and 4

    @world.command(name="pay", description="Pay for your units, or discard some of them instead")
    @app_commands.describe(discard="The units you do not pay for, joined by +, or skip to pay for all")
    @completed(PAY)
    async def pay(self, interaction: Interaction, discard: str) -> None:
        await self.play(interaction, PAY, discard=discard)

    @world.command(name="discard", description="Discard cards at the end of your turn")
    @app_commands.describe(cards="Which cards, joined by +, or skip to keep all")
    @completed(DISCARD)
    async def discard(self, interaction: Interaction, cards: str) -> None:
        await self.play(interaction, DISCARD, cards=cards)

    # ---------------------------------------------------------------- other people's turns

    @world.command(name="defend", description="Settle an attack on you with units, coins or both")
    @app_commands.describe(
        give="Units that go back to your hand, and pay for the rest, joined by +",
        torn="Against Werewolves: which of these units you discard",
    )
    @completed(DEFEND)
    async def defend(self, interaction: Interaction, give: str = "", torn: str = "") -> None:
        await self.play(interaction, DEFEND, give=give, torn=torn)

    @world.command(name="give", description="Answer a Royal Family: give a card, or pay")
    @app_commands.describe(card="Which card, or pay")
    @completed(GIVE)
    async def give(self, interaction: Interaction, card: str) -> None:
        await self.play(interaction, GIVE, card=card)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(WorldCog(bot))
