"""Limits the number of open streams: each holds a connection for minutes."""

from collections import Counter
from collections.abc import Callable, Hashable

from mergecast.access.errors import TooManyRequests
from mergecast.errors import Unavailable


class Streams:
    """Counts the open streams, in total and per credential."""

    def __init__(self, most: int) -> None:
        self._most, self._most_of_caller = max(1, most), max(1, most // 10)
        self._open: Counter[Hashable] = Counter()

    def take(self, caller: Hashable) -> Callable[[], None]:
        """Take one stream; call the result to give it back."""
        if self._open[caller] >= self._most_of_caller:
            message = f"{self._most_of_caller} streams of this credential are open; close one first"
            raise TooManyRequests(message, 60)
        if self._open.total() >= self._most:
            raise Unavailable("too many streams are open; try again in a minute", 60)
        self._open[caller] += 1

        def give_back() -> None:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]

        return give_back
