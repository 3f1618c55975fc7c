"""A reference period: what a queue was like in a period that a person pinned, to compare later days with."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY

MOST_PERIODS: Final = 20  # of a repository
FEWEST_MERGES: Final = 200
SHORTEST: Final = 7 * DAY
LONGEST: Final = 92 * DAY


class Limits(NamedTuple):
    """From which ratio of a recent figure to that of the period on an alert may begin."""

    time_to_merge_p95: float = 1.5
    failure_rate: float = 1.5
    ci_runs_per_merge: float = 1.3


COMPARED: Final = Limits._fields  # the figures that are compared


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
    """The smallest change that an alert would have found in 8 of 10 cases, in the weeks before the period."""

    change: float | None  # 0.4: pull requests take 40 % longer to merge; None: there are too few weeks
    days: int | None
    weeks: int  # that were tried


@dataclass(frozen=True, slots=True)
class ReferencePeriod:
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
