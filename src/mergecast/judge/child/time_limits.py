"""Limits on the CPU time of parts of a task, such as pattern searches and single pull requests.

CPU time of this thread, because a result must not depend on how busy the machine is. Python's pattern matcher
looks for signals while it works, so a limit stops it within a millisecond. Only for the main thread of a
child.
"""

import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import NamedTuple, TypeVar

from mergecast.language.conditions.errors import PatternTooSlow

# A pattern that is too slow on this many pull requests is not tried on others.
_SLOW_PULL_REQUESTS = 2


class TimeLimits(NamedTuple):
    """Seconds of CPU time within one task."""

    pattern: float = 0.2
    # Even a document full of slow patterns leaves time for the rest of a pull request.
    all_patterns: float = 1.0
    # For each pattern after that: enough for all but the slow ones, of which there may be hundreds.
    least_pattern: float = 0.005
    # More than all its patterns may take, and little enough that the others are answered before the deadline.
    pull_request: float = 2.0
    all_pull_requests: float = 2.5
    # Each has this much besides, so that slow ones do not keep the others from being simulated.
    least_pull_request: float = 0.01


LIMITS = TimeLimits()

T = TypeVar("T")


class PullRequestTooSlow(BaseException):
    """Not an `Exception`, so that no library can handle it by accident."""


class Searches:
    """Searches for patterns in one task. A pattern that was too slow is not tried again on a pull request."""

    def __init__(self, limits: TimeLimits = LIMITS) -> None:
        self._limits = limits
        self._too_slow: set[re.Pattern[str]] = set()
        self._slow_pull_requests: Counter[re.Pattern[str]] = Counter()
        self._left = limits.all_patterns

    def begin_pull_request(self) -> None:
        """Try patterns again that were too slow on the one before, unless they are always slow."""
        self._slow_pull_requests.update(self._too_slow)
        self._too_slow = {
            pattern for pattern, number in self._slow_pull_requests.items() if number >= _SLOW_PULL_REQUESTS
        }

    def search(self, pattern: re.Pattern[str], text: str) -> bool:
        """Whether the pattern occurs in the text; raises PatternTooSlow if that takes too long."""
        if pattern in self._too_slow:
            raise PatternTooSlow
        begun = time.thread_time()
        seconds = max(self._limits.least_pattern, min(self._limits.pattern, self._left))
        try:
            return limited(seconds, PatternTooSlow, lambda: pattern.search(text) is not None)
        except PatternTooSlow:
            self._too_slow.add(pattern)
            raise
        finally:
            self._left -= time.thread_time() - begun


class PullRequestBudget:
    """The CPU time of the simulations of one task."""

    def __init__(self, limits: TimeLimits = LIMITS) -> None:
        self._limits = limits
        self._left = limits.all_pull_requests

    def run(self, simulate: Callable[[], T]) -> T:
        """Simulate one pull request; raises PullRequestTooSlow if that takes too long."""
        least = self._limits.least_pull_request
        begun = time.thread_time()
        seconds = min(self._limits.pull_request, least + self._left)
        try:
            return limited(seconds, PullRequestTooSlow, simulate)
        finally:
            self._left = max(0.0, self._left - max(0.0, time.thread_time() - begun - least))


# The limits that apply now, outermost first: the CPU time of this process at the end of each, and its error.
_limits: list[tuple[float, type[BaseException]]] = []


def limited(seconds: float, error: type[BaseException], run: Callable[[], T]) -> T:
    """The result of the work; raises the error if it takes more seconds of CPU time."""
    depth = len(_limits)
    if not depth:
        signal.signal(signal.SIGALRM, _check_limits)
    try:
        _limits.append((time.thread_time() + seconds, error))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return run()
    finally:
        del _limits[depth:]
        _set_timer()


def _check_limits(_: int, __: FrameType | None) -> None:
    """Raise the error of the outermost limit that was reached; wait on if the process only had to wait."""
    now = time.thread_time()
    for depth, (end, error) in enumerate(_limits):
        if end <= now:
            # At most one error per limit, even if it interrupts the end of that limit.
            del _limits[depth:]
            _set_timer()
            raise error
    _set_timer()


def _set_timer() -> None:
    """A real timer is never too late, because CPU time does not pass faster than real time.

    The timers of the system that count CPU time are less precise.
    """
    now = time.thread_time()
    left = min((end - now for end, _ in _limits), default=0.0)
    signal.setitimer(signal.ITIMER_REAL, max(left, 0.0005) if _limits else 0)
