"""Compares the last days of a queue with the same hours of the week in a reference period."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import exp, log, sqrt
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct

from mergecast.queues.model.instant import DAY, HOUR, WEEK, Window
from mergecast.queues.model.reference_period import COMPARED, QueueHour, ReferencePeriod, Spreads
from mergecast.signals.thresholds.reference_figures import Sample, Totals, WeightedHour, sample_of
from mergecast.signals.thresholds.reference_spread import FEWEST, failures_logarithm, spreads_of
from mergecast.signals.thresholds.time_shift import HOURS_OF_WEEK, PinnedTimes

LONGEST_USUAL: Final = 7  # days
ENOUGH: Final = 200  # merges, for a usual window that is shorter
WINDOWS: Final = (1, 3, LONGEST_USUAL, 14, 21)  # days; a figure may be above its limit in any of them
# How many spreads a change must be above 1 in windows of so many days for chance not to explain it. A quiet
# queue then has less than one false alert a year, as `benchmarks/alerts.py` measures. A year has fewer long
# windows than short ones, so that fewer spreads are enough.
SPREADS_NEEDED: Final = {7: 3.5, 14: 3.0, 21: 2.5}
# The part of the variance of weeks that several weeks have in common.
_LASTING = 0.3


def _half_way(limit: float) -> float:
    return 1 + (limit - 1) / 2


class Ratio(NamedTuple):
    """One figure beside that of the reference period."""

    value: float | None
    reference_value: float | None
    ratio: float | None  # None: too little to compare, or the reference period's figure is zero
    limit: float
    lowest: float | None  # the lowest change that is plausible, as a ratio; only computed above the limit
    can_compare: bool
    days: int = LONGEST_USUAL  # of the window that has this figure

    @property
    def is_above(self) -> bool:
        """Whether the figure is above its limit; any figure is if the reference period's is zero."""
        if not self.can_compare:
            return False
        return self.ratio > self.limit if self.ratio is not None else bool(self.value)

    @property
    def is_worse(self) -> bool:
        """Whether the figure is above its limit, and chance does not explain it."""
        return self.is_above and self.lowest is not None and self.lowest > 1

    @property
    def is_low(self) -> bool:
        """Whether the figure is low enough to end an alert: less than half of the way to the limit."""
        if not self.can_compare:
            return False
        return self.ratio < _half_way(self.limit) if self.ratio is not None else not self.value


class Ratios(Struct, frozen=True):
    time_to_merge_p95: Ratio
    failure_rate: Ratio
    ci_runs_per_merge: Ratio


class Comparison(NamedTuple):
    at: int  # a whole hour: the end of the windows
    days: int  # of the usual window
    merges: int
    ratios: Ratios


def compare(
    period: ReferencePeriod, pinned: Sequence[QueueHour], recent: Sequence[QueueHour], at: int
) -> Comparison:
    """Compare the days before `at` with the pinned hours; `recent` has the hours of the last weeks."""
    return Beside(period, pinned).compare(recent, at)


def _shown(ratios: Mapping[int, Ratio], usual: int, lowest: Mapping[int, float]) -> Ratio:
    """The ratio of the longest window that is worse than the period, or else that of the usual one."""
    told = {days: _with_lowest(ratio, lowest) for days, ratio in ratios.items()}
    return next((told[days] for days in reversed(WINDOWS) if told[days].is_worse), told[usual])


def _with_lowest(ratio: Ratio, lowest: Mapping[int, float]) -> Ratio:
    """A longer window shows better whether chance explains what a shorter one has."""
    found = [one for days, one in lowest.items() if days >= ratio.days]
    return ratio._replace(lowest=max(found)) if ratio.is_above and found else ratio


def _usual_window(samples: Mapping[int, Sample]) -> int:
    """The shortest that has enough merges, at most a week."""
    enough = (days for days in WINDOWS if samples[days].totals.merges >= ENOUGH)
    return min(next(enough, LONGEST_USUAL), LONGEST_USUAL)


def _last(hours: Iterable[QueueHour], end: int, days: int) -> list[QueueHour]:
    return [hour for hour in hours if end - days * 24 <= hour.number < end]


class Beside:
    """A reference period, to be compared with windows of its queue."""

    def __init__(self, period: ReferencePeriod, pinned: Sequence[QueueHour]) -> None:
        self._period, self._pinned = period, pinned
        self._weeks = (period.end - period.start) / WEEK
        self._covered = _covered(period)
        self._whole = self._same_hours(0, HOURS_OF_WEEK)

    def compare(self, recent: Sequence[QueueHour], at: int) -> Comparison:
        """Compare the days before `at`; `recent` has the hours of the last weeks."""
        end = at // HOUR
        now = {days: _last(recent, end, days) for days in WINDOWS}
        samples = {days: sample_of(hours) for days, hours in now.items()}
        usual = _usual_window(samples)
        ratios = {days: self.ratios(sample, end, days) for days, sample in samples.items()}
        above = {figure for of_window in ratios.values() for figure, one in of_window.items() if one.is_above}
        lowest = {figure: self.lowest(figure, now, samples) for figure in above}
        shown = {
            figure: _shown({days: ratios[days][figure] for days in WINDOWS}, usual, lowest.get(figure, {}))
            for figure in COMPARED
        }
        return Comparison(end * HOUR, usual, round(samples[usual].totals.merges), Ratios(**shown))

    @cached_property
    def times(self) -> PinnedTimes:
        return PinnedTimes(self._pinned)

    @cached_property
    def _spreads(self) -> Spreads:
        stored = self._period.spreads
        return stored or spreads_of(Window(self._period.start, self._period.end), (), self._pinned)

    def ratios(self, now: Sample, end: int, days: int) -> dict[str, Ratio]:
        """The figures of a window beside those of the same hours of the week."""
        then = self.same_hours(end, days).figures
        observed = (now.times, now.totals.exits, now.totals.merges)
        found = {}
        for figure, count in zip(COMPARED, observed, strict=True):
            value, earlier = getattr(now.figures, figure), getattr(then, figure)
            can_compare = count >= FEWEST and earlier is not None
            ratio = value / earlier if can_compare and earlier else None
            limit = getattr(self._period.limits, figure)
            found[figure] = Ratio(value, earlier, ratio, limit, None, can_compare, days)
        return found

    def lowest(
        self, figure: str, hours: Mapping[int, Sequence[QueueHour]], samples: Mapping[int, Sample]
    ) -> dict[int, float]:
        """The lowest change of a figure that is plausible, in each window that can tell.

        None can if the last week is back to less than half of the way to the limit.
        """
        changes = {days: self._change(figure, hours[days], samples[days].totals) for days in SPREADS_NEEDED}
        least = log(_half_way(getattr(self._period.limits, figure)))
        if (changes[LONGEST_USUAL] or 0.0) < least:
            return {}
        return {
            days: exp(change - self._caution_of(figure, days, samples[days].totals))
            for days, change in changes.items()
            if change is not None
        }

    def _change(self, figure: str, hours: Iterable[QueueHour], now: Totals) -> float | None:
        """The logarithm of how much a figure has changed; for times to merge, that of all of them."""
        match figure:
            case "time_to_merge_p95":
                return self.times.shift(hours)
            case "failure_rate":
                return failures_logarithm(now) - failures_logarithm(self._whole.totals)
            case _:
                runs, before = now.ci_runs_per_merge, self._whole.totals.ci_runs_per_merge
                return log(runs / before) if runs and before else None

    def _caution_of(self, figure: str, days: int, now: Totals) -> float:
        """How large the logarithm of a change may be by chance, in a window of so many days."""
        match figure:
            case "time_to_merge_p95":
                return self.caution_of_times(days)
            case "failure_rate":
                # They vary at least as much as independent ones would, even if the weeks happen to agree.
                independent = sqrt(1 / max(now.failures, 1) + 1 / max(self._whole.totals.failures, 1))
                learned = self._caution(days, self._spreads.failure_rate)
                return max(learned, SPREADS_NEEDED[days] * independent)
            case _:
                return self._caution(days, self._spreads.ci_runs_per_merge)

    def caution_of_times(self, days: int) -> float:
        return self._caution(days, self._spreads.time_to_merge)

    def _caution(self, days: int, spread: float) -> float:
        return SPREADS_NEEDED[days] * spread * sqrt(7 / days + 1 / self._weeks + _LASTING)

    def same_hours(self, end: int, days: int) -> Sample:
        """The period at the hours of the week that a window has; each counts the same."""
        if days % 7 == 0:
            return self._whole
        return self._same_hours((end - days * 24) % HOURS_OF_WEEK, days * 24)

    def _same_hours(self, phase: int, count: int) -> Sample:
        return Sample(
            WeightedHour(hour, self._weeks / self._covered[hour.number % HOURS_OF_WEEK])
            for hour in self._pinned
            if (hour.number - phase) % HOURS_OF_WEEK < count
        )


def _covered(period: ReferencePeriod) -> list[float]:
    """How often the reference period has each hour of the week; a part of an hour counts as that part."""
    covered = [0.0] * HOURS_OF_WEEK
    for number in range(period.start // HOUR, -(-period.end // HOUR)):
        part = min(period.end, (number + 1) * HOUR) - max(period.start, number * HOUR)
        covered[number % HOURS_OF_WEEK] += part / HOUR
    return covered


def window_start(at: int) -> int:
    """From when on `compare` needs the hours of a queue."""
    return at // HOUR * HOUR - WINDOWS[-1] * DAY


def hours_needed(hours: Sequence[QueueHour], at: int) -> Sequence[QueueHour]:
    """The hours, in order, that a comparison at an instant needs."""
    number = attrgetter("number")
    first, end = window_start(at) // HOUR, at // HOUR
    return hours[bisect_left(hours, first, key=number) : bisect_left(hours, end, key=number)]
