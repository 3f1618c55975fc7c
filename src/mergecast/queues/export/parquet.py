"""Tables as Parquet, in pieces, so that a table of any length takes little memory and no temporary file.

`docs/decisions/0026-own-parquet-writer.md` says why. The format: https://parquet.apache.org/docs/file-format/
"""

import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mergecast import __version__
from mergecast.queues.export.tables import REPOSITORY, Column, Kind, Table
from mergecast.queues.export.thrift import I32, I64, Encoded, varint
from mergecast.queues.export.thrift import struct as thrift_struct
from mergecast.queues.model.instant import SECOND

MOST_ROWS = 50_000  # of a row group
_MOST_BYTES = 2 << 20  # of a row group, compressed: what a server keeps for a client that reads slowly
_MAGIC = b"PAR1"
_OPTIONAL, _PLAIN, _RLE, _GZIP, _DATA_PAGE = I32(1), I32(0), I32(3), I32(2), I32(0)
_VERSION = I32(2)
_LEVEL = 1  # of zlib: tables compress well, and a higher level takes twice as long


class _Encoding(NamedTuple):
    """How the values of a kind are stored: a physical type, what it stands for, and the bytes."""

    type: I32
    logical: dict[int, Any]  # fields of the column's SchemaElement
    plain: Callable[[list[Any]], bytes]


def _bits(values: list[bool]) -> bytes:
    """Eight values per byte, the first in the lowest bit."""
    digits = "".join("1" if value else "0" for value in reversed(values))
    return int(digits or "0", 2).to_bytes((len(values) + 7) // 8, "little")


def _integers(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def _seconds(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}d", *(value / SECOND for value in values))


def _texts(values: list[str]) -> bytes:
    texts = [value.encode() for value in values]
    return b"".join(part for text in texts for part in (len(text).to_bytes(4, "little"), text))


_UTC_MICROSECONDS = {8: {1: True, 2: {2: {}}}}
_ENCODINGS = {
    Kind.BOOLEAN: _Encoding(I32(0), {}, _bits),
    Kind.INTEGER: _Encoding(I32(2), {}, _integers),
    Kind.INSTANT: _Encoding(I32(2), {6: I32(10), 10: _UTC_MICROSECONDS}, _integers),
    Kind.DURATION: _Encoding(I32(5), {}, _seconds),
    Kind.TEXT: _Encoding(I32(6), {6: I32(0), 10: {1: {}}}, _texts),
}


class _Chunk:
    """The values of one column in the row group that is being filled."""

    def __init__(self, column: Column) -> None:
        self._column, self._encoding = column, _ENCODINGS[column.kind]
        self.pages: list[bytes] = []
        self.size = self.plain_size = self._rows = 0

    def add(self, values: Sequence[Any]) -> None:
        """Add a page: which values are present, and those values."""
        present = [value is not None for value in values]
        levels = _levels(present)
        plain = self._encoding.plain([value for value in values if value is not None])
        content = len(levels).to_bytes(4, "little") + levels + plain
        packed = _gzip(content)
        header = thrift_struct({
            1: _DATA_PAGE,
            2: I32(len(content)),
            3: I32(len(packed)),
            5: {1: I32(len(values)), 2: _PLAIN, 3: _RLE, 4: _RLE},
        })  # fmt: skip
        self.pages += (header, packed)
        self._rows += len(values)
        self.size += len(header) + len(packed)
        self.plain_size += len(header) + len(content)

    def description(self, offset: int) -> Encoded:
        """The ColumnChunk whose first page is at this offset of the file."""
        content = {
            1: self._encoding.type,
            2: [_PLAIN, _RLE],
            3: [self._column.name],
            4: _GZIP,
            5: I64(self._rows),
            6: I64(self.plain_size),
            7: I64(self.size),
            9: I64(offset),
        }
        return thrift_struct({2: I64(offset), 3: content})


def _levels(present: list[bool]) -> bytes:
    """One bit per value, run-length encoded if all are the same."""
    if all(present) or not any(present):
        return varint(len(present) << 1) + bytes([present[0]])
    return varint((len(present) + 7) // 8 << 1 | 1) + _bits(present)


def _gzip(content: bytes) -> bytes:
    return zlib.compress(content, _LEVEL, wbits=31)


class ParquetWriter:
    """Writes a table in pieces. `add` returns bytes each time a row group is complete."""

    media_type = "application/vnd.apache.parquet"

    def __init__(self, table: Table, repository: str) -> None:
        self._columns, self._repository = (REPOSITORY, *table.columns), repository
        self._offset = self._rows = 0
        self._groups: list[Encoded] = []
        self._begin_group()

    def _begin_group(self) -> None:
        self._chunks, self._rows_in_group = [_Chunk(column) for column in self._columns], 0

    def begin(self) -> bytes:
        return self._written(_MAGIC)

    def add(self, rows: Sequence[tuple[Any, ...]]) -> bytes:
        """Pages of a table must not be longer than a row group."""
        complete = b"" if self._rows_in_group + len(rows) <= MOST_ROWS else self._end_group()
        columns = ([self._repository] * len(rows), *zip(*rows, strict=True))
        for chunk, values in zip(self._chunks, columns, strict=True):
            chunk.add(values)
        self._rows_in_group += len(rows)
        if sum(chunk.size for chunk in self._chunks) >= _MOST_BYTES:
            complete += self._end_group()
        return complete

    def end(self) -> bytes:
        last = self._end_group() if self._rows_in_group else b""
        footer = thrift_struct({
            1: _VERSION,
            2: [{4: "schema", 5: I32(len(self._columns))}, *map(_schema, self._columns)],
            3: I64(self._rows),
            4: self._groups,
            6: f"mergecast version {__version__}",
        })  # fmt: skip
        return last + footer + len(footer).to_bytes(4, "little") + _MAGIC

    def _end_group(self) -> bytes:
        offset, descriptions = self._offset, []
        for chunk in self._chunks:
            descriptions.append(chunk.description(offset))
            offset += chunk.size
        size = sum(chunk.plain_size for chunk in self._chunks)
        self._groups.append(thrift_struct({1: descriptions, 2: I64(size), 3: I64(self._rows_in_group)}))
        content = self._written(b"".join(page for chunk in self._chunks for page in chunk.pages))
        self._rows += self._rows_in_group
        self._begin_group()
        return content

    def _written(self, content: bytes) -> bytes:
        self._offset += len(content)
        return content


def _schema(column: Column) -> dict[int, Any]:
    encoding = _ENCODINGS[column.kind]
    return {1: encoding.type, 3: _OPTIONAL, 4: column.name, **encoding.logical}
