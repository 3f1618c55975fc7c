"""What does deleting old events cost, and does it delay anyone?

    .venv/bin/python benchmarks/retention.py [postgresql://…]      (an empty database, instead of a file)

1. Small deliveries to one repository, alone and while old stays of another owner's repository are deleted:
   the median and the 99th percentile, as ratios. Goal: p99 at most 3 times alone.
2. How many events are deleted per second, and the CPU time of this process for the same number of old stays
   in a repository that has four times as many stays that are kept. Goal: at most 2 times.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable
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
    session = (f"stay-{number}", number)
    common = ("main", "default", None, "api", *session)
    run = {"batch_id": f"batch-{number}", "attempt": 1}
    return [
        Event(f"{number}-in", "queue_entered", entered, *common),
        Event(
            f"{number}-start", "checks_started", entered + MINUTE, *common,
            batch_pull_requests=f"{number}", **run,
        ),
        Event(f"{number}-end", "checks_ended", entered + 29 * MINUTE, *common, outcome="SUCCESS", **run),
        Event(
            f"{number}-out", "queue_left", entered + 30 * MINUTE, *common,
            reason="PR_MERGED", schedule_wait=0, freeze_wait=0,
        ),
    ]  # fmt: skip


async def fill(store: Store, name: Repository, kept: int) -> None:
    """Old stays, then others that are young enough."""
    starts = [_NOW - 2 * _KEEP + number * MINUTE for number in range(_OLD)]
    starts += [_NOW - 50 * DAY + number * MINUTE for number in range(kept)]
    events = [event for number, start in enumerate(starts) for event in stay(number, start)]
    for first in range(0, len(events), _EVENTS_AT_ONCE):
        await store.record(name, events[first : first + _EVENTS_AT_ONCE])


async def deliver_until(store: Store, done: Awaitable[object], first: int) -> list[float]:
    """The seconds that each small delivery takes until `done` is."""
    waiting, took = asyncio.ensure_future(done), []
    while not waiting.done():
        begun = time.perf_counter()
        await store.record(_SMALL, stay(first + len(took), _NOW - DAY)[:1])
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(_PAUSE)
    return took


def p50_and_p99(took: list[float]) -> tuple[float, float]:
    cuts = quantiles(took, n=100)
    return cuts[49], cuts[98]


async def measure(store: Store) -> None:
    costs = []
    for name, kept in ((Repository("large", "one"), _OLD), (Repository("large", "four"), 4 * _OLD)):
        await fill(store, name, kept)
        alone = await deliver_until(store, asyncio.sleep(_ALONE_SECONDS), 10**6 + 10**5 * len(costs))
        deleting = asyncio.ensure_future(drop_old_events(store, name, _NOW, _KEEP))
        begun, used = time.perf_counter(), time.process_time()
        beside = await deliver_until(store, deleting, 5 * 10**6 + 10**5 * len(costs))
        seconds, used = time.perf_counter() - begun, time.process_time() - used
        costs.append(used)
        deleted = deleting.result()
        medians, highest = zip(p50_and_p99(alone), p50_and_p99(beside), strict=True)
        print(
            f"{name.name}: {kept:,} stays kept, {deleted:,} events deleted in {seconds:.1f} s "
            f"({deleted / seconds:,.0f} per second, {used / deleted * 1e6:.0f} µs of CPU time each)"
        )
        print(
            f"  small deliveries beside it: median {medians[1] / medians[0]:.1f} times alone, "
            f"p99 {highest[1] / highest[0]:.1f} times "
            f"({highest[0] * 1e3:.0f} → {highest[1] * 1e3:.0f} ms)"
        )
    print(f"CPU time with four times as many stays kept: {costs[1] / costs[0]:.2f} times")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        opened = open_store(Path(folder), sys.argv[1] if len(sys.argv) > 1 else None)
        try:
            asyncio.run(measure(opened))
        finally:
            opened.close()
