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


@pytest.mark.parametrize(("pattern", "text", "found"), [("b+", "abc", True), ("^b", "abc", False)])
def test_a_usual_pattern(pattern: str, text: str, found: bool) -> None:
    """It is found or not, and the alarm is off again."""
    assert found is search(re.compile(pattern), text)
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
