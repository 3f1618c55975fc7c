"""What does an answer cost beside many other repositories? Every statistic, against a store with only one.

    .venv/bin/python benchmarks/growth.py [OTHERS] [STAYS]      (default: 999 others, 2,000 stays each)

The measured repository has 20,000 stays of a year in both stores. In the second one, those of the same bucket
are as large, the rest have STAYS each, and the tail is as full as it may become. Time is the CPU time of the
process, so that other processes do not disturb it; the stores take turns, and medians are compared.
Wanted: at most 2.

Also printed: how long deliveries and answers take at most while rows move out of the tail (wanted: at most
0.5 s).
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
from rich.console import Console
from rich.table import Table

from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, MINUTE, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.duckdb.buckets import BUCKETS, bucket_schema, create_buckets
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.duckdb.store import DuckDBStore
from mergecast.queues.store.duckdb.tail import TailLimits
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

_STAYS = 20_000
_ROUNDS = 9
_MOVING = 240
_YEAR = 365 * DAY
_START = 1_700_000_000_000_000 // DAY * DAY
_WINDOWS = {"1 day": DAY, "30 days": 30 * DAY, "1 year": _YEAR}

_MADE = """
create or replace temp table made as
select repository, i, $2 + i * ($3 // $4) as entered_at,
    (exp(random() * 3) * 300000000)::bigint as stay_length, random() < 0.9 as is_merged, i % 18 as place
from range($4) as stays(i), (select unnest($1::integer[])) as repositories(repository)
"""
_ROWS = {
    "events": """
        select repository, 4 * i + e, 4 * i + e, e, repository || '-' || i || '-' || e,
            ['queue_entered', 'checks_started', 'checks_ended', 'queue_left'][e + 1],
            entered_at + e * stay_length // 3, place, 'api', 's' || i, i, i % 5000, 'b' || (i // 3), i // 3,
            1, '1,2,3', 3, 'PR_MERGED', 'SUCCESS', 0, 0, null, null, null, null
        from made, range(4) as parts(e) order by i, e""",
    "stays": """
        select repository, i, i % 5000, entered_at, place, entered_at + stay_length, place,
            case when is_merged then 'PR_MERGED' else 'CHECKS_FAILED' end, null, i % 2, stay_length,
            stay_length // 2, stay_length // 4, stay_length // 8, stay_length // 8
        from made order by i""",
    "checks": """
        select repository, i, i // 3, entered_at + 1, place, 3, entered_at + stay_length, place, 'SUCCESS'
        from made order by i""",
    "runs": """
        select repository, i // 3, place, true, true, entered_at + 1, entered_at + stay_length, 3
        from made where i % 3 = 0 order by i""",
    "bisection_starts": "select repository, i, 0, entered_at, place, 3 from made where i % 50 = 0 order by i",
    "bisection_ends": """
        select repository, i, entered_at, place, true, false from made where i % 50 = 0 order by i""",
}


def make_store(file: Path, others: int, stays: int) -> None:
    """Rows as ingest writes them and moves them, made by SQL inside the database."""
    engine = Engine(file)
    with engine.cursor() as cursor:
        cursor.execute("begin")
        create_buckets(cursor, range(1, others + 2))
        cursor.execute(
            "insert into repositories select i, 'acme', 'r' || i from range(1, $1 + 2) as ids(i)", [others]
        )
        cursor.execute("update store_state set last_repository_id = $1 + 1", [others])
        for first in range(1, min(BUCKETS, others + 1) + 1):
            _make_bucket(cursor, range(first, others + 2, BUCKETS), _STAYS if first == 1 else stays)
        if others:
            _fill_tail(cursor, others)
        cursor.execute("commit")
        cursor.execute("checkpoint")
    engine.close()


def _make_bucket(cursor: duckdb.DuckDBPyConnection, ids: range, stays: int) -> None:
    """Repositories of one bucket; their rows are mixed in order of time."""
    cursor.execute(_MADE, [list(ids), _START, _YEAR, stays])
    for table, rows in _ROWS.items():
        cursor.execute(f"insert into {bucket_schema(ids[0])}.{table} {rows}")
    cursor.execute(
        "insert into groups select id, i, 'main', 'queue-' || (i % 6), "
        "case when i < 6 then null else 'rule-' || (i // 6) end "
        "from range(18) as places(i), (select unnest($1::integer[])) as ids(id)",
        [list(ids)],
    )
    cursor.execute(
        "insert into repository_state (repository_id, version, events, first_at, last_at, snapshots, "
        "recordings, last_event, last_subject, last_group) "
        "select id, 1, 4 * $2, $3, $4, 0, 0, 4 * $2, $2, 18 "
        "from (select unnest($1::integer[])) as ids(id)",
        [list(ids), stays, _START, _START + _YEAR],
    )


def _fill_tail(cursor: duckdb.DuckDBPyConnection, others: int) -> None:
    """As many rows as a tail holds just before some of them move."""
    each = TailLimits().total // 4 // others
    cursor.execute(_MADE, [list(range(2, others + 2)), _START + _YEAR - DAY, DAY, each])
    cursor.execute("update made set i = i + 1000000")
    for table, rows in _ROWS.items():
        cursor.execute(f"insert into main.{table} {rows}")


def measure(stores: dict[str, Store]) -> Iterator[tuple[str, str, dict[str, float]]]:
    for name in STATISTICS:
        for label, length in _WINDOWS.items():
            times: dict[str, list[float]] = {kind: [] for kind in stores}
            for step in range(_ROUNDS):
                window = Window(_START + _YEAR - length - step, _START + _YEAR - step)
                for kind, store in stores.items():
                    times[kind].append(asyncio.run(_answer(store, name, window)))
            yield name, label, {kind: statistics.median(taken) * 1000 for kind, taken in times.items()}


async def _answer(store: Store, name: str, window: Window) -> float:
    """CPU seconds of one answer."""

    def work(reader: Reader) -> float:
        begun = time.process_time()
        question = Question(1, window, window, grid_for(window), reader.groups(1))
        STATISTICS[name].answer(reader, question)
        return time.process_time() - begun

    return await store.read(1, work)


def longest_waits(folder: Path) -> tuple[float, float]:
    """The slowest delivery of 500 events and the slowest answer while rows move again and again."""
    store, name = DuckDBStore(folder / "waits.duckdb"), Repository("acme", "busy")
    window = Window(_START, _START + DAY)

    async def send() -> list[float]:
        waits = []
        for number in range(_MOVING):
            begun = time.perf_counter()
            await store.record(name, _delivery(number))
            waits.append(time.perf_counter() - begun)
        return waits

    async def ask(sending: "asyncio.Task[list[float]]") -> list[float]:
        waits = []
        while not sending.done():
            begun = time.perf_counter()
            known = await store.repository(name)
            if known is not None:
                await store.read(known.id, partial(_queue_size, known=known, window=window))
                waits.append(time.perf_counter() - begun)
            await asyncio.sleep(0.01)
        return waits

    async def both() -> tuple[float, float]:
        sending = asyncio.create_task(send())
        answers = await ask(sending)
        return max(await sending), max(answers)

    try:
        return asyncio.run(both())
    finally:
        store.close()


def _queue_size(reader: Reader, known: KnownRepository, window: Window) -> None:
    question = Question(known.id, window, window, grid_for(window), reader.groups(known.id))
    STATISTICS["queue_size"].answer(reader, question)


def _delivery(number: int) -> list[Event]:
    at = _START + number * DAY
    return [
        Event(
            f"{number}-{i}",
            "queue_entered",
            at + i * MINUTE,
            "main",
            "default",
            None,
            "api",
            f"{number}-{i}",
            i,
        )
        for i in range(500)
    ]


def main() -> None:
    others = int(sys.argv[1]) if len(sys.argv) > 1 else 999
    stays = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    table = Table("statistic", "window", "alone ms", f"beside {others} ms", "ratio", "within")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_store(folder / "alone.duckdb", 0, stays)
        make_store(folder / "beside.duckdb", others, stays)
        stores: dict[str, Store] = {
            kind: DuckDBStore(folder / f"{kind}.duckdb") for kind in ("alone", "beside")
        }
        for statistic, window, taken in measure(stores):
            ratio = taken["beside"] / taken["alone"]
            row = (
                f"{taken['alone']:.1f}",
                f"{taken['beside']:.1f}",
                f"{ratio:.2f}",
                "yes" if ratio <= 2 else "NO",
            )
            table.add_row(statistic, window, *row)
        for store in stores.values():
            store.close()
        delivery, answer = longest_waits(folder)
    Console(width=110).print(table)
    print(f"while rows moved: slowest of {_MOVING} deliveries {delivery:.2f} s, answer {answer:.2f} s (0.5)")


if __name__ == "__main__":
    main()
