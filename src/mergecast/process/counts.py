"""How many of something there are for each key."""

from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


class Counts(Counter[K]):
    """A counter that forgets a key when its count falls to zero, because clients may send any number of keys.

    >>> open = Counts("aab")
    >>> open.release("a")
    >>> open.release("b")
    >>> open
    Counts({'a': 1})
    """

    def release(self, key: K, count: int = 1) -> None:
        """Subtract from a count, and forget the key when nothing is left."""
        self[key] -= count
        if not self[key]:
            del self[key]
