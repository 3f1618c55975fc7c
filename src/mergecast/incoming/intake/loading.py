"""Loads threads with their deliveries: only as many in one transaction as do not delay other clients.

After an upgrade, it reads the kept bodies of deliveries again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import structlog

from mergecast.incoming.intake.packing import unpack
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.translation import (
    MOST_DELIVERIES,
    ReadThread,
    Standing,
    ThreadRules,
    TooManyReports,
    Translation,
    Untranslated,
)
from mergecast.incoming.sources.unreadable import RULES as RULES_OF_UNREADABLE
from mergecast.incoming.sources.unreadable import TOO_LONG, UNREADABLE, within_limits
from mergecast.incoming.sources.webhooks import NotAWebhook
from mergecast.queues.model.delivery import WEBHOOK, Delivery
from mergecast.queues.store.add_deliveries import ArrivedThread
from mergecast.queues.store.field_packing import MOST_FIELD_BYTES, pack_fields, unpack_short_fields
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import ThreadRow
from mergecast.queues.store.stored_rows import stored_rows
from mergecast.queues.store.values import count_fitting

MOST_BYTES = 16 << 20  # of the texts of one thread; 10,000 checks take a quarter of it
_INTERNAL_ERROR = "internal error: the log of the server says more"

log = structlog.get_logger("mergecast.intake")


def rules_of(source: str, thread: str) -> ThreadRules:
    """How a thread is translated."""
    return RULES_OF_UNREADABLE if thread == UNREADABLE else SOURCES[source].translator().rules


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
    too_long: list[int] = field(default_factory=list)  # instants of deliveries that say too much
    bytes: int = 0  # of all fields
    read: ReadThread | None = None  # None before the first use, and after another delivery was added

    def add(self, fields: str | None, happened_at: int) -> None:
        """Add a delivery; what is too long is only counted."""
        self.read = None
        if fields is None:
            self.too_long.append(happened_at)
        elif self.bytes <= MOST_BYTES:
            self.bytes += len(fields)
            self.fields.append(fields)
        self.instants.append(happened_at)

    def find_standing(self) -> None:
        try:
            self.standing = self._read().standing
        except TooManyReports:
            self.is_broken = True
        except Exception as error:  # noqa: BLE001 - whatever it is, other threads are translated
            self._break(error)

    def translate(self, standings: Sequence[str]) -> Translation:
        translation = self._translate(standings)
        more = tuple(Untranslated(TOO_LONG, at) for at in self.too_long)
        return translation._replace(untranslated=(*translation.untranslated, *more))

    def _translate(self, standings: Sequence[str]) -> Translation:
        try:
            return self._read().translate(standings)
        except TooManyReports as error:
            self.is_broken, reason = True, str(error)
        except Exception as error:  # noqa: BLE001 - as above
            self._break(error)
            reason = _INTERNAL_ERROR
        return Translation(untranslated=(Untranslated(reason, max(self.instants)),))

    def _read(self) -> ReadThread:
        """The thread as its source reads it: once, for its standing and for its translation."""
        if self.bytes > MOST_BYTES:
            raise TooManyReports(f"more than {MOST_BYTES >> 20} MiB of reports about one pull request")
        if self.read is None:
            self.read = rules_of(self.row.source, self.row.name).read(self.row.name, self.fields)
        return self.read

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
        ((_, _, size),) = self._held.rows("lengths_of_threads", [first]) or [(first, 0, 0)]
        if size > MOST_BYTES:
            return Loaded(self._without_fields(first, size), left)
        rows = self._held.rows("newest_deliveries", first, MOST_DELIVERIES + 1, MOST_FIELD_BYTES)
        return Loaded(self._with_rows([first], rows, ()), left)

    def _without_fields(self, number: int, size: int) -> dict[int, LoadedThread]:
        """A thread that is too long to be loaded."""
        rows = stored_rows(self._held.rows, ThreadRow, number=[number])
        return {
            row.number: LoadedThread(row, instants=[row.last_at], is_broken=True, bytes=size) for row in rows
        }

    def _fitting(self, ordered: list[int]) -> tuple[list[tuple[Any, ...]], int]:
        """The deliveries of the first threads that fit, and how many threads these are."""
        if self._room <= 0:
            return [], 0
        rows = self._deliveries(ordered, self._room + 1)
        kept = len(ordered)
        if len(rows) > self._room:
            lengths = {thread: count for thread, count, _ in self._held.rows("lengths_of_threads", ordered)}
            kept = count_fitting((lengths.get(number, 0) for number in ordered), self._room)
            rows = self._deliveries(ordered[:kept], self._room) if kept else []
        return rows, kept

    def _deliveries(self, threads: list[int], most: int) -> list[tuple[Any, ...]]:
        return self._held.rows("deliveries_of_threads", threads, most, MOST_FIELD_BYTES)

    def _with_rows(
        self, numbers: list[int], rows: list[tuple[Any, ...]], arrived: Sequence[ArrivedThread]
    ) -> dict[int, LoadedThread]:
        stored = stored_rows(self._held.rows, ThreadRow, number=numbers)
        threads = {row.number: LoadedThread(row) for row in stored}
        for delivery, number, happened_at, is_about_queue, fields in sorted(rows):
            if delivery > self._last:
                break
            thread = threads[number]
            # Once there are too many bytes, the thread is not translated.
            thread.add(unpack_short_fields(fields) if thread.bytes <= MOST_BYTES else "", happened_at)
            thread.is_about_queue |= is_about_queue
        for arriving in arrived:
            if arriving.is_new or arriving.number in threads:
                threads[arriving.number] = _with_arrived(
                    threads.get(arriving.number), arriving, self._held.state.id
                )
        loaded = {number: thread for number, thread in threads.items() if thread.instants}
        for thread in loaded.values():
            thread.find_standing()
            self._held.give_way()
        return loaded


def _with_arrived(stored: LoadedThread | None, arriving: ArrivedThread, repository_id: int) -> LoadedThread:
    thread = stored or LoadedThread(arriving.row(repository_id), is_new=True)
    for fields, happened_at in zip(arriving.fields, arriving.instants, strict=True):
        thread.add(fields, happened_at)
    thread.is_about_queue |= arriving.is_about_queue
    return thread


# Real items of an import take a few hundred kilobytes when they are compressed together.
_LONGEST_DICTIONARY = 1 << 20
_DICTIONARIES_AT_ONCE = 16


class _Kept(NamedTuple):
    """A delivery with its compressed body."""

    number: int
    thread: int
    source: str
    kind: str
    guid: str
    event: str
    received_at: int
    fields: bytes
    body: bytes
    dictionary: str


def read_bodies_again(held: HeldRepository, threads: Collection[int]) -> None:
    """Renew what translation reads of the deliveries of these threads, where their bodies are still kept."""
    names = {row.number: row.name for row in stored_rows(held.rows, ThreadRow, number=threads)}
    renewed: dict[int, bytes] = {}
    for kept, body in _bodies(held, threads):
        delivery = _read(kept, body)
        # A delivery stays in its thread: strays have moved to that of their commit.
        is_there = delivery is not None and delivery.thread == names.get(kept.thread)
        if delivery is not None and is_there and delivery.fields != unpack_short_fields(kept.fields):
            renewed[kept.number] = pack_fields(delivery.fields)
        held.give_way()
    if renewed:
        held.change_rows("set_fields", list(renewed), list(renewed.values()))


def _bodies(held: HeldRepository, threads: Collection[int]) -> Iterator[tuple[_Kept, bytes]]:
    """The kept deliveries of these threads; those that were compressed together one after the other."""
    found = map(_Kept._make, held.rows("bodies_of_threads", list(threads), MOST_FIELD_BYTES))
    by_dictionary: dict[str, list[_Kept]] = {}
    for kept in sorted(found):
        by_dictionary.setdefault(kept.dictionary, []).append(kept)
    ids = list(by_dictionary)
    for first in range(0, len(ids), _DICTIONARIES_AT_ONCE):
        some = ids[first : first + _DICTIONARIES_AT_ONCE]
        for id, text in held.rows("short_dictionaries", some, _LONGEST_DICTIONARY):
            for kept in by_dictionary[id]:
                body = unpack(kept.body, id, text)
                if body is not None:
                    yield kept, body


def _read(kept: _Kept, body: bytes) -> Delivery | None:
    """The delivery as this version reads it; None if it cannot."""
    translator = SOURCES[kept.source].translator()
    read = translator.read_webhook if kept.kind == WEBHOOK else translator.read_item
    try:
        return None if read is None else within_limits(read(kept.guid, kept.event, body, kept.received_at))
    except NotAWebhook:
        return None
