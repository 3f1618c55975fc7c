"""What CI checks cost: the size of a monorepo's day, and how long the answers for a month and a year take.

    python benchmarks/ci_checks.py [--days 365] [--recorded 2] [--database-url URL] [--only-failures]

A day has 350 CI runs of 100 checks. The first days are recorded, and the database copies them to the others.
Without a database URL, the store is a file in a new folder. With `--only-failures`, the copied days on
PostgreSQL have all sums and runs, and of the executions those that failed: all of them take 5 GB a year.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cloned_days import Template, clone_in_postgres, clone_in_sqlite
from mergecast.process.interpreter import search_garbage_seldom
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.store.ci.day_sums import sum_days
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

_NAME = Repository("acme", "monorepo")
_RUNS, _CHECKS = 350, 100
_FIRST = 20_000  # days since the epoch
_BUSY = 22 * HOUR  # of a day, so that what belongs to a copied day ends on it
_RUNNERS = ("linux-x64-4", "linux-x64-16", "macos-arm64")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--database-url")
    parser.add_argument("--recorded", type=int, default=2)
    parser.add_argument("--only-failures", action="store_true")
    given = parser.parse_args()
    search_garbage_seldom()  # as a server does
    with TemporaryDirectory() as name:
        folder = Path(name)
        template = asyncio.run(_record(folder, given.database_url, given.recorded))
        copies = given.days // given.recorded - 1
        if given.database_url is None:
            clone_in_sqlite(folder, template, copies)
        else:
            clone_in_postgres(given.database_url, template, copies, only_failures=given.only_failures)
        asyncio.run(_measure(folder, given.database_url, template.days * (copies + 1)))


async def _record(folder: Path, url: str | None, days: int) -> Template:
    store = open_store(folder, url)
    random, begun = Random(1), time.process_time()
    for day in range(_FIRST, _FIRST + days):
        await store.record(_NAME, [event for event in _day(day, random) if isinstance(event, Event)])
    alone = await store.size()
    taken_by_events = time.process_time() - begun
    random, begun = Random(1), time.process_time()
    for day in range(_FIRST, _FIRST + days):
        reports = [event for event in _day(day, random) if isinstance(event, CiCheckReport)]
        for start in range(0, len(reports), 10_000):
            await store.record(_NAME, reports[start : start + 10_000])
    taken = time.process_time() - begun
    grown = (await store.size() - alone) / days / 1e6
    print(f"{days} days: events took {taken_by_events:.1f} s of CPU time, reports {taken:.1f} s")
    print(f"a day of {_RUNS * _CHECKS:,} executions takes {grown:.1f} MB")
    await _show(store, 1, days, "one by one")
    taken = await _sum(store)
    print(f"summing took {taken / days * 1000:.0f} ms of CPU time for each day")
    known = await store.repository(_NAME)
    assert known is not None
    store.close()
    return Template(days, known.last_subject, known.last_ci_run, days * _RUNS)


async def _sum(store: Store) -> float:
    """Sum all days and blocks of days; returns the CPU time that it took."""
    begun = time.process_time()
    while await store.change(_NAME, lambda held: sum_days(held, quiet=0), create=False):
        pass
    return time.process_time() - begun


async def _measure(folder: Path, url: str | None, days: int) -> None:
    store = open_store(folder, url)
    print(f"summing blocks of days took {await _sum(store):.1f} s of CPU time here")
    for span in sorted({min(span, days) for span in (1, 28, 90, 365)}):
        await _show(store, span, days, "from sums")
    store.close()


async def _show(store: Store, span: int, days: int, how: str) -> None:
    end = (_FIRST + days) * DAY - 5 * MINUTE
    window = Window(end - span * DAY, end)
    whole = [await _ask(store, window, None) for _ in range(3)]
    one = [await _ask(store, window, "check 7") for _ in range(3)]
    print(f"{span:4} days, {how}: all checks {_text(whole)}, one check over time {_text(one)}", flush=True)


class _Taken(NamedTuple):
    elapsed: float
    cpu: float


def _text(taken: Sequence[_Taken]) -> str:
    elapsed, cpu = (min(seconds) for seconds in zip(*taken, strict=True))
    return f"{elapsed:.2f} s elapsed, {cpu:.2f} s of CPU time here"


async def _ask(store: Store, window: Window, name: str | None) -> _Taken:
    known = await store.repository(_NAME)
    assert known is not None
    id = known.id

    def work(reader: Reader) -> object:
        groups = reader.groups(id)
        return CI_CHECKS.answer(reader, Question(id, window, window, grid_for(window), groups, name=name))

    elapsed, cpu = time.perf_counter(), time.process_time()
    await store.read(id, work, seconds=600.0)
    return _Taken(time.perf_counter() - elapsed, time.process_time() - cpu)


def _day(day: int, random: Random) -> Iterator[AnyEvent]:
    for number in range(_RUNS):
        at = day * DAY + MINUTE + number * (_BUSY // _RUNS)
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
