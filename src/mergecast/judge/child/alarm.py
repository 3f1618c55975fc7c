"""Patterns of authors, searched for under an alarm: some take longer than the universe will last."""

import re
import signal
import time
from types import FrameType

from mergecast.conditions.errors import PatternTooSlow

SECONDS = 0.2
# All patterns of a task together: a document full of slow ones is still answered before the deadline.
MOST_SECONDS = 1.5
# For each pattern once that is used up: enough for all but the slow ones, of which there may be hundreds.
LEAST_SECONDS = 0.005


class Searches:
    """The searches of one task. A pattern that was too slow for one text is not tried on another."""

    def __init__(self) -> None:
        self._too_slow: set[re.Pattern[str]] = set()
        self._left = MOST_SECONDS

    def search(self, pattern: re.Pattern[str], text: str) -> bool:
        """Whether the pattern occurs in the text; `PatternTooSlow` when that takes too long."""
        if pattern in self._too_slow:
            raise PatternTooSlow
        begun = time.monotonic()
        try:
            return _search(pattern, text, max(LEAST_SECONDS, min(SECONDS, self._left)))
        except PatternTooSlow:
            self._too_slow.add(pattern)
            raise
        finally:
            self._left -= time.monotonic() - begun


def _search(pattern: re.Pattern[str], text: str, seconds: float) -> bool:
    """Python's matcher looks for signals while it works, so that the alarm stops it within a millisecond.

    For the main thread of a child only.
    """
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return pattern.search(text) is not None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_: int, __: FrameType | None) -> None:
    raise PatternTooSlow
