"""The sandbox's page, played in a real browser: mouse, keys, the DOM, and nothing else."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from discord import app_commands, ui

from sandbox.client import SandboxClient
from sandbox.processes import running as playing
from sandbox.server import Sandbox

from .bot import Bot
from .browser import Tab, browser, executable
from .conftest import running

LEFT_OUT = "browser left out: no Chromium found"
pytestmark = pytest.mark.skipif(executable() is None, reason=LEFT_OUT)
if executable() is None:
    warnings.warn(LEFT_OUT, stacklevel=1)  # unlike the reason, this is shown at the end of every run

BUTTONS = '[...document.querySelectorAll("#messages .btn:not(:disabled)")]'
SELECTS = '[...document.querySelectorAll("#messages .select:not(:disabled)")]'
ANSWERS = "/^t:\\d+:\\d+:\\d+:(answer|open|all|none|done|add):/"
HOSTILE = "<img src=x onerror=document.body.dataset.owned=1>"
DESKTOP, PHONE = (1280, 800), (360, 740)


def verb(name: str) -> str:
    """The newest button with that verb."""
    return f"{BUTTONS}.findLast(b => b.dataset.customId?.split(':')[4] === '{name}')"


def labelled(text: str, inside: str = "#messages") -> str:
    return f"[...document.querySelectorAll({json.dumps(inside + ' button')})].findLast(b => b.textContent.includes({json.dumps(text)}))"


@pytest.fixture
async def tab() -> AsyncIterator[Tab]:
    async with browser() as opened:
        await opened.size(*DESKTOP)
        yield opened


async def sideways(tab: Tab) -> list[str]:
    """What sticks out of the page at the right."""
    found: list[str] = await tab.js("""
        [...document.querySelectorAll("#main *")].filter((el) => {
            const r = el.getBoundingClientRect();
            return r.width && r.right > innerWidth + 1 && !el.closest("pre, .sr, .skip, #toasts");
        }).map((el) => el.outerHTML.slice(0, 200))
        .concat(document.documentElement.scrollWidth > innerWidth ? ["the whole page"] : [])""")
    return found


async def small(tab: Tab) -> list[str]:
    """Buttons that are hard to hit with a thumb."""
    found: list[str] = await tab.js("""
        [...document.querySelectorAll(".btn, .select, .icon, .person, .place, .who")]
        .filter((b) => b.offsetHeight && b.offsetHeight < 40).map((b) => b.outerHTML.slice(0, 200))""")
    return found


async def take_a_turn(tab: Tab) -> None:
    """Answer whatever is asked, by button or by menu."""
    before = await tab.js("document.getElementById('messages').innerText")
    if await tab.js(f"{SELECTS}.some(s => /:(menu|add):/.test(s.dataset.customId))"):
        await tab.click(f"{SELECTS}.findLast(s => /:(menu|add):/.test(s.dataset.customId))")
        await tab.click("document.querySelector('.popup li[role=option]')")
        if await tab.js("Boolean(document.querySelector('.popup .foot'))"):
            await tab.click("document.querySelector('.popup .foot .btn')")
    else:
        await tab.click(f"{BUTTONS}.findLast(b => {ANSWERS}.test(b.dataset.customId) && !b.ariaBusy)")
    await tab.until(f"document.getElementById('messages').innerText !== {json.dumps(before)}")


async def test_a_newcomer_plays_against_bots(tab: Tab, tmp_path: Path) -> None:
    async with playing(speed=1.0, people=6) as (client, _):
        await tab.open(client.url)
        await tab.click("document.querySelector('#welcome [data-start]')")
        choice = "document.querySelector('dialog .choices .btn')"
        await tab.until(f"{choice} || document.querySelector('[data-kind=\"11\"]')")
        if await tab.js(f"Boolean({choice})"):
            await tab.click(choice)  # there are several games
        await tab.until(f"{BUTTONS}.some(b => {ANSWERS}.test(b.dataset.customId))")

        # the hand came as a direct message, and opens by its button, for North alone
        await tab.until("document.querySelector('[data-kind=\"1\"] .badge')?.textContent === '1'")
        await tab.click(verb("hand"))
        await tab.until("document.querySelector('.message.ephemeral .picture img')?.naturalWidth > 100")
        assert await tab.js("document.querySelector('.message.ephemeral .picture img').alt.length > 20")
        await tab.click("document.querySelector('.message.ephemeral .picture')")
        await tab.until("document.querySelector('.lightbox img')?.complete")
        await tab.key("Escape")
        await tab.until("!document.querySelector('dialog')")
        hand = await tab.js("document.querySelector('.message.ephemeral .picture').closest('.message').dataset.id")
        await tab.click(f"document.querySelector('[data-id=\"{hand}\"] .textual')")
        await tab.until(f"!document.querySelector('[data-id=\"{hand}\"]')")

        for _ in range(4):
            await tab.until(f"{BUTTONS}.concat({SELECTS}).some(b => {ANSWERS[:-7]}|menu):/.test(b.dataset.customId))")
            await take_a_turn(tab)
            await asyncio.sleep(0.3)

        # a command by keys alone: found, its option chosen, sent
        await tab.js("document.getElementById('entry').focus()")
        await tab.type("/table bo")
        await tab.until("document.querySelector('.suggestions li.active')?.textContent.includes('/table board')")
        await tab.key("Enter")
        await tab.until("document.activeElement === document.querySelector('.send')")
        await tab.key("ArrowDown")
        await tab.key("Enter")
        await tab.until("document.activeElement?.dataset.option === 'text'")
        await tab.key("Enter")  # True is the first choice
        await tab.key("Enter")
        await tab.until("document.querySelector('.message:last-child pre')?.textContent.length > 100")

        # autocomplete asks the bot
        await tab.type("/table answer")
        await tab.key("Tab")
        await tab.until(
            "document.querySelector('.suggestions li:not(.extra)') || document.querySelector('.note').textContent"
        )
        await tab.key("Escape")
        await tab.key("Escape")

        # the direct message
        await tab.click("document.querySelector('[data-kind=\"1\"]')")
        await tab.until("document.querySelector('#messages .picture img')?.naturalWidth > 100")
        await tab.until("!document.querySelector('[data-kind=\"1\"] .badge')")

        # as somebody else nothing private is left on the screen
        await tab.click("document.querySelector('[data-person=east]')")
        await tab.until("document.getElementById('whoami').textContent.includes('East')")
        assert await tab.js("document.querySelectorAll('.message.ephemeral').length") == 0
        assert not await tab.js("Boolean(document.querySelector('[data-kind=\"1\"]'))")
        await tab.reload()
        await tab.until("document.getElementById('whoami').textContent.includes('East')")
        if await tab.js("Boolean(document.querySelector('[data-play-as]'))"):
            await tab.click("document.querySelector('[data-play-as]')")
            await tab.until("document.getElementById('whoami').textContent.includes('North')")

        # a phone
        await tab.size(*PHONE, phone=True)
        await tab.until("getComputedStyle(document.getElementById('side')).visibility === 'hidden'")
        assert await sideways(tab) == []
        await tab.click("document.getElementById('drawer')")
        await tab.until("document.getElementById('side').getBoundingClientRect().left === 0")
        assert await small(tab) == []
        await tab.key("Escape")
        await tab.click("document.querySelector('.icon.slash')")
        await tab.until("document.querySelectorAll('.suggestions li').length > 10")
        assert await sideways(tab) == []
        assert tab.errors == []
        assert (await client.stats())["rejected"] == 0


class Everything(Bot):
    """One command that shows what the page must be able to show."""

    async def setup_hook(self) -> None:
        self.tree.add_command(show)
        self.tree.add_command(sleep)
        self.tree.add_command(form)
        self.tree.add_command(ask)
        self.tree.add_command(game, override=True)
        await super().setup_hook()


@app_commands.command(description="Shows something of everything")
@app_commands.describe(word="What to say", again="Say it again", who="To whom")
async def show(
    interaction: discord.Interaction, word: str, again: bool = False, who: discord.User | None = None
) -> None:
    view = ui.LayoutView(timeout=60)
    picked: ui.Select[ui.LayoutView] = ui.Select(
        placeholder="Several", min_values=2, max_values=3, options=[discord.SelectOption(label=n) for n in "ABCD"]
    )

    async def chosen(press: discord.Interaction) -> None:
        await press.response.send_message(f"picked {'+'.join(picked.values)}", ephemeral=True)

    picked.callback = chosen  # type: ignore[method-assign]
    people: ui.UserSelect[ui.LayoutView] = ui.UserSelect(placeholder="Somebody")
    body = ui.Container(
        ui.TextDisplay(f"# Heading\n{word} **bold** ||hidden|| <@{interaction.user.id}> [bad](javascript:alert(1))"),
        ui.Section(ui.TextDisplay("aside"), accessory=ui.Button(label="Beside", custom_id="nobody-answers")),
        ui.Separator(),
        ui.ActionRow(picked),
        ui.ActionRow(people),
        accent_colour=0x336699,
    )
    view.add_item(body)
    await interaction.response.send_message(view=view)


@show.autocomplete("word")
async def words(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=n, value=n) for n in ("alpha", "beta", HOSTILE) if current in n]


@app_commands.command(description="Thinks for a while")
async def sleep(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    await asyncio.sleep(1)
    await interaction.followup.send("awake")


class Form(ui.Modal, title="A form"):
    name: ui.Label[Form] = ui.Label(text="Name", component=ui.TextInput(custom_id="name", min_length=2))
    pick: ui.Label[Form] = ui.Label(
        text="Pick", component=ui.Select(custom_id="pick", options=[discord.SelectOption(label=n) for n in "XYZ"])
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        said = self.name.component.value  # type: ignore[attr-defined]
        await interaction.response.send_message(f"{said} took {self.pick.component.values}")  # type: ignore[attr-defined]


@app_commands.command(description="Opens a form")
async def form(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Form())


@app_commands.command(description="Asks somebody, as a table does")
async def ask(interaction: discord.Interaction, who: discord.User) -> None:
    view = ui.LayoutView(timeout=60)
    answer: ui.Button[ui.LayoutView] = ui.Button(label="Answer", custom_id="t:1:0:1:answer:x")

    async def answered(press: discord.Interaction) -> None:
        done = ui.LayoutView()
        done.add_item(ui.TextDisplay("Over."))
        await press.response.edit_message(view=done)

    answer.callback = answered  # type: ignore[method-assign]
    view.add_item(ui.Container(ui.TextDisplay(f"**{who.mention}** — what now?"), ui.ActionRow(answer)))
    await interaction.response.send_message(view=view)


game = app_commands.Group(name="game", description="Games")


@game.command(name="create", description="Refuses")
@app_commands.choices(game=[app_commands.Choice(name=n.title(), value=n) for n in ("chess", "go")])
async def create(interaction: discord.Interaction, game: str) -> None:
    await interaction.response.send_message(f"No {game} today.", ephemeral=True)


@pytest.fixture
async def shown(tab: Tab, sandbox: Sandbox, client: SandboxClient) -> AsyncIterator[Tab]:
    async with running(Everything(), sandbox):
        await client.add_person(HOSTILE)
        await tab.open(client.url)
        yield tab
    assert tab.errors == []
    assert sandbox.core.stats.crashes == []


async def run(tab: Tab, command: str) -> None:
    await tab.js("document.getElementById('entry').focus()")
    await tab.type(f"/{command}")
    await tab.until(f"document.querySelector('.suggestions li.active b')?.textContent === '/{command}'")
    await tab.key("Enter")


async def test_components_menus_and_failures(shown: Tab, sandbox: Sandbox) -> None:
    tab = shown
    await run(tab, "show")
    await tab.until("document.activeElement?.dataset.option === 'word'")
    await tab.until("document.querySelectorAll('.suggestions li:not(.extra)').length === 3")
    await tab.type("alp")
    await tab.until("document.querySelectorAll('.suggestions li:not(.extra)').length === 1")
    await tab.key("Tab")
    await tab.until("document.querySelector('[data-option=word]').value === 'alpha'")
    await tab.key("Enter")
    await tab.until("document.querySelector('.message h2')?.textContent === 'Heading'")
    assert await tab.js("document.querySelector('.message .card').style.getPropertyValue('--accent')") == "#336699"
    assert await tab.js("document.querySelector('.mention.me').textContent") == "@North"
    assert await tab.js("document.querySelectorAll('.message a').length") == 0  # no javascript: links
    await tab.click("document.querySelector('.spoiler')")
    assert await tab.js("document.querySelector('.spoiler').className") == "spoiler shown"

    await tab.click(labelled("Several"))
    await tab.click("document.querySelector('.popup [data-value=A]')")
    assert await tab.js("document.querySelector('.popup .foot .btn').disabled")
    await tab.key("ArrowDown")
    await tab.key("Enter")
    await tab.click("document.querySelector('.popup .foot .btn')")
    await tab.until("document.querySelector('.message.ephemeral')?.textContent.includes('picked A+B')")

    sandbox.core.ack_seconds = 0.5
    await tab.click(labelled("Beside"))
    await tab.until("document.querySelector('.message .failed')?.textContent === 'This interaction failed'")


async def test_thinking_then_the_answer_in_place(shown: Tab) -> None:
    tab = shown
    await run(tab, "sleep")
    await tab.key("Enter")
    await tab.until("document.querySelector('.message.ephemeral .thinking')")
    await tab.until("document.querySelector('.message.ephemeral .md')?.textContent === 'awake'")
    assert await tab.js("document.querySelectorAll('.message.ephemeral').length") == 1


async def test_modal(shown: Tab) -> None:
    tab = shown
    await run(tab, "form")
    await tab.key("Enter")
    await tab.until("document.activeElement?.closest('dialog') && document.activeElement.tagName === 'INPUT'")
    await tab.type("Ann")
    await tab.click("document.querySelector('dialog .select')")
    await tab.click("document.querySelector('dialog .popup [data-value=Y]')")
    await tab.click("document.querySelector('dialog [type=submit]')")
    await tab.until("document.querySelector('.message:last-child .md')?.textContent.includes(\"Ann took ['Y']\")")
    await tab.until("!document.querySelector('dialog')")


async def test_one_person_plays_several_seats(shown: Tab) -> None:
    tab = shown
    await tab.click("document.querySelector('[data-kind=\"0\"]')")  # the lobby; the question stays where it was asked
    await tab.until("document.getElementById('title').textContent === '# lobby'")
    await run(tab, "ask")
    await tab.type("Sou")
    await tab.key("Tab")
    await tab.key("Enter")
    await tab.until("document.getElementById('asked').textContent.includes('It is South’s turn')")
    await tab.until("document.querySelector('[data-person=south] .badge')?.textContent === '1'")
    await tab.click("document.querySelectorAll('[data-kind=\"0\"]')[1]")
    await tab.until("document.getElementById('asked').textContent.includes('South’s turn in #lobby')")
    await tab.reload()  # it is still known
    await tab.click("document.querySelector('[data-play-as=south]')")
    await tab.until("document.getElementById('title').textContent === '# lobby'")
    await tab.until("document.getElementById('asked').textContent.includes('South, you are asked')")
    await tab.until("!document.querySelector('[data-person=south] .badge')")
    await tab.click(labelled("Answer"))
    await tab.until("!document.getElementById('asked').textContent")
    assert await tab.js("document.querySelector('.message:last-child .md').textContent") == "Over."


async def test_hostile_names_and_texts_stay_text(shown: Tab, client: SandboxClient) -> None:
    tab = shown
    eve = next(person for person in await client.people() if person.name == HOSTILE)
    await eve.send("games", f'{HOSTILE} <script>document.body.dataset.owned=2</script> [x](https://a.b/"onclick="1)')
    await tab.until("document.querySelector('#messages').textContent.includes('<script>')")
    await tab.reload()
    await tab.until("document.querySelector('#messages').textContent.includes('<script>')")
    assert HOSTILE in await tab.js("document.getElementById('people').textContent")
    await run(tab, "show")
    await tab.until(f"document.querySelector('.suggestions').textContent.includes({json.dumps(HOSTILE)})")
    await asyncio.sleep(0.3)
    assert await tab.js("document.body.dataset.owned === undefined && !document.querySelector('img, main script')")


async def test_reading_on_the_way_up_and_staying_there(shown: Tab, client: SandboxClient) -> None:
    tab = shown
    east = await client.person("East")
    for n in range(100):
        await east.send("games", f"line {n}")
    await tab.reload()
    await tab.until("document.querySelector('.message:last-child')?.innerText.includes('line 99')")
    assert await tab.js("document.querySelectorAll('.message').length") < 60
    await tab.js("document.getElementById('scroll').scrollTop = 100")
    await tab.until("document.querySelectorAll('.message').length > 60")
    seen = "[...document.querySelectorAll('.message')].find(el => el.innerText.includes('line 65')).getBoundingClientRect().top"
    await tab.js("document.getElementById('scroll').scrollTop += 1")
    await asyncio.sleep(0.2)
    before = await tab.js(seen)
    await east.send("games", "one more\nwith lines")
    await tab.until("!document.getElementById('newer').hidden")
    assert abs(await tab.js(seen) - before) < 2
    await tab.click("document.getElementById('newer')")
    await tab.until("document.querySelector('.message:last-child').getBoundingClientRect().bottom <= innerHeight")


SOCKETS = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); window.sockets.push(this); }
};"""


async def test_it_comes_back_and_catches_up(tab: Tab, client: SandboxClient) -> None:
    await tab.send("Page.addScriptToEvaluateOnNewDocument", source=SOCKETS)
    await tab.open(client.url)
    east = await client.person("East")
    await tab.until("window.sockets.at(-1).readyState === 1")
    await tab.js("window.sockets.at(-1).close()")
    await east.send("games", "while away")
    await tab.until("document.getElementById('messages').textContent.includes('while away')")
    await east.send("games", "and after")
    await tab.until("document.getElementById('messages').textContent.includes('and after')")
    assert await tab.js("[window.sockets.length, document.querySelectorAll('.message').length]") == [2, 2]


async def test_a_new_sandbox_at_the_old_address(tab: Tab) -> None:
    async with Sandbox() as first, SandboxClient(first.url) as client:
        port = int(first.url.rpartition(":")[2])
        await tab.open(first.url)
        await (await client.person("East")).send("games", "the old world")
        await tab.until("document.getElementById('messages').textContent.includes('the old world')")
    await tab.until("document.getElementById('asked').textContent.includes('Reconnecting')")
    async with Sandbox(port):
        await tab.until("document.body?.dataset.ready && !document.getElementById('asked').textContent")
        assert not await tab.js("document.getElementById('messages').textContent.includes('the old world')")


async def test_the_shortcut_asks_which_game_and_says_why_not(shown: Tab) -> None:
    tab = shown
    await tab.click("document.querySelector('#welcome [data-start]')")
    await tab.click(labelled("Go", "dialog"))
    await tab.until("document.querySelector('.toast')?.textContent.includes('No go today.')")
    await tab.until("document.querySelector('#welcome [data-start]').textContent === 'Start a game against bots'")


async def test_one_more_person(tab: Tab, client: SandboxClient) -> None:
    await tab.open(client.url)
    await tab.click("document.querySelector('.person.add')")
    await tab.type("Zoë")
    await tab.key("Enter")
    await tab.until("document.getElementById('whoami').textContent.includes('Zoë')")


CASES = {
    "**a** *b* __c__ ~~d~~ `e*f*`": "<p><strong>a</strong> <em>b</em> <u>c</u> <s>d</s> <code>e*f*</code></p>",
    "***x*** snake_case_name _y_": "<p><strong><em>x</em></strong> snake_case_name <em>y</em></p>",
    "**a *b***": "<p><strong>a <em>b</em></strong></p>",
    "# A\n## B\n-# c": '<h2 class="h1">A</h2><h3 class="h2">B</h3><p class="small">c</p>',
    "- a\n  - b\n- c": "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    "3. x\n4. y": '<ol start="3"><li>x</li><li>y</li></ol>',
    "> q **r**\nafter": "<blockquote><p>q <strong>r</strong></p></blockquote><p>after</p>",
    "\\*no\\* 2 * 3 * 4": "<p>*no* 2 * 3 * 4</p>",
    "<@1> <#2> <b>&": '<p><span class="mention">@n1</span> <button class="mention" type="button">#c2</button> &lt;b&gt;&amp;</p>',
    "[a](javascript:b) **open": "<p>[a](javascript:b) **open</p>",
}


async def test_markdown(tab: Tab, client: SandboxClient) -> None:
    await tab.open(client.url)
    names = "{user: (id) => 'n' + id, channel: (id) => 'c' + id, me: '9', open() {}}"
    for source, wanted in CASES.items():
        made = await tab.js(f"import('/page/rich.js').then(m => m.rich({json.dumps(source)}, {names}).innerHTML)")
        assert made == wanted, source
    fenced = "before\n```py\nx = '**1**'\n```\nafter"
    made = await tab.js(f"import('/page/rich.js').then(m => m.rich({json.dumps(fenced)}, {names}).innerHTML)")
    assert "<p>before</p><pre" in made
    assert "><code>x = '**1**'</code></pre><p>after</p>" in made
    for hostile in ("*" * 4000, "||" * 2000, "_*" * 2000, "[" * 4000, "`" * 3999, "> " * 2000, "- " * 2000):
        took = await tab.js(
            "import('/page/rich.js').then(m => { const t = performance.now(); "
            f"m.rich({json.dumps(hostile)}, {names}); return performance.now() - t; }})"
        )
        assert took < 1000, hostile[:4]
