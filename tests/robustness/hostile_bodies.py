"""Request bodies that are cheap to send and expensive to parse, with their headers."""

import gzip
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

MIB = 1 << 20
_BODY = 32 * MIB
_LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Hostile:
    """How to make a body, its headers, and the expected status."""

    make: Callable[[], bytes]
    status: int = 422
    media_type: str = "application/json"
    encoding: str = "identity"

    def headers(self) -> dict[str, str]:
        return {"Content-Type": self.media_type, "Content-Encoding": self.encoding}


def _repeated(item: bytes) -> Callable[[], bytes]:
    """An array that repeats this item as often as fits."""
    return lambda: b"[" + (item + b",") * ((_BODY - 2) // (len(item) + 1) - 1) + item + b"]"


def _string_of(part: bytes) -> Callable[[], bytes]:
    """An array with one string that repeats this part as often as fits."""
    return lambda: b'["' + part * ((_BODY - 4) // len(part)) + b'"]'


def _gzip_bomb() -> bytes:
    """1 GiB of zeros, compressed. After a full flush the next MiB is compressed to the same bytes."""
    head, part = gzip.compress(b"")[:10], bytes(MIB)
    packer = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(1024):
        checksum = zlib.crc32(part, checksum)
    return head + packed * 1024 + packer.flush() + struct.pack("<II", checksum, 1024 * MIB)


def _many_fields() -> bytes:
    return b"[{" + b",".join(b'"%x":1' % number for number in range(2_800_000)) + b"}]"


HOSTILE_BODIES = {
    "gzip bomb": Hostile(_gzip_bomb, status=413, encoding="gzip"),
    "gzip of many empty members": Hostile(lambda: gzip.compress(b"") * 200_000, encoding="gzip"),
    "objects": Hostile(_repeated(b"{}")),
    "arrays": Hostile(_repeated(b"[]")),
    "nested arrays": Hostile(lambda: b"[" * _BODY),
    "nested objects": Hostile(lambda: b'[{"a":' * (_BODY // 6)),
    "integers": Hostile(_repeated(b"1000")),
    "strings": Hostile(_repeated(b'"ab"')),
    "one string": Hostile(_string_of(b"a")),
    "one string of brackets": Hostile(_string_of(b"[")),
    "one string of escapes": Hostile(_string_of(b'[\\"')),
    "strings of brackets": Hostile(_repeated(b'"["')),
    "one object of many fields": Hostile(_many_fields),
    "lines of numbers": Hostile(lambda: b"12\n" * (_BODY // 3), media_type=_LINES),
    "lines of objects": Hostile(lambda: b"{}\n" * (_BODY // 3), media_type=_LINES),
}
