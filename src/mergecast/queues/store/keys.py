"""Digests that identify events and subjects."""

import struct
from collections.abc import Iterable, Iterator
from hashlib import blake2b

KEY_BYTES = 16
_HALVES = struct.Struct(">qq")


def key_of(*parts: object) -> bytes:
    """A 128-bit digest of the parts. Names cannot contain NUL, so joined parts are never ambiguous."""
    return blake2b("\0".join([str(part) for part in parts]).encode(), digest_size=KEY_BYTES).digest()


def keys_of(repository_id: int, names: Iterable[str]) -> Iterator[bytes]:
    """The same as `key_of(repository_id, name)` for each name, in a third of the time."""
    begun = blake2b(f"{repository_id}\0".encode(), digest_size=KEY_BYTES)
    for name in names:
        digest = begun.copy()
        digest.update(name.encode())
        yield digest.digest()


def halves(key: bytes) -> tuple[int, int]:
    """High and low 64 bits of a key, as the tables store them."""
    high, low = _HALVES.unpack(key)
    return high, low


def all_halves(keys: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """The halves of each key."""
    return _HALVES.iter_unpack(b"".join(keys))


def joined(high: int, low: int) -> bytes:
    """The key of two halves."""
    return _HALVES.pack(high, low)
