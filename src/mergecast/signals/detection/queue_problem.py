"""The problems a queue can have, as they are stored, shown and sent."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from mergecast.queues.model.failed_check import FailedCheck

NO_RUN_STARTED: Final = "no_run_started"
RUN_TOO_LONG: Final = "run_too_long"
EVERYONE_FAILS: Final = "everyone_fails"
GOING_ROUND: Final = "going_round"
NOTHING_MERGES: Final = "nothing_merges"
SOURCE_SILENT: Final = "source_silent"
RUNS_SLOW: Final = "runs_slow"
FORGOTTEN: Final = "forgotten"

# Every problem, with the unit in which it is measured.
UNITS: Final = {
    NO_RUN_STARTED: "seconds",
    RUN_TOO_LONG: "seconds",
    EVERYONE_FAILS: "runs",
    GOING_ROUND: "entries",
    NOTHING_MERGES: "expected merges",
    SOURCE_SILENT: "hours",
    RUNS_SLOW: "times as long",
    FORGOTTEN: "runs",
}
PROBLEM_NAMES: Final = tuple(UNITS)


class QueueName(NamedTuple):
    """A queue of a repository."""

    base_ref: str
    queue_name: str


@dataclass(frozen=True, slots=True)
class Level:
    """What is still normal; a problem begins above it."""

    value: float
    unit: str
    is_set: bool = False  # by a person, instead of from the history


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows the problem: the measured value, and the pull requests, runs and source it concerns."""

    value: float
    pull_requests: tuple[int, ...] = ()
    runs: tuple[str, ...] = ()  # ids of batches
    source: str | None = None
    check: FailedCheck | None = None  # that failed in all of the runs
    unlisted: int = 0  # how many more pull requests it concerns than it lists


@dataclass(frozen=True, slots=True)
class QueueProblem:
    """Something is wrong with a queue since an instant."""

    queue: QueueName
    name: str
    since: int  # when it began, which is before it was found
    sentence: str
    evidence: Evidence
    advice: str
    level: Level
    found_at: int = 0
    ended_at: int | None = None

    @property
    def key(self) -> tuple[QueueName, str]:
        """A queue has each problem at most once at a time."""
        return self.queue, self.name
