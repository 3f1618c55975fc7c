"""A baseline: what a queue was like in a period that somebody pinned, and the alerts against it."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY

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

    time_to_merge_p95: float = 1.5
    failure_rate: float = 1.5
    ci_runs_per_merge: float = 1.3


MEASURES: Final = Limits._fields  # the figures that are compared
_STORED: Final = {"time_to_merge_p95": "p95", "ci_runs_per_merge": "runs_per_merge"}


def stored_name(measure: str) -> str:
    """What stored rows, and the ids of alerts, call a figure."""
    return _STORED.get(measure, measure)


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

    time_to_merge_p95: float | None
    failure_rate: float | None
    ci_runs_per_merge: float | None


class Spreads(NamedTuple):
    """How much a queue varies from week to week: standard deviations of logarithms."""

    time_to_merge: float  # of all merged pull requests, by their ranks
    failure_rate: float
    ci_runs_per_merge: float
    weeks: int  # that showed it


class Finds(NamedTuple):
    """The smallest change that an alert would have found in 8 of 10 cases, in the weeks before a baseline."""

    change: float | None  # 0.4: pull requests take 40 % longer to merge; None: there are too few weeks
    days: int | None
    weeks: int  # that were tried


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
    spreads: Spreads | None = None  # None: pinned by a version that did not learn from earlier weeks
    finds: Finds | None = None


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
