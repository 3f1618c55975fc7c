"""Before a period is pinned, the weeks before it show which change an alert would find."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from random import Random

import pytest

from mergecast.queues.model.instant import HOUR, Window
from mergecast.queues.model.reference_period import Finds, Limits, QueueHour, ReferencePeriod
from mergecast.signals.thresholds.reference_comparison import compare
from mergecast.signals.thresholds.reference_finds import finds, finds_sentence
from mergecast.signals.thresholds.reference_spread import spreads_of
from signals.hours import MONDAY, WEEK, hours, pinned, uneven


def _weeks(count: int, spread: float) -> list[QueueHour]:
    """Weeks before MONDAY that differ by random factors."""
    draw = Random(3)
    found = []
    for week in range(-count, 0):
        factor = draw.lognormvariate(0, spread)
        found += hours(MONDAY + week * WEEK, WEEK, lambda number: factor * uneven(number))  # noqa: B023
    return found


def _found(earlier: Sequence[QueueHour], limits: Limits | None = None) -> Finds:
    return finds(*_pinned(earlier, limits), earlier)


def _pinned(
    earlier: Sequence[QueueHour], limits: Limits | None = None
) -> tuple[ReferencePeriod, list[QueueHour]]:
    period, before = pinned(4, limits)
    window = Window(period.start, period.end)
    return replace(period, spreads=spreads_of(window, earlier, before)), before


def test_a_steady_queue_finds_smaller_changes_than_one_that_varies() -> None:
    steady, uneasy = _found(_weeks(8, 0.05)), _found(_weeks(8, 0.5))

    assert (8, 8) == (steady.weeks, uneasy.weeks)
    assert steady.change is not None
    assert uneasy.change is not None
    assert 0.4 <= steady.change <= 0.6  # what is above the limit of 1.5
    assert uneasy.change > 1.5 * steady.change


def test_a_lower_limit_finds_smaller_changes() -> None:
    earlier = _weeks(8, 0.05)

    low, usual = _found(earlier, Limits(time_to_merge_p95=1.2)), _found(earlier)

    assert (low.change or 0) < (usual.change or 0)


def test_what_is_promised_is_found() -> None:
    """Weeks like those before, with the promised change, begin an alert within the promised time."""
    earlier = _weeks(8, 0.2)
    period, before = _pinned(earlier)
    change, days, _ = finds(period, before, earlier)
    assert change is not None
    assert days is not None
    later = [hour._replace(number=hour.number + 20 * WEEK) for hour in earlier]
    slow = [hour._replace(seconds=tuple(ceil((1 + change) * one) for one in hour.seconds)) for hour in later]
    first = later[0].number

    def is_found(start: int) -> bool:
        recent = [hour for hour in slow if hour.number >= start]
        looks = (compare(period, before, recent, (start + 24 * day) * HOUR) for day in range(7, days + 1))
        return any(found.ratios.time_to_merge_p95.is_worse for found in looks)

    starts = range(first, first + 6 * WEEK, WEEK)
    assert 4 <= sum(map(is_found, starts))


@pytest.mark.parametrize("weeks", [0, 3])
def test_too_few_weeks(weeks: int) -> None:
    assert Finds(None, None, weeks) == _found(_weeks(weeks, 0.1))


def test_weeks_with_few_merges_do_not_count() -> None:
    quiet = [
        hour._replace(seconds=()) if hour.number < MONDAY - 3 * WEEK else hour for hour in _weeks(8, 0.1)
    ]

    assert Finds(None, None, 3) == _found(quiet)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            Finds(0.4, 14, 9),
            (
                "If pull requests take 40 % longer to merge, an alert begins within 2 weeks "
                "in 8 of 10 cases, judging by the 9 weeks before the period."
            ),
        ),
        (
            Finds(1.05, 7, 4),
            (
                "If pull requests take 105 % longer to merge, an alert begins within 1 week "
                "in 8 of 10 cases, judging by the 4 weeks before the period."
            ),
        ),
        (
            Finds(None, None, 1),
            (
                "Which change an alert would find cannot be told yet: that takes 4 weeks "
                "with at least 20 merges each before the period, and there is 1."
            ),
        ),
    ],
)
def test_in_words(found: Finds, sentence: str) -> None:
    assert sentence == finds_sentence(found)
