"""Storing deliveries in a held repository; their threads then wait for translation."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from mergecast.model.delivery import Delivery
from mergecast.store.delivery_rows import (
    CursorRow,
    DeliveryRow,
    DictionaryRow,
    SkippedRow,
    SourceRow,
    ThreadRow,
    WaitingThreadRow,
)
from mergecast.store.field_packing import pack_fields
from mergecast.store.held_repository import HeldRepository, SubjectName
from mergecast.store.keys import halves, key_of
from mergecast.store.pull_request_notes import note_pull_requests
from mergecast.store.rows import SubjectRow
from mergecast.store.values import Deliveries, DeliveryReceipt, PackedDelivery

# The name of an event is not signed: anybody could invent more of them.
_MOST_KINDS = 200
_OTHER = "other"


def receive(held: HeldRepository, given: Sequence[Deliveries]) -> list[DeliveryReceipt]:
    """Store what is new and say for each group of deliveries what became of it."""
    receiving = _Receiving(held, [packed for one in given for packed in one.packed])
    receipts = [receiving.add(one.packed) for one in given]
    receiving.write()
    for one in given:
        if one.cursor is not None:
            held.remove("delete_cursor", one.cursor.source)
    newest = {one.cursor.source: one.cursor for one in given if one.cursor is not None}
    held.insert([CursorRow(held.state.id, *cursor) for cursor in newest.values()])
    platform_ids = [one.platform_id for one in given if one.platform_id is not None]
    if newest or (platform_ids and held.state.platform_id is None):
        held.save(replace(held.state, platform_id=held.state.platform_id or max(platform_ids, default=None)))
    return receipts


# Each delivery of an import asks for it several times.
@lru_cache(maxsize=10_000)
def thread_name(source: str, thread: str) -> SubjectName:
    return SubjectName("thread", f"{source}\n{thread}")


class _Receiving:
    def __init__(self, held: HeldRepository, arriving: Sequence[PackedDelivery]) -> None:
        self._held = held
        in_threads = [packed.delivery for packed in arriving if packed.delivery.thread is not None]
        names = dict.fromkeys(map(_name, in_threads))
        self._keys = {name: key_of(held.state.id, *name) for name in names}
        self._numbers = held.subject_numbers(self._keys)
        self._certain = self._threads_about_queue(in_threads)
        self._known = self._stored(in_threads)
        self._accepted: list[tuple[PackedDelivery, bool]] = []
        self._skipped: list[Delivery] = []
        self._repeated: list[Delivery] = []

    def _threads_about_queue(self, deliveries: Sequence[Delivery]) -> set[SubjectName]:
        """The threads that arrive with something about a queue, or are known to be about one."""
        certain = {_name(one) for one in deliveries if one.is_about_queue}
        uncertain = {_name(one) for one in deliveries if not one.is_about_queue} - certain
        numbers = [self._numbers[name] for name in uncertain if name in self._numbers]
        if not numbers:
            return certain
        threads = [ThreadRow(*row) for row in self._held.rows("threads", numbers)]
        return certain | {thread_name(one.source, one.name) for one in threads if one.is_about_queue}

    def _stored(self, deliveries: Sequence[Delivery]) -> set[tuple[SubjectName, str | bytes]]:
        """The ids and digests that are known already, each with its thread."""
        if not self._numbers:
            return set()
        by_number = {number: name for name, number in self._numbers.items()}
        guids, digests = [one.guid for one in deliveries], [one.digest for one in deliveries]
        rows = self._held.rows("known_deliveries", list(by_number), guids, digests)
        return {(by_number[thread], key) for thread, *keys in rows for key in keys}

    def add(self, arriving: Sequence[PackedDelivery]) -> DeliveryReceipt:
        stored = duplicates = not_kept = 0
        for packed in arriving:
            delivery = packed.delivery
            if delivery.thread is None:
                self._skipped.append(delivery)
                not_kept += 1
                continue
            name = _name(delivery)
            keys: set[tuple[SubjectName, str | bytes]] = {(name, delivery.guid), (name, delivery.digest)}
            if keys & self._known:
                duplicates += 1
                self._repeated.append(delivery)
                continue
            self._known |= keys
            is_certain = delivery.is_about_queue or name in self._certain or self._has_queue(delivery.branch)
            self._accepted.append((packed, is_certain))
            if is_certain:
                stored += 1
            else:
                self._skipped.append(delivery)
                not_kept += 1
        return DeliveryReceipt(stored, duplicates, not_kept)

    def _has_queue(self, branch: str | None) -> bool:
        return branch is not None and any(group.base_ref == branch for group in self._held.groups())

    def write(self) -> None:
        held = self._held
        if self._skipped and (self._accepted or not held.state.is_empty):
            self._count_skipped()  # a repository is not created for what is not kept
        certain = [packed.delivery for packed, is_certain in self._accepted if is_certain]
        note_pull_requests(held, certain, self._repeated)
        if not self._accepted:
            return
        new = [name for name in self._keys if name not in self._numbers]
        fresh = {name: number for number, name in enumerate(new, start=held.state.last_subject + 1)}
        self._numbers |= fresh
        held.insert(
            [SubjectRow(held.state.id, number, *halves(self._keys[name])) for name, number in fresh.items()]
        )
        held.insert(self._threads(fresh.values()))
        held.insert(self._waiting())
        held.insert(self._delivery_rows())
        held.insert(self._dictionaries())
        self._count()
        state = held.state
        held.save(
            replace(
                state,
                deliveries=state.deliveries + len(self._accepted),
                last_delivery=state.last_delivery + len(self._accepted),
                last_subject=state.last_subject + len(fresh),
            )
        )

    def _threads(self, numbers: Iterable[int]) -> list[ThreadRow]:
        """Rows of new threads; translation writes them again with what it finds."""
        wanted = set(numbers)
        rows: dict[int, ThreadRow] = {}
        for packed, is_certain in self._accepted:
            one = packed.delivery
            number = self._numbers[_name(one)]
            if number in wanted:
                known = rows.get(number)
                first = min(one.happened_at, known.first_at if known else one.happened_at)
                last = max(one.happened_at, known.last_at if known else one.happened_at)
                is_about_queue = is_certain or (known is not None and known.is_about_queue)
                rows[number] = ThreadRow(
                    self._held.state.id, number, one.source, one.thread or "", "", first, last, is_about_queue
                )
        return list(rows.values())

    def _waiting(self) -> list[WaitingThreadRow]:
        spans: dict[int, tuple[int, int]] = {}
        for packed, _ in self._accepted:
            number, at = self._numbers[_name(packed.delivery)], packed.delivery.happened_at
            first, last = spans.get(number, (at, at))
            spans[number] = (min(first, at), max(last, at))
        return [WaitingThreadRow(self._held.state.id, number, *span) for number, span in spans.items()]

    def _delivery_rows(self) -> list[DeliveryRow]:
        state = self._held.state
        return [
            _delivery_row(state.id, number, self._numbers[_name(packed.delivery)], packed, is_kept=is_certain)
            for number, (packed, is_certain) in enumerate(self._accepted, start=state.last_delivery + 1)
        ]

    def _dictionaries(self) -> list[DictionaryRow]:
        """The new dictionaries of the deliveries that are stored; several may have the same."""
        rows = {
            packed.dictionary: DictionaryRow(
                self._held.state.id, packed.dictionary, packed.delivery.received_at, packed.new_dictionary
            )
            for packed, is_certain in self._accepted
            if is_certain and packed.dictionary is not None and packed.new_dictionary is not None
        }
        return list(rows.values())

    def _count(self) -> None:
        held = self._held
        counts = {row[1:3]: SourceRow(*row) for row in held.rows("sources")}
        for packed, is_certain in self._accepted:
            if is_certain:
                one, at = packed.delivery, packed.delivery.received_at
                key = (one.source, one.kind)
                known = counts.get(key) or SourceRow(held.state.id, *key, 0, at, at)
                counts[key] = SourceRow(
                    *known[:3], known.deliveries + 1, min(known.first_at, at), max(known.last_at, at)
                )
        held.remove("delete_sources")
        held.insert(counts.values())

    def _count_skipped(self) -> None:
        held = self._held
        times = Counter({(row[1], row[2], row[3]): row[4] for row in held.rows("skipped_deliveries")})
        for one in self._skipped:
            key = (one.source, one.event, one.action)
            times[key if key in times or len(times) < _MOST_KINDS else (one.source, _OTHER, "")] += 1
        held.remove("delete_skipped_deliveries")
        held.insert([SkippedRow(held.state.id, *key, count) for key, count in times.items()])
        held.save(held.state)


def _name(delivery: Delivery) -> SubjectName:
    return thread_name(delivery.source, delivery.thread or "")


def _delivery_row(
    repository_id: int, number: int, thread: int, packed: PackedDelivery, *, is_kept: bool
) -> DeliveryRow:
    one = packed.delivery
    return DeliveryRow(
        repository_id,
        number,
        thread,
        one.source,
        one.kind,
        one.guid,
        one.digest,
        one.event,
        one.action,
        one.received_at,
        one.happened_at,
        is_kept,
        pack_fields(one.fields),
        packed.body if is_kept else None,
        packed.dictionary if is_kept else None,
    )
