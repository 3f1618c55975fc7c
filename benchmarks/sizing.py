"""How much disk, memory and CPU time does a server need for 1,000 merges a day?

    .venv/bin/python benchmarks/sizing.py [MERGES] [postgresql://…]     (an empty database, instead of a file)

Everything about merges arrives as events that a client sends (four for each merge), and as GitHub's webhooks
with ten checks for each merge. Figures are scaled to 1,000 merges.

1. Disk: what a store with many merges has more than an empty one.
2. CPU time and memory: a server of its own gets one request for each event or webhook. CPU time is that of
   the server and of a local database, without the client.
"""

import asyncio
import http.client
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import msgspec

from made_up_webhooks import SECRET, one_stay
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.app import RunningServer, Serving
from mergecast.incoming.intake.event_bodies import to_wire
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from retention import stay

_TOKEN = "a-token-for-benchmarks-of-32-characters"
_CHECKS = 10
_MANY, _FEW = 5_000, 300  # merges of which the disk is measured
_START = time.time_ns() // 1000 - 2 * DAY
_TICKS = os.sysconf("SC_CLK_TCK")
_SENT = {"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json"}

Request = tuple[str, bytes, dict[str, str]]


class _Used(NamedTuple):
    cpu_seconds: float
    memory_bytes: int  # of the server


def events(merges: int) -> Iterator[Request]:
    for number in range(merges):
        for event in stay(number, _START + number * MINUTE):
            yield "/v1/repos/acme/sent/events", msgspec.json.encode([to_wire(event)]), _SENT


def webhooks(merges: int) -> Iterator[Request]:
    for number in range(1, merges + 1):
        for webhook in one_stay(number, _START + number * MINUTE, _CHECKS):
            yield "/v1/hooks/github", webhook.body, webhook.headers


def serve(folder: Path, url: str | None, ready: Connection) -> None:
    secrets = (WebhookSecret(SECRET.encode(), frozenset({"acme"})),)
    serving = Serving(
        folder, _TOKEN, "127.0.0.1", 0, database_url=url, webhook_secrets=secrets, log_requests=False
    )
    server = RunningServer(serving)
    ready.send(server.local_url)
    server.run()


@contextmanager
def server(folder: Path, url: str | None) -> Iterator[tuple[int, str]]:
    """The id of a process that serves, and its address."""
    context = get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(folder, url, sending))
    process.start()
    try:
        address = receiving.recv()
        yield process.pid or 0, address.removeprefix("http://")
    finally:
        process.terminate()
        process.join()


def send(host: str, requests: Iterable[Request]) -> int:
    connection, sent = http.client.HTTPConnection(host, timeout=600), 0
    for path, body, headers in requests:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        assert answer.status < 300, answer.read()
        answer.read()
        sent += 1
    return sent


def used(pid: int, url: str | None) -> _Used:
    seconds = _seconds(pid)
    if url is not None:
        import psycopg  # noqa: PLC0415 - only for a database

        with psycopg.connect(url, autocommit=True) as connection:
            ((backend,),) = connection.execute("select pg_backend_pid()").fetchall()
            parent = _parent(backend)
            numbers = (int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit())
            children = [number for number in numbers if _parent(number) == parent]
            seconds += sum(map(_seconds, [parent, *children])) + _seconds(parent, ended=True)
    return _Used(seconds, _memory(pid))


def _fields(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # the process has ended meanwhile
        return ["0"] * 20


def _parent(pid: int) -> int:
    return int(_fields(pid)[1])


def _seconds(pid: int, *, ended: bool = False) -> float:
    """CPU time of a process, or of its children that have ended."""
    first = 13 if ended else 11
    return sum(int(ticks) for ticks in _fields(pid)[first : first + 2]) / _TICKS


def _memory(pid: int) -> int:
    return int(_fields(pid)[21]) * os.sysconf("SC_PAGE_SIZE") if len(_fields(pid)) > 21 else 0


def settle(pid: int, url: str | None) -> _Used:
    """What is used once the server has translated everything: it needs little time then."""
    last = used(pid, url)
    while True:
        time.sleep(5)
        now = used(pid, url)
        if now.cpu_seconds - last.cpu_seconds < 0.3:
            return now
        last = now


async def disk(url: str | None, name: str) -> float:
    """Bytes on disk per merge."""
    with tempfile.TemporaryDirectory() as made:
        store = open_store(Path(made), url)
        before = await store.size()
        merges = await _FILLING[name](store)
        if url is None:
            store.close()  # which leaves no log of commits
            store = open_store(Path(made))
        after = await store.size()
        store.close()
    return (after - before) / merges


async def _fill_with_events(store: Store) -> int:
    for first in range(0, _MANY, 500):
        numbers = range(first, first + 500)
        await store.record(
            Repository("acme", "sent"),
            [event for number in numbers for event in stay(number, _START + number * MINUTE)],
        )
    return _MANY


async def _fill_with_webhooks(store: Store) -> int:
    intake, name = Intake(store, lambda: _START + 2 * DAY, "benchmark"), Repository("acme", "monorepo")
    for first in range(1, _FEW, 50):
        given = [
            webhook_delivery(one.event, one.guid, one.body, one.at)[1]
            for number in range(first, first + 50)
            for one in one_stay(number, _START + number * MINUTE, _CHECKS)
        ]
        await intake.receive(name, given)
        await intake.translate(name)
    return _FEW


_FILLING = {"events": _fill_with_events, "webhooks": _fill_with_webhooks}
_REQUESTS = {"events": events, "webhooks": webhooks}


def measure(merges: int, url: str | None) -> None:
    for name, requests in _REQUESTS.items():
        megabytes = asyncio.run(disk(url, name)) * 1000 / 1e6
        print(f"{name}, per 1,000 merges: {megabytes:.1f} MB on disk", flush=True)
        with tempfile.TemporaryDirectory() as folder, server(Path(folder), url) as (pid, host):
            before = settle(pid, url)
            sent = send(host, requests(merges))
            after = settle(pid, url)
        cpu = (after.cpu_seconds - before.cpu_seconds) * 1000 / merges
        memory = [round(one.memory_bytes / 1e6) for one in (before, after)]
        print(
            f"  {sent * 1000 / merges:,.0f} requests and {cpu:.0f} s of CPU time; "
            f"memory of the server {memory[0]} MB at the start, {memory[1]} MB after {merges} merges",
            flush=True,
        )


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 200
    measure(count, arguments[0] if arguments else None)
