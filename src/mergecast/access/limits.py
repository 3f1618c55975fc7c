"""How much is too much: requests of one credential, failures of one address, work at the same time."""

import math
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from mergecast.access.errors import TooManyRequests
from mergecast.model.instant import SECOND

_MOST_BUCKETS = 10_000


class Buckets:
    """Token buckets, one for each key: `burst` at once, then `rate` a second. A rate of 0 never limits."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._levels: OrderedDict[Hashable, tuple[float, int]] = OrderedDict()

    def take(self, key: Hashable, now: int) -> int:
        """Take one; 0, or after how many seconds there is one again."""
        if not self._rate:
            return 0
        level = self._level(key, now)
        if level < 1:
            return self._wait(level)
        self._levels[key] = (level - 1, now)
        self._levels.move_to_end(key)
        if len(self._levels) > _MOST_BUCKETS:
            # The bucket that was not used for longest has had the most time to fill up again.
            self._levels.popitem(last=False)
        return 0

    def wait(self, key: Hashable, now: int) -> int:
        """What `take` would return, with nothing taken."""
        if not self._rate:
            return 0
        level = self._level(key, now)
        return 0 if level >= 1 else self._wait(level)

    def _level(self, key: Hashable, now: int) -> float:
        known = self._levels.get(key)
        if known is None:
            return self._burst
        level, then = known
        # A clock that was set back gives nothing and takes nothing.
        return min(self._burst, level + max(0, now - then) * self._rate / SECOND)

    def _wait(self, level: float) -> int:
        return math.ceil((1 - level) / self._rate)


class AtWork:
    """Costly requests of one credential that run at the same time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: Counter[Hashable] = Counter()

    @contextmanager
    def one_more(self, key: Hashable) -> Iterator[None]:
        if self._running[key] >= self._most:
            raise TooManyRequests(
                f"{self._most} requests of this kind run for this credential already; wait for one to end", 1
            )
        self._running[key] += 1
        try:
            yield
        finally:
            self._running[key] -= 1
            if not self._running[key]:
                del self._running[key]
