"""How far to trust a forecast: mechanics, drift, reach, the back-test, and the grade that follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, log
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.backtest import BackTest, back_test, middle
from mergecast.forecasting.forecast.errors import Errors, TypicalErrors, errors, typical
from mergecast.forecasting.forecast.figures import Figures, Ranged, recorded_figures
from mergecast.forecasting.forecast.reach import Reach
from mergecast.forecasting.forecast.sureness import Sureness
from mergecast.forecasting.history.seconds import WEEK
from mergecast.forecasting.history.structure import History

_LEAST_MERGED: Final = 20  # fewer pull requests say nothing about a week
GRADES: Final = ("good", "fair", "poor")
# The largest errors of p50, p95 and runs per merge.
_LIMITS: Final = {"good": Errors(0.1, 0.2, 0.05), "fair": Errors(0.2, 0.4, 0.1)}


class Drift(NamedTuple):
    """The typical change from one recorded week to the next, in either direction."""

    change: TypicalErrors
    weeks: int


def drift(history: History, queues: frozenset[str]) -> Drift:
    start, end = history.recorded_span
    names = sorted(queues)
    spans = [(end - WEEK * (back + 1), end - WEEK * back) for back in range(int((end - start) / WEEK))]
    merged = [stay.left or 0.0 for stay in history.stays if stay.is_merged and stay.queue_name in queues]
    weeks = [
        recorded_figures(history, names, since, until)
        for since, until in reversed(spans)
        if sum(since <= left < until for left in merged) >= _LEAST_MERGED
    ]
    return Drift(typical([errors(after, before) for before, after in pairwise(weeks)]), len(weeks))


@dataclass(frozen=True)
class Record:
    """What forecasts are compared with: the history of the window, and a longer one for the back-test."""

    history: History
    past: History
    queues: frozenset[str]
    seed: int


@dataclass(frozen=True)
class Trust:
    """What holds for every candidate, measured on this very history."""

    mechanics: Errors  # of the unchanged rules, replayed with inputs of the same weeks
    back_test: BackTest
    drift: Drift
    grade: str  # by the mechanics alone


@dataclass(frozen=True)
class CandidateTrust:
    """The same for one candidate, with the grade that its reach leaves."""

    common: Trust
    reach: Reach
    difference: Mapping[str, Sureness]
    grade: str


def trust(record: Record, unchanged: Sequence[Figures]) -> Trust:
    """`unchanged` are replicates of the unchanged rules over the whole window."""
    recorded = recorded_figures(record.history, sorted(record.queues))
    mechanics = errors(middle(unchanged), recorded)
    return Trust(
        mechanics=mechanics,
        back_test=back_test(record.past, record.queues, record.seed),
        drift=drift(record.past, record.queues),
        grade=grade_of(mechanics),
    )


def candidate_grade(grade: str, reach: Reach, figures: Mapping[str, Ranged]) -> str:
    """Beyond the record, nothing was checked: the grade is at most fair, and no better than the intervals."""
    if reach.level == "inside":
        return grade
    widths = Errors(*(_half_width(figures[name]) for name in Errors._fields))
    return max(grade, "fair", grade_of(widths), key=GRADES.index)


def _half_width(found: Ranged) -> float:
    return log(found.high / found.low) / 2 if found.low > 0 and isfinite(found.high) else float("inf")


def grade_of(found: Errors) -> str:
    """`good`, `fair` or `poor`; `poor` if there was nothing to compare."""
    for name, limits in _LIMITS.items():
        if all(abs(error) <= most for error, most in zip(found, limits, strict=True)):
            return name
    return "poor"
