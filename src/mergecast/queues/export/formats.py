"""The formats in which tables can be exported."""

from collections.abc import Sequence
from typing import Any, Protocol

from mergecast.queues.export.columns import Table
from mergecast.queues.export.csv_text import CsvWriter
from mergecast.queues.export.parquet import ParquetWriter


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
