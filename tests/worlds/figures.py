"""The figures that a forecast is held to, counted from events."""

from collections.abc import Iterable
from dataclasses import dataclass

from mergecast.queues.model.event import CHECKS_ENDED, CHECKS_STARTED, QUEUE_ENTERED, QUEUE_LEFT, Event
from mergecast.queues.model.instant import SECOND

_MERGED = frozenset({"PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"})


@dataclass(frozen=True)
class Figures:
    """Times in seconds, of stays that entered in the window and merged, whenever they did.

    Per merge: runs that ended in the window, divided by merges in it.
    """

    merged: int
    time_to_merge_p50: float
    time_to_merge_p90: float
    time_to_merge_p95: float
    ci_runs_per_merge: float
    ci_seconds_per_merge: float


def figures(events: Iterable[Event], start: int, end: int) -> Figures:
    entered, left, started, ended = {}, {}, {}, {}
    for event in events:
        run = (event.batch_id, event.attempt)
        if event.type == QUEUE_ENTERED:
            entered[event.session_id] = event.happened_at
        elif event.type == QUEUE_LEFT and event.reason in _MERGED:
            left[event.session_id] = event.happened_at
        elif event.type == CHECKS_STARTED:
            started[run] = event.happened_at
        elif event.type == CHECKS_ENDED:
            ended[run] = event.happened_at
    times = sorted((at - entered[stay]) / SECOND for stay, at in left.items() if start <= entered[stay] < end)
    merges = sum(start <= at < end for at in left.values())
    runs = [run for run, at in ended.items() if start <= at < end]
    ci_time = sum(max(0, ended[run] - started[run]) for run in runs) / SECOND
    return Figures(
        merged=len(times),
        time_to_merge_p50=quantile(times, 0.5),
        time_to_merge_p90=quantile(times, 0.9),
        time_to_merge_p95=quantile(times, 0.95),
        ci_runs_per_merge=len(runs) / merges,
        ci_seconds_per_merge=ci_time / merges,
    )


def quantile(ordered: list[float], share: float) -> float:
    """With linear interpolation between the two nearest."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
