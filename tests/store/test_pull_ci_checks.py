"""The CI checks in the history of a pull request are those of its runs, on every kind of store."""

import asyncio
from random import Random

import pytest

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import derive_ci_run
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import MINUTE, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.pull_history import MOST_PER_RUN, Check, CiExecution, pull_history
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

pytestmark = pytest.mark.thorough

_WIDGETS = Repository("acme", "widgets")
_NOW = 900 * MINUTE
_CONCLUSIONS = ("success", "failure", "timed_out", "cancelled", "skipped", "neutral", None)


def _run(batch: str, attempt: int, at: int, ended_at: int | None) -> list[Event]:
    run = {"batch_id": batch, "attempt": attempt, "session_id": "s", "pull_request": 1}
    place = ("main", "default", None, "api")
    start = Event(f"start-{batch}-{attempt}", "checks_started", at, *place, batch_pull_requests="1", **run)  # type: ignore[arg-type]
    if ended_at is None:
        return [start]
    end = Event(f"end-{batch}-{attempt}", "checks_ended", ended_at, *place, outcome="CHECKS_FAILED", **run)  # type: ignore[arg-type]
    return [start, end]


def _report(number: int, batch: str, attempt: int, random: Random) -> CiCheckReport:
    """Few instants, so that executions often have the same length and fail at the same time."""
    queued, started, ended = sorted(random.randrange(1, 6) * MINUTE for _ in range(3))
    return CiCheckReport(
        f"r-{batch}-{attempt}-{number}", ended, "main", "default", batch, f"{number}",
        random.choice(["unit", "lint", "e2e", "\u05d0"]), random.choice(_CONCLUSIONS), attempt,
        random.choice([None, queued]), random.choice([None, started, started]),
        random.choice([None, ended, ended]),
        random.choice([None, f"https://ci.example.com/{number}"]), random.choice([None, "linux"]),
        random.choice([None, True, False]),
    )  # fmt: skip


def _shown(report: CiCheckReport) -> CiExecution:
    queued, started, ended = (
        None if at is None else format_instant(at)
        for at in (report.queued_at, report.started_at, report.ended_at)
    )
    return CiExecution(
        report.name, report.check_id, report.conclusion, queued, started, ended, report.url, report.runner,
        report.is_required,
    )  # fmt: skip


def _length(report: CiCheckReport, until: int) -> int:
    end = until if report.conclusion is None else report.ended_at
    return -(2**62) if end is None or report.started_at is None else end - report.started_at


def _read(store: Store) -> dict[tuple[str, int], Check]:
    async def read() -> list[Check]:
        known = await store.repository(_WIDGETS)
        assert known is not None

        def work(reader: Reader) -> list[Check]:
            (stay,) = pull_history(reader, known, 1, _NOW)
            return list(stay.checks)

        return await store.read(known.id, work)

    return {(check.batch_id, check.attempt): check for check in asyncio.run(read())}


def test_the_longest_executions_and_the_first_failure(store: Store) -> None:
    """An unfinished check ran until its run ended, or runs; checks of other runs are not shown."""
    random = Random(5)
    ends = {("a", 1): 30 * MINUTE, ("a", 2): 2 * MINUTE, ("b", 1): None}
    sizes = {("a", 1): 150, ("a", 2): 12, ("b", 1): 30, ("other", 1): 9}
    reports = {run: [_report(n, *run, random) for n in range(size)] for run, size in sizes.items()}
    entered = Event("e", "queue_entered", 0, "main", "default", None, "api", session_id="s", pull_request=1)
    runs = [*((run, end) for run, end in ends.items()), (("silent", 1), None)]
    events = [entered, *(event for run, end in runs for event in _run(*run, MINUTE, end))]
    asyncio.run(store.record(_WIDGETS, [*events, *(one for each in reports.values() for one in each)]))

    found = _read(store)

    assert {run for run, _ in runs} == found.keys()
    silent = found["silent", 1]
    assert ((), 0, None) == (silent.ci_checks, silent.ci_checks_total, silent.failed_ci_check)
    for run, end in ends.items():
        until = _NOW if end is None else end
        keys = {one.check_id: (-_length(one, until), one.name, one.check_id) for one in reports[run]}
        ranked = sorted(reports[run], key=lambda one, keys=keys: keys[one.check_id])  # type: ignore[misc]
        failed = derive_ci_run(reports[run]).failed
        assert tuple(map(_shown, ranked[:MOST_PER_RUN])) == found[run].ci_checks
        assert sizes[run] == found[run].ci_checks_total
        assert (None if failed is None else _shown(failed)) == found[run].failed_ci_check


def test_the_first_failure_is_named_beyond_the_longest(store: Store) -> None:
    """A check that fails at once is the shortest of its run."""
    place = ("main", "default", "b")
    reports = [
        CiCheckReport(f"{n}", 9 * MINUTE, *place, f"{n}", f"slow {n}", "success", 1, None, MINUTE, 9 * MINUTE)
        for n in range(MOST_PER_RUN)
    ]
    failed = CiCheckReport("f", MINUTE, *place, "f", "lint", "failure", 1, None, MINUTE, MINUTE)
    entered = Event("e", "queue_entered", 0, "main", "default", None, "api", session_id="s", pull_request=1)
    asyncio.run(store.record(_WIDGETS, [entered, *_run("b", 1, MINUTE, 10 * MINUTE), *reports, failed]))

    run = _read(store)["b", 1]

    assert (100, 101, _shown(failed)) == (len(run.ci_checks), run.ci_checks_total, run.failed_ci_check)
    assert _shown(failed) not in run.ci_checks
