"""How long do small queries take beside the reading of large deliveries, by how often threads take turns?

    PYTHONPATH=tests .venv/bin/python benchmarks/turns.py [--seconds N] [--rounds N]

One thread reads deliveries of 10,000 events. Another one runs four small statements again and again, which is
less than a statistic does. Prints for Python's own interval and for that of the server: p50 and p99 of the
four statements in milliseconds, and the CPU time of a delivery, which grows if switching costs much.
"""

import argparse
import json
import sys
import threading
import time
from statistics import quantiles

import duckdb

from builders import entered
from mergecast.incoming.intake.event_bodies import read_json
from mergecast.process.interpreter import switch_threads_often
from mergecast.queues.model.instant import DAY, parse_instant

_AT = "2026-03-02T10:00:00Z"
_STATEMENTS = 4
_PAUSE_SECONDS = 0.02


def measure(seconds: float) -> str:
    body = json.dumps([entered(_AT, f"s-{n}", n + 1, id=f"e-{n}") for n in range(10_000)]).encode()
    store = duckdb.connect()
    store.execute("create table numbers as select range as number from range(10000)")
    ending, read, elapsed = threading.Event(), [], []

    def read_deliveries() -> None:
        while not ending.is_set():
            begun = time.thread_time()
            read_json(body, parse_instant(_AT) + DAY)
            read.append(time.thread_time() - begun)

    reader = threading.Thread(target=read_deliveries)
    reader.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.perf_counter()
        for _ in range(_STATEMENTS):
            store.execute("select sum(number) from numbers").fetchall()
        elapsed.append(time.perf_counter() - begun)
        time.sleep(_PAUSE_SECONDS)
    ending.set()
    reader.join()
    cuts = quantiles(elapsed, n=100, method="inclusive")
    cpu = sum(read) / len(read)
    return f"p50 {1000 * cuts[49]:.1f} ms, p99 {1000 * cuts[98]:.1f} ms, {cpu:.3f} s of CPU time per delivery"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure small queries beside large deliveries.")
    parser.add_argument("--seconds", type=float, default=4, help="of each measurement (default: 4)")
    parser.add_argument("--rounds", type=int, default=3, help="of both intervals (default: 3)")
    options = parser.parse_args()
    usual = sys.getswitchinterval()
    for _ in range(options.rounds):
        sys.setswitchinterval(usual)
        print(f"every {1000 * sys.getswitchinterval():g} ms: {measure(options.seconds)}", flush=True)
        switch_threads_often()
        print(f"every {1000 * sys.getswitchinterval():g} ms: {measure(options.seconds)}", flush=True)


if __name__ == "__main__":
    main()
