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

    Both are medians of the slowest answers of three rounds; rounds that cannot change the verdict are
    left out.
    """
    _slowest(server, ask, _WARM_UP_SECONDS)
    measured: list[tuple[float, float]] = []
    while len(measured) < _ATTEMPTS:
        with work():
            # The median of three is at most the larger of two.
            during = _median(server, ask, lambda two: max(two) <= _MOST_TIMES * _FLOOR_SECONDS)
        if during <= _MOST_TIMES * _FLOOR_SECONDS:
            return
        without = _without(server, ask, during)
        if during <= _MOST_TIMES * without:
            return
        measured.append((without, during))
    pytest.fail(f"slowest answers without and with other work, in seconds: {measured}")


def _without(server: ServerProcess, ask: Ask, during: float) -> float:
    # The median of three is at least the smaller of two.
    return _median(server, ask, lambda two: during <= _MOST_TIMES * min(two))


def _median(server: ServerProcess, ask: Ask, is_decided: Callable[[list[float]], bool]) -> float:
    """The median of the slowest answers of three rounds, or of two if they decide."""
    rounds = [_slowest(server, ask, _ROUND_SECONDS) for _ in range(_ROUNDS - 1)]
    if not is_decided(rounds):
        rounds.append(_slowest(server, ask, _ROUND_SECONDS))
    return statistics.median(rounds)


def _slowest(server: ServerProcess, ask: Ask, seconds: float) -> float:
    slowest = 0.0
    with server.client() as http:
        http.get("/healthz")
        deadline = time.monotonic() + seconds
        while (begun := time.monotonic()) < deadline:
            ask(http)
            slowest = max(slowest, time.monotonic() - begun)
    return slowest
