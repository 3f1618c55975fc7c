"""How fast are events stored over HTTP, in a small and in a large store?

    .venv/bin/python benchmarks/ingest.py FOLDER      (a folder made by big_store.py; a copy is used)

1. The rate of deliveries of 1,000 in a store of 12 million events, relative to one of 100,000. Goal: 0.4.
2. One event per request, 16 clients. Goal: at least 200 durable requests per second.
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

from made_up_deliveries import EVENTS, deliveries, one_event
from serving import TOKEN, serving

_NUMBER = 100
_CLIENTS = 16
_SECONDS = 6
_YEAR_AGO = time.time_ns() // 1000 - 365 * 86_400_000_000
_HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


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


def main() -> None:
    workers = ProcessPoolExecutor(_CLIENTS, get_context("spawn"))
    with tempfile.TemporaryDirectory() as name, workers:
        folder = Path(name)
        with serving(folder / "small") as client:
            host = client.server.url.removeprefix("http://")
            bodies = list(deliveries(_NUMBER, seed=1, start=_YEAR_AGO))
            workers.submit(send, host, bodies).result()
            at_little = _median_rate(workers, host, 3)
            singly = sum(workers.map(send_singly, [host] * _CLIENTS, range(_CLIENTS))) / _SECONDS
        shutil.copytree(sys.argv[1], folder / "big")
        with serving(folder / "big") as client:
            host = client.server.url.removeprefix("http://")
            workers.submit(send, host, list(deliveries(2, seed=9, start=_YEAR_AGO))).result()
            at_much = _median_rate(workers, host, 30)
            memory = client.peak_memory_mib()
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
