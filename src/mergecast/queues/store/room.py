"""Whether the disk of a store is full, as far as its changes have shown."""

from collections.abc import Callable

from mergecast.process.clock import passed_in_microseconds
from mergecast.queues.model.instant import MINUTE


class Room:
    """A change that failed for lack of room counts for a minute, or until a delivery is stored."""

    def __init__(self, passed: Callable[[], int] = passed_in_microseconds) -> None:
        self._passed = passed
        self._missing_until = 0

    def note_full(self) -> None:
        self._missing_until = self._passed() + MINUTE

    def note_stored(self) -> None:
        self._missing_until = 0

    @property
    def is_missing(self) -> bool:
        return self._passed() < self._missing_until
