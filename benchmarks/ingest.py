"""How fast are events stored, over HTTP and directly, in a small and in a large store?

    .venv/bin/python benchmarks/ingest.py FOLDER      (a folder made by big_store.py; a copy is used)

1. Deliveries of 1,000 over HTTP, then their rows loaded directly into another store, one transaction per
   delivery. Goal: at least 0.25 of the direct rate.
2. The rate in a store of 12 million events, relative to one of 100,000. Goal: at least 0.4.
3. One event per request, 16 clients. Goal: at least 200 durable requests per second.
"""

import http.client
import shutil
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import duckdb

from made_up_deliveries import EVENTS, deliveries, one_event
from mergecast.queues.model.facts import Check, Run, Stay
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.duckdb.transaction import insert
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.rows import TABLES, EventRow, Row, SubjectRow
from serving import TOKEN, serving

_NUMBER = 60
_CLIENTS = 16
_SECONDS = 6
_YEAR_AGO = time.time_ns() // 1000 - 365 * 86_400_000_000
_HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
_OF_DELIVERY: dict[type[Row], str] = {
    EventRow: "number between {first} and {last}",
    SubjectRow: "number in (select stay from e union select run from e)",
    Stay: "stay in (select stay from e)",
    Check: "stay in (select stay from e)",
    Run: "run in (select run from e)",
}


def send(host: str, bodies: list[bytes]) -> float:
    """Events per second of one client that sends one delivery after another."""
    connection = http.client.HTTPConnection(host, timeout=600)
    begun = time.perf_counter()
    for body in bodies:
        connection.request("POST", "/v1/repos/acme/measured/events", body, _HEADERS)
        answer = connection.getresponse()
        assert b'"duplicates":0' in answer.read(), answer.status
    return float(len(bodies) * EVENTS / (time.perf_counter() - begun))


def send_singly(host: str, seed: int) -> int:
    """Acknowledged requests of one client that sends one event at a time."""
    connection = http.client.HTTPConnection(host, timeout=600)
    random, done = Random(seed), 0
    end = time.perf_counter() + _SECONDS
    while time.perf_counter() < end:
        connection.request("POST", "/v1/repos/acme/singly/events", one_event(random, _YEAR_AGO), _HEADERS)
        answer = connection.getresponse()
        assert b'"stored":1' in answer.read(), answer.status
        done += 1
    return done


def straight(source: Path, target: Path) -> float:
    """Events per second when the rows of each delivery are written and nothing else happens."""
    engine = Engine(source / FILE_NAME)
    with engine.cursor() as cursor:
        engine.buckets.begin_reading(cursor, 1)
        number = cursor.execute("select max(number) from events").fetchall()[0][0]
        starts = _starts(cursor.execute("select number from events order by number").fetchall())
        ends = [*starts[1:], number + 1]
        parts = [_rows(cursor, start, end - 1) for start, end in zip(starts, ends, strict=True)]
    engine.close()
    target.mkdir()
    engine = Engine(target / FILE_NAME)
    with engine.cursor() as cursor:
        begun = time.perf_counter()
        for part in parts:
            cursor.execute("begin")
            for rows in part:
                insert(cursor, rows)
            cursor.execute("commit")
        seconds = time.perf_counter() - begun
    engine.close()
    return float(len(parts) * EVENTS / seconds)


def _starts(numbers: list[tuple[int]]) -> list[int]:
    """The first event number of each delivery."""
    return [numbers[place][0] for place in range(0, len(numbers), EVENTS)]


def _rows(cursor: duckdb.DuckDBPyConnection, first: int, last: int) -> list[list[Row]]:
    """The rows of one delivery, table by table."""
    wanted = _OF_DELIVERY[EventRow].format(first=first, last=last)
    cursor.execute(f"create or replace temp table e as select * from events where {wanted}")
    parts: list[list[Row]] = []
    for row_type, chosen in _OF_DELIVERY.items():
        columns, condition = ", ".join(row_type._fields), chosen.format(first=first, last=last)
        found = cursor.execute(f"select {columns} from {TABLES[row_type]} where {condition}").fetchall()
        parts.append([row_type(*row) for row in found])
    return parts


def main() -> None:
    workers = ProcessPoolExecutor(_CLIENTS, get_context("spawn"))
    with tempfile.TemporaryDirectory() as name, workers:
        folder = Path(name)
        with serving(folder / "small") as client:
            host = client.server.url.removeprefix("http://")
            bodies = list(deliveries(_NUMBER, seed=1, start=_YEAR_AGO))
            over_http = workers.submit(send, host, bodies).result()
            bodies = list(deliveries(100 - _NUMBER, seed=2, start=_YEAR_AGO))
            workers.submit(send, host, bodies).result()
            at_little = _median_rate(workers, host, 3)
            singly = sum(workers.map(send_singly, [host] * _CLIENTS, range(_CLIENTS))) / _SECONDS
        shutil.copytree(sys.argv[1], folder / "big")
        with serving(folder / "big") as client:
            host = client.server.url.removeprefix("http://")
            workers.submit(send, host, list(deliveries(2, seed=9, start=_YEAR_AGO))).result()
            at_much = _median_rate(workers, host, 30)
            memory = client.peak_memory_mib()
        with serving(folder / "again") as client:
            host = client.server.url.removeprefix("http://")
            workers.submit(send, host, list(deliveries(_NUMBER, seed=1, start=_YEAR_AGO))).result()
        alone = straight(folder / "again", folder / "straight")
    print(f"over HTTP {over_http:,.0f} events/s, direct {alone:,.0f}: ratio {over_http / alone:.2f} (0.25)")
    print(
        f"at 100,000 stored {at_little:,.0f} events/s, at 12 million {at_much:,.0f}: "
        f"ratio {at_much / at_little:.2f} (0.4)"
    )
    print(f"one event per request, {_CLIENTS} clients: {singly:,.0f} durable requests/s (200)")
    print(f"peak memory: {memory} MiB")


def _median_rate(workers: ProcessPoolExecutor, host: str, seed: int) -> float:
    parts = [list(deliveries(15, seed=seed + part, start=_YEAR_AGO)) for part in range(5)]
    return statistics.median(workers.submit(send, host, part).result() for part in parts)


if __name__ == "__main__":
    main()
