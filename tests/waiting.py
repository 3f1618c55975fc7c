"""Waiting in tests: a limit that is reached only when something never happens, on a busy machine too.

The longer it takes, the longer the pauses: asking a server costs CPU time, which it needs for its work.
"""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Tests wait at most this long for what takes less than a second on an idle machine.
MOST_SECONDS = 120.0
_LONGEST_PAUSE = 0.5


def wait_for(expected: object, found: Callable[[], object], pause: float = 0.02) -> None:
    """Return when this is found; otherwise fail with what was found last."""
    begun = time.monotonic()
    while expected != (last := found()):
        assert time.monotonic() < begun + MOST_SECONDS, last
        _pause(begun, pause)


def wait_until(
    found: Callable[[], T | None], what: str = "what this test waits for", pause: float = 0.02
) -> T:
    """The first result that is true."""
    begun = time.monotonic()
    while not (result := found()):
        waited = time.monotonic() - begun
        assert waited < MOST_SECONDS, f"{what} did not happen within {MOST_SECONDS:g} seconds"
        _pause(begun, pause)
    return result


def _pause(begun: float, least: float) -> None:
    """At most a tenth of the time that has passed is added to it."""
    time.sleep(max(least, min(_LONGEST_PAUSE, (time.monotonic() - begun) / 10)))
