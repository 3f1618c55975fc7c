"""Compresses bodies for storage, with an earlier body of the same kind as dictionary.

The bodies of one repository repeat most of each other. A check of 11 kB takes 1.7 kB when it is
compressed alone, and a few hundred bytes if the compressor has seen another one. Items of an import arrive
by the thousand: they are compressed together, which takes a tenth of the time.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from mergecast.process.lru import BoundedCache
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import DAY
from mergecast.queues.store.values import PackedDelivery

_MOST_BYTES = 16 << 20
_LARGEST_DICTIONARY = 32 << 10  # the compressor looks back no further, and bodies have similar ends
_LEVEL = 7  # a higher one saves 2 %, and takes up to 16 times as long for some bodies
_MEMORY = 5  # enough for what differs between two bodies; reserving more takes longer than compressing
_BLOCK, _ITEMS_PER_BLOCK, _BLOCK_LEVEL = "block ", 200, 1
_LARGEST_BLOCK = 16 << 20  # that is unpacked; a real one has a tenth of it
_PLACE = struct.Struct(">II")  # where a body begins in its block, and its length
# A longer one is not kept: hardly anything reads it, and storing it would hold up others.
_LARGEST_KEPT = 1 << 20
_LENGTH = 2  # bytes; a dictionary has fewer than 65,536
_RAW = -15  # without a header and a checksum, which the database has


class _Dictionary(NamedTuple):
    id: str
    text: bytes
    made_at: int


class Packer:
    """Remembers the dictionaries in use. Not safe for use by several threads."""

    def __init__(self) -> None:
        self._dictionaries: BoundedCache[tuple[str, str, str], _Dictionary] = BoundedCache(
            _MOST_BYTES, lambda dictionary: len(dictionary.text)
        )

    def pack(self, repository: str, deliveries: Sequence[Delivery]) -> list[PackedDelivery]:
        """Pack deliveries stored together: the first of a kind may be the dictionary of the others."""
        fresh: dict[tuple[str, str, str], _Dictionary] = {}
        return [self._packed(_key(repository, delivery), delivery, fresh) for delivery in deliveries]

    def _packed(
        self, key: tuple[str, str, str], delivery: Delivery, fresh: dict[tuple[str, str, str], _Dictionary]
    ) -> PackedDelivery:
        if delivery.thread is None:
            return PackedDelivery(delivery, b"")
        known = self._dictionaries.get(key)
        if known is not None and delivery.received_at - known.made_at < DAY:
            return PackedDelivery(delivery, compress(delivery.body, known.text), known.id)
        if key not in fresh:
            text = delivery.body[-_LARGEST_DICTIONARY:]
            fresh[key] = _Dictionary(sha256(text).hexdigest()[:16], text, delivery.received_at)
        made = fresh[key]
        return PackedDelivery(delivery, compress(delivery.body, made.text), made.id, made.text)

    def stored(self, repository: str, packed: Sequence[PackedDelivery]) -> None:
        """Dictionaries may be used once they are stored."""
        for delivery, _, dictionary, text in packed:
            if dictionary is not None and text is not None:
                self._dictionaries.put(
                    _key(repository, delivery), _Dictionary(dictionary, text, delivery.received_at)
                )


def pack_together(deliveries: Sequence[Delivery]) -> list[PackedDelivery]:
    """Compress the bodies of an import, or a large one, in blocks; the largest are left out."""
    packed = [PackedDelivery(delivery, b"") for delivery in deliveries if delivery.thread is None]
    packed += [
        PackedDelivery(delivery, None)
        for delivery in deliveries
        if delivery.thread is not None and not _is_kept(delivery)
    ]
    kept = [delivery for delivery in deliveries if delivery.thread is not None and _is_kept(delivery)]
    for first in range(0, len(kept), _ITEMS_PER_BLOCK):
        members = kept[first : first + _ITEMS_PER_BLOCK]
        text = b"".join([delivery.body for delivery in members])
        id, compressed = _BLOCK + sha256(text).hexdigest()[:16], zlib.compress(text, _BLOCK_LEVEL, _RAW)
        lengths = [len(delivery.body) for delivery in members]
        places = map(_PLACE.pack, accumulate(lengths, initial=0), lengths)
        packed += [
            PackedDelivery(delivery, place, id, compressed)
            for delivery, place in zip(members, places, strict=True)
        ]
    return packed


def _is_kept(delivery: Delivery) -> bool:
    return len(delivery.body) <= _LARGEST_KEPT


def unpack(body: bytes, dictionary: str, text: bytes) -> bytes | None:
    """The body of a delivery, by the id and the text of its dictionary; None if its block is too large."""
    if not dictionary.startswith(_BLOCK):
        return decompress(body, text)
    start, length = _PLACE.unpack(body)
    block = _block(text)
    return None if block is None else block[start : start + length]


@lru_cache(maxsize=1)
def _block(compressed: bytes) -> bytes | None:
    """Deliveries of one block are unpacked one after the other."""
    text = zlib.decompressobj(_RAW).decompress(compressed, _LARGEST_BLOCK + 1)
    return text if len(text) <= _LARGEST_BLOCK else None


def _key(repository: str, delivery: Delivery) -> tuple[str, str, str]:
    return repository.lower(), delivery.source, delivery.event


def compress(body: bytes, dictionary: bytes) -> bytes:
    """The length of the end that body and dictionary have in common, then the compressed rest.

    Bodies end with the same description of the repository, and even a reference to a long text takes a few
    bytes for every 258 of it.
    """
    common = _common_end(body, dictionary)
    compressor = zlib.compressobj(_LEVEL, wbits=_RAW, memLevel=_MEMORY, zdict=dictionary)
    rest = compressor.compress(body[: len(body) - common]) + compressor.flush()
    return common.to_bytes(_LENGTH) + rest


def decompress(packed: bytes, dictionary: bytes) -> bytes:
    common = int.from_bytes(packed[:_LENGTH])
    rest = zlib.decompressobj(wbits=_RAW, zdict=dictionary).decompress(packed[_LENGTH:])
    return rest + dictionary[len(dictionary) - common :]


def _common_end(text: bytes, other: bytes) -> int:
    """The number of equal bytes at their ends."""
    least, most = 0, min(len(text), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if text[len(text) - middle :] == other[len(other) - middle :]:
            least = middle
        else:
            most = middle - 1
    return least
