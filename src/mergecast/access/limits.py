"""Limits: request rates, failures per address, and costly requests that run at the same time."""

import math
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from mergecast.access.errors import TooManyRequests
from mergecast.process.counts import Counts
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import SECOND

_MOST_BUCKETS = 10_000


class Buckets:
    """Token buckets, one per key: `burst` at once, then `rate` per second. A rate of 0 means no limit.

    `now` comes from a clock that is never set (`clock.passed_in_microseconds`).
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        # The least recently used bucket has had the most time to refill: it is the one to forget.
        self._levels: RecentEntries[Hashable, tuple[float, int]] = RecentEntries(_MOST_BUCKETS)

    def __len__(self) -> int:
        """How many keys are remembered; the one unused for longest is dropped first."""
        return len(self._levels)

    def take(self, key: Hashable, now: int) -> int:
        """Take one token; returns 0, or the seconds until the next token if there is none."""
        if not self._rate:
            return 0
        level = self._level(key, now)
        if level < 1:
            return self._wait(level)
        self._levels.put(key, (level - 1, now))
        return 0

    def wait(self, key: Hashable, now: int) -> int:
        """What `take` would return; takes nothing."""
        if not self._rate:
            return 0
        level = self._level(key, now)
        return 0 if level >= 1 else self._wait(level)

    def _level(self, key: Hashable, now: int) -> float:
        known = self._levels.get(key)
        if known is None:
            return self._burst
        level, then = known
        if now <= then:
            return level
        filled = level + (now - then) * self._rate / SECOND
        return min(self._burst, filled)

    def _wait(self, level: float) -> int:
        return math.ceil((1 - level) / self._rate)


class ConcurrencyLimit:
    """Limits how many costly requests of one credential run at the same time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: Counts[Hashable] = Counts()

    def __len__(self) -> int:
        """How many credentials have such a request running."""
        return len(self._running)

    @contextmanager
    def running(self, key: Hashable) -> Iterator[None]:
        if self._running[key] >= self._most:
            raise TooManyRequests(
                f"{self._most} requests of this kind already run for this credential; wait until one ends",
                1,
            )
        self._running[key] += 1
        try:
            yield
        finally:
            self._running.release(key)
