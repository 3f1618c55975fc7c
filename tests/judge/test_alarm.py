"""Patterns under an alarm."""

import re
import signal
import time

import pytest

from mergecast.conditions.errors import PatternTooSlow
from mergecast.judge.alarm import SECONDS, search

_ENDLESS = [
    (r"(a+)+$", "a" * 60 + "b"),
    (r"(?:a|a)*$", "a" * 60 + "b"),
    (r"(?=(a+)+$)", "a" * 60 + "b"),
    (r"(.*)*b\1c", "a" * 5_000),
    (r".*.*.*.*.*.*=", "a" * 5_000),
]


def test_usual_patterns() -> None:
    """They are found or not, and the alarm is off again."""
    assert [True, False] == [search(re.compile(pattern), "abc") for pattern in ("b+", "^b")]
    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


@pytest.mark.parametrize(("pattern", "text"), _ENDLESS)
def test_a_pattern_without_end(pattern: str, text: str) -> None:
    """It is stopped soon after the alarm, as often as it is tried."""
    for _ in range(2):
        begun = time.monotonic()
        with pytest.raises(PatternTooSlow):
            search(re.compile(pattern), text)
        assert time.monotonic() - begun < SECONDS + 0.5
    assert signal.SIG_DFL == signal.getsignal(signal.SIGALRM)
