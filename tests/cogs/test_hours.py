"""Waking hours: what counts of a span of time, whatever the zone, the nights and the vacations."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.hours import DAY_MS, Hours, read_sleep, write_sleep, zones
from cogs.people import Person

HOUR = 3_600_000
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "Australia/Lord_Howe")
times = st.integers(1_600_000_000_000, 1_900_000_000_000)
spans = st.integers(0, 40 * DAY_MS)


@st.composite
def hours(draw: st.DrawFn) -> Hours:
    begin, length = draw(st.integers(0, 1439)), draw(st.integers(1, 840))
    sleep = draw(st.none() | st.just((begin, (begin + length) % 1440)))
    away = draw(st.lists(st.tuples(times, st.integers(1, 30 * DAY_MS)), max_size=2))
    return Hours(draw(st.sampled_from(ZONES)), sleep, tuple((start, start + long) for start, long in away))


def at(zone: str, *when: int) -> int:
    return int(datetime.datetime(*when, tzinfo=ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[arg-type,misc]


@settings(deadline=None)
@given(hours(), times, spans)
def test_there_and_back(awake: Hours, start: int, amount: int) -> None:
    end = awake.after(start, amount)
    assert end >= start + amount
    assert awake.between(start, end) == amount


@settings(deadline=None)
@given(hours(), times, spans, spans)
def test_spans_add_up(awake: Hours, start: int, one: int, two: int) -> None:
    assert awake.after(awake.after(start, one), two) == awake.after(start, one + two)
    middle = start + one
    assert awake.between(start, middle) + awake.between(middle, middle + two) == awake.between(start, middle + two)


@settings(deadline=None)
@given(hours(), times, spans)
def test_no_more_waking_time_than_time(awake: Hours, start: int, length: int) -> None:
    assert 0 <= awake.between(start, start + length) <= length


def test_who_never_sleeps_has_all_the_time() -> None:
    assert Hours().after(1000, 5000) == 6000
    assert Hours().between(1000, 6000) == 5000


def test_a_night_does_not_count() -> None:
    awake = Hours("Europe/Berlin", (23 * 60, 7 * 60))
    evening, noon = at("Europe/Berlin", 2026, 6, 1, 22), at("Europe/Berlin", 2026, 6, 2, 12)
    assert awake.between(evening, noon) == 6 * HOUR
    assert awake.after(evening, 6 * HOUR) == noon
    midnight = at("Europe/Berlin", 2026, 6, 2, 0)
    assert awake.after(midnight, HOUR) == at("Europe/Berlin", 2026, 6, 2, 8)


def test_a_night_of_the_day_too() -> None:
    awake = Hours("UTC", (8 * 60, 16 * 60))
    assert awake.between(at("UTC", 2026, 6, 1), at("UTC", 2026, 6, 2)) == 16 * HOUR


@pytest.mark.parametrize(("day", "slept"), [((2026, 3, 29), 7), ((2026, 10, 25), 9), ((2026, 6, 1), 8)])
def test_the_night_in_which_the_clocks_change(day: tuple[int, int, int], slept: int) -> None:
    awake = Hours("Europe/Berlin", (23 * 60, 7 * 60))
    noon = at("Europe/Berlin", *day, 12)
    before = int((datetime.datetime(*day, 12) - datetime.timedelta(days=1)).timestamp())
    yesterday = datetime.datetime.fromtimestamp(before)
    start = at("Europe/Berlin", yesterday.year, yesterday.month, yesterday.day, 12)
    assert (noon - start) - awake.between(start, noon) == slept * HOUR


def test_vacation_and_night_overlap_once() -> None:
    awake = Hours("UTC", (0, 8 * 60), ((at("UTC", 2026, 6, 2, 4), at("UTC", 2026, 6, 3, 4)),))
    assert awake.between(at("UTC", 2026, 6, 1), at("UTC", 2026, 6, 4)) == 2 * 16 * HOUR


@pytest.mark.parametrize(
    ("text", "sleep"),
    [("23:00-07:00", (1380, 420)), ("23-7", (1380, 420)), (" 0:30 – 8 ", (30, 480)), ("22 to 6:15", (1320, 375))],
)
def test_nights_in_writing(text: str, sleep: tuple[int, int]) -> None:
    assert read_sleep(text) == sleep
    assert read_sleep(write_sleep(sleep)) == sleep


@pytest.mark.parametrize("text", ["", "late", "7-7", "20-11", "25-7", "23:70-7", "23:00", "1-2-3", "24:30-99"])
def test_what_is_no_night(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_sleep(text)


def test_zones_are_known_by_their_names() -> None:
    assert {"UTC", "Europe/Berlin"} <= set(zones())


def test_vacations_are_counted_over_a_year() -> None:
    now = 1_800_000_000_000
    person = Person().away_for((now, now + 10 * DAY_MS), now)
    later = now + 5 * DAY_MS
    back = person.away_for(None, later)
    assert back.vacation(later) is None
    assert back.days_away(later) == 5
    again = back.away_for((later + DAY_MS, later + 3 * DAY_MS), later)
    assert again.days_away(later) == 7
    assert again.days_away(now + 500 * DAY_MS) == 0
