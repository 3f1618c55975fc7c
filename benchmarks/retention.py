"""What does deleting old events cost, and does it delay anyone?

    .venv/bin/python benchmarks/retention.py [postgresql://…]      (an empty database, instead of a file)

1. How many events are deleted per second, and the CPU time of this process for the same number of old stays
   in a repository that keeps four times as many stays. Goal: at most 2 times.
2. Small deliveries to one repository, alone and while old stays of another owner's repository are deleted:
   the median and the 99th percentile, as ratios. Goal: p99 at most 3 times alone.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from statistics import quantiles

from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store

_NOW = time.time_ns() // 1000
_KEEP = 100 * DAY
_OLD = 4_000  # stays
_EVENTS_AT_ONCE = 8_000
_ALONE_SECONDS = 10
_PAUSE = 0.005
_SMALL = Repository("small", "widgets")


def stay(number: int, entered: int) -> list[Event]:
    """A stay of half an hour with one CI run."""
    event = partial(
        Event,
        base_ref="main",
        queue_name="default",
        priority_rule_name=None,
        source="api",
        session_id=f"stay-{number}",
        pull_request=number,
    )
    of_run = partial(event, batch_id=f"batch-{number}", attempt=1)
    left = entered + 30 * MINUTE
    return [
        event(f"{number}-in", "queue_entered", entered),
        of_run(f"{number}-start", "checks_started", entered + MINUTE, batch_pull_requests=f"{number}"),
        of_run(f"{number}-end", "checks_ended", left - MINUTE, outcome="SUCCESS"),
        event(f"{number}-out", "queue_left", left, reason="PR_MERGED", schedule_wait=0, freeze_wait=0),
    ]


async def fill(store: Store, name: Repository, kept: int) -> None:
    """Old stays, then others that are young enough."""
    starts = [_NOW - 2 * _KEEP + number * MINUTE for number in range(_OLD)]
    starts += [_NOW - 50 * DAY + number * MINUTE for number in range(kept)]
    events = [event for number, start in enumerate(starts) for event in stay(number, start)]
    for first in range(0, len(events), _EVENTS_AT_ONCE):
        await store.record(name, events[first : first + _EVENTS_AT_ONCE])


async def deliver_until(store: Store, done: Awaitable[object], first: int) -> list[float]:
    """The seconds that each small delivery takes until `done` is."""
    waiting = asyncio.ensure_future(done)
    took: list[float] = []
    while not waiting.done():
        begun = time.perf_counter()
        await store.record(_SMALL, stay(first + len(took), _NOW - DAY)[:1])
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(_PAUSE)
    return took


def p50_and_p99(took: list[float]) -> tuple[float, float]:
    cuts = quantiles(took, n=100)
    return cuts[49], cuts[98]


async def measure_delays(store: Store) -> None:
    name = Repository("large", "beside")
    await fill(store, name, _OLD)
    alone = await deliver_until(store, asyncio.sleep(_ALONE_SECONDS), 10**6)
    deleting = asyncio.ensure_future(drop_old_events(store, name, _NOW, _KEEP))
    beside = await deliver_until(store, deleting, 2 * 10**6)
    (p50, p99), (p50_beside, p99_beside) = p50_and_p99(alone), p50_and_p99(beside)
    print(
        f"small deliveries beside deleting: median {p50_beside / p50:.1f} times alone, p99 "
        f"{p99_beside / p99:.1f} times ({p99 * 1e3:.0f} → {p99_beside * 1e3:.0f} ms)",
        flush=True,
    )


async def measure_cost(store: Store) -> None:
    costs: list[float] = []
    for kept in (_OLD, 4 * _OLD):
        name = Repository("large", f"keeps-{kept}")
        await fill(store, name, kept)
        begun, used = time.perf_counter(), time.process_time()
        deleted = await drop_old_events(store, name, _NOW, _KEEP)
        seconds, used = time.perf_counter() - begun, time.process_time() - used
        costs.append(used)
        print(
            f"{deleted:,} events deleted beside {kept:,} stays that are kept: {deleted / seconds:,.0f} per "
            f"second, {used / deleted * 1e6:.0f} µs of CPU time each",
            flush=True,
        )
    print(f"CPU time with four times as many stays kept: {costs[1] / costs[0]:.2f} times")


async def measure(store: Store) -> None:
    await measure_cost(store)
    await measure_delays(store)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        opened = open_store(Path(folder), sys.argv[1] if len(sys.argv) > 1 else None)
        try:
            asyncio.run(measure(opened))
        finally:
            opened.close()
