"""What does writing Parquet cost, compared with CSV?

    .venv/bin/python benchmarks/parquet.py FOLDER [ROWS]        (default: 200000)

Writes made-up stays. Prints CPU time, the size of each file, and after how much CPU time the first bytes
exist.
"""

import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

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
    begun = time.process_time()
    for _ in rows(count):
        pass
    made = time.process_time() - begun
    for name, writer in (
        ("parquet", ParquetWriter(STAYS, "acme/web")),
        ("csv", CsvWriter(STAYS, "acme/web")),
    ):
        path = folder / f"stays.{name}"
        begun = time.process_time()
        first = written(writer, path, count)
        spent = time.process_time() - begun - made
        print(f"{name}: {spent:.1f} s, {path.stat().st_size / _MB:.1f} MB, first bytes after {first:.1f} s")


if __name__ == "__main__":
    main()
