"""Caches of the entries used last, bounded by their number or by their size in bytes.

No value may be None. The caches are not safe for use by several threads.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

# A value larger than this part of the bytes is not kept: it would evict too many others.
_LARGEST_PART = 4


class RecentEntries(Generic[K, V]):
    """At most `most` entries; the least recently used one is evicted first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep a value, in place of an earlier one."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._most:
            self.pop_oldest()

    def pop(self, key: K) -> V | None:
        return self._entries.pop(key, None)

    def pop_oldest(self) -> V:
        return self._entries.popitem(last=False)[1]


class BoundedCache(Generic[K, V]):
    """Values of at most `max_bytes` together; the least recently used one is evicted first."""

    def __init__(self, max_bytes: int, size_of: Callable[[V], int]) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._entries: RecentEntries[K, V] = RecentEntries(max_bytes)  # each takes a byte or more
        self._bytes = 0

    def get(self, key: K) -> V | None:
        return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value unless it is too large, in place of an earlier one."""
        earlier = self._entries.pop(key)
        if earlier is not None:
            self._bytes -= self._size_of(earlier)
        size = self._size_of(value)
        if size > self._max_bytes // _LARGEST_PART:
            return
        self._entries.put(key, value)
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._bytes -= self._size_of(self._entries.pop_oldest())
