"""A steady queue: every half hour a pull request enters, is tested alone for 10 to 14 minutes, and merges."""

from collections.abc import Iterator
from typing import Any

from builders import ended, entered, left, started
from mergecast.queues.model.instant import HOUR, MINUTE, WEEK, format_instant
from mergecast.signals.thresholds.queue_history import PASSED, QueueHistory, SeenRun, SeenStay

PERIOD = HOUR // 2


def _length(number: int) -> int:
    return (10 + number * 7 % 5) * MINUTE


def steady_history(end: int, weeks: int = 8) -> QueueHistory:
    """The last pull request entered a period before the end."""
    entries = list(enumerate(range(end - weeks * WEEK, end, PERIOD), 1))
    stays = [SeenStay(number, at, at + MINUTE + _length(number), "PR_MERGED") for number, at in entries]
    runs = [
        SeenRun(number, at + MINUTE, at + MINUTE + _length(number), PASSED, (number,))
        for number, at in entries
    ]
    return QueueHistory(stays, runs, (), {"github": [at for _, at in entries]})


def steady_events(end: int, weeks: int) -> Iterator[dict[str, Any]]:
    """The same as events that a client sends."""
    history = steady_history(end, weeks)
    for stay, run in zip(history.stays, history.runs, strict=True):
        number, session, batch = stay.pull_request, f"s{stay.pull_request}", f"b{stay.pull_request}"
        yield entered(format_instant(stay.entered_at), session, number)
        yield started(format_instant(run.started_at), session, number, batch, [number])
        yield ended(format_instant(run.ended_at or 0), session, number, batch)
        yield left(format_instant(stay.left_at or 0), session, number)
