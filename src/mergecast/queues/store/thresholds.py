"""Thresholds that a person has set, in the store."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mergecast.queues.model.alert import CHANGED, Alert
from mergecast.queues.model.threshold import SET, SetThreshold, in_force
from mergecast.queues.store.alerts import held_alerts, store_alerts
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import ThresholdRow
from mergecast.queues.store.stored_rows import ReadRows, delete_rows, stored_rows

_MILLION = 1_000_000


def read_thresholds(reader: Reader, repository_ids: Sequence[int]) -> dict[int, list[SetThreshold]]:
    """The thresholds of the repositories that have some."""
    found: dict[int, list[SetThreshold]] = {}
    for repository_id, figure, millionths, base_ref, queue_name, alert in reader.rows(
        "thresholds", [list(repository_ids)]
    ):
        row = ThresholdRow(repository_id, figure, base_ref, queue_name, millionths, alert)
        found.setdefault(repository_id, []).append(_threshold(row))
    return found


def thresholds_of(read: ReadRows) -> list[SetThreshold]:
    """Those of one repository, also in a transaction that holds it."""
    return [_threshold(row) for row in stored_rows(read, ThresholdRow)]


def put_thresholds(held: HeldRepository, thresholds: Sequence[SetThreshold]) -> bool:
    """Replace all thresholds of a repository; returns False if that changes nothing.

    Alerts end that no longer follow from a threshold.
    """
    rows = [_row(held.state.id, threshold) for threshold in thresholds]
    if set(rows) == set(stored_rows(held.rows, ThresholdRow)):
        return False
    delete_rows(held, ThresholdRow)
    held.insert(rows)
    # Summaries compare with thresholds, although no event has changed.
    held.save(replace(held.state, version=held.state.version + 1))
    over = [alert for alert in held_alerts(held) if not _follows(alert, thresholds)]
    ended = [replace(alert, ended_at=max(held.now, alert.found_at), end_reason=CHANGED) for alert in over]
    store_alerts(held, (), ended)
    return True


def _follows(alert: Alert, thresholds: Iterable[SetThreshold]) -> bool:
    """Whether an alert that is open still has its threshold."""
    # A batch that is split too often is one of the ways of going round, with a threshold of its own.
    figure = "splits" if alert.unit == "splits" else alert.figure
    threshold = in_force(thresholds, alert.base_ref, alert.queue_name).get(figure)
    if alert.origin != SET:
        return threshold is None or threshold.value is not None
    if threshold is None or threshold.value is None:
        return False
    return threshold.alert and threshold.value <= alert.value


def _threshold(row: ThresholdRow) -> SetThreshold:
    value = None if row.millionths is None else row.millionths / _MILLION
    return SetThreshold(row.figure, value, row.base_ref or None, row.queue_name or None, row.alert)


def _row(repository_id: int, threshold: SetThreshold) -> ThresholdRow:
    millionths = None if threshold.value is None else round(threshold.value * _MILLION)
    place = threshold.base_ref or "", threshold.queue_name or ""
    return ThresholdRow(repository_id, threshold.figure, *place, millionths, threshold.alert)
