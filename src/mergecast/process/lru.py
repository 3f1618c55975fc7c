"""A cache of the entries used last, bounded by their size in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

# An entry larger than this part of the bound is not kept: it would evict too many others.
_LARGEST_PART = 4


class BoundedCache(Generic[K, V]):
    """Evicts the least recently used entry first. Not safe for use by several threads."""

    def __init__(self, max_bytes: int, size_of: Callable[[V], int]) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._bytes = 0

    def get(self, key: K) -> V | None:
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep a value unless it is too large, in place of an earlier one."""
        self._discard(key)
        size = self._size_of(value)
        if size > self._max_bytes // _LARGEST_PART:
            return
        self._entries[key] = value
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._discard(next(iter(self._entries)))

    def _discard(self, key: K) -> None:
        value = self._entries.pop(key, None)
        if value is not None:
            self._bytes -= self._size_of(value)
