"""Waiting in tests: a limit that is reached only when something never happens, on a busy machine too."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Tests wait at most this long for what takes less than a second on an idle machine.
MOST_SECONDS = 120.0


def wait_for(expected: object, found: Callable[[], object], pause: float = 0.02) -> None:
    """Return when this is found; otherwise fail with what was found last."""
    deadline = time.monotonic() + MOST_SECONDS
    while expected != (last := found()):
        assert time.monotonic() < deadline, last
        time.sleep(pause)


def wait_until(
    found: Callable[[], T | None], what: str = "what this test waits for", pause: float = 0.02
) -> T:
    """The first result that is true."""
    deadline = time.monotonic() + MOST_SECONDS
    while not (result := found()):
        assert time.monotonic() < deadline, f"{what} did not happen within {MOST_SECONDS:g} seconds"
        time.sleep(pause)
    return result
