"""What do webhooks cost: per second over HTTP, and on disk?

    .venv/bin/python benchmarks/hooks.py [postgresql://…]      (an empty database, instead of a file)

1. Webhooks of checks, one per request, against the ingest endpoint with one event per request, 16 clients
   each, in one server. Goal: at least half as many requests per second.
2. A day of a monorepo: 350 merges, 100 checks per group. Goal: at most 50 MB on disk, and at most one
   translation per delivery.
"""

import asyncio
import http.client
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random

from made_up_deliveries import one_event
from made_up_webhooks import SECRET, one_stay
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.app import RunningServer, Serving
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store

_TOKEN = "a-token-for-benchmarks-of-32-characters"
_CLIENTS = 16
_SECONDS = 6
_MERGES, _CHECKS = 350, 100
_TOGETHER = 1_000  # deliveries that arrive before the next translation
_START = time.time_ns() // 1000 - 30 * DAY
_INGEST = {"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json"}


def send_events(host: str, seed: int) -> int:
    """Acknowledged requests of one client that sends one event at a time."""
    random = Random(seed)

    def requests() -> Iterator[tuple[str, bytes, dict[str, str]]]:
        while True:
            yield "/v1/repos/acme/singly/events", one_event(random, _START), _INGEST

    return _send(host, requests())


def send_webhooks(host: str, seed: int) -> int:
    """Acknowledged requests of one client that sends one webhook at a time."""

    def requests() -> Iterator[tuple[str, bytes, dict[str, str]]]:
        for number in range(1000 * (seed + 1), 1000 * (seed + 2)):
            for webhook in one_stay(number, _START, _CHECKS):
                yield "/v1/hooks/github", webhook.body, webhook.headers

    return _send(host, requests())


def _send(host: str, requests: Iterator[tuple[str, bytes, dict[str, str]]]) -> int:
    connection = http.client.HTTPConnection(host, timeout=600)
    end, done = time.perf_counter() + _SECONDS, 0
    while time.perf_counter() < end:
        path, body, headers = next(requests)
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        assert b'"stored":1' in answer.read() or path.startswith("/v1/hooks"), answer.status
        done += 1
    return done


@contextmanager
def _server(folder: Path, url: str | None) -> Iterator[str]:
    secrets = (WebhookSecret(SECRET.encode()),)
    server = RunningServer(
        Serving(folder, _TOKEN, "127.0.0.1", 0, log_requests=False, webhook_secrets=secrets, database_url=url)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server.url.removeprefix("http://")
    finally:
        server.stop()
        thread.join()


async def _monorepo_day(store: Store) -> tuple[int, int, int]:
    """Deliveries, translated threads and events of a day."""
    intake, name = Intake(store, lambda: _START + 2 * DAY, "benchmark"), Repository("acme", "day")
    deliveries = threads = 0
    stays = (one_stay(number, _START + number * 4 * MINUTE, _CHECKS) for number in range(1, _MERGES + 1))
    webhooks = (webhook for stay in stays for webhook in stay)
    while part := list(islice(webhooks, _TOGETHER)):
        read = [webhook_delivery(one.event, one.guid, one.body, one.at)[1] for one in part]
        await intake.receive(name, read)
        threads += (await intake.translate(name)).threads
        deliveries += len(part)
    known = await store.repository(name)
    assert known is not None
    return deliveries, threads, known.events


def main() -> None:
    url = sys.argv[1] if len(sys.argv) > 1 else None
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(_CLIENTS, get_context("spawn")) as workers,
    ):
        with _server(Path(folder) / "rate", url) as host:
            seeds = range(_CLIENTS)
            events = sum(workers.map(send_events, [host] * _CLIENTS, seeds)) / _SECONDS
            webhooks = sum(workers.map(send_webhooks, [host] * _CLIENTS, seeds)) / _SECONDS
        print(
            f"one event per request {events:,.0f}/s, one webhook per request {webhooks:,.0f}/s: "
            f"ratio {webhooks / events:.2f} (0.5)"
        )
        store = open_store(Path(folder) / "day", url)
        before, begun = asyncio.run(store.size()), time.perf_counter()
        deliveries, threads, found = asyncio.run(_monorepo_day(store))
        seconds = time.perf_counter() - begun
        store.close()
        store = open_store(Path(folder) / "day", url)
        size = asyncio.run(store.size()) - before
        store.close()
    print(
        f"a day of {deliveries:,} deliveries and {found:,} events: {size / 1e6:.1f} MB (50), "
        f"{threads / deliveries:.2f} translations per delivery (1), {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
