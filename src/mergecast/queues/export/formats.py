"""The formats in which tables can be exported."""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import Any, Protocol

from mergecast.queues.export.parquet import ParquetWriter
from mergecast.queues.export.tables import REPOSITORY, Kind, Table
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.seconds import in_seconds

# A spreadsheet takes a text that begins like this for a formula. Texts with apostrophes before it are escaped
# too: then whoever removes one apostrophe from each such text has the original.
_LIKE_A_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def escaped(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would compute it.

    >>> [escaped(text) for text in ("main", "=1+1", "'=1+1", "'main", "-fix")]
    ['main', "'=1+1", "''=1+1", "'main", "'-fix"]
    """
    return f"'{text}" if _LIKE_A_FORMULA.match(text) else text


_WRITTEN: dict[Kind, Callable[[Any], object]] = {
    Kind.TEXT: escaped,
    Kind.INTEGER: str,
    Kind.INSTANT: format_instant,
    Kind.DURATION: in_seconds,
    Kind.BOOLEAN: {False: "false", True: "true"}.__getitem__,
}


class CsvWriter:
    """Writes a table in pieces."""

    media_type = "text/csv; charset=utf-8; header=present"

    def __init__(self, table: Table, repository: str) -> None:
        self._table, self._repository = table, repository

    def begin(self) -> bytes:
        names = [column.name for column in (REPOSITORY, *self._table.columns)]
        return _lines([names])

    def add(self, rows: Sequence[tuple[Any, ...]]) -> bytes:
        columns: list[Iterable[object]] = [[self._repository] * len(rows)]
        for column, values in zip(self._table.columns, zip(*rows, strict=True), strict=True):
            write = _WRITTEN[column.kind]
            columns.append(["" if value is None else write(value) for value in values])
        return _lines(zip(*columns, strict=True))

    def end(self) -> bytes:
        return b""


def _lines(rows: Iterable[Sequence[object]]) -> bytes:
    buffer = StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue().encode()


class Writer(Protocol):
    """Writes one table from beginning to end; what a method returns continues the file."""

    media_type: str

    def begin(self) -> bytes: ...

    def add(self, rows: Sequence[tuple[Any, ...]]) -> bytes:
        """Add rows, at least one."""

    def end(self) -> bytes: ...


_WRITERS: dict[str, type[CsvWriter] | type[ParquetWriter]] = {"csv": CsvWriter, "parquet": ParquetWriter}
FORMATS = tuple(_WRITERS)
MEDIA_TYPES = tuple(writer.media_type for writer in _WRITERS.values())


def writer_of(format: str, table: Table, repository: str) -> Writer:
    return _WRITERS[format](table, repository)
