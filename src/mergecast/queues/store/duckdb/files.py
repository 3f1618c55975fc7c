"""What the files of a DuckDB database say about themselves, read without opening the database.

DuckDB silently stops reading its log at the first entry whose length makes no sense, and ignores a log whose
beginning makes no sense, because a killed process may leave such a log. Damage looks the same; only the
caller, who knows how much of the log was acknowledged, can tell the two apart. DuckDB itself reports a wrong
checksum and a log of another database.
"""

import mmap
import struct
from pathlib import Path
from typing import NamedTuple

_MAGIC, _MAGIC_AT = b"DUCK", 8
_IDENTITY_AT, _IDENTITY_BYTES = 124, 16
_HEADERS_AT = (4096, 8192)  # the newer of the two counts
_HEADER = struct.Struct("<8xQ")  # a checksum, and how many checkpoints there were

_ENTRY = struct.Struct("<QQ")  # the length of an entry, and its checksum
_ENTRY_START = b"\x64\x00"
_SHORTEST_ENTRY = 5
_LONGEST_LOG_HEADER = 64
# The first entry has no length: it is of type 98, version 2, for a database identity of 16 bytes.
_LOG_START = bytes.fromhex("640062 650002 660010")
_LOG_CHECKPOINT = bytes.fromhex("6700")
_LOG_START_END = bytes.fromhex("ffff")


class DatabaseFile(NamedTuple):
    """The database a file contains, and how often the log was merged into it."""

    identity: str
    checkpoints: int


class Log(NamedTuple):
    """A log of commits: the state of the database it continues, and how much of it can be read."""

    continues: DatabaseFile | None  # None: its beginning makes no sense
    readable: int
    size: int


def read_database_file(path: Path) -> DatabaseFile | None:
    """None if the file is not a database; DuckDB then reports why."""
    with path.open("rb") as file:
        content = file.read(_HEADERS_AT[-1] + _HEADER.size)
    if len(content) < _HEADERS_AT[-1] + _HEADER.size or content[_MAGIC_AT:][: len(_MAGIC)] != _MAGIC:
        return None
    checkpoints = max(_HEADER.unpack_from(content, at)[0] for at in _HEADERS_AT)
    return DatabaseFile(content[_IDENTITY_AT:][:_IDENTITY_BYTES].hex(), checkpoints)


def read_log(path: Path) -> Log | None:
    """None if there is no log, or an empty one."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return None
    if not size:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        begun = _read_log_start(content[:_LONGEST_LOG_HEADER])
        if begun is None:
            return Log(None, 0, size)
        continues, length = begun
        return Log(continues, _end_of_entries(content, length), size)


def _read_log_start(content: bytes) -> tuple[DatabaseFile, int] | None:
    """What the log continues, and the length of its first entry."""
    if not content.startswith(_LOG_START):
        return None
    at, identity = len(_LOG_START), bytearray()
    try:
        for _ in range(_IDENTITY_BYTES):
            value, at = _read_number(content, at)
            identity.append(value)
        if content[at : at + 2] != _LOG_CHECKPOINT:
            return None
        checkpoints, at = _read_number(content, at + 2)
    except (IndexError, ValueError):
        return None
    if content[at : at + 2] != _LOG_START_END:
        return None
    return DatabaseFile(identity.hex(), checkpoints), at + 2


def _read_number(content: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits per byte, and where the next begins."""
    value = shift = 0
    while content[at] & 0x80:
        value |= (content[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | content[at] << shift, at + 1


def _end_of_entries(content: mmap.mmap, at: int) -> int:
    """Where the last whole entry ends."""
    size = len(content)
    while at + _ENTRY.size + _SHORTEST_ENTRY <= size:
        length, _ = _ENTRY.unpack_from(content, at)
        begin = at + _ENTRY.size
        if length < _SHORTEST_ENTRY or length > size - begin or content[begin : begin + 2] != _ENTRY_START:
            break
        at = begin + length
    return at
