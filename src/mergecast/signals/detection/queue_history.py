"""What a diagnosis reads about one queue: stays, CI runs, bisections, and when its sources sent events."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

from mergecast.queues.model.event import MERGED_REASONS

PASSED: Final = "SUCCESS"
# A later run that contained the same changes passed, so this one was not needed any more.
SKIPPED: Final = "INTERMEDIATE_RESULTS_SKIPPED"
FAILED_OUTCOMES: Final = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})
# Outcomes after which a queue may wait for the runs that go on before it tests the same again.
BLAMED_OUTCOMES: Final = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_INTERRUPTED"})
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


class SeenStay(NamedTuple):
    pull_request: int
    entered_at: int
    left_at: int | None
    reason: str | None


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


def most_in_flight(runs: Sequence[SeenRun], shortest: int) -> int:
    """The largest number of CI runs that were in progress together for at least so long, all in all."""
    changes = sorted(
        change
        for run in runs
        if run.ended_at is not None
        for change in ((run.started_at, 1), (run.ended_at, -1))
    )
    lasted: dict[int, int] = {}
    count = before = 0
    for at, change in changes:
        lasted[count] = lasted.get(count, 0) + at - before
        count, before = count + change, at
    return max((count for count, time in lasted.items() if time >= shortest), default=0) or 1
