"""The last days of a queue are compared with the same hours of the week in a reference period."""

from dataclasses import replace
from math import log
from random import Random
from statistics import quantiles

import msgspec
import pytest

from mergecast.queues.model.instant import DAY, HOUR, Window
from mergecast.queues.model.reference_period import COMPARED, Limits, QueueHour
from mergecast.signals.thresholds.reference_comparison import Comparison, compare
from mergecast.signals.thresholds.reference_figures import figures_of, quantile
from mergecast.signals.thresholds.reference_spread import spreads_of
from mergecast.signals.thresholds.time_shift import PinnedTimes
from signals.hours import MONDAY, WEEK, hours, pinned, uneven

LATER = MONDAY + 10 * WEEK  # a Monday again


def _compared(recent: list[QueueHour], limits: Limits | None = None, weeks: int = 1) -> Comparison:
    period, before = pinned(weeks, limits)
    return compare(period, before, recent, (LATER + WEEK) * HOUR)


def test_figures_without_weights_are_those_of_the_statistics() -> None:
    """`percentile_cont`, failures by exits, runs by merges."""
    draw = Random(1)
    seconds = tuple(draw.randrange(10, 5000) for _ in range(77))
    p95 = quantiles(seconds, n=20, method="inclusive")[-1]

    found = figures_of([QueueHour(1, 100, 10, 80, 120, seconds)])

    assert pytest.approx(p95) == found.time_to_merge_p95
    assert (0.1, 1.5) == (found.failure_rate, found.ci_runs_per_merge)


def test_a_value_of_weight_two_counts_as_two() -> None:
    """At the quantiles where no interpolation happens."""
    assert quantile([(1, 1), (2, 2), (3, 1)], 0.5) == quantile([(1, 1), (2, 1), (2, 1), (3, 1)], 0.5)


def test_no_hours_have_no_figures() -> None:
    assert (None, None, None) == tuple(figures_of([]))


def test_a_queue_that_is_as_it_was() -> None:
    found = _compared(hours(LATER, WEEK, uneven))

    assert 7 == found.days
    assert 2 * WEEK == found.merges
    ratios = [getattr(found.ratios, figure) for figure in COMPARED]
    assert [pytest.approx(1, abs=0.05), None, 1.0] == [ratio.ratio for ratio in ratios]
    assert not any(ratio.is_worse for ratio in ratios)


def test_a_stored_comparison_has_the_names_of_the_figures() -> None:
    found = _compared(hours(LATER, WEEK, uneven))

    document = msgspec.json.encode(found)

    assert [*COMPARED] == list(msgspec.json.decode(document)[3])
    assert found == msgspec.json.decode(document, type=Comparison)


def test_a_queue_that_became_slow() -> None:
    """The days are slow by different factors, so the true ratio may be lower than the observed one."""
    slow = hours(LATER, WEEK, lambda number: (1.7 + number // 24 % 3 / 4) * uneven(number))

    found = _compared(slow, weeks=4).ratios.time_to_merge_p95

    assert pytest.approx(2.1, abs=0.2) == found.ratio
    assert found.is_worse
    assert found.lowest is not None
    assert 1 < found.lowest < 2.0


def test_a_period_of_one_week_may_have_been_a_good_one() -> None:
    """It does not show how much weeks differ, so twice as slow may be within what is usual."""
    found = _compared(hours(LATER, WEEK, lambda number: 2 * uneven(number)), weeks=1).ratios.time_to_merge_p95

    assert found.is_above
    assert not found.is_worse


def test_weeks_that_differ_make_a_period_less_certain() -> None:
    """The same slow week is worse than four equal weeks, and not worse than four that differ a lot."""
    recent = hours(LATER, WEEK, lambda number: 2.2 * uneven(number))
    period, before = pinned(4)
    factors = (0.5, 2.0, 0.6, 1.2)
    first = before[0].number
    uneasy = [
        hour._replace(
            seconds=tuple(round(factors[(hour.number - first) // WEEK] * one) for one in hour.seconds)
        )
        for hour in before
    ]

    found = [
        compare(period, weeks, recent, (LATER + WEEK) * HOUR).ratios.time_to_merge_p95
        for weeks in (before, uneasy)
    ]

    assert [True, False] == [ratio.is_worse for ratio in found]
    assert (found[1].lowest or 0) < (found[0].lowest or 0)


def test_a_queue_that_is_slow_within_its_limit() -> None:
    """What is not above its limit is no alert, however certain it is."""
    found = _compared(
        hours(LATER, WEEK, lambda number: 2 * uneven(number)), Limits(time_to_merge_p95=2.5)
    ).ratios.time_to_merge_p95

    assert (False, None) == (found.is_worse, found.lowest)


def test_one_bad_day_may_be_chance() -> None:
    """A single outage raises the figure of a week, and says nothing about other days."""
    bad = range(LATER + 30, LATER + 40)
    recent = hours(LATER, WEEK, lambda number: (6 if number in bad else 1) * uneven(number))

    found = _compared(recent).ratios.time_to_merge_p95

    assert found.is_above
    assert not found.is_worse


def test_a_busy_queue_is_compared_over_one_day() -> None:
    """With the same hours of the week: a Sunday with a Sunday."""
    busy = [hour._replace(merges=10, exits=10) for hour in hours(LATER, WEEK, uneven)]

    found = _compared(busy)

    assert (1, 240) == (found.days, found.merges)
    assert pytest.approx(1, abs=0.05) == found.ratios.time_to_merge_p95.ratio


def test_hours_that_a_period_has_twice_count_half() -> None:
    """A period of ten days is compared like a whole week: its first three days do not count twice."""
    period, before = pinned()
    longer = replace(period, end=period.end + 3 * DAY)
    failing = [hour._replace(exits=4, failures=2) for hour in hours(MONDAY + WEEK, 3 * 24, uneven)]

    found = compare(longer, [*before, *failing], hours(LATER, WEEK, uneven), (LATER + WEEK) * HOUR)

    # Of 168 hours of the week, 72 have an average of 3 exits and 1 failure, the others 2 exits and none.
    assert pytest.approx(72 / (72 * 3 + 96 * 2)) == found.ratios.failure_rate.reference_value


@pytest.mark.parametrize("merges", [0, 9])
def test_too_little_to_compare(merges: int) -> None:
    """A handful of merges has no p95."""
    found = _compared(hours(LATER, merges, lambda number: 9 * uneven(number))).ratios.time_to_merge_p95

    assert (False, False, None) == (found.can_compare, found.is_low, found.ratio)


def test_failures_where_the_period_has_none() -> None:
    """The ratio is unknown; many failures are worse all the same, and one is not."""
    many = _compared(hours(LATER, WEEK, uneven, failures=1)).ratios.failure_rate
    one = _compared([*hours(LATER, WEEK - 1, uneven), *hours(LATER + WEEK - 1, 1, uneven, failures=1)])

    assert (None, True) == (many.ratio, many.is_worse)
    assert not one.ratios.failure_rate.is_worse


def _failing(first: int, weeks: int, hours_of_day: int) -> list[QueueHour]:
    """One pull request fails in each of the first hours of every day."""
    return [
        hour._replace(exits=3, failures=1) if hour.number % 24 < hours_of_day else hour
        for hour in hours(first, weeks * WEEK, uneven)
    ]


def test_three_weeks_show_what_one_cannot() -> None:
    """Twice as many failures may be chance in one week; in three of them they are not."""
    period, _ = pinned(4)
    before, end = _failing(MONDAY, 4, 1), (LATER + 3 * WEEK) * HOUR
    one = [*_failing(LATER, 2, 1), *_failing(LATER + 2 * WEEK, 1, 2)]

    found = [
        compare(period, before, recent, end).ratios.failure_rate
        for recent in (one, _failing(LATER, 3, 2), _failing(LATER + 2 * WEEK, 1, 2))
    ]

    assert [pytest.approx(1.96, abs=0.05)] * 3 == [ratio.ratio for ratio in found]
    assert [False, True, False] == [ratio.is_worse for ratio in found]


def test_three_weeks_show_a_small_change_that_one_week_cannot() -> None:
    """A figure is above its limit in any window, and a longer one tells whether that is chance."""
    period, before = pinned(4, Limits(time_to_merge_p95=1.4))
    end = (LATER + 3 * WEEK) * HOUR
    slow = hours(LATER, 3 * WEEK, lambda number: 1.8 * uneven(number))
    one_slow = [*hours(LATER, 2 * WEEK, uneven), *slow[2 * WEEK :]]

    found = [compare(period, before, recent, end).ratios.time_to_merge_p95 for recent in (slow, one_slow)]

    assert [(True, 21), (False, 7)] == [(ratio.is_worse, ratio.days) for ratio in found]


def test_weeks_before_a_period_show_how_much_it_varies() -> None:
    """The same slow week is worse than a queue that never varied, and not worse than one that always did."""
    period, before = pinned(4)
    window = Window(period.start, period.end)
    recent = hours(LATER, WEEK, lambda number: 2.6 * uneven(number))

    def weeks(*factors: float) -> list[QueueHour]:
        return [
            hour
            for place, factor in enumerate(factors)
            for hour in hours(MONDAY + (place - 8) * WEEK, WEEK, lambda number: factor * uneven(number))  # noqa: B023
        ]

    steady, uneasy = weeks(*[1.0] * 8), weeks(0.4, 2.5, 0.5, 1.8, 0.4, 2.2, 0.6, 1.5)
    pinned_with = [replace(period, spreads=spreads_of(window, one, before)) for one in (steady, uneasy)]
    found = [compare(one, before, recent, (LATER + WEEK) * HOUR) for one in pinned_with]

    assert [12, 12] == [one.spreads.weeks for one in pinned_with if one.spreads]
    assert [True, False] == [one.ratios.time_to_merge_p95.is_worse for one in found]


def test_a_period_of_an_earlier_version_learns_from_its_own_weeks() -> None:
    period, before = pinned(4)
    recent = hours(LATER, WEEK, lambda number: 3 * uneven(number))
    own = replace(period, spreads=spreads_of(Window(period.start, period.end), (), before))

    found = [compare(one, before, recent, (LATER + WEEK) * HOUR) for one in (period, own)]

    assert found[0] == found[1]


def test_a_stored_comparison_of_an_earlier_version() -> None:
    """Its figures had no windows of their own: they were those of the whole comparison."""
    now = msgspec.json.decode(msgspec.json.encode(_compared(hours(LATER, WEEK, uneven))))
    now[3] = {name: ratio[:-1] for name, ratio in now[3].items()}

    found = msgspec.json.decode(msgspec.json.encode(now), type=Comparison)

    assert [7, 7, 7] == [getattr(found.ratios, figure).days for figure in COMPARED]


@pytest.mark.parametrize("factor", [0.5, 1.0, 1.3, 4.0])
def test_the_factor_by_ranks(factor: float) -> None:
    """It is that of all pull requests, whatever the hour of the week; a few very slow ones change little."""
    _, before = pinned(4)
    recent = hours(LATER, WEEK, lambda number: factor * uneven(number))
    stuck = [
        hour._replace(seconds=(*hour.seconds, 900_000)) if not hour.number % 24 else hour for hour in recent
    ]

    times = PinnedTimes(before)

    assert pytest.approx(log(factor), abs=0.03) == times.shift(recent)
    assert pytest.approx(log(factor), abs=0.08) == times.shift(stuck)


def test_no_factor_without_pull_requests() -> None:
    _, before = pinned(1)

    assert (None, None) == (PinnedTimes(before).shift([]), PinnedTimes([]).shift(before))
