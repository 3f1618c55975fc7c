"""The numbers of events and subjects by their keys, in memory, one index per repository.

A unique key in the database costs most of the ingest rate once the tables are large
(docs/decisions/0003). One process owns the store, so it can keep the 128-bit keys itself: sorted arrays
for binary search, and a small dictionary of the newest keys, which becomes an array when it is full.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Self

import duckdb
import numpy as np
from numpy.typing import NDArray

from mergecast.queues.store.duckdb.statements import execute

MOST_NEWEST = 1 << 16
_IDLE_SECONDS = 900.0

_GONE = -1  # the number of a key that was deleted

Integers = NDArray[np.int64]


def halves(keys: Sequence[bytes]) -> tuple[Integers, Integers]:
    """High and low 64 bits of each key, as the database stores them."""
    both = np.frombuffer(b"".join(keys), dtype=">i8").astype(np.int64).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


class _Level(NamedTuple):
    high: Integers
    low: Integers
    numbers: Integers

    @classmethod
    def sorted(cls, high: Integers, low: Integers, numbers: Integers) -> Self:
        order = np.argsort(high, kind="stable")
        return cls(high[order], low[order], numbers[order])

    def find(self, high: Integers, low: Integers, found: Integers) -> None:
        """Write the numbers of the keys held here into `found`."""
        wanted, places = self._places(high, low)
        numbers = self.numbers[places]
        is_known = numbers != _GONE
        found[wanted[is_known]] = numbers[is_known]

    def discard(self, high: Integers, low: Integers) -> None:
        """The keys stay, so that the arrays need not be copied."""
        _, places = self._places(high, low)
        self.numbers[places] = _GONE

    def _places(self, high: Integers, low: Integers) -> tuple[Integers, Integers]:
        """Which of these keys are held here, and where."""
        wanted, places = [], []
        at = np.searchsorted(self.high, high)
        candidates = np.flatnonzero(at < len(self.high))
        while len(candidates):
            place = at[candidates]
            candidates = candidates[self.high[place] == high[candidates]]
            place = at[candidates]
            hit = self.low[place] == low[candidates]
            wanted.append(candidates[hit])
            places.append(place[hit])
            # Another key with the same high half may be next to it.
            candidates = candidates[~hit]
            at[candidates] += 1
            candidates = candidates[at[candidates] < len(self.high)]
        empty = np.empty(0, dtype=np.int64)
        return np.concatenate([empty, *wanted]), np.concatenate([empty, *places])


class KeyIndex:
    """Not safe for use by several threads; it belongs to the writer."""

    def __init__(self) -> None:
        self._levels: list[_Level] = []
        self._newest: dict[bytes, int] = {}

    @classmethod
    def of(cls, high: Integers, low: Integers, numbers: Integers) -> Self:
        index = cls()
        if len(high):
            index._levels.append(_Level.sorted(high, low, numbers))
        return index

    def __len__(self) -> int:
        return len(self._newest) + sum(len(level.high) for level in self._levels)

    def find(self, keys: Sequence[bytes]) -> list[int | None]:
        """The number of each key, or None for a key that is not known."""
        result = [self._newest.get(key) for key in keys]
        missing = [place for place, number in enumerate(result) if number is None]
        if not missing or not self._levels:
            return result
        high, low = halves([keys[place] for place in missing])
        found = np.full(len(missing), -1, dtype=np.int64)
        for level in self._levels:
            level.find(high, low, found)
        for place, number in zip(missing, found.tolist(), strict=True):
            if number >= 0:
                result[place] = number
        return result

    def add(self, entries: Iterable[tuple[bytes, int]]) -> None:
        self._newest.update(entries)
        if len(self._newest) >= MOST_NEWEST:
            self._pack()

    def discard(self, keys: Sequence[bytes]) -> None:
        """Forget these keys; those that are not known are passed over."""
        for key in keys:
            self._newest.pop(key, None)
        if keys and self._levels:
            high, low = halves(keys)
            for level in self._levels:
                level.discard(high, low)

    def _pack(self) -> None:
        """Make the newest keys an array, and merge arrays of similar size so that there are few."""
        high, low = halves(list(self._newest))
        numbers = np.fromiter(self._newest.values(), dtype=np.int64, count=len(self._newest))
        self._newest = {}
        self._levels.append(_Level.sorted(high, low, numbers))
        while len(self._levels) > 1 and 2 * len(self._levels[-1].high) > len(self._levels[-2].high):
            second, first = self._levels.pop(), self._levels.pop()
            columns = [np.concatenate(pair) for pair in zip(first, second, strict=True)]
            is_known = columns[-1] != _GONE  # otherwise a key that came back would be found as gone
            self._levels.append(_Level.sorted(*(column[is_known] for column in columns)))


class RepositoryKeys(NamedTuple):
    events: KeyIndex
    subjects: KeyIndex


class KeyIndexes:
    """The indexes of the repositories that were written to lately; the others are loaded when needed."""

    def __init__(
        self, idle_seconds: float = _IDLE_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._idle_seconds, self._clock = idle_seconds, clock
        self._loaded: dict[int, RepositoryKeys] = {}
        self._used_at: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._loaded)

    def of_new(self, repository_id: int) -> RepositoryKeys:
        """The index of a repository that has no rows yet."""
        self._used_at[repository_id] = self._clock()
        return self._loaded.setdefault(repository_id, RepositoryKeys(KeyIndex(), KeyIndex()))

    def of(
        self, connection: duckdb.DuckDBPyConnection, repository_id: int, schemas: Sequence[str]
    ) -> RepositoryKeys:
        """The index of a repository, from the tables of these schemas when it is not loaded."""
        keys = self._loaded.get(repository_id)
        if keys is None:
            events, subjects = (
                _load(connection, [f"{schema}.{table}" for schema in schemas], repository_id)
                for table in ("events", "subjects")
            )
            keys = self._loaded[repository_id] = RepositoryKeys(events, subjects)
        self._used_at[repository_id] = self._clock()
        return keys

    def discard(self, repository_id: int, events: Sequence[bytes], subjects: Sequence[bytes]) -> None:
        """Forget keys that were deleted; an index that is not loaded does not have them."""
        keys = self._loaded.get(repository_id)
        if keys is not None:
            keys.events.discard(events)
            keys.subjects.discard(subjects)

    def drop(self, repository_id: int) -> None:
        self._loaded.pop(repository_id, None)
        self._used_at.pop(repository_id, None)

    def drop_idle(self) -> None:
        limit = self._clock() - self._idle_seconds
        for repository_id in [id for id, used_at in self._used_at.items() if used_at <= limit]:
            self.drop(repository_id)

    def drop_all(self) -> None:
        self._loaded.clear()
        self._used_at.clear()


def _load(connection: duckdb.DuckDBPyConnection, tables: Sequence[str], repository_id: int) -> KeyIndex:
    parts = [
        f"select key_high, key_low, number from {table} where repository_id = $1"  # noqa: S608 - constants
        for table in tables
    ]
    columns = execute(connection, " union all ".join(parts), [repository_id]).fetchnumpy()
    return KeyIndex.of(columns["key_high"], columns["key_low"], columns["number"])
