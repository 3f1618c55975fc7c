"""What CI checks cost: the size of a monorepo's day, and how long the answer for a year takes.

    python benchmarks/ci_checks.py [--days 365] [--database-url postgresql://…]

A day has 350 CI runs of 100 checks. Without a database URL, the store is a DuckDB file in a new folder.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, MINUTE, SECOND
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.window import Window, grid_for
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.stats.question import Question
from mergecast.queues.store.ci_days import sum_days
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

_NAME = Repository("acme", "monorepo")
_RUNS, _CHECKS = 350, 100
_FIRST = 20_000  # days since the epoch
_RUNNERS = ("linux-x64-4", "linux-x64-16", "macos-arm64")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--database-url")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder), given.database_url)
        try:
            asyncio.run(_measure(store, given.days))
        finally:
            store.close()


async def _measure(store: Store, days: int) -> None:
    random = Random(1)
    begun = time.perf_counter()
    for day in range(_FIRST, _FIRST + days):
        events = [event for event in _day(day, random) if isinstance(event, Event)]
        await store.record(_NAME, events)
    alone = await store.size()
    taken_by_events = time.perf_counter() - begun
    random, begun = Random(1), time.perf_counter()
    for day in range(_FIRST, _FIRST + days):
        reports = [event for event in _day(day, random) if isinstance(event, CiCheckReport)]
        for start in range(0, len(reports), 10_000):
            await store.record(_NAME, reports[start : start + 10_000])
    taken = time.perf_counter() - begun
    grown = (await store.size() - alone) / days / 1e6
    reports_a_second = days * _RUNS * _CHECKS / taken
    print(f"{days} days: events took {taken_by_events:.0f} s, reports {taken:.0f} s")
    print(f"{reports_a_second:,.0f} reports a second")
    print(f"a day of {_RUNS * _CHECKS:,} executions takes {grown:.1f} MB")
    for span in sorted({1, 30, days}):
        if span <= 30:
            await _show(store, span, days, "one by one")
    begun = time.perf_counter()
    while await store.change(_NAME, lambda held: sum_days(held, quiet=0), create=False):
        pass
    print(f"summing took {(time.perf_counter() - begun) / days * 1000:.0f} ms for each day")
    for span in sorted({1, 30, days}):
        await _show(store, span, days, "from sums")


async def _show(store: Store, span: int, days: int, how: str) -> None:
    end = (_FIRST + days) * DAY - 5 * MINUTE
    window = Window(end - span * DAY, end)
    taken = [await _ask(store, window, name) for name in (None, None, "check 7")]
    print(f"{span:4} days, {how}: all checks {min(taken[:2]):.2f} s, one check over time {taken[2]:.2f} s")


async def _ask(store: Store, window: Window, name: str | None) -> float:
    known = await store.repository(_NAME)
    assert known is not None
    id = known.id

    def work(reader: Reader) -> object:
        groups = reader.groups(id)
        return CI_CHECKS.answer(reader, Question(id, window, window, grid_for(window), groups, name=name))

    begun = time.perf_counter()
    await store.read(id, work, seconds=600.0)
    return time.perf_counter() - begun


def _day(day: int, random: Random) -> Iterator[AnyEvent]:
    for number in range(_RUNS):
        at = day * DAY + number * (DAY // _RUNS)
        yield from _run(f"{day}-{number}", day * _RUNS + number, at, random)


def _run(batch: str, pull: int, at: int, random: Random) -> Iterator[AnyEvent]:
    is_failed = random.random() < 0.12
    over = at + 45 * MINUTE
    broken = random.randrange(_CHECKS) if is_failed else None

    def event(type: str, happened_at: int, **more: object) -> Event:
        fields = {"session_id": f"stay-{batch}", "pull_request": pull, **more}
        return Event(f"{type}-{batch}", type, happened_at, "main", "default", None, "github", **fields)  # type: ignore[arg-type]

    run = {"batch_id": batch, "attempt": 1}
    yield event("queue_entered", at - MINUTE)
    yield event("checks_started", at, batch_pull_requests=str(pull), **run)
    yield event("checks_ended", over, outcome="CHECKS_FAILED" if is_failed else "SUCCESS", **run)
    reason = "CHECKS_FAILED" if is_failed else "PR_MERGED"
    yield event("queue_left", over + SECOND, reason=reason, schedule_wait=0, freeze_wait=0)
    for number in range(_CHECKS):
        queued = at + random.randrange(60) * SECOND
        started = queued + int(random.expovariate(1 / 40)) * SECOND
        ended = started + int(random.lognormvariate(5 + number / 50, 0.3)) * SECOND
        id = random.randrange(10**10, 10**11)
        yield CiCheckReport(
            f"github-check-run-{id}", ended, "main", "default", batch, f"check-run-{id}", f"check {number}",
            "failure" if number == broken else "success", 1, queued, started, ended,
            f"https://github.com/acme/mono/actions/runs/{10**9 + pull}/job/{id}", _RUNNERS[number % 3],
            True, "github",
        )  # fmt: skip


if __name__ == "__main__":
    main()
