"""Whenever someone looks at the demo, every statistic has something to show."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest

from demo.histories import history

# The default window of the API; `mergecast stats` looks back further.
_WINDOW = timedelta(days=1)
# What the rarest statistics count; all others count something that happens more often.
_COUNTED: dict[str, Callable[[dict[str, object]], bool]] = {
    "batch_bisection, started": lambda event: event["type"] == "bisection_started",
    "batch_bisection, completed": lambda event: event["type"] == "bisection_ended",
    "checks_retries": lambda event: event.get("outcome") == "CHECKS_RETRIED",
    "failure_rate": lambda event: event.get("reason") == "CHECKS_FAILED",
    "skip_intermediate_results": lambda event: (
        event.get("reason") == "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"
    ),
    "queues_merged_count": lambda event: event.get("reason") == "PR_MERGED",
    "queues_entered_count": lambda event: event["type"] == "queue_entered",
    "running_speculative_checks": lambda event: event["type"] == "checks_started",
    "average_ci_runtime": lambda event: event["type"] == "checks_ended",
}


@pytest.mark.thorough
@pytest.mark.parametrize("start", [date(2025, 11, 3), date(2026, 8, 17)])
def test_no_day_is_without(start: date) -> None:
    """A quarter of a year, with and without holidays: no gap is as long as the window, at any hour."""
    days = 13 * 7
    until = datetime.fromisoformat(f"{start + timedelta(days)}T00:00:00+00:00")
    moments: dict[str, list[datetime]] = {statistic: [] for statistic in _COUNTED}
    for event in history(start, days):
        at = datetime.fromisoformat(str(event["at"]))
        for statistic, counts in _COUNTED.items():
            if counts(event):
                moments[statistic].append(at)

    longest = {
        statistic: max(later - earlier for earlier, later in pairwise([*found, until]))
        for statistic, found in moments.items()
    }

    assert {} == {statistic: gap for statistic, gap in longest.items() if gap >= _WINDOW}
