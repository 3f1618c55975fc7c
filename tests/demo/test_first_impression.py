"""Whenever someone looks at the demo, every statistic of the last 7 days has something to show."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest

from mergecast.demo.history import demo_events

_WEEK = timedelta(days=7)
# What the rarest statistics count; all others count something that happens more often.
_RARE: dict[str, Callable[[dict[str, object]], bool]] = {
    "batch_bisection": lambda event: event["type"] == "bisection_started",
    "checks_retries": lambda event: event.get("outcome") == "CHECKS_RETRIED",
    "skip_intermediate_results": lambda event: (
        event.get("reason") == "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"
    ),
    "queues_merged_count": lambda event: event.get("reason") == "PR_MERGED",
    "average_ci_runtime": lambda event: event["type"] == "checks_ended",
}


@pytest.mark.parametrize("start", [date(2025, 10, 6), date(2026, 8, 17)])
def test_no_week_is_without(start: date) -> None:
    """Half a year of history, with and without holidays: half the window is the longest gap."""
    until = datetime.fromisoformat(f"{start + timedelta(weeks=26)}T00:00:00+00:00")
    events = list(demo_events(start, until))

    for statistic, counts in _RARE.items():
        moments = [datetime.fromisoformat(str(event["at"])) for event in events if counts(event)]
        longest = max(later - earlier for earlier, later in pairwise(moments))

        assert longest < _WEEK / 2, statistic


@pytest.mark.parametrize("start", [date(2025, 10, 6), date(2026, 8, 17)])
def test_no_day_is_without_activity(start: date) -> None:
    """Pull requests enter and leave on every day of the week."""
    until = datetime.fromisoformat(f"{start + timedelta(weeks=26)}T00:00:00+00:00")
    events = list(demo_events(start, until))

    for type in ("queue_entered", "queue_left", "checks_started", "checks_ended"):
        moments = [datetime.fromisoformat(str(event["at"])) for event in events if event["type"] == type]

        assert max(later - earlier for earlier, later in pairwise(moments)) < timedelta(days=1), type
