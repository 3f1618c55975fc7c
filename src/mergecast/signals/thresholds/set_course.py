"""When alerts about the last hours of a queue begin and end, for thresholds that a person set.

A figure is judged at whole hours, over the last 24 hours, or over the last 7 days if those have too few pull
requests. An alert begins when the figure is above its threshold in two judgements an hour apart. It ends when
the figure has been well below for as long as the window is. So a short excess begins nothing, and a figure
that moves around its threshold does not begin one alert after the other.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final, NamedTuple

from mergecast.queues.model.alert import CHANGED, NO_DATA, RECOVERED, Alert, alert_id
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.hourly_alert import ADVICE
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.reference_period import QueueHour
from mergecast.queues.model.threshold import SET, SetThreshold
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.reference_figures import sample_of

FEWEST: Final = 20  # pull requests behind a figure that is judged
SHORT, LONG = 1, 7  # days of a window
# How long a judgement reaches back: an alert that is found late says since when the figure has been too high.
_LOOKED_BACK: Final = DAY
_WELL_BELOW: Final = 0.9

_TOLD: Final = {
    "time_in_queue_p95": "p95 of time in queue in {queue} is {value}, above {threshold}, over {window}",
    "time_to_merge_p95": "p95 of time to merge in {queue} is {value}, above {threshold}, over {window}",
    "failure_rate": "the failure rate of {queue} is {value}, above {threshold}, over {window}",
    "ci_runs_per_merge": "{queue} needs {value} CI runs per merge, above {threshold}, over {window}",
}


class RecentHours(NamedTuple):
    """The last days of a queue. The two differ in `seconds`: of merged pull requests, or of all that left."""

    merged: Sequence[QueueHour] = ()
    left: Sequence[QueueHour] = ()

    def of(self, figure: str) -> Sequence[QueueHour]:
        """The hours that `judge_set` takes for a figure."""
        return self.left if figure == "time_in_queue_p95" else self.merged


class Measured(NamedTuple):
    """A figure at a whole hour."""

    value: float
    days: int  # of the window


def hours_needed_since(at: int) -> int:
    """From when on a judgement needs the hours of a queue."""
    return at // HOUR * HOUR - LONG * DAY - _LOOKED_BACK


def judge_set(
    threshold: SetThreshold, current: Alert | None, hours: Sequence[QueueHour], at: int, queue: QueueName
) -> Alert | None:
    """The alert of a threshold after the whole hour `at`: one that begins, goes on or ends, or none.

    `current` is the open alert of the figure and the queue. `hours` are in order and begin at
    `hours_needed_since(at)`; for `time_in_queue_p95`, their seconds are those of all pull requests that left.
    What happened at or after `at` does not count.
    """
    if threshold.value is None or not threshold.alert:
        return None if current is None else replace(current, ended_at=at, end_reason=CHANGED)
    if current is not None:
        return _continued(current, threshold.value, measured(threshold.figure, hours, at), at)
    return _begun(threshold, threshold.value, hours, at, queue)


def measured(figure: str, hours: Sequence[QueueHour], at: int) -> Measured | None:
    """A figure of the window before a whole hour; None if too few pull requests left."""
    for days in (SHORT, LONG):
        window = _last(hours, at // HOUR, days)
        if _count(figure, window) >= FEWEST:
            value = _value(figure, window)
            return None if value is None else Measured(value, days)
    return None


def _last(hours: Sequence[QueueHour], end: int, days: int) -> Sequence[QueueHour]:
    number = attrgetter("number")
    return hours[bisect_left(hours, end - days * 24, key=number) : bisect_left(hours, end, key=number)]


def _count(figure: str, hours: Sequence[QueueHour]) -> int:
    """How many pull requests are behind a figure."""
    match figure:
        case "failure_rate":
            return sum(hour.exits for hour in hours)
        case "ci_runs_per_merge":
            return sum(hour.merges for hour in hours)
        case _:
            return sum(len(hour.seconds) for hour in hours)


def _value(figure: str, hours: Sequence[QueueHour]) -> float | None:
    found = sample_of(hours).figures
    match figure:
        case "failure_rate":
            return found.failure_rate
        case "ci_runs_per_merge":
            return found.ci_runs_per_merge
        case _:
            return found.time_to_merge_p95  # of the seconds that the hours have


def _begun(
    threshold: SetThreshold, value: float, hours: Sequence[QueueHour], at: int, queue: QueueName
) -> Alert | None:
    now = measured(threshold.figure, hours, at)
    since = at
    while now is not None and now.value > value and since > at - _LOOKED_BACK:
        before = measured(threshold.figure, hours, since - HOUR)
        if before is None or before.value <= value:
            break
        since -= HOUR
    if now is None or since == at:
        return None
    sentence, advice = described(threshold.figure, queue.queue_name, now, value)
    return Alert(
        id=alert_id(at, *queue, threshold.figure),
        figure=threshold.figure,
        origin=SET,
        base_ref=queue.base_ref,
        queue_name=queue.queue_name,
        since=since,
        found_at=at,
        value=now.value,
        threshold=value,
        sentence=sentence,
        advice=advice,
        seen_at=at,
    )


def described(figure: str, queue_name: str, now: Measured, threshold: float) -> tuple[str, str]:
    """The sentence of an alert, and what to look at."""
    value, limit = map(FIGURES[figure].written, (now.value, threshold))
    window = "the last 24 hours" if now.days == SHORT else f"the last {now.days} days"
    told = _TOLD[figure].format(queue=f"`{queue_name}`", value=value, threshold=limit, window=window)
    return told, ADVICE[figure]


def _continued(alert: Alert, threshold: float, now: Measured | None, at: int) -> Alert:
    if now is None:
        is_over = at - (alert.seen_at or alert.found_at) >= LONG * DAY
        return replace(alert, ended_at=at, end_reason=NO_DATA) if is_over else alert
    is_low = now.value < _WELL_BELOW * threshold
    alert = replace(alert, below_since=(alert.below_since or at) if is_low else None, seen_at=at)
    if alert.below_since is None or at - alert.below_since < now.days * DAY:
        return alert
    return replace(alert, ended_at=at, end_reason=RECOVERED)


class Judgement(NamedTuple):
    """What an hour changed for the alerts of a queue."""

    begun: tuple[Alert, ...] = ()
    ended: tuple[Alert, ...] = ()
    continued: tuple[Alert, ...] = ()  # with another `below_since` or `seen_at` than before


def judge_hour(
    queue: QueueName,
    thresholds: Mapping[str, SetThreshold],
    open_alerts: Mapping[str, Alert],
    hours: RecentHours,
    at: int,
) -> Judgement:
    """Judge every figure of the last hours for which a queue has a threshold, or had one.

    `thresholds` are those in force in the queue (`in_force`); `open_alerts` are those of origin `set` about
    these figures, by figure; `at` is a whole hour. Judging the same hour again changes nothing.
    """
    found = Judgement()
    for figure in _TOLD:
        current = open_alerts.get(figure)
        if figure in thresholds or current is not None:
            threshold = thresholds.get(figure, SetThreshold(figure, None))
            alert = judge_set(threshold, current, hours.of(figure), at, queue)
            found = _with(found, current, alert)
    return found


def _with(found: Judgement, before: Alert | None, after: Alert | None) -> Judgement:
    if after is None or after == before:
        return found
    if before is None:
        return found._replace(begun=(*found.begun, after))
    if after.ended_at is not None:
        return found._replace(ended=(*found.ended, after))
    return found._replace(continued=(*found.continued, after))
