"""How far the opening of a store is: another thread may ask, and stop it.

A migration may take an hour, and whoever started the server wants to know what it does meanwhile.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

import structlog

from mergecast.errors import MergecastError
from mergecast.process.clock import passed_in_microseconds
from mergecast.queues.model.instant import SECOND

log = structlog.get_logger("mergecast.store")


class _Migration(Protocol):
    @property
    def number(self) -> int: ...

    @property
    def name(self) -> str: ...


M = TypeVar("M", bound=_Migration)


class OpeningStopped(MergecastError):
    """The opening of a store was stopped; the next one continues, or begins again."""


class Opening:
    """One thread opens the store and reports here; another one reads and stops it."""

    def __init__(self, passed: Callable[[], int] = passed_in_microseconds) -> None:
        self._passed = passed
        self._is_stopped = False
        self._interrupt: Callable[[], object] = _do_nothing
        self.begin("opening the store")

    def begin(self, task: str) -> None:
        self._task, self._since = task, self._passed()

    def describe(self) -> str:
        return f"{self._task}, since {(self._passed() - self._since) // SECOND} s"

    @contextmanager
    def interrupted_by(self, interrupt: Callable[[], object]) -> Iterator[None]:
        """`interrupt` stops the statement that runs, if one does."""
        self._interrupt = interrupt
        try:
            yield
        finally:
            self._interrupt = _do_nothing

    def stop(self) -> None:
        """To be called again until the thread has ended: nothing may have run at this moment."""
        self._is_stopped = True
        self._interrupt()

    def each_migration(self, missing: Sequence[M], before: int) -> Iterator[M]:
        """The migrations that a store with schema `before` lacks; the caller runs each.

        Those of a new store take no time, and are not logged.
        """
        is_logged = bool(before and missing)
        begun = self._passed()
        if is_logged:
            schemas = {"from": before, "to": missing[-1].number}
            log.info("migrating the store", migrations=len(missing), **schemas)
        for place, migration in enumerate(missing, 1):
            if self._is_stopped:
                raise OpeningStopped("the opening of the store was stopped")
            self._task, self._since = f"migrating: {place} of {len(missing)}", begun
            step_begun = self._passed()
            yield migration
            if is_logged:
                name, seconds = migration.name, self._seconds_since(step_begun)
                log.info("ran a migration", number=migration.number, name=name, seconds=seconds)
        if is_logged:
            log.info("migrated the store", seconds=self._seconds_since(begun), **schemas)
        self.begin("opening the store")

    def _seconds_since(self, instant: int) -> float:
        return round((self._passed() - instant) / SECOND, 3)


def _do_nothing() -> None:
    """No statement runs."""
