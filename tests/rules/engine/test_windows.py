"""Reaction windows: who is asked, in which order answers resolve, reopening, merging, nesting, standing answers."""

from __future__ import annotations

import pytest

from rules.engine import SKIP, Flow, Game, Illegal, Offer, Option, Table, choose, play_card, window

from .helpers import Mini, State, options

CARDS = {0: ["x"], 1: ["x", "y"], 2: ["y"]}


def windowed(*, once: bool = False, until: int | None = None, instant: bool = False) -> Table:
    """Each seat holds CARDS; "x" and "y" are two offers of one moment; uses are noted. `until`: so many uses end it."""

    def flow(game: Game[State]) -> Flow[None]:
        notes = game.state.notes

        def held(seat: int, card: str) -> list[Option]:
            return [Option(card)] if card in CARDS[seat] and f"{card}{seat}" not in notes and "y2" not in notes else []

        def use(seat: int, card: str) -> Flow[None]:
            notes.append(f"{card}{seat}")
            notes.append((yield from choose(seat, "how", lambda: options("well", "badly"))))

        def use_at_once(seat: int, card: str) -> None:
            notes.append(f"{card}{seat}")

        resolve = use_at_once if instant else use
        offers = [Offer(card, lambda seat, card=card: held(seat, card), resolve) for card in "xy"]
        yield from window(
            lambda: [1, 2, 0],
            *offers,
            key="react",
            skip="pass",
            once=once,
            until=lambda: until is not None and sum(len(note) == 2 for note in notes) >= until,
        )
        notes.append("closed")
        yield from choose(0, "end", lambda: options("on"))

    return Mini(flow).table()


def react(table: Table, **answers: str) -> None:
    for seat, answer in answers.items():
        table.answer(int(seat[1:]), (answer,))


def test_everybody_is_asked_one_private_merged_question_that_says_nothing_by_being_put() -> None:
    table = windowed()
    assert list(table.asked) == [1, 2, 0]
    for seat, question in table.asked.items():
        assert [option.id for option in question.options] == [*CARDS[seat], SKIP]
        assert (question.private, question.windows, question.least, question.most) == (True, ("x", "y"), 1, 1)


def test_answers_are_sealed_and_may_be_replaced() -> None:
    table = windowed()
    numbers = {seat: table.number(seat) for seat in table.asked}
    react(table, s2="y")
    table.answer(2, (SKIP,))
    assert dict(table.sealed) == {2: (SKIP,)}
    assert {seat: table.number(seat) for seat in table.asked} == numbers
    react(table, s0=SKIP, s1=SKIP)
    assert table.state.notes == ["closed"]


def test_uses_resolve_in_turn_order_each_checked_again_and_the_window_reopens() -> None:
    table = windowed()
    react(table, s0="x", s2="y", s1="y")  # y of seat 2 takes the moment away from seat 0
    assert list(table.asked) == [1]
    react(table, s1="well")
    react(table, s2="badly")
    assert table.state.notes == ["y1", "well", "y2", "badly"]
    assert sorted(table.asked) == [0, 1, 2]
    assert [len(question.options) for question in table.asked.values()] == [1, 1, 1]
    react(table, s0=SKIP, s1=SKIP, s2=SKIP)
    assert table.state.notes[-1] == "closed"


@pytest.mark.parametrize("instant", [True, False])
def test_once_and_until(instant: bool) -> None:
    for more in ({"once": True}, {"until": 1}):
        table = windowed(instant=instant, **more)  # type: ignore[arg-type]
        react(table, s0="x", s1="x", s2=SKIP)
        while next(iter(table.asked.values())).key == "how":
            react(table, **{f"s{next(iter(table.asked))}": "well"})
        uses = [note for note in table.state.notes if len(note) == 2]
        assert uses == (["x1", "x0"] if "once" in more else ["x1"])
        assert table.state.notes[-1] == "closed"


def test_a_window_for_nobody_closes_at_once() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        yield from window(lambda: [], key="react", skip="pass")
        yield from choose(0, "end", lambda: options("on"))

    assert list(Mini(flow).table().asked) == [0]


def test_standing_answers_pass_only_the_windows_they_name() -> None:
    table = windowed()
    assert [table.passes(seat) for seat in (0, 1, 2)] == [False] * 3
    before = table.position()
    table.stand(0, "x", True)
    assert before.standing == {}
    assert not table.passes(0)
    change = table.stand(0, "y", True)
    assert table.passes(0)
    assert change.events == ()
    assert not table.passes(1)
    table.stand(0, "x", False)
    assert not table.passes(0)
    with pytest.raises(Illegal):
        table.stand(7, "x", True)
    react(table, s0="x", s1=SKIP, s2=SKIP)
    react(table, s0="well")
    assert table.passes(0)  # nothing left but to pass
    assert not table.passes(1)
    assert table.position().standing == {0: ("y",)}


@pytest.mark.parametrize("cancelled", [True, False])
@pytest.mark.parametrize("instant", [True, False])
def test_cards_are_announced_may_be_cancelled_then_resolve(cancelled: bool, instant: bool) -> None:
    def flow(game: Game[State]) -> Flow[None]:
        notes = game.state.notes

        def counters() -> Flow[bool]:
            return (yield from choose(1, "cancel", lambda: options("yes", "no"))) == "yes"

        def resolve() -> Flow[str]:
            return (yield from choose(0, "which", lambda: options("this")))

        def resolve_at_once() -> None:
            notes.append("at once")

        result = yield from play_card(
            lambda: notes.append("announced"), counters, resolve_at_once if instant else resolve
        )
        notes.append(str(result))
        yield from choose(0, "end", lambda: options("on"))

    table = Mini(flow).table()
    table.answer(1, ("yes" if cancelled else "no",))
    if not (cancelled or instant):
        table.answer(0, ("this",))
    middle = [] if cancelled else ["at once", "None"] if instant else ["this"]
    assert table.state.notes == ["announced", *(middle or ["None"])]


def test_windows_nest() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        def nested(depth: int) -> Flow[None]:
            def use(seat: int, id: str) -> Flow[None]:
                game.state.notes.append(f"{depth}")
                yield from nested(depth + 1)
                game.state.notes.append(f"/{depth}")

            offer = Offer(f"w{depth}", lambda seat: options("use") if depth < 3 else [], use)
            yield from window(lambda: [depth % 3], offer, key="react", skip="pass", once=True)

        yield from nested(0)
        yield from choose(0, "end", lambda: options("on"))

    table = Mini(flow).table()
    for seat in range(3):
        assert table.asked[seat].windows == (f"w{seat}",)
        table.answer(seat, ("use",))
    table.answer(0, (SKIP,))
    assert table.state.notes == ["0", "1", "2", "/2", "/1", "/0"]
