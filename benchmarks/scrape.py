"""What does a scrape of `GET /v1/metrics` cost beside 1,000 repositories?

    .venv/bin/python benchmarks/scrape.py [--database-url postgresql://…]

CPU time of the server's process, without a socket: the first scrape, one after 100 repositories have changed,
one after nothing has, and one with a key of an owner that has 10 of the repositories. Medians of 5. Goal:
below 1 s of CPU time after 100 changes.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mergecast.access.application_keys import ApplicationKeys, WantedKey
from mergecast.api.application import Application
from mergecast.app import Serving, application
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store

_REPOSITORIES, _CHANGED, _OWN = 1_000, 100, 10
_ROUNDS = 5
_ADMIN = "an-admin-token-of-more-than-32-characters"
_NUMBERS = count(1)


def _events(number: int) -> list[Event]:
    """A merged pull request with its CI run, and another that waits."""
    now, stay, waiting = now_in_microseconds(), f"s{number}", f"w{number}"
    place = ("main", "default", None, "api")
    run = (stay, number, f"b{number}", 1)
    return [
        Event(f"e{number}", "queue_entered", now - 30 * MINUTE, *place, stay, number),
        Event(f"c{number}", "checks_started", now - 25 * MINUTE, *place, *run, str(number)),
        Event(f"d{number}", "checks_ended", now - 5 * MINUTE, *place, *run, outcome="SUCCESS"),
        Event(f"l{number}", "queue_left", now - MINUTE, *place, stay, number, reason="PR_MERGED"),
        Event(f"f{number}", "queue_entered", now - MINUTE, *place, waiting, number + 1),
    ]


async def _store_events(store: Store, names: Sequence[Repository]) -> None:
    for name in names:
        await store.record(name, _events(next(_NUMBERS)))


async def _scrape(app: Application, token: str) -> tuple[int, int]:
    """The status of the answer, and its length."""
    status, size = 0, 0

    async def send(message: Any) -> None:
        nonlocal status, size
        status = message.get("status", status)
        size += len(message.get("body", b""))

    async def receive() -> Any:
        await asyncio.Event().wait()

    scope = {
        "type": "http", "method": "GET", "path": "/v1/metrics", "raw_path": b"/v1/metrics",
        "query_string": b"", "client": ("127.0.0.1", 1),
        "headers": [(b"authorization", b"Bearer " + token.encode())],
    }  # fmt: skip
    await app(scope, receive, send)
    return status, size


async def _measure(what: str, work: Callable[[], Awaitable[tuple[int, int]]]) -> float:
    begun = time.process_time()
    status, size = await work()
    seconds = time.process_time() - begun
    assert status == 200, f"{what}: {status}"
    print(f"{what:45} {seconds * 1000:8.0f} ms  {size / 1e6:6.1f} MB")
    return seconds


async def _run(store: Store, folder: Path) -> None:
    owners = ["acme"] * (_REPOSITORIES - _OWN) + ["small"] * _OWN
    names = [Repository(owner, f"r{place}") for place, owner in enumerate(owners)]
    await _store_events(store, names)
    serving = Serving(folder, _ADMIN, "127.0.0.1", 0, log_requests=False)
    app = application(store, serving, "http://127.0.0.1", lambda: False)
    keys = ApplicationKeys(store, now_in_microseconds)
    _, key = await keys.make(WantedKey("benchmark", "small", frozenset({"read"}), None))
    await _measure("first", lambda: _scrape(app, _ADMIN))
    found: dict[str, list[float]] = {"nothing changed": [], "100 changed": [], "a key of 10 repositories": []}
    for _ in range(_ROUNDS):
        await _store_events(store, names[:_CHANGED])
        found["100 changed"].append(await _measure("100 changed", lambda: _scrape(app, _ADMIN)))
        found["nothing changed"].append(await _measure("nothing changed", lambda: _scrape(app, _ADMIN)))
        await _store_events(store, names[-_OWN:])
        own = "a key of 10 repositories"
        found[own].append(await _measure(f"{own}, all changed", lambda: _scrape(app, key)))
    for what, seconds in found.items():
        print(f"median, {what}: {statistics.median(seconds) * 1000:.0f} ms of CPU time")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--database-url")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder), given.database_url)
        try:
            asyncio.run(_run(store, Path(folder)))
        finally:
            store.close()


if __name__ == "__main__":
    main()
