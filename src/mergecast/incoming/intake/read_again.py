"""Reads stored bodies again, for a version that observes more in them than the one that stored them."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from mergecast.incoming.intake.packing import unpack
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.unreadable import within_limits
from mergecast.incoming.sources.webhooks import NotAWebhook
from mergecast.queues.model.delivery import WEBHOOK, Delivery
from mergecast.queues.store.field_packing import MOST_FIELD_BYTES, pack_fields, unpack_short_fields
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import ThreadRow
from mergecast.queues.store.stored_rows import stored_rows

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
