"""What the store would answer about each day of a replay."""

from collections import defaultdict
from statistics import median, quantiles

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.queues.model.instant import DAY, SECOND
from mergecast.queues.model.queue_changes import QueueDay
from worlds.world import START

_MERGED = (codes.MERGED, codes.VOUCHED)
_FAILED = (codes.FAILED, codes.TIMED_OUT)


def days_of(record: Record, days: int) -> list[QueueDay]:
    """The first days of a world."""
    entered, exits, failures, runs = (defaultdict[int, int](int) for _ in range(4))
    merged, passed = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
    stays = record.stays
    for entered_at, left_at, reason in zip(stays.entered_at, stays.left_at, stays.reason, strict=True):
        entered[entered_at // DAY] += 1
        if left_at != codes.NEVER:
            exits[left_at // DAY] += 1
            failures[left_at // DAY] += reason in _FAILED
            if reason in _MERGED:
                merged[left_at // DAY].append((left_at - entered_at) / SECOND)
    of_runs = record.runs
    for started_at, ended_at, outcome in zip(
        of_runs.started_at, of_runs.ended_at, of_runs.outcome, strict=True
    ):
        if ended_at != codes.NEVER:
            runs[ended_at // DAY] += 1
            if outcome == codes.PASS:
                passed[ended_at // DAY].append((ended_at - started_at) / SECOND)
    return [
        QueueDay(
            day,
            entered[day],
            exits[day],
            failures[day],
            len(merged[day]),
            _median(merged[day]),
            _p95(merged[day]),
            runs[day],
            _median(passed[day]),
        )
        for day in range(START // DAY, START // DAY + days)
    ]


def _median(values: list[float]) -> float | None:
    return median(values) if values else None


def _p95(values: list[float]) -> float | None:
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else _median(values)
