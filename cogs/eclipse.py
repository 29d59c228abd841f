"""`/eclipse`: every decision of Eclipse as a slash command."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from discord import app_commands

from rules.eclipse import odds
from rules.engine import Illegal
from rules.engine.questions import SKIP

from .errors import Refused
from .items import Interaction
from .lines import Complete, GameCog, Steps, completed, field, legal
from .replies import attend, tell
from .texts import plain, say

KEY = "eclipse"
SPECIES = Steps({}, {"setup.species": "species"})
DISCOVERY = Steps({}, {"discovery.side": "side", "discovery.technology": "technology", "discovery.square": "square"})


RETURNED = ("returned",)
"""Who only puts parts on need not say that no tile goes back."""


def action(name: str, asks: Mapping[str, str | tuple[str, ...]], *series: str) -> Steps:
    """An action, or the reaction of that name, and what it asks. Part of it can also be done in the middle of it."""
    return Steps({"action.choose": (name,), "reaction.choose": (name,)}, asks, series, RETURNED)


EXPLORE = action("explore", {"explore.place": "space"})
PLACE = Steps({}, {"explore.keep": "tile", "explore.orientation": "turn", "explore.disc": "disc"})
INFLUENCE = action(
    "influence",
    {"influence.from": ("first", "second"), "influence.to": ("first_to", "second_to"), "cube.track": "cubes"},
    "cubes",
)
RESEARCH = action("research", {"research.technology": ("first", "second"), "research.artifacts": "artifacts"})
UPGRADE = action(
    "upgrade",
    {
        "upgrade.return": "returned",
        "upgrade.take": ("first", "second", "third"),
        "upgrade.square": ("first_at", "second_at", "third_at"),
    },
    "returned",
)
BUILD = action(
    "build",
    {
        "build.item": ("first", "second", "third", "fourth"),
        "build.place": ("first_at", "second_at", "third_at", "fourth_at"),
    },
)
MOVE = action(
    "move",
    {
        "move.ship": ("first", "second", "third"),
        "move.to": ("first_to", "second_to", "third_to"),
        "move.way": ("first_way", "second_way", "third_way"),
    },
)
REACT = Steps(
    {},
    {
        "reaction.choose": "kind",
        "upgrade.return": "returned",
        "upgrade.take": "what",
        "build.item": "what",
        "move.ship": "what",
        "upgrade.square": "where",
        "build.place": "where",
        "move.to": "where",
        "move.way": "way",
    },
    RETURNED,
    RETURNED,
)
PASS = Steps({"action.choose": ("pass",), "reaction.choose": (SKIP,)}, {})
GIVE_UP = Steps({"action.choose": ("give_up",)}, {})
ENDED_BY_SKIP = (
    "explore.place", "explore.disc", "research.technology", "upgrade.return", "upgrade.take", "build.item", "move.ship",
    "population.attack", "conquest.place", "diplomacy.partner", "colony.upkeep", "action.end",
)  # fmt: skip
DONE = Steps({**dict.fromkeys(ENDED_BY_SKIP, (SKIP,)), "influence.from": ("done",)}, {})
LAND = Steps({}, {"colony.square": "where", "colony.upkeep": "where", "action.end": "where"})
EXCHANGE = Steps({}, {"trade.what": "what"})
CUBE = Steps({}, {"cube.track": "track", "population.graveyard": "track", "diplomacy.cube": "track"})
DIPLOMACY = Steps({}, {"diplomacy.partner": "who", "diplomacy.answer": "kind"})
REPUTATION = Steps({}, {"diplomacy.return": "value", "reputation.return": "value", "reputation.keep": "value"})
FIGHT = Steps({}, {"combat.action": "what", "combat.missiles": "what"})
ASSIGN = Steps({}, {"combat.assign": "targets"}, ("targets",))
RETREAT = Steps({}, {"combat.action": "to", "combat.withdraw": "to"})
BOMBARD = Steps({}, {"population.attack": "what", "population.cubes": "cubes"})
CONQUER = Steps({}, {"conquest.place": "hex"})
UPKEEP = Steps({}, {"upkeep.short": "what"})


REPLIES = {"accept": "accept", "withdraw": SKIP}
"""Acts on a proposal, and the answers to the question whether to accept one."""


def either(act: str, steps: Steps, parameter: str) -> Complete:
    """Autocomplete for what is an act, or an answer where that is asked."""
    of_act, of_question = field(act, 0), legal(steps, parameter)

    async def offered(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await of_question(interaction, current) or await of_act(interaction, current)

    return offered


async def partner(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete for with whom, as the kind given has it."""
    kind = interaction.namespace["kind"] or "propose"
    return await either(kind, DIPLOMACY, "who")(interaction, current)


async def cube(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete for the track, as the kind given has it."""
    return await field(interaction.namespace["kind"] or "propose", 1)(interaction, current)


async def fought_over(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete for the hexes where a battle may come."""
    live = interaction.client.tables.in_channel(interaction.channel_id)
    if live is None or live.game.key != KEY:
        return []
    numbers = [hex_.number for hex_ in live.table.view(None).hexes if odds.contested(hex_)]
    return [app_commands.Choice(name=number, value=number) for number in numbers if number.startswith(current)][:25]


class EclipseCog(GameCog):
    """`/eclipse`."""

    key = KEY
    eclipse = app_commands.Group(name="eclipse", description="Eclipse", guild_only=True)

    def asked(self, interaction: Interaction) -> str:
        """The key of the question the person is asked here; "" if there is none."""
        live = self.tables.in_channel(interaction.channel_id)
        seat = live.seat_of(interaction.user.id) if live is not None else None
        question = live.table.asked.get(seat) if live is not None and seat is not None else None
        return question.key if question is not None else ""

    async def do(self, interaction: Interaction, act: str, steps: Steps, **given: str) -> None:
        """What is asked just now where that is one of the steps' questions, else the act."""
        if self.asked(interaction) in steps.asks:
            await self.play(interaction, steps, **given)
        else:
            await self.act(interaction, act, *given.values())

    # ---------------------------------------------------------------- before the first round

    @eclipse.command(name="species", description="Choose your species")
    @app_commands.describe(species="Which one")
    @completed(SPECIES)
    async def species(self, interaction: Interaction, species: str) -> None:
        await self.play(interaction, SPECIES, species=species)

    # ---------------------------------------------------------------- actions

    @eclipse.command(name="explore", description="Explore an unexplored space")
    @app_commands.describe(space="Which space, by coordinate")
    @completed(EXPLORE)
    async def explore(self, interaction: Interaction, space: str = "") -> None:
        await self.play(interaction, EXPLORE, space=space)

    @eclipse.command(name="place", description="Place the tile you turned, or discard it")
    @app_commands.describe(
        tile="Which tile, another, or discard",
        turn="How it lies: sixths of a turn clockwise",
        disc="disc to take control at once, or skip",
    )
    @completed(PLACE)
    async def place(self, interaction: Interaction, tile: str = "", turn: str = "", disc: str = "") -> None:
        await self.play(interaction, PLACE, tile=tile, turn=turn, disc=disc)

    @eclipse.command(name="discovery", description="Take a discovery tile: its benefit or 2 points")
    @app_commands.describe(
        side="use or points",
        technology="Ancient Technology: which one",
        square="Ancient part: on which square, or aside",
    )
    @completed(DISCOVERY)
    async def discovery(self, interaction: Interaction, side: str = "", technology: str = "", square: str = "") -> None:
        await self.play(interaction, DISCOVERY, side=side, technology=technology, square=square)

    @eclipse.command(name="influence", description="Move up to two discs, or turn up colony ships")
    @app_commands.describe(
        first="The disc: a hex, track, refresh or done",
        first_to="Where it goes",
        second="The second one",
        second_to="Where it goes",
        cubes="Where cubes go back to, joined by +",
    )
    @completed(INFLUENCE)
    async def influence(
        self,
        interaction: Interaction,
        first: str = "",
        first_to: str = "",
        second: str = "",
        second_to: str = "",
        cubes: str = "",
    ) -> None:
        await self.play(
            interaction, INFLUENCE, first=first, first_to=first_to, second=second, second_to=second_to, cubes=cubes
        )

    @eclipse.command(name="research", description="Buy a technology")
    @app_commands.describe(
        first="Which one", second="Hydran: the second one", artifacts="Artifact Key: the resources, joined by +"
    )
    @completed(RESEARCH)
    async def research(self, interaction: Interaction, first: str = "", second: str = "", artifacts: str = "") -> None:
        await self.play(interaction, RESEARCH, first=first, second=second, artifacts=artifacts)

    @eclipse.command(name="upgrade", description="Put parts on your blueprints")
    @app_commands.describe(
        returned="Tiles you give back first, joined by +",
        first="The part",
        first_at="On which square",
        second="The next part",
        second_at="On which square",
        third="The next part",
        third_at="On which square",
    )
    @completed(UPGRADE)
    async def upgrade(
        self,
        interaction: Interaction,
        returned: str = "",
        first: str = "",
        first_at: str = "",
        second: str = "",
        second_at: str = "",
        third: str = "",
        third_at: str = "",
    ) -> None:
        await self.play(
            interaction,
            UPGRADE,
            returned=returned,
            first=first,
            first_at=first_at,
            second=second,
            second_at=second_at,
            third=third,
            third_at=third_at,
        )

    @eclipse.command(name="build", description="Build ships and structures")
    @app_commands.describe(
        first="What you build",
        first_at="In which hex",
        second="The next one",
        second_at="In which hex",
        third="The next one",
        third_at="In which hex",
        fourth="The next one",
        fourth_at="In which hex",
    )
    @completed(BUILD)
    async def build(
        self,
        interaction: Interaction,
        first: str = "",
        first_at: str = "",
        second: str = "",
        second_at: str = "",
        third: str = "",
        third_at: str = "",
        fourth: str = "",
        fourth_at: str = "",
    ) -> None:
        await self.play(
            interaction,
            BUILD,
            first=first,
            first_at=first_at,
            second=second,
            second_at=second_at,
            third=third,
            third_at=third_at,
            fourth=fourth,
            fourth_at=fourth_at,
        )

    @eclipse.command(name="move", description="Move ships")
    @app_commands.describe(
        first="The ship: hex and type",
        first_to="Where it goes",
        first_way="If ways differ: which",
        second="The next ship",
        second_to="Where it goes",
        second_way="If ways differ: which",
        third="The next ship",
        third_to="Where it goes",
        third_way="If ways differ: which",
    )
    @completed(MOVE)
    async def move(
        self,
        interaction: Interaction,
        first: str = "",
        first_to: str = "",
        first_way: str = "",
        second: str = "",
        second_to: str = "",
        second_way: str = "",
        third: str = "",
        third_to: str = "",
        third_way: str = "",
    ) -> None:
        await self.play(
            interaction,
            MOVE,
            first=first,
            first_to=first_to,
            first_way=first_way,
            second=second,
            second_to=second_to,
            second_way=second_way,
            third=third,
            third_to=third_to,
            third_way=third_way,
        )

    @eclipse.command(name="react", description="After passing: a small upgrade, build or move")
    @app_commands.describe(
        kind="upgrade, build or move",
        what="The part, item or ship",
        where="The square or hex",
        returned="Upgrade: tiles you give back, joined by +",
        way="If ways differ: which",
    )
    @completed(REACT)
    async def react(
        self,
        interaction: Interaction,
        kind: str = "",
        what: str = "",
        where: str = "",
        returned: str = "",
        way: str = "",
    ) -> None:
        await self.play(interaction, REACT, kind=kind, what=what, where=where, returned=returned, way=way)

    @eclipse.command(name="done", description="Do no more of what you are doing, and end your turn")
    async def done(self, interaction: Interaction) -> None:
        await self.play(interaction, DONE)

    @eclipse.command(name="pass", description="Pass for the rest of the round, or do not react")
    async def pass_(self, interaction: Interaction) -> None:
        await self.play(interaction, PASS)

    @eclipse.command(name="give-up", description="Leave the game when you have nothing left on the board")
    async def give_up(self, interaction: Interaction) -> None:
        await self.play(interaction, GIVE_UP)

    # ---------------------------------------------------------------- at any time

    @eclipse.command(name="colonize", description="Use a colony ship")
    @app_commands.describe(where="On which square, and from which track the cube comes")
    @app_commands.autocomplete(where=either("colonize", LAND, "where"))
    async def colonize(self, interaction: Interaction, where: str) -> None:
        await self.do(interaction, "colonize", LAND, where=where)

    @eclipse.command(name="trade", description="Trade resources at your species' rate")
    @app_commands.describe(what="What you give and get, such as money.science")
    @app_commands.autocomplete(what=either("trade", EXCHANGE, "what"))
    async def trade(self, interaction: Interaction, what: str) -> None:
        await self.do(interaction, "trade", EXCHANGE, what=what)

    @eclipse.command(name="diplomacy", description="Propose a diplomatic relation, or answer a proposal")
    @app_commands.describe(kind="What you do", who="With whom", track="The track your cube comes from")
    @app_commands.choices(kind=[app_commands.Choice(name=kind, value=kind) for kind in ("propose", *REPLIES)])
    @app_commands.autocomplete(who=partner, track=cube)
    async def diplomacy(self, interaction: Interaction, kind: str, who: str = "", track: str = "") -> None:
        asked = self.asked(interaction)
        if asked == "diplomacy.answer":
            await self.play(interaction, DIPLOMACY, kind=REPLIES.get(kind, kind))
        elif asked == "diplomacy.partner" and kind == "propose":
            await self.play(interaction, DIPLOMACY, who=who)
        else:
            await self.act(interaction, kind, who, *([] if kind == "withdraw" else [track]))

    @eclipse.command(name="cube", description="Say to which track a cube goes, or from which it comes")
    @app_commands.describe(track="money, science or materials")
    @completed(CUBE)
    async def cube(self, interaction: Interaction, track: str) -> None:
        await self.play(interaction, CUBE, track=track)

    # ---------------------------------------------------------------- combat

    @eclipse.command(name="fight", description="What a type of your ships does: attack, hold or retreat")
    @app_commands.describe(what="Attack with it, or retreat to a hex")
    @completed(FIGHT)
    async def fight(self, interaction: Interaction, what: str) -> None:
        await self.play(interaction, FIGHT, what=what)

    @eclipse.command(name="assign", description="Assign your dice to enemy ships")
    @app_commands.describe(targets="The ships, die by die, joined by +, or rule for the rest")
    @completed(ASSIGN)
    async def assign(self, interaction: Interaction, targets: str) -> None:
        await self.play(interaction, ASSIGN, targets=targets)

    @eclipse.command(name="retreat", description="Retreat from a battle with a type of ship")
    @app_commands.describe(to="Which ships and to which hex")
    @completed(RETREAT)
    async def retreat(self, interaction: Interaction, to: str) -> None:
        await self.play(interaction, RETREAT, to=to)

    @eclipse.command(name="bombard", description="Attack the population of a hex")
    @app_commands.describe(what="Which ships, bombs, or skip to end", cubes="The cubes that are killed, joined by +")
    @completed(BOMBARD)
    async def bombard(self, interaction: Interaction, what: str = "", cubes: str = "") -> None:
        await self.play(interaction, BOMBARD, what=what, cubes=cubes)

    @eclipse.command(name="conquer", description="Take control of a hex after the battles")
    @app_commands.describe(hex="The hex, or skip to leave it")
    @completed(CONQUER)
    async def conquer(self, interaction: Interaction, hex: str) -> None:
        await self.play(interaction, CONQUER, hex=hex)

    @eclipse.command(name="reputation", description="Keep a reputation tile, or return one to the bag")
    @app_commands.describe(value="The value of the tile")
    @completed(REPUTATION)
    async def reputation(self, interaction: Interaction, value: str) -> None:
        await self.play(interaction, REPUTATION, value=value)

    # ---------------------------------------------------------------- upkeep

    @eclipse.command(name="upkeep", description="Trade or give up hexes when your money is short")
    @app_commands.describe(what="The trade or the hex")
    @completed(UPKEEP)
    async def upkeep(self, interaction: Interaction, what: str) -> None:
        await self.play(interaction, UPKEEP, what=what)

    # ---------------------------------------------------------------- odds

    @eclipse.command(name="odds", description="Who would win a battle that is fought to the end")
    @app_commands.describe(
        hex="A hex where one may come",
        attacker="Or any ships, such as 2 terran cruiser",
        defender="Against any ships, such as 1 ancient",
    )
    @app_commands.autocomplete(hex=fought_over)
    async def odds(self, interaction: Interaction, hex: str = "", attacker: str = "", defender: str = "") -> None:
        async def work() -> None:
            live = self.tables.in_channel(interaction.channel_id)
            if live is None or live.game.key != KEY:
                raise Refused(say("game.none_here"))
            if bool(attacker) != bool(defender) or (hex and attacker):
                raise Illegal("odds.either")
            view = live.table.view(None)  # from what everybody knows
            if attacker:
                found: list[Any] = [
                    (plain(attacker), plain(defender), await asyncio.to_thread(odds.of_texts, attacker, defender))
                ]
            else:
                found = await asyncio.to_thread(odds.coming, view, hex)
            lines = [live.words.say(*odds.described(*one)) for one in found]
            await tell(interaction, "\n".join(lines) or live.words.say("odds.none"))

        await attend(interaction, work)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(EclipseCog(bot))
