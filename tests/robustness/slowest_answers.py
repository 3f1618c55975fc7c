"""Whether the server's other work delays the answers that a client waits for."""

import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import httpx
import pytest

from robustness.server_process import ServerProcess

_ROUNDS = 3
_ROUND_SECONDS = 2.0
_WARM_UP_SECONDS = 0.2
_ATTEMPTS = 3  # the machine may be busy for a while
_MOST_TIMES = 3
# The operating system may delay any process by this much.
_FLOOR_SECONDS = 0.015

Ask = Callable[[httpx.Client], object]


def check_delay(server: ServerProcess, ask: Ask, work: Callable[[], AbstractContextManager[object]]) -> None:
    """During this work the slowest answer takes at most three times as long as without it.

    Both are medians of the slowest answers of three rounds.
    """
    _slowest(server, ask, _WARM_UP_SECONDS)
    measured: list[tuple[float, float]] = []
    while len(measured) < _ATTEMPTS:
        during = _rounds_during(server, ask, work)
        if len(during) < _ROUNDS:
            return
        without = [_slowest(server, ask, _ROUND_SECONDS) for _ in range(_ROUNDS)]
        measured.append((statistics.median(without), statistics.median(during)))
        if measured[-1][1] <= _MOST_TIMES * max(measured[-1][0], _FLOOR_SECONDS):
            return
    pytest.fail(f"slowest answers without and with other work, in seconds: {measured}")


def _rounds_during(
    server: ServerProcess, ask: Ask, work: Callable[[], AbstractContextManager[object]]
) -> list[float]:
    """The slowest answer of each round, without the last round if its result no longer matters."""
    rounds: list[float] = []
    with work():
        while len(rounds) < _ROUNDS:
            rounds.append(_slowest(server, ask, _ROUND_SECONDS))
            # The median of three is at most the larger of two, and the floor is always allowed.
            if len(rounds) == 2 and max(rounds) <= _MOST_TIMES * _FLOOR_SECONDS:
                break
    return rounds


def _slowest(server: ServerProcess, ask: Ask, seconds: float) -> float:
    slowest = 0.0
    with server.client() as http:
        http.get("/healthz")
        deadline = time.monotonic() + seconds
        while (begun := time.monotonic()) < deadline:
            ask(http)
            slowest = max(slowest, time.monotonic() - begun)
    return slowest
