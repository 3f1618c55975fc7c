"""How long healthy streaks get: of failures, of entries of one pull request, of splits of one batch.

A level is not a percentage of decisions, because busy queues decide hundreds of times a day. It follows from
a budget: one false alarm in so many weeks, however many streaks these weeks have.
"""

from collections.abc import Sequence
from math import ceil, log, sqrt
from typing import Final, NamedTuple

from mergecast.queues.model.instant import WEEK

_BUDGET_WEEKS: Final = 24  # one false alarm of each problem in this time
# For what a fit does not know. A level is at least this many times the longest healthy streak.
_MARGIN: Final = 1.25
_USUAL_CASES = 8  # so many cases of a queue is worth what is usual for queues
_MOST_CONTINUED = 0.9


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
    begun_in_budget = max(begun * _BUDGET_WEEKS * WEEK / span, 1.0)
    fitted = first + ceil(log(begun_in_budget) / -log(share))
    return max(least, fitted, longest + 1, ceil(_MARGIN * longest))
