"""Weekly spans close a queue, and their overlap with a wait is counted exactly."""

import pytest

from mergecast.demo.incidents import closed_seconds, closed_until, incident
from mergecast.demo.settings import (
    DAY,
    DEFAULT_QUEUE,
    HOTFIX_QUEUE,
    HOUR,
    RELEASE_QUEUE,
    WEEK,
    QueueRules,
    WeeklySpan,
)

_FRIDAY = 4 * DAY


@pytest.mark.parametrize(
    ("rules", "moment", "expected"),
    [
        (DEFAULT_QUEUE, 5 * HOUR, 6 * HOUR),
        (DEFAULT_QUEUE, 6 * HOUR, None),
        (HOTFIX_QUEUE, 5 * HOUR, None),
        (RELEASE_QUEUE, _FRIDAY + 15.9 * HOUR, None),
        (RELEASE_QUEUE, _FRIDAY + 16 * HOUR, WEEK + 7 * HOUR),
        (RELEASE_QUEUE, WEEK + 6 * HOUR, WEEK + 7 * HOUR),
        (RELEASE_QUEUE, 6 * HOUR, 7 * HOUR),
    ],
    ids=["night", "morning", "never", "before freeze", "freeze", "over the weekend", "first Monday"],
)
def test_a_queue_says_when_it_reopens(rules: QueueRules, moment: float, expected: float | None) -> None:
    """A closed queue names the end of what closes it, an open one nothing."""
    assert expected == closed_until(rules, 1, moment)


def test_a_pause_closes_the_default_queue_only() -> None:
    """Hotfixes continue while the default queue is paused."""
    paused = next(found for number in range(3) if (found := incident(1, number)).kind == "broken main")

    assert paused.paused_until == closed_until(DEFAULT_QUEUE, 1, paused.ends)
    assert closed_until(HOTFIX_QUEUE, 1, paused.ends) is None


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [(0, 100, 0), (100, 200, 100), (150, WEEK + 130, 80), (120, 130, 10), (200, WEEK, 0)],
    ids=["before", "whole", "two weeks", "inside", "after"],
)
def test_only_the_overlap_counts(since: float, until: float, expected: float) -> None:
    """The time outside the weekly span is not counted."""
    spans = (WeeklySpan(begins=100, ends=200),)

    assert expected == closed_seconds(spans, since, until)


def test_a_span_over_the_end_of_the_week_counts_in_both_weeks() -> None:
    """A weekend freeze that reaches into Monday is counted on Monday too."""
    spans = (WeeklySpan(begins=WEEK - 50, ends=WEEK + 50),)

    assert 75 == closed_seconds(spans, WEEK - 25, WEEK + DAY)
