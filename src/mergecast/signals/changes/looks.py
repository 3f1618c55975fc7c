"""Looks at a series once a week, as if each week had just ended, and keeps what it has said.

A change is shown once two looks in a row agree on it. Four weeks later it is kept as it is, and later looks
see only the days after it. So the same days always give the same changes, and a new week revises few of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import asin, log, nan, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mergecast.queues.model.queue_changes import FigureDays, LevelChange, LevelChanges, QueueDay, monday_of
from mergecast.signals.changes.splitting import FEWEST_DAYS, Array, Split, find_split

LEVEL: Final = 0.005  # chosen so that 26 weekly looks at all figures seldom report chance
FEWEST_WEEKS: Final = 7
_KEPT_AFTER: Final = 4  # weeks
_SMALLEST: Final = 0.1
_AGREE: Final = 7  # days
_WEEK: Final = 7
_SEED: Final = 1

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


@dataclass(frozen=True, slots=True)
class Change:
    """Days are places in the series. One that a single look has found is not shown yet."""

    at: int
    earliest: int
    latest: int
    before: float
    after: float
    chance: float
    shown_on: int = 0  # the day of the look that showed it first; 0 before that
    is_kept: bool = False


def find_changes(days: Sequence[QueueDay], until: int) -> LevelChanges:
    """What is shown after the look on `until`, which is a Monday."""
    *_, last = every_look(days, until)
    return last


def every_look(days: Sequence[QueueDay], until: int) -> Iterator[LevelChanges]:
    """What is shown before the first look, and after each until that of `until`."""
    known = {day.number: day for day in days if day.number < until}
    first = monday_of(min(known, default=until))
    every = [known.get(number) or QueueDay(number) for number in range(first, until)]
    entered = np.array([day.entered for day in every], dtype=float)
    figures = [Looks(measure, every) for measure in MEASURES]
    known_days = tuple(figure.days for figure in figures)
    yield LevelChanges(known_days, ())
    for end in range(FEWEST_WEEKS * _WEEK, len(every) + 1, _WEEK):
        is_quiet = quiet_days(entered[:end])
        for figure in figures:
            figure.look(end, is_quiet)
        shown = [change for figure in figures for change in figure.changes(first)]
        yield LevelChanges(known_days, tuple(sorted(shown, key=lambda one: (one.day, one.figure))))


class Looks:
    """The looks at one figure."""

    def __init__(self, measure: Measure, days: Sequence[QueueDay], level: float = LEVEL) -> None:
        self._measure, self._days, self._level = measure, days, level
        self._series = series_of(measure, days)
        self._kept: list[Change] = []
        self._open: list[Change] = []

    @property
    def days(self) -> FigureDays:
        """What is known, and how long until a second look at enough weeks."""
        known = np.flatnonzero(~np.isnan(self._series.levels))
        passed = len(self._days) - int(known[0]) if len(known) else 0
        return FigureDays(self._measure.figure, len(known), max((FEWEST_WEEKS + 1) * _WEEK - passed, 0))

    def changes(self, first: int) -> Iterator[LevelChange]:
        """What is shown, by the numbers of days."""
        for one in self.shown:
            at, earliest, latest = first + one.at, first + one.earliest, first + one.latest
            levels, shown_on = (one.before, one.after), first + one.shown_on
            yield LevelChange(
                self._measure.figure, at, earliest, latest, *levels, one.chance, shown_on, one.is_kept
            )

    @property
    def shown(self) -> list[Change]:
        return [*self._kept, *(one for one in self._open if one.shown_on)]

    def look(self, end: int, is_quiet: NDArray[np.bool_]) -> None:
        """At the days before `end`, which is a Monday."""
        levels = np.where(is_quiet, nan, self._series.levels[:end])
        start = self._kept[-1].at if self._kept else 0
        found = self._sized(levels, start, sorted(self._splits(levels, start, end)))
        self._open = [_followed(change, self._open, end) for change in found]
        self._keep(end)

    def _keep(self, end: int) -> None:
        kept = [
            place
            for place, one in enumerate(self._open)
            if one.shown_on and end - one.shown_on >= _KEPT_AFTER * _WEEK
        ]
        if kept:
            last = kept[-1] + 1
            self._kept += [replace(one, is_kept=True) for one in self._open[:last] if one.shown_on]
            self._open = self._open[last:]

    def _splits(self, levels: Array, start: int, end: int) -> Iterator[Split]:
        if end - start < FEWEST_WEEKS * _WEEK:
            return
        weekday = start % _WEEK
        found = find_split(without_kinds(levels[start:end], weekday), weekday, self._level, _SEED)
        if found is not None:
            here = found._replace(
                at=start + found.at, earliest=start + found.earliest, latest=start + found.latest
            )
            if self._measure.is_pooled:
                here = here._replace(at=self._likeliest(levels, start, end, here))
            yield here
            yield from self._splits(levels, start, here.at)
            yield from self._splits(levels, here.at, end)

    def _likeliest(self, levels: Array, start: int, end: int, split: Split) -> int:
        """The day on which a rate changed most likely, of those on which the division may lie."""
        known = [place for place in range(start, end) if not np.isnan(levels[place])]
        near = [place for place, day in enumerate(known) if split.earliest <= day <= split.latest]
        days = [self._days[place] for place in known]
        return known[likeliest([day.failures for day in days], [day.exits for day in days], near)]

    def _sized(self, levels: Array, start: int, splits: Sequence[Split]) -> list[Change]:
        """The changes with their sizes, without small ones: the smallest is left out first."""
        kept = list(splits)
        while kept:
            bounds = [start, *(split.at for split in kept), len(levels)]
            sizes = [self._value(levels, *span) for span in pairwise(bounds)]
            changes = [
                Change(*split[:3], before, after, split.chance)
                for split, before, after in zip(kept, sizes, sizes[1:], strict=False)
            ]
            smallest = min(changes, key=_size)
            if _size(smallest) >= _SMALLEST:
                return changes
            del kept[changes.index(smallest)]
        return []

    def _value(self, levels: Array, start: int, end: int) -> float:
        """Of working days: their median, or of all days the failures of all that left."""
        known = [place for place in range(start, end) if not np.isnan(levels[place])]
        if self._measure.is_pooled:
            exits = sum(self._days[place].exits for place in known)
            return sum(self._days[place].failures for place in known) / exits
        working = [place for place in known if place % _WEEK < WEEKEND]
        return float(np.median(self._series.values[working or known]))


def _size(change: Change) -> float:
    low, high = sorted((change.before, change.after))
    return high / low - 1 if low > 0 else 1.0


def _followed(change: Change, before: Sequence[Change], end: int) -> Change:
    """The change as one that the last look has found, too, if it has."""
    for one in before:
        is_same_way = (one.after > one.before) == (change.after > change.before)
        if is_same_way and abs(one.at - change.at) <= _AGREE:
            return replace(change, shown_on=one.shown_on or end)
    return change


def likeliest(hits: Sequence[int], trials: Sequence[int], near: Sequence[int]) -> int:
    """The place at which a second rate begins, one of those near; each side has enough days.

    The energy distance gives a day with few pull requests the weight of any other. That is good for finding a
    change of any kind, but of a rate it is known how much each day says.
    """
    places = np.array(near)[(np.array(near) >= FEWEST_DAYS) & (np.array(near) <= len(hits) - FEWEST_DAYS)]
    found, tried = (np.concatenate(([0.0], np.cumsum(values))) for values in (hits, trials))
    before = _log_likelihood(found[places], tried[places])
    after = _log_likelihood(found[-1] - found[places], tried[-1] - tried[places])
    return int(places[np.argmax(before + after)])


def _log_likelihood(hits: Array, trials: Array) -> Array:
    """Of so many hits, at the rate at which they are most likely."""
    likelihood: Array = _times_log(hits, trials) + _times_log(trials - hits, trials)
    return likelihood


def _times_log(count: Array, trials: Array) -> Array:
    product: Array = count * np.log(np.maximum(count, 1) / trials)
    return product
