"""What does judging removals cost: a whole history, and then each removal when it is stored?

    PYTHONPATH=tests .venv/bin/python benchmarks/judged_removals.py [DAYS] [SLOTS]
    PYTHONPATH=tests .venv/bin/python benchmarks/judged_removals.py ingest [ROUNDS]

A queue of DAYS (1,096 by default), in which SLOTS batches a day (120 by default) lead to about 80 removals.
CPU seconds are those of this process, of which judging is one thread; memory is the most that it took so far.
`ingest` stores a day of such events, 100 at a time, by turns beside a server that judges and without one.
"""

import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from statistics import median

from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.rows import VerdictRow, VerdictStateRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.signals.removals.removals import Removals
from removals.judging import NAME, known_of, send
from removals.world import Wire, World

_START = parse_instant("2023-01-02T00:00:00Z")
_AT_ONCE = 5_000


async def measure(days: int, slots: int, folder: Path) -> None:
    clock = [_START + days * DAY]
    store = open_store(folder, now=lambda: clock[0])
    stored, seconds, today = 0, 0.0, []
    for first in range(0, days, 28):
        world = World(first, _START + first * DAY, min(28, days - first), slots, 1 + first * 1000).events
        today = [event for event in world if parse_instant(event["at"]) >= clock[0] - DAY // 2]
        past = [event for event in world if parse_instant(event["at"]) < clock[0] - DAY // 2]
        stored += len(past)
        seconds += await _seconds_to_store(store, past, clock[0])
    print(
        f"{stored:,} events of {days:,} days stored: {stored / seconds:,.0f} a second; {_memory()}",
        flush=True,
    )
    judge = _judge(store, clock)
    took = await _seconds_to_judge(store, judge)
    memory, rows = _memory(), await _count(store, VerdictRow)
    print(
        f"history: {rows:,} removals judged, {took:,.1f} CPU s, {1000 * took / rows:.1f} ms each; {memory}",
        flush=True,
    )
    today.sort(key=lambda event: str(event["at"]))
    half = len(today) // 2
    await _live(store, "live", lambda: judge, today[:half], clock)
    await _live(store, "on a server that begins", lambda: _judge(store, clock), today[half:], clock)
    print(
        f"{await _count(store, VerdictStateRow)} states, store {(folder / FILE_NAME).stat().st_size >> 20} MB"
    )
    store.close()


def _judge(store: Store, clock: list[int]) -> Removals:
    judge = Removals(store, lambda: clock[0], "benchmark", nullcontext)
    judge.rest_factor = 0.0
    return judge


def _memory() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB"


async def _seconds_to_judge(store: Store, judge: Removals) -> float:
    began = time.process_time()
    await judge.judge(await known_of(store))
    return time.process_time() - began


async def _seconds_to_store(store: Store, events: list[Wire], now: int) -> float:
    began = time.perf_counter()
    for first in range(0, len(events), _AT_ONCE):
        lines = "\n".join(map(json.dumps, events[first : first + _AT_ONCE]))
        await store.record(NAME, read_lines(lines.encode(), now))
    return time.perf_counter() - began


async def ingest(rounds: int) -> None:
    now = _START + DAY
    events = [one for one in World(1, _START, 1, 120).events if parse_instant(one["at"]) < now]
    rates: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(2 * rounds):
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(Path(folder), now=lambda: now)
            judge = Removals(store, lambda: now, "benchmark", nullcontext)
            if turn % 2:
                judge.start()
            began = time.perf_counter()
            for first in range(0, len(events), 100):
                await send(store, events[first : first + 100], now)
            rates[bool(turn % 2)].append(len(events) / (time.perf_counter() - began))
            await judge.close()
            store.close()
    without, beside = median(rates[False]), median(rates[True])
    print(f"events a second: {without:,.0f} without judging, {beside:,.0f} beside it: {beside / without:.2f}")


async def _live(
    store: Store, name: str, judge_of: Callable[[], Removals], events: list[Wire], clock: list[int]
) -> None:
    """Every removal is judged when it is stored."""
    waiting: list[Wire] = []
    took: list[float] = []
    for event in events:
        waiting.append(event)
        if event["type"] == "queue_left" and event["reason"] != "PR_MERGED":
            clock[0] = parse_instant(event["at"])
            await send(store, waiting, clock[0])
            waiting = []
            took.append(await _seconds_to_judge(store, judge_of()))
    took.sort()
    print(f"{name}: {len(took)} removals, CPU s each: median {median(took):.3f}, most {took[-1]:.3f}")


async def _count(store: Store, row_type: type[VerdictRow] | type[VerdictStateRow]) -> int:
    known = await known_of(store)
    return len(await store.read(known.id, lambda reader: read_rows(reader, known.id, row_type)))


def main(days: str = "1096", slots: str = "120") -> None:
    if days == "ingest":
        asyncio.run(ingest(int(slots)))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(int(days), int(slots), Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
