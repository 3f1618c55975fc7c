"""How large a healthy value gets: levels from the largest of many observed values.

A level is not a percentage of decisions, because busy queues decide hundreds of times a day. It follows from
a budget: one false alarm in so many weeks, however many cases these weeks have.
"""

from collections.abc import Iterable, Sequence
from math import ceil, log, sqrt
from typing import Final, NamedTuple

from mergecast.queues.model.instant import WEEK

BUDGET_WEEKS: Final = 24  # one false alarm of each problem in this time
# For what a fit does not know. A level is at least this many times the largest healthy case.
MARGIN: Final = 1.25
LEAST_CASES: Final = 50
_TAIL = 0.1
_USUAL_CASES = 8  # so many cases of a queue is worth what is usual for queues
_MOST_CONTINUED = 0.9
_HEAVIEST = 0.5  # with a heavier tail, the variance would be infinite


class Case(NamedTuple):
    """One observed value, and the time in which it came about; an incomplete one would have become larger."""

    since: int
    at: int
    value: float
    is_complete: bool = True


class Caution(NamedTuple):
    """How seldom a level may be exceeded, and how far above the fit and the largest healthy case it is."""

    weeks: int = BUDGET_WEEKS
    of_fitted: float = MARGIN
    of_largest: float = MARGIN


USUAL_CAUTION: Final = Caution()


def tail_level(cases: Sequence[Case], span: int, caution: Caution = USUAL_CAUTION) -> float | None:
    """The value that healthy cases exceed once in so many weeks; None if there are too few.

    `span` is how long it took to observe them. The largest tenth is fitted by a generalized Pareto
    distribution. Incomplete cases count by the Kaplan-Meier estimate.
    """
    if len(cases) < LEAST_CASES or span <= 0:
        return None
    weighted = survival(cases)
    if not weighted:
        return None
    threshold, share = _threshold(weighted)
    excesses = [(value - threshold, weight) for value, weight in weighted if value > threshold]
    cases_in_budget = len(cases) * caution.weeks * WEEK / span
    fitted = threshold + _excess(excesses, max(cases_in_budget * share, 1.0))
    largest = max(case.value for case in cases)
    return max(caution.of_fitted * fitted, caution.of_largest * largest)


def survival(cases: Iterable[Case]) -> list[tuple[float, float]]:
    """The Kaplan-Meier estimate: values in order, each with its share of the distribution.

    What outlasts the largest complete case counts as that case.

    >>> survival([Case(0, 9, 1.0), Case(0, 9, 3.0)]), survival([Case(0, 9, 1.0), Case(0, 9, 3.0, False)])
    ([(1.0, 0.5), (3.0, 0.5)], [(1.0, 1.0)])
    """
    ordered = sorted(cases, key=lambda case: (case.value, not case.is_complete))
    remaining, found = 1.0, []
    for place, case in enumerate(ordered):
        if case.is_complete:
            left = remaining * (1 - 1 / (len(ordered) - place))
            found.append((case.value, remaining - left))
            remaining = left
    if found and remaining > 0:
        value, weight = found.pop()
        found.append((value, weight + remaining))
    return found


def _threshold(weighted: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The value that the largest tenth exceeds, and the exact share above it."""
    above = 0.0
    for value, weight in reversed(weighted):
        if above + weight > _TAIL and above > 0:
            return value, above
        above += weight
    return weighted[0][0], above


def _excess(excesses: Sequence[tuple[float, float]], times: float) -> float:
    """By how much the threshold is exceeded once in so many excesses, from their mean and variance."""
    total = sum(weight for _, weight in excesses)
    if total <= 0:
        return 0.0
    mean = sum(excess * weight for excess, weight in excesses) / total
    variance = sum(weight * (excess - mean) ** 2 for excess, weight in excesses) / total
    ratio = mean * mean / variance if variance > 0 else 1.0
    shape = max((1 - ratio) / 2, 0.0)
    # One standard error more than fitted: few excesses show little of how heavy the tail is.
    shape = min(shape + (1 + shape) / sqrt(len(excesses)), _HEAVIEST)
    # The mean of the distribution is scale / (1 - shape).
    return float(mean * (1 - shape) / shape * (times**shape - 1))


class Streaks(NamedTuple):
    """How often streaks continue in most queues, and how many standard errors more a level assumes."""

    continued: float
    doubt: float


def count_level(reached: Sequence[int], span: int, least: int, streaks: Streaks) -> int:
    """The count that healthy streaks reach once in 24 weeks; `least` at least.

    `reached` has each count that a streak reached: 1, 2 and 3 for a streak of three, or 2 and 3 if counting
    starts at two. Whether a streak continues is estimated from the streaks themselves, because what goes
    wrong together is more likely to go wrong again.

    >>> count_level([1] * 100 + [2] * 10, 8 * WEEK, 3, Streaks(continued=0.25, doubt=1.0))
    4
    """
    if not reached or span <= 0:
        return least
    first, longest = min(reached), max(reached)
    begun = sum(count == first for count in reached)
    # Of few streaks, little is known: they count together with what is usual for queues.
    cases = len(reached) + _USUAL_CASES
    mean = (len(reached) - begun + _USUAL_CASES * streaks.continued) / cases
    share = min(mean + streaks.doubt * sqrt(mean * (1 - mean) / (cases + 1)), _MOST_CONTINUED)
    begun_in_budget = max(begun * BUDGET_WEEKS * WEEK / span, 1.0)
    fitted = first + ceil(log(begun_in_budget) / -log(share))
    return max(least, fitted, longest + 1, ceil(MARGIN * longest))
