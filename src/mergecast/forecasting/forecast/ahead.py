"""Replays the weeks after a record from what is known at its end, and says how far off that may be."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, isfinite, log, log1p, sqrt
from typing import Final

from mergecast.forecasting.estimate.estimate import Estimate
from mergecast.forecasting.estimate.weeks_ahead import (
    WeekAhead,
    if_weeks_like_these_come,
    weeks_ahead,
)
from mergecast.forecasting.forecast.answer import Compared, Errors, Ranged
from mergecast.forecasting.forecast.figures import FiguresFound, Range, range_of, student
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.replicates import BACKTEST_REPLICATES, Experiment, play
from mergecast.forecasting.forecast.requirements import TESTED_DAYS
from mergecast.forecasting.history.seconds import DAY, in_seconds, microseconds

_WARM_UP: Final = DAY
COMPARED: Final = Compared.__struct_fields__
# Replays show how much weeks like the recorded ones differ; that counts as much as this many past errors.
_OWN_WEIGHT: Final = 6
_WIDENED: Final = 1.15  # the recorded weeks are few, and others differ more
_FLOOR: Final = 0.01


def play_ahead(
    fitted: Sequence[Estimate], queues: frozenset[str], asked: Sequence[Sequence[Plan]], replicate: int
) -> list[FiguresFound]:
    """One replicate of the weeks after the record, until the last instant of the replays.

    It assumes that weeks like those recorded come; the same ones for each of several questions.
    """
    known_until, weeks = fitted[0].known_until, weeks_ahead(fitted[0], replicate)
    begins = known_until - _WARM_UP
    trains = tuple(if_weeks_like_these_come(train, replicate, begins) for train in fitted)
    experiment = Experiment(trains, queues, known_until, fitted[0].until, begins)
    continued = [[_with_schedules(plan, weeks) for plan in plans] for plans in asked]
    return [found.as_recorded for found in play(experiment, continued, replicate)]


def _with_schedules(plan: Plan, weeks: Sequence[WeekAhead]) -> Plan:
    """The plan with the schedule of its document in the weeks after the record, too."""
    if not plan.schedules:
        return plan
    later = [
        span._replace(start=microseconds(start), end=microseconds(end))
        for span in plan.schedules
        for week in weeks
        for start, end in week.moved([(in_seconds(span.start), in_seconds(span.end))])
    ]
    return replace(plan, schedules=(*plan.schedules, *later))


def next_weeks(
    fitted: Sequence[Estimate],
    queues: frozenset[str],
    asked: Sequence[Sequence[Plan]],
    past: Sequence[Errors],
) -> list[Compared[Range]]:
    """The next two weeks under each of several questions; `past` are the errors of earlier forecasts."""
    longer = [replace(train, until=train.known_until + TESTED_DAYS * DAY) for train in fitted]
    drawn = min(BACKTEST_REPLICATES, len(fitted[0].breakages))
    played = [play_ahead(longer, queues, asked, number) for number in range(drawn)]
    return [ahead_ranges(replicates, past) for replicates in zip(*played, strict=True)]


def ahead_ranges(replicates: Sequence[FiguresFound], past: Sequence[Errors]) -> Compared[Range]:
    """The figures of weeks after a record; `past` are the relative errors of earlier forecasts."""
    return Compared(
        *(
            ahead_range([getattr(one, name) for one in replicates], [getattr(one, name) for one in past])
            for name in COMPARED
        )
    )


def ahead_range(replicates: Iterable[float], past: Iterable[float | None]) -> Range:
    """The value that replays give, and the interval that holds in 90 % of all cases.

    Its width follows from how much the replays differ, and from how far off earlier forecasts were: with many
    of them mostly from those.
    """
    found = [value for value in replicates if isfinite(value) and value > 0]
    value = range_of(found).value
    if len(found) < 2:  # noqa: PLR2004 - one value has no spread
        return Ranged(value, float("nan"), float("nan"))
    spread = sum((log(one) - log(value)) ** 2 for one in found) / (len(found) - 1) * (1 + 1 / len(found))
    errors = [log1p(error) for error in past if error is not None and isfinite(error) and error > -1]
    own = _WIDENED**2 * (spread + _FLOOR**2)
    weight = _OWN_WEIGHT + len(errors)
    variance = (_OWN_WEIGHT * own + sum(error**2 for error in errors)) / weight
    reach = student(weight) * sqrt(variance)
    return Ranged(value, value * exp(-reach), value * exp(reach))
