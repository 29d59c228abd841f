"""`/throne`: every decision of Struggle for the Throne as a slash command."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from .items import Interaction
from .lines import GameCog, Steps, completed, field, legal

KEY = "struggle_for_the_throne"

MOVE = Steps({"action": ("move",)}, {"move.from": "from", "move.units": "units", "move.to": "to"})
BATTLE = Steps(
    {"action": ("battle",)},
    {"battle.where": "planet", "battle.whom": "rival", "battle.size": "units", "battle.ambush": "ambush"},
)
CARD = Steps(
    {"action": ("card",)},
    {
        "card": "card",
        "card.victim": "rival",
        "card.target": "target",
        "build.place": "planet",
        "move.from": "planet",
        "move.units": "units",
        "move.to": "to",
    },
)
INFLUENCE = Steps({"action": ("influence",)}, {"influence.cards": "cards"})
ACCUSE = Steps({"action": ("accuse",)}, {"accuse.whom": "rival", "accuse.cards": "cards"})
DISCARD = Steps({"action": ("discard",)}, {"discard": "card"})
SURRENDER = Steps({"action": ("surrender",)}, {"surrender": "rival"})
END = Steps({"action": ("end",)}, {})
COUNTER = Steps({}, {"counter": "card"})
BID = Steps({}, {"bid": "cards", "influence.counter": "cards"})
ORDER = Steps({}, {"battle.order": "units"})
PAIRS = Steps({}, {"battle.more": "choice"})
BATTLE_CARD = Steps({}, {"battle_cards.attacker": "card", "battle_cards.defender": "card"})
PLACE = Steps(
    {},
    dict.fromkeys(
        ("squadrons.place", "squadrons.lose", "squadrons.take", "squadrons.join", "bribe.place", "spoils"), "planets"
    ),
)
CARDS = Steps({}, {"steal.take": "cards", "steal.give": "cards", "prize.discard": "cards"})
HEAD = Steps({}, {"head": "unit", "head.first": "unit"})


class ThroneCog(GameCog):
    """`/throne` and `/throne trade`."""

    key = KEY
    throne = app_commands.Group(name="throne", description="Struggle for the Throne", guild_only=True)
    trade = app_commands.Group(name="trade", description="Trading, where it is agreed on", parent=throne)

    # ---------------------------------------------------------------- the turn

    @throne.command(name="move", description="Move a group, or part of it, to an adjacent planet")
    @app_commands.rename(source="from")
    @app_commands.describe(source="Where the units stand", units="Which of them, joined by +", to="Where they go")
    @app_commands.autocomplete(source=legal(MOVE, "from"), units=legal(MOVE, "units"), to=legal(MOVE, "to"))
    async def move(self, interaction: Interaction, source: str = "", units: str = "", to: str = "") -> None:
        await self.play(interaction, MOVE, **{"from": source}, units=units, to=to)

    @throne.command(name="battle", description="Fight one round of battle")
    @app_commands.describe(
        planet="Where", rival="Against whom", units="How many units you commit", ambush="The Ambush card it takes"
    )
    @completed(BATTLE)
    async def battle(
        self, interaction: Interaction, planet: str = "", rival: str = "", units: str = "", ambush: str = ""
    ) -> None:
        await self.play(interaction, BATTLE, planet=planet, rival=rival, units=units, ambush=ambush)

    @throne.command(name="card", description="Play an action card")
    @app_commands.describe(
        card="Which card",
        rival="Against whom",
        target="Which of their units",
        planet="Free Move: from where. Build Squadron: on which home planet",
        units="Free Move: which units, joined by +",
        to="Free Move: where they go",
    )
    @completed(CARD)
    async def card(
        self,
        interaction: Interaction,
        card: str,
        rival: str = "",
        target: str = "",
        planet: str = "",
        units: str = "",
        to: str = "",
    ) -> None:
        await self.play(interaction, CARD, card=card, rival=rival, target=target, planet=planet, units=units, to=to)

    @throne.command(name="influence", description="Ask the Emperor for Squadrons")
    @app_commands.describe(cards="The Influence cards you lay, joined by +, or - for none")
    @completed(INFLUENCE)
    async def influence(self, interaction: Interaction, cards: str = "") -> None:
        await self.play(interaction, INFLUENCE, cards=cards)

    @throne.command(name="accuse", description="Accuse a rival before the Emperor")
    @app_commands.describe(rival="Whom", cards="The Influence cards you lay, joined by +, or - for none")
    @completed(ACCUSE)
    async def accuse(self, interaction: Interaction, rival: str = "", cards: str = "") -> None:
        await self.play(interaction, ACCUSE, rival=rival, cards=cards)

    @throne.command(name="discard", description="Swap a card for a new one")
    @app_commands.describe(card="Which card")
    @completed(DISCARD)
    async def discard(self, interaction: Interaction, card: str = "") -> None:
        await self.play(interaction, DISCARD, card=card)

    @throne.command(name="surrender", description="Surrender to a rival; it is final")
    @app_commands.describe(rival="To whom")
    @completed(SURRENDER)
    async def surrender(self, interaction: Interaction, rival: str = "") -> None:
        await self.play(interaction, SURRENDER, rival=rival)

    @throne.command(name="end", description="End your turn")
    async def end(self, interaction: Interaction) -> None:
        await self.play(interaction, END)

    # ---------------------------------------------------------------- inside battles and other people's turns

    @throne.command(name="order", description="Line up your units for the battle, in secret")
    @app_commands.describe(units="First to last, joined by >")
    @completed(ORDER)
    async def order(self, interaction: Interaction, units: str) -> None:
        await self.play(interaction, ORDER, units=units)

    @throne.command(name="pairs", description="Lay down the next pair of the battle, or stop")
    @completed(PAIRS)
    async def pairs(self, interaction: Interaction, choice: str) -> None:
        await self.play(interaction, PAIRS, choice=choice)

    @throne.command(name="battle_card", description="Lay a card beside a combat, or pass")
    @app_commands.describe(card="Card and combat, or skip")
    @completed(BATTLE_CARD)
    async def battle_card(self, interaction: Interaction, card: str) -> None:
        await self.play(interaction, BATTLE_CARD, card=card)

    @throne.command(name="counter", description="Stop an attack on you with a card, or pass")
    @app_commands.describe(card="The card, or skip")
    @completed(COUNTER)
    async def counter(self, interaction: Interaction, card: str) -> None:
        await self.play(interaction, COUNTER, card=card)

    @throne.command(name="bid", description="Lay Influence cards for or against, or pass")
    @app_commands.describe(cards="The cards, joined by +, or skip")
    @completed(BID)
    async def bid(self, interaction: Interaction, cards: str) -> None:
        await self.play(interaction, BID, cards=cards)

    @throne.command(name="place", description="Say where Squadrons, bribed Commanders or spoils go or come from")
    @app_commands.describe(planets="The planets, joined by +")
    @completed(PLACE)
    async def place(self, interaction: Interaction, planets: str) -> None:
        await self.play(interaction, PLACE, planets=planets)

    @throne.command(name="cards", description="Choose cards: to steal, to give for them, or to discard")
    @app_commands.describe(cards="The cards, joined by +, or - for none")
    @completed(CARDS)
    async def cards(self, interaction: Interaction, cards: str) -> None:
        await self.play(interaction, CARDS, cards=cards)

    @throne.command(name="head", description="Choose the new head of your family")
    @app_commands.describe(unit="Which unit")
    @completed(HEAD)
    async def head(self, interaction: Interaction, unit: str) -> None:
        await self.play(interaction, HEAD, unit=unit)

    # ---------------------------------------------------------------- trading

    @trade.command(name="offer", description="Offer a trade to a rival")
    @app_commands.describe(
        rival="To whom", gives="What you give, joined by +", wants="What you want", into="Where units you get go"
    )
    @app_commands.autocomplete(
        rival=field("trade_offer", 0),
        gives=field("trade_offer", 1),
        wants=field("trade_offer", 2),
        into=field("trade_offer", 3),
    )
    async def trade_offer(self, interaction: Interaction, rival: str, gives: str, wants: str, into: str) -> None:
        await self.act(interaction, "trade_offer", rival, gives, wants, into)

    @trade.command(name="accept", description="Accept a trade offered to you")
    @app_commands.describe(offer="Which offer", units="The units you hand over", into="Where units you get go")
    @app_commands.autocomplete(
        offer=field("trade_accept", 0), units=field("trade_accept", 1), into=field("trade_accept", 2)
    )
    async def trade_accept(self, interaction: Interaction, offer: str, units: str, into: str) -> None:
        await self.act(interaction, "trade_accept", offer, units, into)

    @trade.command(name="withdraw", description="Withdraw your offer, or decline one made to you")
    @app_commands.describe(offer="Which offer")
    @app_commands.autocomplete(offer=field("trade_withdraw", 0))
    async def trade_withdraw(self, interaction: Interaction, offer: str) -> None:
        await self.act(interaction, "trade_withdraw", offer)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(ThroneCog(bot))
