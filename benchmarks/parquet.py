"""What does writing Parquet cost: by Mergecast's own writer, and by way of DuckDB?

    .venv/bin/python benchmarks/parquet.py FOLDER [ROWS]        (default: 200000)

Writes made-up stays. DuckDB gets the rows as they would come from PostgreSQL: in a temporary file, here CSV,
which it then converts with COPY. Prints CPU time, the sizes of all files, and after how much CPU time the
first bytes for a client exist.
"""

import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import duckdb

from mergecast.queues.export.formats import CsvWriter, Writer
from mergecast.queues.export.parquet import ParquetWriter
from mergecast.queues.export.tables import STAYS

_PAGE = 5000
_MB = 1_000_000
_SECOND = 1_000_000
_START = 1_767_225_600 * _SECOND


def rows(count: int) -> Iterator[tuple[object, ...]]:
    dice = random.Random(7)
    for number in range(count):
        entered = _START + number * 30 * _SECOND + dice.randrange(_SECOND)
        ci, capacity = (dice.randrange(600, 3600) * _SECOND + dice.randrange(_SECOND) for _ in range(2))
        group, is_merged = ("main", f"queue {dice.randrange(4)}", None), dice.random() < 0.9
        yield (
            f"{dice.getrandbits(64):016x}", number, entered, *group, entered + ci + capacity, *group,
            "PR_MERGED" if is_merged else "CHECKS_FAILED", is_merged, f"batch-{number // 3}",
            dice.randrange(2), ci + capacity, ci, capacity, 0, 0,
        )  # fmt: skip


def written(writer: Writer, path: Path, count: int) -> float:
    """After how many seconds of CPU time the first bytes of rows were written."""
    first, begun = 0.0, time.process_time()
    with path.open("wb") as file:
        file.write(writer.begin())
        made_up = rows(count)
        while page := list(islice(made_up, _PAGE)):
            done = writer.add(page)
            first = first or (time.process_time() - begun if done else 0.0)
            file.write(done)
        file.write(writer.end())
    return first


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
    own, text, copied = folder / "own.parquet", folder / "stays.csv", folder / "copied.parquet"
    begun = time.process_time()
    for _ in rows(count):
        pass
    made = time.process_time() - begun
    begun = time.process_time()
    first = written(ParquetWriter(STAYS, "acme/web"), own, count)
    print(
        f"own writer: {time.process_time() - begun - made:.1f} s, {own.stat().st_size / _MB:.1f} MB, "
        f"first bytes after {first:.1f} s"
    )
    begun = time.process_time()
    written(CsvWriter(STAYS, "acme/web"), text, count)
    duckdb.execute(f"copy (from '{text}') to '{copied}' (format parquet, compression gzip)")
    spent = time.process_time() - begun - made
    print(
        f"a temporary file and DuckDB: {spent:.1f} s, {copied.stat().st_size / _MB:.1f} MB, "
        f"first bytes after {spent:.1f} s, temporary file {text.stat().st_size / _MB:.1f} MB"
    )


if __name__ == "__main__":
    main()
