"""The history as its caller sees it: same answers always, and a later end only adds."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.demo.history import demo_events

pytestmark = pytest.mark.thorough

_START = date(2026, 3, 2)
_MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
_MINUTES = st.integers(min_value=0, max_value=9 * 24 * 60)


@settings(deadline=None, max_examples=15)
@given(one=_MINUTES, other=_MINUTES, seed=st.integers())
def test_a_later_end_only_adds_events_at_the_end(one: int, other: int, seed: int) -> None:
    """What happened up to one moment does not depend on how far the history is read."""
    earlier, later = sorted((_MIDNIGHT + timedelta(minutes=one), _MIDNIGHT + timedelta(minutes=other)))

    short = list(demo_events(_START, earlier, seed))
    long = list(demo_events(_START, later, seed))

    assert short == long[: len(short)]
    assert all(_at(event) > earlier for event in long[len(short) :])


@pytest.mark.thorough
def test_ninety_days_begin_with_any_shorter_history(events: list[dict[str, Any]]) -> None:
    """The prefix property also holds over incidents, freezes and jams."""
    until = _MIDNIGHT + timedelta(days=61, hours=14, minutes=3)

    short = list(demo_events(_START, until))

    assert short == events[: len(short)]
    assert _at(events[len(short)]) > until


def test_the_end_is_included() -> None:
    """An event at exactly the end is part of the history."""
    expected = list(demo_events(_START, _MIDNIGHT + timedelta(days=1)))

    actual = list(demo_events(_START, _at(expected[-1])))

    assert expected == actual


def test_the_end_may_have_any_offset() -> None:
    """The same instant gives the same history, however it is written."""
    until = _MIDNIGHT + timedelta(days=1, hours=12)

    expected = list(demo_events(_START, until))
    actual = list(demo_events(_START, until.astimezone(timezone(timedelta(hours=-7)))))

    assert expected == actual


def test_another_seed_gives_another_history() -> None:
    """The seed decides what happens, and no id is shared between two seeds."""
    until = _MIDNIGHT + timedelta(days=1)

    one = {event["id"] for event in demo_events(_START, until, 1)}
    other = {event["id"] for event in demo_events(_START, until, 2)}

    assert set() == one & other


@pytest.mark.parametrize("seed", [0, 1, 2, -3, 20260302])
@pytest.mark.parametrize("start", [date(2026, 3, 2), date(2025, 12, 29), date(2024, 2, 26)])
def test_the_first_event_lies_in_the_first_day(start: date, seed: int) -> None:
    """The start can be found again from the first event."""
    until = datetime(start.year, start.month, start.day, tzinfo=UTC) + timedelta(days=7)

    first = next(iter(demo_events(start, until, seed)))

    assert start == _at(first).date()


def test_nothing_happens_before_the_start() -> None:
    """An end before the start gives an empty history."""
    until = _MIDNIGHT - timedelta(days=3)

    actual = list(demo_events(_START, until))

    assert [] == actual


def test_a_start_on_another_weekday_is_refused() -> None:
    """The message names the weekday that was found."""
    with pytest.raises(ValueError, match="`2026-03-03` is a Tuesday, expected a Monday"):
        demo_events(date(2026, 3, 3), _MIDNIGHT)


def test_an_end_without_offset_is_refused() -> None:
    """The message says what is missing."""
    with pytest.raises(ValueError, match="has no offset from UTC"):
        demo_events(_START, _MIDNIGHT.replace(tzinfo=None))


def test_ninety_days_have_the_promised_size(events: list[dict[str, Any]]) -> None:
    """Enough to fill the charts, little enough to load at once."""
    assert 40_000 <= len(events) <= 50_000


def _at(event: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(event["at"])
