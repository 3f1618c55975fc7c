"""Patterns under an alarm."""

import re
import signal
import time

import pytest

from mergecast.conditions.errors import PatternTooSlow
from mergecast.judge.child.alarm import MOST_SECONDS, SECONDS, Searches

_ENDLESS = [
    (r"(a+)+$", "a" * 60 + "b"),
    (r"(?:a|a)*$", "a" * 60 + "b"),
    (r"(?=(a+)+$)", "a" * 60 + "b"),
    (r"(.*)*b\1c", "a" * 5_000),
    (r".*.*.*.*.*.*=", "a" * 5_000),
]


def _is_too_slow(searches: Searches, pattern: str, text: str) -> bool:
    try:
        searches.search(re.compile(pattern), text)
    except PatternTooSlow:
        return True
    return False


def test_usual_patterns() -> None:
    """They are found or not, and the alarm is off again."""
    searches = Searches()

    assert [True, False] == [searches.search(re.compile(pattern), "abc") for pattern in ("b+", "^b")]
    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


@pytest.mark.parametrize(("pattern", "text"), _ENDLESS)
def test_a_pattern_without_end(pattern: str, text: str) -> None:
    """It is stopped soon after the alarm, in each task anew."""
    for _ in range(2):
        begun = time.monotonic()
        assert _is_too_slow(Searches(), pattern, text)
        assert time.monotonic() - begun < SECONDS + 0.5
    assert signal.SIG_DFL == signal.getsignal(signal.SIGALRM)


def test_a_slow_pattern_on_many_texts() -> None:
    """It is tried on one of them; other patterns are searched for as before."""
    searches = Searches()
    begun = time.monotonic()

    assert all(_is_too_slow(searches, "(a+)+$", "a" * (50 + number) + "b") for number in range(100))

    assert time.monotonic() - begun < SECONDS + 0.5
    assert searches.search(re.compile("a+"), "a" * 60)


def test_many_slow_patterns() -> None:
    """All of them are found to be slow, in hardly more time than there is for all; usual ones still work."""
    searches = Searches()
    begun = time.monotonic()

    assert all(_is_too_slow(searches, f"(a+)+{number}$", "a" * 60) for number in range(50))

    assert time.monotonic() - begun < MOST_SECONDS + 1
    assert searches.search(re.compile("a+"), "a" * 60)
