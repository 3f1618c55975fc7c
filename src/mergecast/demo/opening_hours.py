"""When a queue may test and merge, and how long something waited because it may not."""

from collections.abc import Iterator

from mergecast.demo.incidents import paused_until
from mergecast.demo.settings import WEEK, QueueRules, WeeklySpan


def closed_until(rules: QueueRules, seed: int, moment: float) -> float | None:
    """When what keeps the queue closed at `moment` ends, None if it is open."""
    for begins, ends in _spans((*rules.freezes, *rules.off_schedule), moment, moment):
        if begins <= moment < ends:
            return ends
    return paused_until(seed, moment) if rules.is_paused_by_incidents else None


def closed_seconds(spans: tuple[WeeklySpan, ...], since: float, until: float) -> float:
    """How much of the time between two moments lies in the weekly spans."""
    return sum(max(0, min(ends, until) - max(begins, since)) for begins, ends in _spans(spans, since, until))


def _spans(spans: tuple[WeeklySpan, ...], since: float, until: float) -> Iterator[tuple[float, float]]:
    # A span may reach into the week after its own, so the search begins one week earlier.
    for week in range(int(since // WEEK) - 1, int(until // WEEK) + 1):
        for span in spans:
            yield week * WEEK + span.begins, week * WEEK + span.ends
