"""When alerts about a p95, a rate or a ratio begin and end, if a person set the threshold."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.alert import CHANGED, NO_DATA, RECOVERED, Alert
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.reference_period import QueueHour
from mergecast.queues.model.threshold import SET, SetThreshold
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.set_course import (
    Judgement,
    RecentHours,
    hours_needed_since,
    judge_hour,
    judge_set,
    measured,
)
from signals.hours import MONDAY

QUEUE = QueueName("main", "default")
START = MONDAY * HOUR
ABOVE_HOUR = SetThreshold("time_to_merge_p95", 3600.0)


def _hours(count: int, seconds: Callable[[int], int], each: int = 2) -> list[QueueHour]:
    """So many merges in each hour, which `seconds` lets last; the first hour is at START."""
    return [
        QueueHour(MONDAY + place, each, 0, each, each, (seconds(place),) * each) for place in range(count)
    ]


def _follow(
    hours: Sequence[QueueHour], threshold: SetThreshold, until: int, since: int = 0
) -> list[tuple[int, Alert]]:
    """Every change of the alert of a threshold, and the hour after START in which it was found."""
    current: Alert | None = None
    changes = []
    for hour in range(since, until):
        alert = judge_set(threshold, current, hours, START + hour * HOUR, QUEUE)
        if alert is not None and (current is None or alert.ended_at is not None):
            changes.append((hour, alert))
        current = None if alert is None or alert.ended_at is not None else alert
    return changes


def test_an_alert_begins_when_the_figure_is_above_in_two_judgements_an_hour_apart() -> None:
    hours = _hours(100, lambda hour: 5040 if hour >= 48 else 1200)

    ((hour, alert),) = _follow(hours, ABOVE_HOUR, 100)

    # Of 48 pull requests, the three slowest decide on the p95: after two slow hours, four are slow.
    assert (51, START + 50 * HOUR, START + 51 * HOUR) == (hour, alert.since, alert.found_at)
    assert ("time_to_merge_p95", SET, "main", "default", 5040.0, 3600.0) == (
        *(alert.figure, alert.origin, alert.base_ref, alert.queue_name),
        *(alert.value, alert.threshold),
    )
    assert alert.sentence == (
        "p95 of time to merge in `default` is 1h24m, above 1h00m, over the last 24 hours"
    )
    assert alert.advice == "Look at what pull requests waited for most: CI, capacity, a schedule or a freeze."


def test_an_excess_in_one_judgement_begins_nothing() -> None:
    hours = _hours(2, lambda _: 5040, each=20)

    assert judge_set(ABOVE_HOUR, None, hours[:1], START + HOUR, QUEUE) is None
    assert judge_set(ABOVE_HOUR, None, hours, START + 2 * HOUR, QUEUE) is not None


def _with_value(value: float | None) -> SetThreshold:
    return ABOVE_HOUR._replace(value=value)


def test_an_alert_that_is_found_late_says_since_when_the_figure_has_been_above() -> None:
    hours = _hours(100, lambda hour: 5040 if hour >= 48 else 1200)

    alert = judge_set(ABOVE_HOUR, None, hours, START + 60 * HOUR, QUEUE)

    assert alert is not None
    assert START + 50 * HOUR == alert.since
    assert START + 60 * HOUR == alert.found_at


def test_a_slow_queue_is_judged_over_seven_days_and_one_with_fewer_than_20_exits_not_at_all() -> None:
    daily = [QueueHour(MONDAY + 24 * day, 3, 0, 3, 3, (5040,) * 3) for day in range(14)]

    assert judge_set(ABOVE_HOUR, None, daily[:6], START + 6 * DAY, QUEUE) is None
    alert = judge_set(ABOVE_HOUR, None, daily, START + 8 * DAY, QUEUE)
    assert alert is not None
    assert alert.sentence == ("p95 of time to merge in `default` is 1h24m, above 1h00m, over the last 7 days")


def test_an_alert_ends_when_the_figure_has_been_well_below_for_a_whole_window() -> None:
    hours = _hours(200, lambda hour: 5040 if 48 <= hour < 60 else 1200)

    (_, begun), (hour, ended) = _follow(hours, ABOVE_HOUR, 200)

    # From hour 83 on, at most one slow hour is among the last 24, and the p95 ignores that.
    assert 83 + 24 == hour
    assert (begun.id, begun.since, START + hour * HOUR, RECOVERED) == (
        *(ended.id, ended.since),
        *(ended.ended_at, ended.end_reason),
    )


def test_an_alert_goes_on_while_the_figure_is_a_little_below_its_threshold() -> None:
    hours = _hours(200, lambda hour: 5040 if 48 <= hour < 60 else 3300)

    assert 1 == len(_follow(hours, ABOVE_HOUR, 200))


def test_a_figure_that_rises_again_before_the_window_is_over_keeps_its_alert() -> None:
    hours = _hours(300, lambda hour: 5040 if hour in (*range(48, 60), *range(100, 110)) else 1200)

    (_, begun), (hour, ended) = _follow(hours, ABOVE_HOUR, 300)

    assert begun.id == ended.id
    assert hour > 110 + 24


def test_an_alert_ends_without_data_after_seven_days() -> None:
    hours = _hours(72, lambda hour: 5040 if hour >= 48 else 1200)

    (_, begun), (hour, ended) = _follow(hours, ABOVE_HOUR, 24 * 30)

    # For 7 days the week still has 20 exits; then nothing can be computed for another 7.
    assert NO_DATA == ended.end_reason
    assert begun.seen_at is not None
    assert 72 + 2 * 7 * 24 - 10 == hour


@pytest.mark.parametrize("threshold", [_with_value(None), ABOVE_HOUR._replace(alert=False)])
def test_what_is_switched_off_begins_nothing_and_ends_what_is_open(threshold: SetThreshold) -> None:
    hours = _hours(100, lambda _: 5040)
    at = START + 90 * HOUR
    current = judge_set(ABOVE_HOUR, None, hours, at, QUEUE)
    assert current is not None

    assert judge_set(threshold, None, hours, at, QUEUE) is None
    ended = judge_set(threshold, current, hours, at + HOUR, QUEUE)

    assert ended == replace(current, ended_at=at + HOUR, end_reason=CHANGED)


def test_every_figure_has_its_words() -> None:
    hours = [QueueHour(MONDAY + place, 3, 1, 2, 5, (600, 5400)) for place in range(48)]
    recent = RecentHours(hours, [hour._replace(seconds=(600, 5400, 9000)) for hour in hours])
    figures = {"time_in_queue_p95": 60, "failure_rate": 0.05, "ci_runs_per_merge": 1.3}
    thresholds = {figure: SetThreshold(figure, value) for figure, value in figures.items()}

    found = judge_hour(QUEUE, thresholds, {}, recent, START + 48 * HOUR)

    assert [(alert.sentence, alert.advice) for alert in found.begun] == [
        (
            "p95 of time in queue in `default` is 2h30m, above 1m, over the last 24 hours",
            "Look at what pull requests waited for most: CI, capacity, a schedule or a freeze.",
        ),
        (
            "the failure rate of `default` is 33.3%, above 5.0%, over the last 24 hours",
            "Look at which checks fail most often, and whether they fail for unrelated changes.",
        ),
        (
            "`default` needs 2.50 CI runs per merge, above 1.30, over the last 24 hours",
            "Look at failed batches, retries and batch sizes: each failure costs more CI runs.",
        ),
    ]


def test_judging_an_hour_says_what_begins_what_goes_on_and_what_ends() -> None:
    hours = RecentHours(_hours(400, lambda hour: 5040 if 48 <= hour < 60 else 1200))
    current: dict[str, Alert] = {}
    seen = []
    for hour in range(400):
        found = judge_hour(QUEUE, {ABOVE_HOUR.figure: ABOVE_HOUR}, current, hours, START + hour * HOUR)
        seen.append(tuple(map(len, found)))
        current = {alert.figure: alert for alert in (*found.begun, *found.continued)}

    assert {(0, 0, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0)} == set(seen)
    assert (1, 1) == (seen.count((1, 0, 0)), seen.count((0, 1, 0)))


def test_an_alert_ends_if_its_threshold_is_gone() -> None:
    hours = RecentHours(_hours(100, lambda _: 5040))
    (alert,) = judge_hour(QUEUE, {ABOVE_HOUR.figure: ABOVE_HOUR}, {}, hours, START + DAY).begun

    found = judge_hour(QUEUE, {}, {alert.figure: alert}, hours, START + DAY + HOUR)

    assert Judgement(ended=(replace(alert, ended_at=START + DAY + HOUR, end_reason=CHANGED),)) == found


_HOURS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(60, 7200), st.booleans()), min_size=1, max_size=24 * 20
)


@given(_HOURS, st.integers(0, 24 * 20), st.sampled_from([1800.0, 3600.0]))
def test_judging_an_hour_again_changes_nothing(
    given_hours: list[tuple[int, int, bool]], hour: int, value: float
) -> None:
    hours = _random_hours(given_hours)
    threshold, at = _with_value(value), START + hour * HOUR

    first = judge_set(threshold, None, hours, at, QUEUE)

    if first is not None:
        again = judge_set(threshold, first, hours, at, QUEUE)
        assert first == again


@given(_HOURS, st.integers(0, 24 * 20))
def test_only_the_hours_since_the_instant_that_is_named_count_and_none_after(
    given_hours: list[tuple[int, int, bool]], hour: int
) -> None:
    hours, at = _random_hours(given_hours), START + hour * HOUR
    first = hours_needed_since(at) // HOUR
    needed = [one for one in hours if first <= one.number < at // HOUR]

    assert judge_set(ABOVE_HOUR, None, hours, at, QUEUE) == judge_set(ABOVE_HOUR, None, needed, at, QUEUE)


@given(_HOURS, st.randoms(use_true_random=False))
def test_an_alert_holds_only_while_the_figure_was_above_at_its_beginning(
    given_hours: list[tuple[int, int, bool]], random: Random
) -> None:
    hours = _random_hours(given_hours)
    at = START + random.randrange(len(given_hours) + 1) * HOUR

    alert = judge_set(ABOVE_HOUR, None, hours, at, QUEUE)

    values = [measured(ABOVE_HOUR.figure, hours, at - back * HOUR) for back in (0, 1)]
    are_above = all(value is not None and value.value > 3600 for value in values)
    assert are_above == (alert is not None)


def _random_hours(given_hours: list[tuple[int, int, bool]]) -> list[QueueHour]:
    return [
        QueueHour(MONDAY + place, count, int(fails), count, count, (seconds,) * count)
        for place, (count, seconds, fails) in enumerate(given_hours)
        if count
    ]
