"""Reads the last days of a queue, for what is judged every hour."""

from collections.abc import Collection, Sequence

from mergecast.queues.model.instant import Window
from mergecast.queues.model.reference_period import QueueHour
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import read_hours
from mergecast.signals.alerts.pinning import groups_of
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.set_course import RecentHours


def read_recent_hours(
    reader: Reader, repository_id: int, queue: QueueName, window: Window, figures: Collection[str]
) -> RecentHours:
    """The hours of a window that the figures need; a judgement needs those since `hours_needed_since`."""
    groups = groups_of(reader, repository_id, *queue)
    merged = read_hours(reader, repository_id, window, groups)
    if "time_in_queue_p95" not in figures:
        return RecentHours(merged)
    return RecentHours(merged, _of_all(reader, repository_id, window, groups, merged))


def _of_all(
    reader: Reader, repository_id: int, window: Window, groups: Collection[int], hours: Sequence[QueueHour]
) -> list[QueueHour]:
    stayed = dict(reader.rows("hours_of_stays", [repository_id, *window, list(groups)]))
    return [hour._replace(seconds=tuple(stayed.get(hour.number, ()))) for hour in hours]
