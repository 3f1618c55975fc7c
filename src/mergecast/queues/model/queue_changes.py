"""Days of queues, and since when a figure has another level. Days are numbers since 1970-01-01, in UTC."""

from typing import NamedTuple

_A_MONDAY = 4  # 1970-01-05


def monday_of(day: int) -> int:
    """The Monday of the week of a day.

    >>> [monday_of(day) for day in (4, 10, 11)]
    [4, 4, 11]
    """
    return day - (day - _A_MONDAY) % 7


class QueueDay(NamedTuple):
    """What happened on one day. Durations are in seconds, and None if nothing is known."""

    number: int
    entered: int = 0
    exits: int = 0
    failures: int = 0
    merged: int = 0
    merge_p50: float | None = None
    merge_p95: float | None = None
    runs: int = 0  # CI runs that ended, with any outcome
    passed_p50: float | None = None  # how long CI runs took that passed
    ci_reports: int = 0  # CI runs with reports about their checks
    waited: float = 0.0  # how long their checks waited for machines, summed


class LevelChange(NamedTuple):
    """A new level of a figure, which began on `day`, or from `earliest` to `latest`."""

    figure: str
    day: int
    earliest: int
    latest: int
    before: float
    after: float
    shown_on: int  # the day of the look that told it first


class FigureDays(NamedTuple):
    """How many days of a figure are known, and how many more must pass before a change can be found."""

    figure: str
    known: int
    missing: int


class LevelChanges(NamedTuple):
    figures: tuple[FigureDays, ...]
    changes: tuple[LevelChange, ...]  # oldest first
