"""What do answers and deliveries cost on PostgreSQL, alone, beside other repositories, and with two servers?

    .venv/bin/python benchmarks/on_postgres.py postgresql://user@127.0.0.1:5432/empty_database [OTHERS]

1. Every statistic over a year of 20,000 stays over HTTP, against the same work inside one reader.
   Goal: at most 2 times, or 3 ms more.
2. The same work on one of OTHERS repositories of that size (default 99) whose rows lie mixed, against alone,
   before and after a vacuum. Goal: at most 2 times after it.
3. Deliveries of 1,000 events over HTTP, against a bare COPY of the same rows into the same tables. Goal: at
   least 0.25. Then two servers against one, four clients each time. Goal: at least 1. Servers and clients are
   processes of their own.
"""

import asyncio
import http.client
import logging
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlencode

import psycopg

from made_up_deliveries import EVENTS, deliveries
from mergecast.app import RunningServer, Serving
from mergecast.process.logs import log_as_json
from mergecast.queues.model.instant import DAY, Window, format_instant, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

_TOKEN = "a-token-for-benchmarks-of-32-characters"
_HEADERS = {"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json"}
_STAYS = 20_000
_YEAR = 365 * DAY
_START = time.time_ns() // 1000 // DAY * DAY - _YEAR
_ROUNDS = 7
_DELIVERIES = 80
_CLIENTS = 4
_FILL = (
    """
    insert into stays
    select r, i, i % 5000, $2 + i * ($3 / $4), i % 18 + 1, $2 + i * ($3 / $4) + 1800000000, i % 18 + 1,
        case when i % 10 = 0 then 'CHECKS_FAILED' else 'PR_MERGED' end, 'b' || i / 3, i % 2,
        1800000000, 900000000, 450000000, 225000000, 225000000
    from generate_series(0, $4 - 1) as i, unnest($1::integer[]) as r order by i
    """,
    """
    insert into checks
    select r, i, i / 3, $2 + i * ($3 / $4), i % 18 + 1, 3,
        $2 + i * ($3 / $4) + 900000000, i % 18 + 1, 'SUCCESS'
    from generate_series(0, $4 - 1) as i, unnest($1::integer[]) as r order by i
    """,
    """
    insert into runs
    select r, i, i % 18 + 1, true, true, $2 + i * 3 * ($3 / $4), $2 + i * 3 * ($3 / $4) + 900000000, 3
    from generate_series(0, $4 / 3 - 1) as i, unnest($1::integer[]) as r order by i
    """,
    """
    insert into events
        (repository_id, number, key_high, key_low, group_id, stay, id, type, happened_at, source)
    select r, i, i, i, i % 18 + 1, i, 'e' || i, 'queue_entered', $2 + i * ($3 / $4), 'api'
    from generate_series(0, $4 - 1) as i, unnest($1::integer[]) as r order by i
    """,
    """
    insert into groups
    select r, g, 'branch-' || g, 'default', null from generate_series(1, 18) as g, unnest($1::integer[]) as r
    """,
    """
    insert into repositories select r, 'acme', 'r' || r, 'acme/r' || r from unnest($1::integer[]) as r
    """,
    """
    insert into repository_state
    select r, 1, $4, $2, $2 + $3, null, 0, 0, $4, $4, 18 from unnest($1::integer[]) as r
    """,
)


@contextmanager
def serving(url: str) -> Iterator[RunningServer]:
    log_as_json(logging.ERROR)
    server = RunningServer(Serving(Path(), _TOKEN, "127.0.0.1", 0, log_requests=False, database_url=url))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def fill(url: str, repositories: list[int]) -> None:
    """The rows that ingest would write, made inside the database."""
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        for statement in _FILL:
            used = [repositories, _START, _YEAR, _STAYS][
                : max(int(digit) for digit in "1234" if f"${digit}" in statement)
            ]
            connection.execute(statement.encode(), used)
        connection.execute("select setval('repository_ids', (select max(repository_id) from repositories))")


def median(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(_ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def in_a_reader(store: Store, name: str, repository: str = "r1") -> float:
    """A statistic over the year, without HTTP."""
    span = 7 * DAY if "at" in STATISTICS[name].parameters else _YEAR
    window = Window(_START + _YEAR - span, _START + _YEAR)

    async def once() -> float:
        known = await store.repository(Repository("acme", repository))
        assert known is not None

        def work(reader: Reader) -> float:
            question = Question(known.id, window, window, grid_for(window), reader.groups(known.id))
            return median(lambda: STATISTICS[name].answer(reader, question))

        return await store.read(known.id, work, seconds=600)

    return asyncio.run(once())


def over_http(server: RunningServer, name: str) -> float:
    """The same over HTTP; every request asks for another window, so that no answer is cached."""
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=600)
    taken = STATISTICS[name].parameters
    place = 0

    def ask() -> None:
        nonlocal place
        place += 1
        end = _START + _YEAR - place * 1_000_000
        window = {"at": end} if "at" in taken else {"start_at": _START, "end_at": end}
        query = urlencode({key: format_instant(value) for key, value in window.items()})
        connection.request("GET", f"/v1/repos/acme/r1/stats/{name}?{query}", headers=_HEADERS)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()

    return median(ask)


@contextmanager
def server_processes(url: str, number: int) -> Iterator[list[str]]:
    """The addresses of servers on one database."""
    context = get_context("spawn")
    hosts, processes = [], []
    for _ in range(number):
        receiving, sending = context.Pipe(duplex=False)
        processes.append(context.Process(target=_serve, args=(url, sending)))
        processes[-1].start()
        hosts.append(receiving.recv().removeprefix("http://"))
    try:
        yield hosts
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _serve(url: str, started: Connection) -> None:
    log_as_json(logging.ERROR)
    server = RunningServer(Serving(Path(), _TOKEN, "127.0.0.1", 0, log_requests=False, database_url=url))
    started.send(server.url)
    server.run()


def send(host: str, repository: str, seed: int, number: int) -> float:
    """How many seconds one client takes to send deliveries, one after another."""
    bodies = list(deliveries(number, seed=seed, start=_START))
    connection = http.client.HTTPConnection(host, timeout=600)
    begun = time.perf_counter()
    for body in bodies:
        connection.request("POST", f"/v1/repos/acme/{repository}/events", body, _HEADERS)
        assert b'"duplicates":0' in connection.getresponse().read()
    return time.perf_counter() - begun


def stored_per_second(hosts: list[str], seed: int) -> float:
    """Events per second of some clients, each with its own repository."""
    own = _DELIVERIES // _CLIENTS
    with ProcessPoolExecutor(_CLIENTS, get_context("spawn")) as clients:
        list(
            clients.map(send, hosts * _CLIENTS, [f"warm-{seed}"] * _CLIENTS, range(_CLIENTS), [1] * _CLIENTS)
        )
        seeds = range(100 * seed, 100 * seed + _CLIENTS)
        names = [f"in-{one}" for one in seeds]
        seconds = list(clients.map(send, hosts * _CLIENTS, names, seeds, [own] * _CLIENTS))
    return sum(own * EVENTS / one for one in seconds)


def copied_per_second(url: str) -> float:
    """Bare COPY of one client's rows into tables with the same indexes, one transaction for 1,000 events."""
    parts = _DELIVERIES // _CLIENTS
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        blocks = {}
        for table in ("subjects", "events", "stays", "checks", "runs"):
            cursor.execute(f"create table copied_{table} (like {table} including all)".encode())
            chosen = (
                f"select * from {table} where repository_id = (select max(repository_id) from repositories)"
            )
            with cursor.copy(f"copy ({chosen}) to stdout".encode()) as copy:
                lines = b"".join(copy).splitlines(keepends=True)
            blocks[table] = [b"".join(lines[part::parts]) for part in range(parts)]
        connection.commit()
        begun = time.perf_counter()
        for part in range(parts):
            for table, own in blocks.items():
                with cursor.copy(f"copy copied_{table} from stdin".encode()) as copy:
                    copy.write(own[part])
            connection.commit()
        return parts * EVENTS / (time.perf_counter() - begun)


def vacuum(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


def main(url: str, others: int) -> None:
    with serving(url) as server:
        fill(url, [1])
        vacuum(url)
        alone = {name: in_a_reader(server.database, name) for name in STATISTICS}
        print("statistic over a year          reader ms   HTTP / reader   within")
        for name, seconds in alone.items():
            asked = over_http(server, name)
            is_within = asked <= 2 * seconds or asked <= seconds + 0.003
            print(f"{name:<28}{seconds * 1000:12.1f}{asked / seconds:16.2f}   {'yes' if is_within else 'NO'}")
        fill(url, list(range(2, others + 2)))
        dirty = {name: in_a_reader(server.database, name, "r2") for name in STATISTICS}
        vacuum(url)
        clean = {name: in_a_reader(server.database, name, "r2") for name in STATISTICS}
        print(f"\nbeside {others} others           not vacuumed / alone   vacuumed / alone")
        for name in STATISTICS:
            print(f"{name:<28}{dirty[name] / alone[name]:20.2f}{clean[name] / alone[name]:19.2f}")
    rates = []
    for servers in (1, 2):
        with server_processes(url, servers) as hosts:
            rates.append(stored_per_second(hosts, servers))
    one, two = rates
    copied = copied_per_second(url)
    print(f"\nevents/s: COPY {copied:,.0f}, one server {one:,.0f}, two servers {two:,.0f}")
    print(f"one server / COPY: {one / copied:.2f}, two servers / one server: {two / one:.2f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 99)
