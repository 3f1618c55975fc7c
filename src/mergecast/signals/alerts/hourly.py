"""Reads the last hours of the queues of a repository and judges them, in a reader thread."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import Window
from mergecast.queues.model.reference_period import ReferencePeriod
from mergecast.queues.model.threshold import BUILT_IN, SET, SetThreshold, in_force, switched_off
from mergecast.queues.store.alerts import open_alerts
from mergecast.queues.store.present_stays import PresentStay, queues_of_groups, stays_at
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import ComparedPeriod, read_hours, read_pinned
from mergecast.queues.store.thresholds import read_thresholds
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.alerts.pinning import groups_of
from mergecast.signals.alerts.recent_hours import read_recent_hours
from mergecast.signals.thresholds.built_in import FAILURES_OF, LOOK_BACK, QueueState, judge_built_in
from mergecast.signals.thresholds.judged import OVER_TIME
from mergecast.signals.thresholds.queue_history import LEARNED_FROM, QueueName
from mergecast.signals.thresholds.readings import concerning
from mergecast.signals.thresholds.reference_comparison import compare, window_start
from mergecast.signals.thresholds.reference_course import follow
from mergecast.signals.thresholds.set_course import RecentHours, hours_needed_since, judge_hour


def compared(reader: Reader, repository_id: int, period: ReferencePeriod, at: int) -> ComparedPeriod:
    """How a reference period compares with the days before an hour, and what that means for its alerts."""
    groups = groups_of(reader, repository_id, period.base_ref, period.queue_name)
    recent = read_hours(reader, repository_id, Window(window_start(at), at), groups)
    pinned = read_pinned(reader, repository_id, period.name)
    comparison = compare(period, pinned, recent, at)
    current = [
        alert
        for alert in open_alerts(reader, repository_id)
        if alert.compared is not None and alert.compared.name == period.name
    ]
    thresholds = read_thresholds(reader, [repository_id]).get(repository_id, [])
    off = switched_off(thresholds, period.base_ref, period.queue_name)
    alerts = follow(period, current, comparison, off)
    return ComparedPeriod(period, at, msgspec.json.encode(comparison), alerts)


def judged(reader: Reader, known: KnownRepository, at: int) -> list[Alert]:
    """The alerts that an hour begins, continues or ends, without those of reference periods."""
    thresholds = read_thresholds(reader, [known.id]).get(known.id, [])
    alerts = open_alerts(reader, known.id)
    found = _by_thresholds(reader, known.id, thresholds, alerts, at)
    return [*found, *_by_rules(reader, known, thresholds, [*alerts, *found], at)]


def _by_thresholds(
    reader: Reader, repository_id: int, thresholds: Iterable[SetThreshold], alerts: Iterable[Alert], at: int
) -> list[Alert]:
    """Judge the thresholds that were set for figures of the last hours."""
    current: defaultdict[QueueName, dict[str, Alert]] = defaultdict(dict)
    for alert in alerts:
        if alert.origin == SET and alert.figure in OVER_TIME:
            current[QueueName(alert.base_ref, alert.queue_name)][alert.figure] = alert
    chosen = [one for one in thresholds if one.figure in OVER_TIME]
    if not any(one.alert for one in chosen) and not current:
        return []
    groups = reader.groups(repository_id).values()
    found: list[Alert] = []
    for queue in sorted({QueueName(group.base_ref, group.queue_name) for group in groups} | current.keys()):
        # One that is only shown replaces the default of all queues, too.
        of_queue = {figure: one for figure, one in in_force(chosen, *queue).items() if one.alert}
        if of_queue or current[queue]:
            window, hours = Window(hours_needed_since(at), at), RecentHours()
            if of_queue:
                hours = read_recent_hours(reader, repository_id, queue, window, of_queue)
            changed = judge_hour(queue, of_queue, current[queue], hours, at)
            found += [*changed.begun, *changed.ended, *changed.continued]
    return found


def _by_rules(
    reader: Reader,
    known: KnownRepository,
    thresholds: Iterable[SetThreshold],
    alerts: Iterable[Alert],
    at: int,
) -> list[Alert]:
    """Judge the rules that hold for any queue."""
    of_queues: defaultdict[QueueName, list[Alert]] = defaultdict(list)
    for alert in alerts:
        if alert.ended_at is None:
            of_queues[QueueName(alert.base_ref, alert.queue_name)].append(alert)
    has_open = any(alert.origin == BUILT_IN for alert in alerts)
    if not has_open and (known.last_at is None or known.last_at < at - LEARNED_FROM):
        return []  # of a history that ended long ago, nothing is new
    found: list[Alert] = []
    for queue, state in _states(reader, known, at).items():
        off = switched_off(thresholds, *queue)
        changed = judge_built_in(queue, state, of_queues[queue], off, at)
        found += [*changed.begun, *changed.ended]
    return found


def _states(reader: Reader, known: KnownRepository, at: int) -> dict[QueueName, QueueState]:
    """How each queue stands at an instant."""
    queues = {id: QueueName(*queue) for id, queue in queues_of_groups(reader, known.id).items()}
    waiting: defaultdict[QueueName, list[PresentStay]] = defaultdict(list)
    for stay in stays_at(reader, known.id, at):
        waiting[queues[stay.group]].append(stay)
    merged: dict[QueueName, int] = {}
    for _, group, merged_at in reader.rows("last_merges", [[known.id], at - LOOK_BACK, at]):
        merged[queues[group]] = max(merged_at, merged.get(queues[group], 0))
    left: defaultdict[QueueName, Counter[str]] = defaultdict(Counter)
    for group, *counts in reader.rows("exits_by_group", [known.id, at - FAILURES_OF, at]):
        left[queues[group]].update(dict(zip(("exits", "failures", "merges"), counts, strict=True)))
    return {
        queue: QueueState(
            concerning(stay.pull_request for stay in waiting[queue]),
            min((stay.entered_at for stay in waiting[queue]), default=None),
            merged.get(queue),
            known.first_at,
            known.last_at,
            *(left[queue][name] for name in ("exits", "failures", "merges")),
        )
        for queue in sorted(set(queues.values()))
    }
