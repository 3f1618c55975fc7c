"""Patterns of authors, searched for under an alarm: some take longer than the universe will last."""

import re
import signal
from types import FrameType

from mergecast.conditions.errors import PatternTooSlow

SECONDS = 0.2


def search(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern occurs in the text; `PatternTooSlow` when that takes too long.

    Python's matcher looks for signals while it works, so that the alarm stops it within a millisecond.
    For the main thread of a child only.
    """
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return pattern.search(text) is not None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_: int, __: FrameType | None) -> None:
    raise PatternTooSlow
