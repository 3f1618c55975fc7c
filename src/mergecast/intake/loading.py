"""Loads threads with their deliveries: only as many in one transaction as do not delay other clients."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import structlog

from mergecast.sources.registry import rules_of
from mergecast.sources.translation import (
    MOST_DELIVERIES,
    Standing,
    TooManyReports,
    Translation,
    Untranslated,
)
from mergecast.store.delivery_rows import ThreadRow
from mergecast.store.field_packing import unpack_fields
from mergecast.store.held_repository import HeldRepository
from mergecast.store.receive import ArrivedThread
from mergecast.store.values import count_fitting

_INTERNAL_ERROR = "internal error: the log of the server says more"

log = structlog.get_logger("mergecast.intake")


@dataclass(slots=True)
class LoadedThread:
    """A thread with all its deliveries; a new one is not stored yet."""

    row: ThreadRow
    fields: list[str] = field(default_factory=list)
    instants: list[int] = field(default_factory=list)
    is_about_queue: bool = False
    is_new: bool = False
    standing: Standing = field(default_factory=Standing)
    is_broken: bool = False  # it is too long, or an internal error occurred

    def find_standing(self) -> None:
        try:
            self.standing = rules_of(self.row.source, self.row.name).standing(self.fields)
        except TooManyReports:
            self.is_broken = True
        except Exception as error:  # noqa: BLE001 - whatever it is, other threads are translated
            self._break(error)

    def translate(self, standings: Sequence[str]) -> Translation:
        try:
            return rules_of(self.row.source, self.row.name).translate(self.row.name, self.fields, standings)
        except TooManyReports as error:
            self.is_broken, reason = True, str(error)
        except Exception as error:  # noqa: BLE001 - as above
            self._break(error)
            reason = _INTERNAL_ERROR
        return Translation(untranslated=(Untranslated(reason, max(self.instants)),))

    def _break(self, error: Exception) -> None:
        self.is_broken = True
        source, thread = self.row.source, self.row.name
        log.error("a thread cannot be translated", source=source, thread=thread, exc_info=error)


class Loaded(NamedTuple):
    """Threads with their standings, and the numbers of those that another transaction has to load.

    A thread whose deliveries were deleted is neither.
    """

    threads: dict[int, LoadedThread]
    left: Sequence[int]


class ThreadLoader:
    """Loads the threads of one transaction: together at most `most` deliveries.

    Once a thread does not fit, nothing more is loaded. Deliveries after `last` are those that arrived:
    PostgreSQL returns them too.
    """

    def __init__(self, held: HeldRepository, most: int, last: int | None = None) -> None:
        self._held = held
        self._room = most
        self._last = held.state.last_delivery if last is None else last

    def load(self, numbers: Collection[int], arrived: Sequence[ArrivedThread] = ()) -> Loaded:
        """The first of these stored threads, as many as fit; what has arrived is added to them.

        New threads are only among those that arrived.
        """
        ordered = list(numbers)
        rows, kept = self._fitting(ordered) if ordered else ([], 0)
        self._room = self._room - len(rows) if kept == len(ordered) else 0
        return Loaded(self._with_rows(ordered[:kept], rows, arrived), ordered[kept:])

    def load_some(self, numbers: Collection[int]) -> Loaded:
        """The same, but the first thread is loaded whether it fits or not."""
        loaded = self.load(numbers)
        if loaded.threads or not loaded.left:
            return loaded
        first, *left = loaded.left
        rows = self._held.rows("newest_deliveries", first, MOST_DELIVERIES + 1)
        return Loaded(self._with_rows([first], rows, ()), left)

    def _fitting(self, ordered: list[int]) -> tuple[list[tuple[Any, ...]], int]:
        """The deliveries of the first threads that fit, and how many threads these are."""
        if self._room <= 0:
            return [], 0
        rows = self._held.rows("deliveries_of_threads", ordered, self._room + 1)
        kept = len(ordered)
        if len(rows) > self._room:
            lengths = dict(self._held.rows("lengths_of_threads", ordered))
            kept = count_fitting((lengths.get(number, 0) for number in ordered), self._room)
            rows = self._held.rows("deliveries_of_threads", ordered[:kept], self._room) if kept else []
        return rows, kept

    def _with_rows(
        self, numbers: list[int], rows: list[tuple[Any, ...]], arrived: Sequence[ArrivedThread]
    ) -> dict[int, LoadedThread]:
        stored = self._held.rows("threads", numbers) if numbers else []
        threads = {row[1]: LoadedThread(ThreadRow(*row)) for row in stored}
        for delivery, number, happened_at, is_about_queue, fields in sorted(rows):
            if delivery > self._last:
                break
            thread = threads[number]
            thread.fields.append(unpack_fields(fields))
            thread.instants.append(happened_at)
            thread.is_about_queue |= is_about_queue
        for one in arrived:
            if one.is_new or one.number in threads:
                threads[one.number] = _with_arrived(threads.get(one.number), one, self._held.state.id)
        loaded = {number: thread for number, thread in threads.items() if thread.fields}
        for thread in loaded.values():
            thread.find_standing()
        return loaded


def _with_arrived(stored: LoadedThread | None, one: ArrivedThread, repository_id: int) -> LoadedThread:
    thread = stored or LoadedThread(one.row(repository_id), is_new=True)
    thread.fields += one.fields
    thread.instants += one.instants
    thread.is_about_queue |= one.is_about_queue
    return thread
