"""A baseline: what a queue was like in a period that somebody pinned, and the alerts against it."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY

# What is compared; fields of `Limits` and `Figures` have these names.
MEASURES: Final = ("p95", "failure_rate", "runs_per_merge")
MOST_BASELINES: Final = 20  # of a repository
FEWEST_MERGES: Final = 200
SHORTEST: Final = 7 * DAY
LONGEST: Final = 92 * DAY

# Why an alert ended.
RECOVERED: Final = "recovered"
NO_DATA: Final = "no_data"
REPLACED: Final = "baseline_replaced"
DELETED: Final = "baseline_deleted"


class Limits(NamedTuple):
    """From which ratio of a recent figure to that of the baseline on an alert may begin."""

    p95: float = 1.5
    failure_rate: float = 1.5
    runs_per_merge: float = 1.3


class QueueHour(NamedTuple):
    """What happened to a queue in one hour."""

    number: int  # hours since the epoch
    exits: int
    failures: int
    merges: int
    runs: int  # CI runs that ended
    seconds: tuple[int, ...]  # time in queue of each merged pull request


class Figures(NamedTuple):
    """None where there is too little to compute a figure."""

    p95: float | None  # time in queue of merged pull requests, in seconds
    failure_rate: float | None
    runs_per_merge: float | None


@dataclass(frozen=True, slots=True)
class Baseline:
    """A pinned period of a queue; its figures and the hours behind them never change later."""

    name: str
    base_ref: str
    queue_name: str
    start: int
    end: int
    limits: Limits
    pinned_at: int
    merges: int
    figures: Figures


@dataclass(frozen=True, slots=True)
class Alert:
    """A figure that is or was worse than its baseline; value and ratio are those of its beginning."""

    id: str
    baseline: str
    base_ref: str
    queue_name: str
    measure: str
    began_at: int
    value: float
    baseline_value: float
    ratio: float | None  # None: the baseline's figure is zero
    limit: float
    ended_at: int | None = None
    end_reason: str | None = None
    below_since: int | None = None  # since when the ratio has been low enough to end it
    seen_at: int | None = None  # when the figure could last be compared
