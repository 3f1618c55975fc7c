"""How long the combinations of a search may take, so that slow ones do not cost the answer."""

import time
from collections.abc import Callable
from typing import TypeVar

from mergecast.judge.child.time_limits import limited
from mergecast.sandbox.limits import FORECAST_LIMITS

# Of the CPU time that a task may use; the rest is for reading the history before and for the answer after.
_SHARE = 0.8
_LONGEST_SHARE = 0.25  # of what is left, for one combination

T = TypeVar("T")


class CombinationTooSlow(BaseException):
    """Not an `Exception`, so that no library can handle it by accident."""


class SearchBudget:
    """The CPU time of one search, from now on. One slow combination leaves most of it to the others."""

    def __init__(self, seconds: float = _SHARE * FORECAST_LIMITS.deadline_seconds) -> None:
        self._end = time.thread_time() + seconds

    def run(self, work: Callable[[], T]) -> T | None:
        left = self._end - time.thread_time()
        if left <= 0:
            return None
        try:
            return limited(left * _LONGEST_SHARE, CombinationTooSlow, work)
        except CombinationTooSlow:
            return None
