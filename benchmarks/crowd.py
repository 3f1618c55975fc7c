"""Do readers starve the writer? Runs 64 clients with uncached questions next to a stream of deliveries.

    .venv/bin/python benchmarks/crowd.py FOLDER      (a folder made by big_store.py; a copy is used)

Prints deliveries of 1,000 with the slowest one, first without
and then with the readers, and what the readers got.
"""

import http.client
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from big_store import REPOSITORY
from made_up_deliveries import deliveries
from mergecast.queues.model.instant import DAY, format_instant
from mergecast.queues.store.opening import FILE_NAME
from serving import TOKEN, serving

_READERS = 64
_STATISTICS = ("total_queue_time", "queue_size", "failure_rate")
_WINDOWS = (DAY, 30 * DAY, 365 * DAY)
_HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


def write(host: str, seconds: float, seed: int) -> tuple[int, float]:
    """How many deliveries were stored, and how long the slowest took."""
    bodies = list(deliveries(400, seed=seed, start=time.time_ns() // 1000 - 365 * DAY))
    connection = http.client.HTTPConnection(host, timeout=600)
    end, times = time.perf_counter() + seconds, []
    for body in bodies:
        begun = time.perf_counter()
        if begun > end:
            break
        connection.request("POST", "/v1/repos/acme/measured/events", body, _HEADERS)
        assert b'"duplicates":0' in connection.getresponse().read()
        times.append(time.perf_counter() - begun)
    return len(times), max(times)


def read(host: str, seconds: float) -> tuple[int, float]:
    """How many answers all readers got, and how long the slowest took."""
    end = time.perf_counter() + seconds

    def ask(reader: int) -> list[float]:
        connection, now = http.client.HTTPConnection(host, timeout=600), time.time_ns() // 1000
        times: list[float] = []
        while (begun := time.perf_counter()) < end:
            last = now - 1000 * reader - len(times)
            window = (
                f"start_at={format_instant(last - _WINDOWS[len(times) % 3])}&end_at={format_instant(last)}"
            )
            path = f"/v1/repos/{REPOSITORY}/stats/{_STATISTICS[reader % 3]}?{window}"
            connection.request("GET", path, headers=_HEADERS)
            answer = connection.getresponse()
            assert answer.read(), answer.status
            assert answer.status == http.client.OK, answer.status
            times.append(time.perf_counter() - begun)
        return times

    with ThreadPoolExecutor(_READERS) as pool:
        times = [one for part in pool.map(ask, range(_READERS)) for one in part]
    return len(times), max(times)


def _show(what: str, measured: tuple[int, float]) -> None:
    print(f"{what} {measured[0]}, slowest {measured[1]:.2f} s")


def main() -> None:
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(2, get_context("spawn")) as workers:
        shutil.copytree(sys.argv[1], Path(name) / "big")
        with serving(Path(name) / "big") as client:
            host = client.server.url.removeprefix("http://")
            write(host, 1, 1)
            _show("alone, 10 s: deliveries", workers.submit(write, host, 10, 2).result())
            reading = workers.submit(read, host, 20)
            time.sleep(1.5)
            _show("beside, 15 s: deliveries", workers.submit(write, host, 15, 3).result())
            _show("readers, 20 s: answers", reading.result())
            log = Path(name) / "big" / f"{FILE_NAME}-wal"
            print(f"commit log at the end: {log.stat().st_size >> 20} MiB")
            print(f"peak memory: {client.peak_memory_mib()} MiB")


if __name__ == "__main__":
    main()
