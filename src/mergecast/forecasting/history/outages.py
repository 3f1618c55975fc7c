"""When nothing started although pull requests waited: the queue or its CI did not work."""

from collections.abc import Sequence
from typing import Final

from mergecast.forecasting.history.seconds import MINUTE, in_seconds
from mergecast.forecasting.history.structure import Run
from mergecast.forecasting.history.train import Train
from mergecast.forecasting.replay.values import QueueRule

_LEAST: Final = 5 * MINUTE

Span = tuple[float, float]


def outages(train: Train, rules: dict[str, QueueRule], closed: Sequence[Span]) -> tuple[Span, ...]:
    """Spans in which no run was in progress, a batch was ready, and nothing else explains why it waited."""
    found: list[Span] = []
    idle_since = 0.0
    for run in train.history.runs:
        ready = max(idle_since, _ready(train, run, in_seconds(rules[run.queue_name].batch_max_wait_time)))
        if run.started - ready > _LEAST and not any(a < run.started and b > ready for a, b in closed):
            found.append((ready, run.started))
        idle_since = max(idle_since, train.history.length if run.ended is None else run.ended)
    return tuple(found)


def _ready(train: Train, run: Run, wait: float) -> float:
    """When this batch could have started, if it was not full."""
    if run.attempt > 1:
        return run.started
    return max(
        min(stay.entered for stay in train.members_of(run)) + wait,
        *(_free_since(train, run, member) for member in run.members[:1]),
    )


def _free_since(train: Train, run: Run, member: int) -> float:
    """When the last run of a member before this one ended."""
    earlier = [other for other in train.runs_of[member] if other.number < run.number]
    return max((other.ended or run.started for other in earlier), default=0.0)
