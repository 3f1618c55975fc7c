"""Bodies as they are stored: compressed with an earlier body of the same kind as dictionary.

The bodies of one repository repeat most of each other. A check of 12 kB takes about 2 kB when it is
compressed alone, and a few hundred bytes when the compressor has seen another one.
"""

import zlib
from hashlib import sha256
from typing import NamedTuple

from mergecast.lru import BoundedCache
from mergecast.model.delivery import Delivery
from mergecast.model.instant import DAY
from mergecast.store.values import PackedDelivery

_MOST_BYTES = 16 << 20
_LARGEST_DICTIONARY = 32 << 10  # the compressor looks back no further
_LEVEL = 6
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

    def pack(self, repository: str, delivery: Delivery) -> PackedDelivery:
        if delivery.thread is None:
            return PackedDelivery(delivery, b"")
        known = self._dictionaries.get(_key(repository, delivery))
        if known is not None and delivery.received_at - known.made_at < DAY:
            return PackedDelivery(delivery, compress(delivery.body, known.text), known.id)
        text = delivery.body[:_LARGEST_DICTIONARY]
        id = sha256(text).hexdigest()[:16]
        return PackedDelivery(delivery, compress(delivery.body, text), id, text)

    def stored(self, repository: str, packed: PackedDelivery) -> None:
        """A dictionary may be used once it is stored."""
        if packed.dictionary is not None and packed.new_dictionary is not None:
            made = _Dictionary(packed.dictionary, packed.new_dictionary, packed.delivery.received_at)
            self._dictionaries.put(_key(repository, packed.delivery), made)


def _key(repository: str, delivery: Delivery) -> tuple[str, str, str]:
    return repository.lower(), delivery.source, delivery.event


def compress(body: bytes, dictionary: bytes) -> bytes:
    compressor = zlib.compressobj(_LEVEL, wbits=_RAW, zdict=dictionary)
    return compressor.compress(body) + compressor.flush()


def decompress(packed: bytes, dictionary: bytes) -> bytes:
    return zlib.decompressobj(wbits=_RAW, zdict=dictionary).decompress(packed)
