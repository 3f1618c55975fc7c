"""Which causes differ between the periods by more than their days do among themselves.

Each statistic is a logarithm of a ratio, divided by its standard error. That follows from how much days
differ: they resemble their neighbours, and so errors of days up to a work week apart are added up together.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.departures import BY_PEOPLE, is_refused
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.explanation.answer import CAUSES, Cause
from mergecast.forecasting.explanation.mixtures import Bench
from mergecast.forecasting.explanation.sides import Side, returns
from mergecast.forecasting.history.seconds import HOUR
from mergecast.forecasting.history.structure import Run

_CLEAR: Final = 3.0  # standard errors
_APART: Final = 5  # days whose errors are added up together
_FEW: Final = 20
_CLOSED_HOURS: Final = 2.0
_CLOSED_SHARE: Final = 0.25


def differing(bench: Bench) -> tuple[Cause, ...]:
    """The causes that differ, those that differ most clearly first."""
    found = {cause: clarity(bench, cause) for cause in CAUSES}
    return tuple(sorted((one for one in CAUSES if found[one] >= _CLEAR), key=lambda one: -found[one]))


def clarity(bench: Bench, cause: Cause) -> float:
    """By how many standard errors a cause differs; infinitely many if it is known exactly."""
    before, after = bench.sides
    if cause == "settings":
        return float("inf") if any(old != new for old, new in bench.policies) else 0.0
    if cause == "closed_time":
        return float("inf") if _is_closed_otherwise(before, after) else 0.0
    if cause == "arrivals":
        return _compared(*(_counted(side, [one.entered for one in side.entered]) for side in bench.sides))
    if cause == "run_length":
        return _lengths(before, after)
    return _failures(bench) if cause == "failures" else _people(before, after)


class _Level:
    """The logarithm of a level, and the variance of that."""

    def __init__(self, value: float, errors: Numbers) -> None:
        """`errors` are how much each day adds to it."""
        self.value = value
        self.variance = _added_up(errors)


def _compared(before: _Level | None, after: _Level | None) -> float:
    if before is None or after is None:
        return 0.0
    spread = sqrt(before.variance + after.variance)
    return abs(after.value - before.value) / spread if spread else 0.0


def _added_up(errors: Numbers) -> float:
    """The variance of the sum of errors of consecutive days, of which near ones are correlated."""
    count = len(errors)
    found = float(errors @ errors)
    for lag in range(1, min(_APART, count - 1) + 1):
        found += 2 * (1 - lag / (_APART + 1)) * float(errors[lag:] @ errors[:-lag])
    least = float(errors @ errors) / 2
    return max(found, least) * count / max(1, count - 2)


def _counted(side: Side, instants: Sequence[float]) -> _Level | None:
    """How often something happened, apart from which days are weekends."""
    per_day = side.by_day(instants, np.ones(len(instants)))
    if not per_day.sum():
        return None
    usual = np.zeros(side.days)
    for kind in (side.is_weekend, ~side.is_weekend):
        usual[kind] = per_day[kind].mean() if kind.any() else 0.0
    return _Level(log(per_day.sum()), np.asarray((per_day - usual) / per_day.sum(), dtype=np.float64))


def _shared(side: Side, instants: Sequence[float], hits: Numbers, weights: Numbers) -> _Level | None:
    """A rate: hits per weight."""
    total, weight = float(hits.sum()), float(weights.sum())
    if not total or not weight:
        return None
    rests = (hits - total / weight * weights) / total
    return _Level(log(total / weight), side.by_day(instants, rests))


def passed_runs(side: Side) -> list[Run]:
    return [run for run in side.recorded.runs if run.outcome == "SUCCESS" and run.ended is not None]


def _lengths(before: Side, after: Side) -> float:
    """Lengths of passed runs, compared among batches of the same size if there are such in both periods."""
    runs = [passed_runs(side) for side in (before, after)]
    if min(map(len, runs)) < _FEW:
        return 0.0
    sizes = [np.array([len(run.members) for run in own]) for own in runs]
    logs = [np.log([max((run.ended or 0.0) - run.started, 1.0) for run in own]) for own in runs]
    shared = [size for size in np.unique(sizes[0]) if min(np.sum(own == size) for own in sizes) >= _FEW]
    kept = [np.isin(own, shared) for own in sizes]
    if min(map(np.mean, kept)) < 1 / 5:
        kept = [np.ones(len(own), dtype=np.bool_) for own in sizes]
        sizes = [np.zeros_like(own) for own in sizes]
    every, size_of = (
        np.concatenate([own[mine] for own, mine in zip(what, kept, strict=True)]) for what in (logs, sizes)
    )
    usual = {size: every[size_of == size].mean() for size in np.unique(size_of)}
    levels = []
    for side, own, mine, log_lengths, of_size in zip((before, after), runs, kept, logs, sizes, strict=True):
        rests = log_lengths[mine] - np.array([usual[size] for size in of_size[mine]])
        starts = np.array([run.started for run in own])[mine]
        levels.append(_Level(float(rests.mean()), side.by_day(starts, (rests - rests.mean()) / len(rests))))
    return _compared(*levels)


def _failures(bench: Bench) -> float:
    """How often pull requests are broken or runs flake: drawn rates, which vary as much as days do."""
    found = 0.0
    for before, after in bench.trains:
        rates = [
            np.log([draw.rates.broken + draw.rates.flake for draw in side.fitted.breakages])
            for side in (before, after)
        ]
        spread = sum(float(np.var(own, ddof=1)) for own in rates)
        clustered = max(1.0, *(_clustering(side) for side in bench.sides))
        found = max(found, abs(float(rates[1].mean() - rates[0].mean())) / sqrt(spread * clustered))
    return found


def _clustering(side: Side) -> float:
    """By how much failed runs vary more from day to day than by chance."""
    runs = [
        run for run in side.recorded.runs if run.attempt == 1 and run.outcome in ("SUCCESS", "CHECKS_FAILED")
    ]
    failed = np.array([float(run.has_failed) for run in runs])
    level = _shared(side, [run.started for run in runs], failed, np.ones(len(runs)))
    by_chance = (1 - failed.mean()) / failed.sum() if level else 1.0
    return level.variance / float(by_chance) if level else 1.0


def _people(before: Side, after: Side) -> float:
    """How often people remove what waits, and whether pull requests enter again."""
    removing, returning = [], []
    for side in (before, after):
        stays = side.left
        ends = [stay.left or 0.0 for stay in stays]
        spent = np.array([(stay.left or 0.0) - max(stay.entered, side.since) for stay in stays]) / HOUR
        by_hand = np.array([float(stay.reason in BY_PEOPLE and not is_refused(stay)) for stay in stays])
        enough = by_hand.sum() >= _FEW
        removing.append(_shared(side, ends, by_hand, np.maximum(spent, 0.0)) if enough else None)
        found = returns(side)
        came = np.array([float(comes) for _, comes in found])
        instants = [stay.left or 0.0 for stay, _ in found]
        returning.append(_shared(side, instants, came, np.ones(len(found))) if came.sum() >= _FEW else None)
    return max(_compared(*removing), _compared(*returning))


def _is_closed_otherwise(before: Side, after: Side) -> bool:
    old, new = closed_hours(before), closed_hours(after)
    return abs(new - old) > max(_CLOSED_HOURS, _CLOSED_SHARE * max(old, new))


def closed_hours(side: Side) -> float:
    """How long schedules, freezes and pauses closed queues in the period, on average over its trains."""
    found = [
        max(0.0, min(end, side.until) - max(start, side.since))
        for train in side.trains
        for start, end in (*train.closed.schedules, *train.closed.freezes, *train.closed.pauses)
    ]
    return sum(found) / HOUR / max(1, len(side.trains))
