"""Compares past weeks with those before them, and with expected merges, at several dates of this history."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, isfinite, log, nan, sqrt
from statistics import mean, stdev
from typing import Final, NamedTuple

from msgspec.structs import asdict, astuple

from mergecast.forecasting.estimate.estimate import estimate
from mergecast.forecasting.forecast.ahead import COMPARED
from mergecast.forecasting.forecast.answer import Compared, Eta, EtaOfWindows, Extent, Figures, Ranged
from mergecast.forecasting.forecast.chances import ChanceCase, Odds, bins_of, odds_of
from mergecast.forecasting.forecast.eta import (
    Calibration,
    Expectations,
    Happened,
    Instant,
    calibrated,
    cases_of,
    eta_of,
)
from mergecast.forecasting.forecast.figures import FiguresFound, Range, ranged, recorded_figures, student
from mergecast.forecasting.forecast.replicates import BACKTEST_REPLICATES
from mergecast.forecasting.forecast.requirements import FITTED_DAYS, MOST_PARTS, TESTED_DAYS
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History

ErrorsFound = Compared[float]
TypicalErrorsFound = Compared[Range]
_Fold = tuple[Sequence[Expectations], Sequence[Expectations]]

_FITTED: Final = FITTED_DAYS * DAY
_TESTED: Final = TESTED_DAYS * DAY
_LEAST_STEP: Final = 7 * DAY
_LEAST_FITTED: Final = 14 * DAY
_FITTED_SHARE: Final = 0.7
_INSTANTS: Final = 60  # at which expected merges are computed, over all parts
_LEAST_CASES: Final = 10  # fewer expected merges say nothing about the weeks of a part
_LEAST_MERGED: Final = 20  # in the weeks of a part that are forecast, and before them
# A long history of a busy queue is cut fewer times, so that a back-test takes seconds and not minutes.
_MOST_FITTED: Final = 30_000


class Part(NamedTuple):
    """A forecast knows what happened from `start` to `cut`; what follows until `end` is compared with it."""

    start: float
    cut: float
    end: float


def parts_of(start: float, end: float, most: int = MOST_PARTS) -> list[Part]:
    """Parts of the recorded time, the oldest first.

    Up to 42 days forecast the next 14. The weeks that are forecast overlap in less than 14 weeks of history,
    and less than four weeks are cut once.
    """
    length = end - start
    if length < _LEAST_FITTED + _TESTED:
        return [Part(start, start + _FITTED_SHARE * length, end)]
    free = length - _LEAST_FITTED - _TESTED
    step = min(_TESTED, max(_LEAST_STEP, free / max(1, most - 1)))
    count = min(most, 1 + int(free / step))
    cuts = [end - _TESTED - step * back for back in reversed(range(count))]
    return [Part(max(start, cut - _FITTED), cut, cut + _TESTED) for cut in cuts]


@dataclass(frozen=True)
class TestedPart:
    """The last weeks of one part, and those before them, which are the forecast."""

    part: Part
    truth: FiguresFound
    before: FiguresFound
    expectations: tuple[Expectations, ...]

    @property
    def errors(self) -> ErrorsFound:
        return errors(self.before, self.truth)


@dataclass(frozen=True)
class BackTestFound:
    """All parts, the oldest first. There are none if too little was merged."""

    parts: tuple[TestedPart, ...]

    @property
    def forecast(self) -> TypicalErrorsFound:
        return typical([tested.errors for tested in self.parts])

    @property
    def calibration(self) -> Calibration:
        return calibrated(_merges([found for tested in self.parts for found in tested.expectations]))

    @property
    def etas(self) -> list[Eta[float]]:
        """For each part, how its expected merges held, corrected by what the other parts show."""
        return [
            _together([eta_of(_merges(tested), calibrated(_merges(others))) for tested, others in folds])
            for folds in map(self._folds, self.parts)
        ]

    @property
    def eta(self) -> Eta[float]:
        """All parts together."""
        return _together(self.etas)

    @property
    def eta_of_windows(self) -> EtaOfWindows[float]:
        etas = self.etas
        return EtaOfWindows(
            **asdict(self.eta),
            p50_range=_extent([eta.p50 for eta in etas if eta.cases >= _LEAST_CASES]),
            p90_range=_extent([eta.p90 for eta in etas if eta.cases >= _LEAST_CASES]),
            windows=tuple(etas),
            chances=tuple(bins_of(self.chances)),
        )

    @property
    def odds(self) -> Odds:
        return odds_of(found.chances for tested in self.parts for found in tested.expectations)

    @property
    def chances(self) -> list[ChanceCase]:
        """The cases of all parts, each corrected by what the other parts show."""
        return [
            _corrected(case, odds)
            for part in self.parts
            for tested, others in self._folds(part)
            for odds in [odds_of(found.chances for found in others)]
            for found in tested
            for case in found.chances
        ]

    def _folds(self, part: TestedPart) -> list[_Fold]:
        """What is corrected, and what corrects it: the other parts, or the other days of the only part."""
        others = [found for other in self.parts if other is not part for found in other.expectations]
        if len(self.parts) > 1:
            return [(part.expectations, others)]
        middle = len(part.expectations) // 2
        earlier, later = part.expectations[:middle], part.expectations[middle:]
        return [(earlier, later), (later, earlier)]


def _merges(expectations: Sequence[Expectations]) -> list[Instant]:
    return [found.merges for found in expectations if found.merges]


def _corrected(case: ChanceCase, odds: Odds) -> ChanceCase:
    chance = odds.corrected(case.chance, has_failed=case.has_failed, has_returned=case.has_returned)
    return case._replace(chance=chance)


def _together(etas: Sequence[Eta[float]]) -> Eta[float]:
    found = [eta for eta in etas if eta.cases]
    cases = sum(eta.cases for eta in found)
    if not cases:
        return Eta(nan, nan, 0)
    p50, p90 = (sum(getattr(eta, name) * eta.cases for eta in found) / cases for name in ("p50", "p90"))
    return Eta(p50, p90, cases)


def _extent(shares: Sequence[float]) -> Extent | None:
    """None if there is nothing to compare with."""
    return Extent(min(shares), max(shares)) if len(shares) > 1 else None


def back_test(happened: Happened, seed: int, most: int = MOST_PARTS) -> BackTestFound:
    history = happened.history
    parts = _affordable(parts_of(*history.recorded_span, most), history)
    instants = _INSTANTS // len(parts)
    found = (_tested(part, happened, seed, instants) for part in parts)
    return BackTestFound(tuple(tested for tested in found if tested is not None))


def _affordable(parts: list[Part], history: History) -> list[Part]:
    """The latest parts whose estimates together read not too many stays, but at least one."""
    entered = [stay.entered for stay in history.stays]
    kept: list[Part] = []
    read = 0
    for part in reversed(parts):
        read += sum(part.start <= at < part.cut for at in entered)
        if kept and read > _MOST_FITTED:
            break
        kept.append(part)
    return kept[::-1]


def _tested(part: Part, happened: Happened, seed: int, instants: int) -> TestedPart | None:
    """None if too little was merged."""
    queues = happened.queues
    known, names = happened.history.since(part.start).until(part.end), sorted(queues)
    merged = [stay.left for stay in known.stays if stay.is_merged and stay.queue_name in queues]
    later = sum(left is not None and left >= part.cut for left in merged)
    if min(later, len(merged) - later) < _LEAST_MERGED:
        return None
    trains = infer(known.until(part.cut))
    fitted = [estimate(train, BACKTEST_REPLICATES, seed) for train in trains]
    return TestedPart(
        part=part,
        truth=recorded_figures(known, names, part.cut, part.end),
        before=recorded_figures(known, names, part.start, part.cut),
        expectations=tuple(
            instant
            for found in fitted
            for instant in cases_of(found, happened._replace(history=known), instants)
        ),
    )


def middle(replicates: Sequence[FiguresFound]) -> FiguresFound:
    return Figures(*(found.value for found in astuple(ranged(replicates))))


def errors(found: FiguresFound, true: FiguresFound) -> ErrorsFound:
    """Relative errors: 0.1 means 10 % too high, NaN that there was nothing to compare."""
    return Compared(*(getattr(found, name) / getattr(true, name) - 1 for name in COMPARED))


def typical(several: Sequence[ErrorsFound]) -> TypicalErrorsFound:
    """How far off several forecasts were, in either direction, each with the 90 % interval of that mean."""
    return Compared(*(typical_error([getattr(one, name) for one in several]) for name in COMPARED))


def typical_error(relative: Sequence[float]) -> Range:
    """The mean absolute error, by logarithms, so that twice and half as much are equally wrong."""
    logs = [abs(log(1 + error)) for error in relative if isfinite(error) and error > -1]
    if not logs:
        return Ranged(nan, nan, nan)
    middle = mean(logs)
    if len(logs) == 1:
        return Ranged(expm1(middle), nan, nan)
    reach = student(len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Ranged(expm1(middle), expm1(max(0.0, middle - reach)), expm1(middle + reach))
