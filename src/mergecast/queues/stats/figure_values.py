"""Figures as they are shown, rounded once, and exactly: a change is computed before anything is rounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mergecast.queues.model.figures import WAITS, Figure, Unit
from mergecast.queues.model.ratio import Ratio, difference, relative_change
from mergecast.queues.model.seconds import exact_percentile, in_seconds, percentile_in_seconds


@dataclass(frozen=True, slots=True)
class Value:
    shown: float | None
    count: int  # the number of things behind it
    exact: Ratio | None  # a duration is in microseconds


Values = dict[str, Value]  # by the name of the figure


def change_of(now: Value, then: Value, figure: Figure) -> float | None:
    """Relative, but a difference for rates; None if there is nothing to compare."""
    return (difference if figure.unit is Unit.RATE else relative_change)(now.exact, then.exact)


def counted_value(number: int) -> Value:
    return Value(number, number, Ratio(number))


def ratio_value(part: Any, whole: int, count: int) -> Value:
    exact = Ratio(int(part), whole) if whole else None
    return Value(None if exact is None else exact.part / exact.whole, count, exact)


def mean_seconds_value(total: Any, whole: int, count: int) -> Value:
    """A sum of microseconds divided by a number."""
    exact = Ratio(int(total), whole) if whole else None
    return Value(None if exact is None else in_seconds(*exact), count, exact)


def percentile_value(microseconds: float | None, count: int) -> Value:
    if microseconds is None:
        return Value(None, count, None)
    return Value(percentile_in_seconds(microseconds), count, exact_percentile(microseconds))


def waiting_values(totals: Sequence[Any], stays: int) -> Values:
    """What a stay waited for on average, from sums of microseconds."""
    return {
        f"waiting_{wait}": mean_seconds_value(total, stays, stays)
        for wait, total in zip(WAITS, totals, strict=True)
    }
