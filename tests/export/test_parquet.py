"""Parquet files: what another program reads from them, and what writing them takes."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mergecast.queues.export.parquet import ParquetWriter
from mergecast.queues.export.tables import Column, Kind, Table

_TABLE = Table("things", "one of each kind", tuple(Column(kind.name, kind, "") for kind in Kind))
_PAGE = 5_000


def _write(file: Path, pages: Iterator[list[tuple[Any, ...]]]) -> None:
    writer = ParquetWriter(_TABLE, "acme/widgets")
    with file.open("wb") as out:
        out.write(writer.begin())
        for page in pages:
            out.write(writer.add(page))
        out.write(writer.end())


def _query(file: Path, wanted: str, function: str = "read_parquet") -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(f"select {wanted} from {function}('{file}')").fetchall()


def test_every_kind_of_value(tmp_path: Path) -> None:
    """Extremes, missing values and any text come back as they were."""
    rows: list[tuple[Any, ...]] = [
        ("", 0, 0, 0, False),
        (None, None, None, None, None),
        ("é😀\n,\"'", 2**63 - 1, 1_772_445_600_000_001, 1, True),
        ("=1+1", -(2**63), 253_402_300_799_999_999, 10**15 + 1, True),
    ]

    _write(tmp_path / "a.parquet", iter([rows[:1], rows[1:2], rows[2:]]))

    wanted = "text, integer, epoch_us(instant), round(duration * 1000000)::bigint, boolean"
    assert rows == _query(tmp_path / "a.parquet", wanted)
    types = "typeof(repository), typeof(integer), typeof(instant), typeof(duration), typeof(boolean)"
    expected = ("VARCHAR", "BIGINT", "TIMESTAMP WITH TIME ZONE", "DOUBLE", "BOOLEAN")
    assert expected == _query(tmp_path / "a.parquet", types)[0]


def test_a_table_without_rows(tmp_path: Path) -> None:
    """It has its columns all the same."""
    _write(tmp_path / "a.parquet", iter([]))

    assert [(0,)] == _query(tmp_path / "a.parquet", "count(*)")
    assert ["schema", "repository", *(kind.name for kind in Kind)] == [
        name for (name,) in _query(tmp_path / "a.parquet", "name", "parquet_schema")
    ]


def _rows(count: int) -> Iterator[list[tuple[Any, ...]]]:
    for first in range(0, count, _PAGE):
        numbers = range(first, min(first + _PAGE, count))
        yield [(f"s{number}", number, number, number, number % 2 == 0) for number in numbers]


def test_row_groups_have_at_most_50000_rows(tmp_path: Path) -> None:
    """Pages are never split, and every row is there once, in order."""
    _write(tmp_path / "a.parquet", _rows(113_000))

    groups = _query(tmp_path / "a.parquet", "distinct row_group_id, row_group_num_rows", "parquet_metadata")
    assert [(0, 50_000), (1, 50_000), (2, 13_000)] == sorted(groups)
    assert [(113_000, 0, 112_999, True)] == _query(
        tmp_path / "a.parquet", "count(*), min(integer), max(integer), bool_and(text = 's' || integer)"
    )


@pytest.mark.thorough
def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    """Three times as many rows take the same memory."""
    peaks = []
    for count in (50_000, 150_000):
        tracemalloc.start()
        _write(tmp_path / "a.parquet", _rows(count))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < 1.2 * peaks[0]
