"""What a history shows afterwards, whatever levels were learned: when a queue stood still."""

from collections.abc import Iterator

from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.queue_history import QueueHistory


def standstill(history: QueueHistory, span: Span) -> int:
    """The longest time in a span in which the queue stood still."""
    return max((one.end - one.start for one in standstills(history, span)), default=0)


def standstills(history: QueueHistory, span: Span) -> list[Span]:
    """The times in a span in which pull requests were in the queue and no CI run was in progress.

    A run without an end, and a stay without one, last until the end of the span.
    """
    stays = [(stay.entered_at, stay.left_at, 1, 0) for stay in history.stays]
    runs = [(run.started_at, run.ended_at, 0, 1) for run in history.runs]
    changes = [(span.start, 0, 0), (span.end, 0, 0)]
    for start, end, waiting, running in (*stays, *runs):
        first, last = max(start, span.start), min(span.end if end is None else end, span.end)
        if first < last:
            changes += [(first, waiting, running), (last, -waiting, -running)]
    return [*_still(sorted(changes))]


def _still(changes: list[tuple[int, int, int]]) -> Iterator[Span]:
    waiting = running = 0
    since: int | None = None
    for place, (at, entered, started) in enumerate(changes):
        waiting, running = waiting + entered, running + started
        if place + 1 < len(changes) and changes[place + 1][0] == at:
            continue  # what happens at one instant counts together
        is_still = waiting > 0 and running == 0
        if since is not None and (not is_still or place + 1 == len(changes)):
            yield Span(since, at)
            since = None
        since = at if since is None and is_still else since
