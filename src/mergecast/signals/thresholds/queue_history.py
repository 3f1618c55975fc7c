"""What is read about one queue: stays, CI runs, bisections, and when its sources sent events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import HOUR, WEEK


class QueueName(NamedTuple):
    """A queue of a repository."""

    base_ref: str
    queue_name: str


LEARNED_FROM: Final = 8 * WEEK  # before now
PASSED: Final = "SUCCESS"
# A later run that contained the same changes passed, so this one was not needed any more.
SKIPPED: Final = "INTERMEDIATE_RESULTS_SKIPPED"
FAILED_OUTCOMES: Final = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})
# Reasons for which a pull request leaves because of its checks.
FAILED_REASONS: Final = frozenset(
    {
        "CHECKS_FAILED",
        "CHECKS_TIMEOUT",
        "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
        "DROPPED_BY_BISECTION_ELIMINATION",
    }
)
# Outcomes that say that the queue is closed from then on.
CLOSING_OUTCOMES: Final = frozenset(
    {"PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE", "SCHEDULED_FREEZE_STATUS_CHANGED"}
)
MERGED: Final = frozenset(MERGED_REASONS)
_APART: Final = 3  # times the usual time from one end to the next


class SeenStay(NamedTuple):
    pull_request: int
    entered_at: int
    left_at: int | None
    reason: str | None
    priority: str | None = None  # the name of its priority rule


class SeenRun(NamedTuple):
    number: int
    started_at: int
    ended_at: int | None
    outcome: str | None
    pull_requests: tuple[int, ...]


class SeenSplit(NamedTuple):
    """A batch was split for the `depth`-th time."""

    bisection: int
    depth: int
    at: int
    ended_at: int | None  # when the bisection ended
    pull_requests: tuple[int, ...] = ()  # of the batch, if they are known


@dataclass(frozen=True, slots=True)
class QueueHistory:
    stays: Sequence[SeenStay] = ()
    runs: Sequence[SeenRun] = ()
    splits: Sequence[SeenSplit] = ()
    sources: Mapping[str, Sequence[int]] = field(default_factory=dict)  # instants of events, in order


class HappeningKind(IntEnum):
    """What happens at one instant happens in this order."""

    RUN_ENDED = 0
    SPLIT_ENDED = 1
    LEFT = 2
    ENTERED = 3
    SPLIT = 4
    RUN_STARTED = 5


class Happening(NamedTuple):
    at: int
    kind: HappeningKind
    what: SeenStay | SeenRun | SeenSplit


def happenings(history: QueueHistory) -> list[Happening]:
    """Everything that happened, in order."""
    return sorted(_happenings(history), key=lambda happening: happening[:2])


def _happenings(history: QueueHistory) -> Iterator[Happening]:
    for stay in history.stays:
        if stay.left_at is not None and stay.left_at <= stay.entered_at:
            continue  # it left at once
        yield Happening(stay.entered_at, HappeningKind.ENTERED, stay)
        if stay.left_at is not None:
            yield Happening(stay.left_at, HappeningKind.LEFT, stay)
    for run in history.runs:
        yield Happening(run.started_at, HappeningKind.RUN_STARTED, run)
        if run.ended_at is not None:
            yield Happening(max(run.ended_at, run.started_at), HappeningKind.RUN_ENDED, run)
    for split in history.splits:
        yield Happening(split.at, HappeningKind.SPLIT, split)
        if split.ended_at is not None:
            yield Happening(max(split.ended_at, split.at), HappeningKind.SPLIT_ENDED, split)


USUAL_PAUSE: Final = HOUR


def pause_of(runs: Iterable[SeenRun]) -> int:
    """After which time without the end of a run the next one begins something new."""
    ended = sorted(run.ended_at for run in runs if run.ended_at is not None)
    between = [after - before for before, after in pairwise(ended)]
    return max(_APART * round(median(between)), USUAL_PAUSE) if between else USUAL_PAUSE
