"""Incidents: alerts of one queue that tell of one thing that happened, in one sentence with the cause first.

A queue that is stuck raises several alerts: a run lasts too long, so no other run starts, and nothing merges.
They belong together if they overlap. A figure of a day or longer, such as a p95, stays beyond its threshold
long after its cause is over, and so do changes that last, such as slower CI runs. If a standstill belonged to
such an alert because it began meanwhile, no message would tell of it: each of these figures has incidents of
its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from mergecast.queues.model.alert import CHANGED, Alert
from mergecast.queues.model.instant import SECOND, duration, exact_duration
from mergecast.queues.model.threshold import SET
from mergecast.queues.model.words import plural
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    SOURCE_SILENT,
)

# Which alert explains the others, the best explanation first; they make one incident.
CAUSES: Final = (*(SOURCE_SILENT, RUN_TOO_LONG, EVERYONE_FAILS, NO_RUN_STARTED, GOING_ROUND, NOTHING_MERGES),)
_STATES: Final = {SOURCE_SILENT: "silent", EVERYONE_FAILS: "failing"}
_STUCK: Final = {RUN_TOO_LONG, NO_RUN_STARTED, NOTHING_MERGES}
_WAITING: Final = {NO_RUN_STARTED, NOTHING_MERGES}  # whose evidence has the pull requests that wait


@dataclass(frozen=True, slots=True)
class Incident:
    """The alerts of a queue that belong together; the first of them is the cause."""

    alerts: tuple[Alert, ...]
    sentence: str  # without an instant: whoever shows it writes `since` beside it, in the reader's time zone

    @property
    def id(self) -> str:
        """The id of the alert that was found first, so that it stays when another one becomes the cause."""
        return min((alert.found_at, alert.id) for alert in self.alerts)[1]

    @property
    def cause(self) -> Alert:
        return self.alerts[0]

    @property
    def state(self) -> str | None:
        """What it makes of the queue, if that has a word; the sentence then says how long it lasted."""
        return _state(self.alerts) if self.cause.figure in CAUSES else None

    @property
    def base_ref(self) -> str:
        return self.cause.base_ref

    @property
    def queue_name(self) -> str:
        return self.cause.queue_name

    @property
    def since(self) -> int:
        return min(alert.since for alert in self.alerts)

    @property
    def ended_at(self) -> int | None:
        """When the last of its alerts ended."""
        return _end(self.alerts)


def incidents_of(alerts: Iterable[Alert], at: int | None = None) -> list[Incident]:
    """The incidents of some alerts, open ones first, then the newest first.

    The sentence of an open one says how long it has lasted `at` that instant, or when its cause was found.
    """
    ordered = sorted(alerts, key=lane_of)
    found = [
        as_one(together, at)
        for _, of_lane in groupby(ordered, key=lane_of)
        for together in _overlapping(of_lane)
    ]
    found.sort(key=lambda one: (one.ended_at is None, one.since, one.id), reverse=True)
    return found


def as_one(alerts: Iterable[Alert], at: int | None = None) -> Incident:
    """The incident of alerts that belong together."""
    ordered = _cause_first(alerts)
    return Incident(ordered, _sentence(ordered, at))


def lane_of(alert: Alert) -> tuple[str, str, str]:
    """Alerts of one lane make one incident if they overlap."""
    return alert.base_ref, alert.queue_name, "" if alert.figure in CAUSES else alert.figure


def _overlapping(alerts: Iterable[Alert]) -> Iterator[tuple[Alert, ...]]:
    """Alerts that overlap, directly or through others."""
    together: list[Alert] = []
    for alert in sorted(alerts, key=lambda one: (one.since, one.found_at, one.id)):
        end = _end(together)
        if together and end is not None and end <= alert.since:
            yield tuple(together)
            together = []
        together.append(alert)
    if together:
        yield tuple(together)


def _cause_first(alerts: Iterable[Alert]) -> tuple[Alert, ...]:
    return tuple(sorted(alerts, key=lambda one: (_rank(one), one.since, one.found_at, one.id)))


def _rank(alert: Alert) -> int:
    return CAUSES.index(alert.figure) if alert.figure in CAUSES else 0


def _end(alerts: Iterable[Alert]) -> int | None:
    """When the last alert ended; None while one is open."""
    ends = [alert.ended_at for alert in alerts]
    return max((end for end in ends if end is not None), default=None) if None not in ends else None


def _sentence(alerts: Sequence[Alert], at: int | None) -> str:
    cause, ended_at = alerts[0], _end(alerts)
    queue = f"`{cause.queue_name}`"
    if cause.figure not in CAUSES:
        return _of_figure(queue, cause)
    told, state = _told(cause, at), _state(alerts)
    if state is None:
        return f"{queue}: {told}"
    if ended_at is None:
        return f"{queue} is {state}: {told}{_waiting(alerts, 'waits', 'wait')}"
    lasted = duration((ended_at - min(alert.since for alert in alerts)) / SECOND)
    waited = _waiting(alerts, "waited", "waited")
    return f"{queue} was {state} for {lasted}: {told}{waited}{_changed(alerts)}"


def _told(cause: Alert, at: int | None) -> str:
    """What happened first, and for how long."""
    end = max(at or 0, cause.found_at) if cause.ended_at is None else cause.ended_at
    lasted = duration((end - cause.since) / SECOND)
    has = "has " if cause.ended_at is None else ""
    match cause.figure:
        case "source_silent" if cause.evidence.source is None:
            return f"no event {has}arrived for {lasted}"
        case "source_silent":
            return f"the source {cause.evidence.source} {has}sent nothing for {lasted}"
        case "run_too_long":
            return f"the CI run for {cause.evidence.named} {has}lasted {lasted}, {_normal(cause)}"
        case "no_run_started":
            return f"nothing {'has run' if has else 'ran'} on `{cause.base_ref}` for {lasted}"
        case "nothing_merges":
            return f"nothing {has}merged for {lasted}"
        case _:
            return cause.sentence.partition(";")[0]


def _normal(alert: Alert) -> str:
    if alert.origin == SET:
        return f"and the limit set for this queue is {exact_duration(alert.threshold)}"
    if alert.median is None:
        return f"normally at most {duration(alert.threshold)}"
    return f"usually {duration(alert.median)}"


def _of_figure(queue: str, alert: Alert) -> str:
    """Most alerts about a figure of some hours say themselves which queue they concern."""
    names = (queue, f"queue {alert.queue_name} ")
    return alert.sentence if any(name in alert.sentence for name in names) else f"{queue}: {alert.sentence}"


def _state(alerts: Sequence[Alert]) -> str | None:
    """What the queue is; one in which a pull request goes round is only stuck if something else says so."""
    if alerts[0].figure in _STATES:
        return _STATES[alerts[0].figure]
    return "stuck" if any(alert.figure in _STUCK for alert in alerts) else None


def _waiting(alerts: Iterable[Alert], one: str, many: str) -> str:
    """How many wait, if an alert counted them."""
    most = max(
        (alert.evidence.concerned if alert.figure in _WAITING else alert.waiting for alert in alerts),
        default=0,
    )
    return f"; {most:,} {plural(most, one, many)}" if most else ""


def _changed(alerts: Iterable[Alert]) -> str:
    is_changed = all(alert.end_reason == CHANGED for alert in alerts)
    return "; it is no longer judged, because its threshold was changed" if is_changed else ""
