"""Looks at a series every day, as if that day had just begun, and tells of a new level once it is sure.

Five looks in a row must find it on about the same day. What was told stays as it is: the same days always
give the same changes, and a later day only adds some.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import asin, log, nan, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mergecast.queues.model.queue_changes import FigureDays, LevelChange, LevelChanges, QueueDay, monday_of
from mergecast.signals.changes.splitting import FEWEST_DAYS, Array, find_splits

_LOOKED_AT: Final = 182  # days
_IN_A_ROW: Final = 5  # looks that must agree
_AGREE: Final = 7  # days
_APART: Final = 21  # days between two changes in the same direction
_SMALLEST: Final = 0.1
_WEEK: Final = 7

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


@dataclass(slots=True)
class _Track:
    """A division that looks in a row have found: the days that they gave, as places in the series."""

    is_rise: bool
    days: list[int]

    def has(self, day: int, *, is_rise: bool) -> bool:
        return is_rise == self.is_rise and abs(day - self.days[0]) <= _AGREE


def find_changes(days: Sequence[QueueDay], until: int) -> LevelChanges:
    """What was told by the look on the day `until`."""
    *_, last = every_look(days, until)
    return last


def every_look(days: Sequence[QueueDay], until: int) -> Iterator[LevelChanges]:
    """What was told before the first look, and by each until that of `until`."""
    known = {day.number: day for day in days if day.number < until}
    first = monday_of(min(known, default=until))
    every = [known.get(number) or QueueDay(number) for number in range(first, until)]
    entered = np.array([day.entered for day in every], dtype=float)
    figures = [Looks(measure, every) for measure in MEASURES]
    known_days = tuple(figure.days for figure in figures)
    told: tuple[LevelChange, ...] = ()
    yield LevelChanges(known_days, told)
    for end in range(2 * FEWEST_DAYS, len(every) + 1):
        is_quiet = quiet_days(entered[:end])
        new = [change for figure in figures for change in figure.look(end, is_quiet)]
        if new:
            told = tuple(sorted((*told, *new), key=lambda one: (one.day, one.figure)))
        yield LevelChanges(known_days, told)


class Looks:
    """The looks at one figure."""

    def __init__(self, measure: Measure, days: Sequence[QueueDay]) -> None:
        self._measure, self._days = measure, days
        self._series = series_of(measure, days)
        self._tracks: list[_Track] = []
        self._told: list[tuple[int, bool]] = []  # places and directions

    @property
    def days(self) -> FigureDays:
        """What is known, and how long until enough looks at enough days."""
        known = np.flatnonzero(~np.isnan(self._series.levels))
        passed = len(self._days) - int(known[0]) if len(known) else 0
        return FigureDays(self._measure.figure, len(known), max(2 * FEWEST_DAYS + _IN_A_ROW - 1 - passed, 0))

    def look(self, end: int, is_quiet: NDArray[np.bool_]) -> Iterator[LevelChange]:
        """At the days before `end`; yields the changes that it tells of."""
        start = max(end - _LOOKED_AT, 0)
        levels = np.where(is_quiet[start:], nan, self._series.levels[start:end])
        known = np.flatnonzero(~np.isnan(levels)) + start
        splits = find_splits(without_kinds(levels, start % _WEEK)[known - start], self._is_large(known))
        bounds = [0, *splits, len(known)]
        tracks = []
        for number, split in enumerate(splits, 1):
            before, after = self._sides(known, bounds[number - 1 : number + 2])
            tracks.append(self._track(int(known[split]), is_rise=after > before))
            if change := self._told_by(tracks[-1], end, before, after):
                yield change
        self._tracks = tracks

    def _track(self, day: int, *, is_rise: bool) -> _Track:
        before = (track for track in self._tracks if track.has(day, is_rise=is_rise))
        track = next(before, None) or _Track(is_rise, [])
        return _Track(is_rise, [*track.days, day][-_IN_A_ROW:])

    def _told_by(self, track: _Track, end: int, before: float, after: float) -> LevelChange | None:
        day = track.days[-1]
        is_known = any(abs(day - at) <= _APART and rose == track.is_rise for at, rose in self._told)
        if is_known or len(track.days) < _IN_A_ROW:
            return None
        self._told.append((day, track.is_rise))
        first = self._days[0].number
        return LevelChange(
            self._measure.figure,
            first + day,
            first + min(track.days),
            first + max(track.days),
            before,
            after,
            first + end,
        )

    def _is_large(self, known: NDArray[np.int_]) -> Callable[[int, int, int], bool]:
        """Whether the levels on both sides of a division differ by a tenth at least."""

        def is_large(start: int, at: int, end: int) -> bool:
            low, high = sorted(self._sides(known, (start, at, end)))
            return low <= 0 or high / low - 1 >= _SMALLEST

        return is_large

    def _sides(self, known: NDArray[np.int_], bounds: Sequence[int]) -> tuple[float, float]:
        start, at, end = bounds
        return self._value(known[start:at]), self._value(known[at:end])

    def _value(self, known: NDArray[np.int_]) -> float:
        """Of working days: their median, or of all days the failures of all that left."""
        if self._measure.is_pooled:
            exits = sum(self._days[place].exits for place in known)
            return float(sum(self._days[place].failures for place in known) / exits)
        working = known[known % _WEEK < WEEKEND]
        return float(np.median(self._series.values[working if len(working) else known]))
