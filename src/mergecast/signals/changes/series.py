"""The days of a figure as a series whose levels can be compared."""

from collections.abc import Callable, Sequence
from math import asin, log, nan, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mergecast.queues.model.queue_changes import QueueDay
from mergecast.signals.changes.splitting import Array

FEWEST_MERGES: Final = 5  # on a day, or it is missing
_NEAR: Final = 28  # days on each side
_QUIET: Final = 0.5  # of what usually enters on such a day near it: a holiday
WEEKEND: Final = 5  # the first day of it; Monday is 0


class Measure(NamedTuple):
    """How a figure is computed and compared; `value` is None on a day on which it is not known."""

    figure: str
    value: Callable[[QueueDay], float | None]
    level: Callable[[QueueDay, float], float] = lambda _, value: log(value) if value > 0 else nan
    is_pooled: bool = False  # the value of several days is that of all their pull requests, not a median


def _failures(day: QueueDay, _: float) -> float:
    """A share whose variance does not depend on it."""
    return 2 * asin(sqrt((day.failures + 0.375) / (day.exits + 0.75)))


MEASURES: Final = (
    Measure("time_to_merge_p50", lambda day: day.merge_p50),
    Measure("time_to_merge_p95", lambda day: day.merge_p95),
    Measure(
        "failure_rate", lambda day: day.failures / day.exits if day.exits else None, _failures, is_pooled=True
    ),
    Measure("passed_run_p50", lambda day: day.passed_p50),
    Measure("ci_runs_per_merge", lambda day: day.runs / day.merged if day.runs and day.merged else None),
    Measure("entered_per_day", lambda day: day.entered, lambda _, value: log(value + 0.5)),
    Measure(
        "waiting_machines",
        lambda day: day.waited / day.ci_reports if day.ci_reports >= FEWEST_MERGES else None,
        lambda _, value: log(value + 1),
    ),
)


class Series(NamedTuple):
    """A figure by day, from a Monday on; NaN where it is missing."""

    values: Array
    levels: Array


def series_of(measure: Measure, days: Sequence[QueueDay]) -> Series:
    values, levels = np.full((2, len(days)), nan)
    for place, day in enumerate(days):
        value = measure.value(day) if day.merged >= FEWEST_MERGES else None
        if value is not None:
            values[place], levels[place] = value, measure.level(day, value)
    return Series(values, levels)


def quiet_days(entered: Array) -> NDArray[np.bool_]:
    """On which days of a series from a Monday on far less entered than usual, as on holidays."""
    quiet = np.zeros(len(entered), dtype=bool)
    for of_kind in _kinds(len(entered), 0):
        own = np.where(of_kind, entered, nan)
        near = sliding_window_view(np.pad(own, _NEAR, constant_values=nan), 2 * _NEAR + 1)[of_kind]
        quiet[of_kind] = own[of_kind] < _QUIET * np.nanmedian(near, axis=1)
    return quiet


def without_kinds(levels: Array, first_weekday: int) -> Array:
    """The levels, less what is usual for the kind of day: a working day, or one of a weekend."""
    result = levels.copy()
    for of_kind in _kinds(len(levels), first_weekday):
        own = levels[of_kind]
        if not np.isnan(own).all():
            result[of_kind] -= np.nanmedian(own)
    return result


def _kinds(days: int, first_weekday: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which days are working days, and which of a weekend."""
    is_weekend = (np.arange(days) + first_weekday) % 7 >= WEEKEND
    return ~is_weekend, is_weekend
