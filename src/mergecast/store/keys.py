"""Digests that identify events and subjects."""

import struct
from hashlib import blake2b

KEY_BYTES = 16


def key_of(*parts: object) -> bytes:
    """A 128-bit digest of the parts. Names cannot contain NUL, so joined parts are never ambiguous."""
    return blake2b("\0".join([str(part) for part in parts]).encode(), digest_size=KEY_BYTES).digest()


def halves(key: bytes) -> tuple[int, int]:
    """High and low 64 bits of a key, as the tables store them."""
    high, low = struct.unpack(">qq", key)
    return high, low


def joined(high: int, low: int) -> bytes:
    """The key of two halves."""
    return struct.pack(">qq", high, low)
