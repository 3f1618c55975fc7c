"""The next two weeks: as the six weeks before, with how far off that was at earlier dates of this history."""

from collections.abc import Sequence
from math import exp, isfinite, log, nan, sqrt
from statistics import fmean, variance
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.answer import Compared, Ranged
from mergecast.forecasting.forecast.figures import FiguresFound, Range, recorded_figures, student
from mergecast.forecasting.forecast.requirements import FITTED_DAYS, MOST_ORIGINS, TESTED_DAYS
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.words import counted

COMPARED: Final = Compared.__struct_fields__
# The standard deviation that is usual for queues, which counts as much as three earlier forecasts.
_USUAL: Final = Compared(time_to_merge_p50=0.18, time_to_merge_p95=0.40, ci_runs_per_merge=0.10)
_WEIGHT: Final = 3


class Expected(NamedTuple):
    """The logarithm of what is expected, its variance, and how many errors that variance follows from."""

    value: float
    variance: float = nan
    errors: int = 0

    def times(self, ratio: "Expected") -> "Expected":
        """The same for other settings, of which replays show the ratio."""
        return Expected(self.value + ratio.value, self.variance + ratio.variance, self.errors)

    @property
    def interval(self) -> Range:
        """It holds in 90 % of all cases."""
        if not isfinite(self.variance):
            return Ranged(nan, nan, nan)
        return Ranged(exp(self.value), exp(self.value - self.reach), exp(self.value + self.reach))

    @property
    def reach(self) -> float:
        return student(_WEIGHT + self.errors) * sqrt(self.variance)


class Ahead(NamedTuple):
    """What is expected, and of how many earlier forecasts of p50 the interval held."""

    expected: Compared[Expected]
    held: int
    checked: int


def ahead(history: History, queues: Sequence[str]) -> Ahead:
    """From what was recorded, if the settings stay as they are."""
    start, end = history.recorded_span
    origins = [end - TESTED_DAYS * DAY * back for back in range(1, MOST_ORIGINS + 1)]
    known = [at for at in reversed(origins) if at - FITTED_DAYS * DAY >= start]
    pairs = [
        (_before(history, queues, at), recorded_figures(history, queues, at, at + TESTED_DAYS * DAY))
        for at in known
    ]
    now = _before(history, queues, end)
    errors = {name: [_error(before, came, name) for before, came in pairs] for name in COMPARED}
    expected = Compared(*(_expected(name, getattr(now, name), errors[name]) for name in COMPARED))
    held = [
        abs(error) <= _expected(COMPARED[0], 1.0, errors[COMPARED[0]][:place]).reach
        for place, error in enumerate(errors[COMPARED[0]])
        if isfinite(error)
    ]
    return Ahead(expected, sum(held), len(held))


def _before(history: History, queues: Sequence[str], at: float) -> FiguresFound:
    return recorded_figures(history, queues, max(at - FITTED_DAYS * DAY, history.recorded_span[0]), at)


def _error(before: FiguresFound, came: FiguresFound, name: str) -> float:
    expected, true = getattr(before, name), getattr(came, name)
    return log(true / expected) if expected > 0 and true > 0 and isfinite(true / expected) else nan


def _expected(name: str, value: float, errors: Sequence[float]) -> Expected:
    found = [error for error in errors if isfinite(error)]
    if not value > 0 or not isfinite(value):
        return Expected(nan)
    squares = _WEIGHT * getattr(_USUAL, name) ** 2 + sum(error**2 for error in found)
    return Expected(log(value), squares / (_WEIGHT + len(found)), len(found))


def ratio_of(before: Sequence[FiguresFound], after: Sequence[FiguresFound]) -> Compared[Expected]:
    """How figures under other settings compare with those of today, in pairs of replays."""
    return Compared(*(_ratio(before, after, name) for name in COMPARED))


def _ratio(before: Sequence[FiguresFound], after: Sequence[FiguresFound], name: str) -> Expected:
    pairs = [(getattr(one, name), getattr(other, name)) for one, other in zip(before, after, strict=True)]
    logs = [log(new / old) for old, new in pairs if old > 0 and new > 0 and isfinite(new / old)]
    if len(logs) < 2:  # noqa: PLR2004 - one value has no spread
        return Expected(nan)
    return Expected(fmean(logs), variance(logs) * (1 + 1 / len(logs)))


def intervals(expected: Compared[Expected], ratio: Compared[Expected] | None = None) -> Compared[Range]:
    """The next two weeks with the settings as they are, or with others."""
    if ratio is None:
        return Compared(*(getattr(expected, name).interval for name in COMPARED))
    both = ((getattr(expected, name), getattr(ratio, name)) for name in COMPARED)
    return Compared(*(one.times(other).interval for one, other in both))


def sentence(found: Ahead) -> str:
    """As in `The next two weeks: p50 40m, probably 29m to 55m; 9 of 10 earlier forecasts held.`"""
    p50 = found.expected.time_to_merge_p50.interval
    if not isfinite(p50.value):
        return "The next two weeks: too little was merged to say."
    value, low, high = (FIGURES["time_to_merge_p50"].written(one) for one in (p50.value, p50.low, p50.high))
    of = counted(found.checked, "earlier forecast")
    held = f"{found.held} of {of} held" if found.checked else "no earlier forecast could be checked"
    return f"The next two weeks: p50 {value}, probably {low} to {high}; {held}."
