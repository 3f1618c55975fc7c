"""The live queue: a few events per minute, like those of the history, and never ending."""

from collections import Counter
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any

import pytest

from mergecast.demo.live import live_events
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.instant import parse_instant

_START = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    return list(islice(live_events(_START), 12_000))


def test_events_are_valid_and_in_time_order(events: list[dict[str, Any]]) -> None:
    """Ingest accepts each of them."""
    now = parse_instant(events[-1]["at"])

    assert not any(isinstance(read_event(event, "", now), list) for event in events)
    assert all(one["at"] <= other["at"] for one, other in pairwise(events))
    assert {"demo-live"} == {event["source"] for event in events}


def test_a_few_events_per_minute(events: list[dict[str, Any]]) -> None:
    """Enough to see something move, few enough to follow; the CI checks of a run are reported at its end."""
    minutes = (datetime.fromisoformat(events[-1]["at"]) - _START).total_seconds() / 60
    types = Counter(event["type"] for event in events)

    assert 2 <= (len(events) - types["ci_check_reported"]) / minutes <= 6


def test_the_queue_keeps_up(events: list[dict[str, Any]]) -> None:
    """It does not grow for ever."""
    types = Counter(event["type"] for event in events)

    assert types["queue_entered"] - types["queue_left"] < 40


def test_two_starts_share_no_id(events: list[dict[str, Any]]) -> None:
    """A later live queue cannot contradict an earlier one."""
    later = islice(live_events(_START.replace(minute=1)), 3000)

    assert not {event["id"] for event in events} & {event["id"] for event in later}
