"""How much the figures of a queue vary from week to week, which one window alone does not show."""

from collections.abc import Iterator, Sequence
from math import log, sqrt
from statistics import fmean

from mergecast.queues.model.baseline import Baseline, Figures, QueueHour
from mergecast.queues.model.instant import HOUR
from mergecast.signals.detection.baseline_figures import figures_of

_HOURS_OF_WEEK = 7 * 24
# What is assumed about a queue of which little is known, as if so many weeks had shown it: standard
# deviations of logarithms in simulated queues of the family `tuning`.
_USUAL = Figures(0.2, 0.3, 0.08)
_USUAL_WEEKS = 3


def weekly_spreads(baseline: Baseline, pinned: Sequence[QueueHour], weeks: int = 1) -> tuple[float, ...]:
    """How far so many further weeks may be from those of the baseline by chance, for each figure.

    Standard deviations of logarithms. The fewer weeks a baseline has, the more counts what is usual.
    """
    before = [_logarithms(week) for week in _weeks(baseline, pinned)]
    columns = zip(*before, strict=True) if before else [()] * len(_USUAL)
    return tuple(_spread(column, usual, weeks) for column, usual in zip(columns, _USUAL, strict=True))


def _spread(values: Sequence[float | None], usual: float | None, weeks: int) -> float:
    known = [value for value in values if value is not None]
    middle = fmean(known) if known else 0.0
    squares = sum((value - middle) ** 2 for value in known) + _USUAL_WEEKS * (usual or 0.0) ** 2
    variance = squares / (_USUAL_WEEKS + max(len(known) - 1, 0))
    return sqrt(variance * (1 / weeks + 1 / max(len(known), 1)))


def _weeks(baseline: Baseline, pinned: Sequence[QueueHour]) -> Iterator[list[QueueHour]]:
    """The hours of each whole week."""
    first, last = -(-baseline.start // HOUR), baseline.end // HOUR
    for start in range(first, last - _HOURS_OF_WEEK + 1, _HOURS_OF_WEEK):
        yield [hour for hour in pinned if start <= hour.number < start + _HOURS_OF_WEEK]


def _logarithms(week: Sequence[QueueHour]) -> tuple[float | None, ...]:
    figures = figures_of(week)
    exits, failures = (sum(getattr(hour, name) for hour in week) for name in ("exits", "failures"))
    return (
        log(figures.p95) if figures.p95 else None,
        # Half a failure more, because a week may have none.
        log((failures + 0.5) / (exits + 1)),
        log(figures.runs_per_merge) if figures.runs_per_merge else None,
    )
