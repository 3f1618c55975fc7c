"""Compares the last days of a queue with the same hours of the week in a baseline."""

from collections.abc import Iterable, Iterator, Sequence
from math import log, sqrt
from statistics import fmean
from typing import Final, NamedTuple

from msgspec import Struct

from mergecast.queues.model.baseline import MEASURES, Baseline, Figures, Limits, QueueHour, stored_name
from mergecast.queues.model.instant import DAY, HOUR, WEEK
from mergecast.signals.detection.baseline_chance import Caution, lowest_ratios
from mergecast.signals.detection.baseline_figures import PlacedHour, Sample, figures_of

# What is assumed about a queue of which little is known, as if so many weeks had shown it: standard
# deviations of logarithms in simulated queues of the family `tuning`.
_USUAL = Figures(0.2, 0.3, 0.08)
_USUAL_WEEKS = 3
LONGEST_WINDOW: Final = 7  # days
ENOUGH: Final = 200  # merges, for a shorter window
FEWEST: Final = 20  # observations behind a figure that is compared
_SHORT, _CAUTION = 14 * DAY, 1.3
_HOURS_OF_WEEK = 7 * 24
_HOURS_OF_DAY = 24
# A small change takes more than a week to tell from chance. Several weeks together differ less than single
# ones, and a year has fewer of them, so fewer spreads are enough.
SEVERAL_WEEKS: Final = 3


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
        log(figures.time_to_merge_p95) if figures.time_to_merge_p95 else None,
        # Half a failure more, because a week may have none.
        log((failures + 0.5) / (exits + 1)),
        log(figures.ci_runs_per_merge) if figures.ci_runs_per_merge else None,
    )


class Window(NamedTuple):
    """How a window is cut into blocks, and how many spreads above 1 each ratio must be.

    The spreads allow a quiet queue less than one false alert a year, as `benchmarks/alerts.py` measures. A
    short window needs more of them: it does not show by how much weeks differ.
    """

    days: int
    block: int  # hours
    spreads: tuple[float, float, float]  # as in `Figures`

    @property
    def hours(self) -> int:
        return self.days * _HOURS_OF_DAY

    @property
    def blocks(self) -> int:
        return self.hours // self.block


# The shortest that has enough merges is taken.
WINDOWS: Final = (
    Window(1, 4, (8.0, 3.2, 5.5)),
    Window(3, 4, (8.0, 3.2, 5.5)),
    Window(LONGEST_WINDOW, 24, (2.8, 2.8, 2.8)),
)
_SEVERAL_SPREADS: Final = (2.2, 2.2, 2.2)


class Ratio(NamedTuple):
    """One figure beside that of the baseline."""

    value: float | None
    baseline_value: float | None
    ratio: float | None  # None: too little to compare, or the baseline's figure is zero
    limit: float
    lowest: float | None  # the lowest ratio that is plausible; only computed above the limit
    can_compare: bool

    @property
    def is_above(self) -> bool:
        """Whether the figure is above its limit; any figure is if the baseline's is zero."""
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
        return self.ratio < 1 + (self.limit - 1) / 2 if self.ratio is not None else not self.value


class Ratios(Struct, frozen=True, rename=stored_name):
    time_to_merge_p95: Ratio
    failure_rate: Ratio
    ci_runs_per_merge: Ratio


class Comparison(NamedTuple):
    at: int  # a whole hour: the end of the window
    days: int
    merges: int
    ratios: Ratios


def compare(
    baseline: Baseline, pinned: Sequence[QueueHour], recent: Sequence[QueueHour], at: int, seed: int = 0
) -> Comparison:
    """Compare the days before `at` with the pinned hours; `recent` has the hours of the last weeks."""
    end = at // HOUR
    window = _window(recent, end)
    first = end - window.hours
    now = Sample(
        [
            PlacedHour(hour, 1.0, (hour.number - first) // window.block)
            for hour in recent
            if first <= hour.number < end
        ],
        window.blocks,
    )
    then = _same_hours(baseline, pinned, window, first % _HOURS_OF_WEEK)
    ratios = _ratios(now, then, baseline.limits)
    if any(ratio.is_above for ratio in ratios.values()):
        caution = _caution(baseline, pinned, window)
        found = [lowest_ratios(now, then, window.blocks, caution, seed)]
        if _has_weeks(baseline, recent, end):
            found.append(_lowest_of_weeks(baseline, pinned, recent, end, seed))
        ratios = {
            measure: ratio._replace(lowest=_highest(getattr(lowest, measure) for lowest in found))
            if ratio.is_above
            else ratio
            for measure, ratio in ratios.items()
        }
    return Comparison(end * HOUR, window.days, round(now.totals().merges), Ratios(**ratios))


def _has_weeks(baseline: Baseline, recent: Sequence[QueueHour], end: int) -> bool:
    """Whether several weeks have passed since the baseline, each with enough to compare."""
    first = end - SEVERAL_WEEKS * _HOURS_OF_WEEK
    exits = [0] * SEVERAL_WEEKS
    for hour in recent:
        if first <= hour.number < end:
            exits[(hour.number - first) // _HOURS_OF_WEEK] += hour.exits
    return first * HOUR >= baseline.end and min(exits) >= FEWEST


def _lowest_of_weeks(
    baseline: Baseline, pinned: Sequence[QueueHour], recent: Sequence[QueueHour], end: int, seed: int
) -> Figures:
    """The lowest plausible ratios of the last weeks together; each block has the same day of all of them."""
    week, first = WINDOWS[-1], end - SEVERAL_WEEKS * _HOURS_OF_WEEK
    now = Sample(
        [
            PlacedHour(hour, 1.0, (hour.number - first) % _HOURS_OF_WEEK // week.block)
            for hour in recent
            if first <= hour.number < end
        ],
        week.blocks,
    )
    # With the counts of the whole baseline, because fewer failures would say less about chance.
    then = _same_hours(baseline, pinned, week, first % _HOURS_OF_WEEK, (baseline.end - baseline.start) / WEEK)
    spreads = [_more(baseline) * spread for spread in _SEVERAL_SPREADS]
    caution = Caution(spreads, weekly_spreads(baseline, pinned, SEVERAL_WEEKS))
    return lowest_ratios(now, then, week.blocks, caution, seed)


def _highest(ratios: Iterable[float | None]) -> float | None:
    return max((ratio for ratio in ratios if ratio is not None), default=None)


def _more(baseline: Baseline) -> float:
    """More caution for a short baseline: a single week may have been a good one."""
    return _CAUTION if baseline.end - baseline.start < _SHORT else 1.0


def _caution(baseline: Baseline, pinned: Sequence[QueueHour], window: Window) -> Caution:
    """A whole week is compared with how much the weeks of the baseline differ."""
    spreads = [_more(baseline) * spread for spread in window.spreads]
    is_week = window.days == LONGEST_WINDOW
    return Caution(spreads, weekly_spreads(baseline, pinned)) if is_week else Caution(spreads)


def _window(recent: Sequence[QueueHour], end: int) -> Window:
    for window in WINDOWS:
        first = end - window.hours
        if sum(hour.merges for hour in recent if first <= hour.number < end) >= ENOUGH:
            return window
    return WINDOWS[-1]


def _same_hours(
    baseline: Baseline, pinned: Sequence[QueueHour], window: Window, phase: int, weeks: float = 1.0
) -> Sample:
    """The hours of the baseline at the hours of the week that the window has, as so many average weeks.

    `phase` is where in the week the window begins.
    """
    covered = _covered(baseline)
    placed = []
    for hour in pinned:
        after = (hour.number - phase) % _HOURS_OF_WEEK
        if after < window.hours:
            weight = weeks / covered[hour.number % _HOURS_OF_WEEK]
            placed.append(PlacedHour(hour, weight, after // window.block))
    return Sample(placed, window.blocks)


def _covered(baseline: Baseline) -> list[float]:
    """How often the baseline has each hour of the week; a part of an hour counts as that part."""
    covered = [0.0] * _HOURS_OF_WEEK
    for number in range(baseline.start // HOUR, -(-baseline.end // HOUR)):
        part = min(baseline.end, (number + 1) * HOUR) - max(baseline.start, number * HOUR)
        covered[number % _HOURS_OF_WEEK] += part / HOUR
    return covered


def _ratios(now: Sample, then: Sample, limits: Limits) -> dict[str, Ratio]:
    observed = Figures(now.times, *(round(count) for count in _counts(now)))
    figures, before = now.figures(), then.figures()
    found = {}
    for measure in MEASURES:
        value, earlier = getattr(figures, measure), getattr(before, measure)
        can_compare = getattr(observed, measure) >= FEWEST and earlier is not None
        ratio = value / earlier if can_compare and earlier else None
        found[measure] = Ratio(value, earlier, ratio, getattr(limits, measure), None, can_compare)
    return found


def _counts(sample: Sample) -> tuple[float, float]:
    totals = sample.totals()
    return totals.exits, totals.merges


def window_start(at: int) -> int:
    """From when on `compare` needs the hours of a queue."""
    return at // HOUR * HOUR - SEVERAL_WEEKS * WEEK
