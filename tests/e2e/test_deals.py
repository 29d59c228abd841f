"""Deals between players: what one has offered binds him as soon as the other accepts, without a further word of his."""

from __future__ import annotations

import pytest

from rules import rules_of
from tests.rules.eclipse.test_diplomacy import contact

from .world import ECLIPSE, THRONE, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def opened(game: Game, key: str) -> int:
    """The seat that is asked this; before it everything is answered simply."""
    for _ in range(40):
        if {question.key for question in game.table.asked.values()} == {key}:
            return next(iter(game.table.asked))
        await game.answer_simply(game.unanswered)
    raise AssertionError(f"still asked {game.table.asked}")


async def test_a_trade_by_command(here: World):
    game = await here.game(2, key=THRONE, options={"trading": "yes"})
    seat = await opened(game, "action")
    other, state = 1 - seat, game.table.state
    card = next(option.id for option in game.table.acts(seat)[0].fields[1].options if "." not in option.id)
    places = {at: next(iter(state.groups[at])) for at in (seat, other)}
    hands = [sum(hand.values()) for hand in state.hands]
    given = {"rival": str(other), "gives": card, "wants": "-", "into": places[seat]}
    offered = await game.says(game.people[seat], "throne trade offer", given=given)
    assert "offers" in offered, offered
    offer = game.table.state.offers[0]
    name = f"{offer.by + 1}.{offer.to + 1}.{offer.id}"
    before = await game.stands()
    stranger = await game.says(game.people[seat], "throne trade accept", offer=name, units="-", into=places[seat])
    assert await game.stands() == before, stranger
    await game.says(game.people[other], "throne trade accept", offer=name, units="-", into=places[other])
    now = [sum(hand.values()) for hand in game.table.state.hands]
    assert (now[seat], now[other]) == (hands[seat] - 1, hands[other] + 1)
    assert game.table.state.offers == []


async def test_a_diplomatic_relation_by_command(here: World, monkeypatch: pytest.MonkeyPatch):
    state = contact()
    with monkeypatch.context() as patched:
        patched.setattr(type(rules_of(ECLIPSE)), "setup", lambda self, *given: state)
        game = await here.game(4, key=ECLIPSE)
    assert await opened(game, "action.choose") == 0
    one, other = game.people[:2]
    said = await game.says(one, "eclipse diplomacy", kind="propose", who="1", track="money")
    assert "proposes" in said, said
    before = await game.stands()
    refused = await game.says(game.people[2], "eclipse diplomacy", kind="accept", who="0", track="money")
    assert await game.stands() == before, refused
    await game.says(other, "eclipse diplomacy", kind="accept", who="0", track="money")
    assert [board.ambassadors for board in game.table.state.boards] == [[1], [0], [], []]
