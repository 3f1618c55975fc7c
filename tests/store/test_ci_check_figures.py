"""The figures of CI checks are those of their definition, on every kind of store."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from math import isclose
from random import Random
from typing import TypeVar

import msgspec
import pytest

from mergecast.queues.answers.ci_checks import CiCheck, CiChecks
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.store.ci.day_sums import sum_days
from mergecast.queues.store.ci.rows import CiBlockSumRow
from mergecast.queues.store.expire_events import drop_old_ci_checks
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import stored_rows
from store.ci_oracle import figures, middle, reports_placed
from store.flake_oracle import Failures

pytestmark = pytest.mark.thorough

T = TypeVar("T")

_NAMES = ("unit", "lint", "e2e")
_CONCLUSIONS = (*("success",) * 5, "failure", "timed_out", "cancelled", "skipped", None)
_OUTCOMES = (*("SUCCESS",) * 3, "CHECKS_FAILED", "CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED")


class _Queue:
    """A made-up queue: runs with one or two pull requests, sometimes one behind, and what CI reports."""

    def __init__(self, seed: int) -> None:
        self._random, self._now, self._stays = Random(seed), 11 * DAY + 5 * HOUR, 0
        self.events: list[Event] = []
        self.reports: list[CiCheckReport] = []

    def fill(self, steps: int) -> None:
        for step in range(steps):
            self._now += self._random.choice([1, 3 * MINUTE, 2 * HOUR, 9 * HOUR])
            pulls = self._random.sample(range(1, 4), self._random.randint(1, 2))
            base_ref = self._random.choice(["main", "main", "dev"])
            stays = {pull: self._enter(pull, base_ref) for pull in pulls}
            self._test(f"batch-{step}", 1, stays, base_ref)

    def _enter(self, pull: int, base_ref: str) -> str:
        self._stays += 1
        commit = self._random.choice([None, "a" * 40, "b" * 40])
        self._add("queue_entered", self._now, base_ref, f"stay-{self._stays}", pull, head_sha=commit)
        return f"stay-{self._stays}"

    def _add(self, type: str, at: int, base_ref: str, stay: str, pull: int, **more: object) -> None:
        id = f"{type}-{stay}-{more.get('batch_id')}-{more.get('attempt')}"
        self.events.append(
            Event(id, type, at, base_ref, "default", None, "api", session_id=stay, pull_request=pull, **more)  # type: ignore[arg-type]
        )

    def _test(self, batch: str, attempt: int, stays: dict[int, str], base_ref: str) -> None:
        random, begun = self._random, self._now
        outcome = random.choice(_OUTCOMES)
        over = begun + random.randint(1, 40) * MINUTE
        self._run(batch, attempt, stays, base_ref, (begun, over), outcome)
        if random.random() < 0.3:
            behind = {9: self._enter(9, base_ref)}
            stopped = (begun + SECOND, over + random.choice([0, 5 * SECOND, 9 * MINUTE, 11 * MINUTE]))
            self._run(f"{batch}-behind", attempt, behind, base_ref, stopped, "BATCH_AHEAD_FAILED")
        if random.random() < 0.5:
            self._leave_ahead(base_ref, begun, over)
        self._now = over + random.choice([1, MINUTE, HOUR])
        if outcome == "CHECKS_RETRIED" and attempt < 3:
            self._test(batch, attempt + 1, stays, base_ref)
            return
        reason = {"SUCCESS": "PR_MERGED", "CHECKS_RETRIED": "PR_DEQUEUED"}.get(outcome, outcome)
        leaving = dict(list(stays.items())[: random.randint(1, 2)])
        for pull, stay in leaving.items():
            self._add(
                "queue_left", self._now, base_ref, stay, pull, reason=reason, schedule_wait=0, freeze_wait=0
            )
        if rest := {pull: stay for pull, stay in stays.items() if pull not in leaving}:
            self._test(f"{batch}+", 1, rest, base_ref)
        elif reason != "PR_MERGED" and random.random() < 0.7:
            self._now += random.choice([1, MINUTE, HOUR])
            self._test(f"{batch}'", 1, {pull: self._enter(pull, base_ref) for pull in stays}, base_ref)

    def _leave_ahead(self, base_ref: str, begun: int, over: int) -> None:
        """One that had entered before or after, and left because of its checks or otherwise."""
        self._stays += 1
        stay, left_at = f"stay-{self._stays}", self._random.randint(begun, over)
        entered_at = begun - self._random.choice([-1, 0, 1, HOUR])
        self._add("queue_entered", min(entered_at, left_at), base_ref, stay, 7)
        reason = self._random.choice(["CHECKS_FAILED", "CHECKS_TIMEOUT", "PR_DEQUEUED"])
        self._add("queue_left", left_at, base_ref, stay, 7, reason=reason, schedule_wait=0, freeze_wait=0)

    def _run(  # noqa: PLR0917 - what a run is made of
        self,
        batch: str,
        attempt: int,
        stays: dict[int, str],
        base_ref: str,
        span: tuple[int, int],
        outcome: str,
    ) -> None:
        members = ",".join(map(str, stays))
        for pull, stay in stays.items():
            run = {"batch_id": batch, "attempt": attempt}
            self._add("checks_started", span[0], base_ref, stay, pull, batch_pull_requests=members, **run)
            self._add("checks_ended", span[1], base_ref, stay, pull, outcome=outcome, **run)
        for number in range(self._random.randint(0, 4)):
            self.reports += self._reported(batch, attempt, base_ref, span, number)

    def _reported(
        self, batch: str, attempt: int, base_ref: str, span: tuple[int, int], number: int
    ) -> Iterator[CiCheckReport]:
        random = self._random
        first, second, third = sorted(random.randint(*span) for _ in range(3))
        times = {"queued_at": first, "started_at": second, "ended_at": third}
        known = {name: at for name, at in times.items() if random.random() < 0.9}
        for again in range(random.choice([1, 1, 2])):
            yield CiCheckReport(
                f"{batch}-{attempt}-{number}-{again}", third + again, base_ref, "default", batch, f"{number}",
                random.choice(_NAMES), random.choice(_CONCLUSIONS), attempt,
                is_required=random.choice([None, True, False]), **known,  # type: ignore[arg-type]
            )  # fmt: skip


async def _answer(store: Store, name: Repository, window: Window) -> CiChecks:
    known = await store.repository(name)
    assert known is not None
    id = known.id

    def work(reader: Reader) -> object:
        question = Question(id, window, window, grid_for(window), reader.groups(id))
        return CI_CHECKS.answer(reader, question)

    return msgspec.convert(msgspec.to_builtins(await store.read(id, work)), CiChecks)


def _is_near(expected: float | None, found: float | None) -> bool:
    if expected is None or found is None:
        return expected is found
    return abs(expected / SECOND - found) <= 0.02 * expected / SECOND


def _check_flakes(expected: Failures, found: CiCheck) -> None:
    assert {**expected.tried, "links": []} == msgspec.to_builtins(found.evidence)
    if not found.runs:
        assert (None, None) == (found.flake_rate, found.flake_interval)
        return
    interval = found.flake_interval
    assert interval is not None
    assert (expected.rate is None) == (found.flake_rate is None)
    pairs = (
        (expected.rate or 0.0, found.flake_rate or 0.0),
        (expected.low, interval.low),
        (expected.high, interval.high),
    )
    assert all(isclose(one, other, rel_tol=2e-3, abs_tol=2e-4) for one, other in pairs), (expected, found)


_BLOCKS = [0, 14]


def _block_rows(held: HeldRepository) -> list[CiBlockSumRow]:
    return stored_rows(held.rows, CiBlockSumRow, first_day=_BLOCKS)


# With evidence of flakiness that holds, that a late start takes away, and that a removal ahead takes away.
@pytest.mark.parametrize("seed", [10, 15])
def test_figures_follow_from_their_definition(store: Store, seed: int) -> None:
    """Before and after executions are summed, after one of them changes, and after some expire."""
    queue, name = _Queue(seed), Repository("acme", f"queue-{seed}")
    queue.fill(40)
    mixed: list[AnyEvent] = [*queue.events, *queue.reports]
    shuffled = Random(seed).sample(mixed, len(mixed))
    last = max(event.happened_at for event in queue.events)
    later = last + 15 * DAY
    windows = (Window(0, later), Window(12 * DAY, later), Window(12 * DAY + 7, last - DAY - 3 * HOUR))

    def check() -> None:
        for window in windows:
            expected = figures(queue.events, queue.reports, *window)
            found = asyncio.run(_answer(store, name, window)).checks
            assert set(expected) == {one.name for one in found}
            for one in found:
                own = expected[one.name]
                assert [own[key] for key in ("runs", "failed", "removals")] == [
                    one.runs, one.failed, one.removals,
                ]  # fmt: skip
                _check_flakes(own["flakes"], one)
                sums = (one.blocked_seconds, one.seconds.sum, one.waited_seconds.sum)
                assert [own[key] / SECOND for key in ("blocked", "sum", "waited_sum")] == list(sums)
                assert len(own["gaps"]) == one.critical.runs
                assert _is_near(middle(own["gaps"]), one.critical.p50)
                assert _is_near(middle(own["seconds"]), one.seconds.p50)
                assert _is_near(middle(own["waited"]), one.waited_seconds.p50)

    def change(work: Callable[[HeldRepository], T]) -> T | None:
        return asyncio.run(store.change(name, work, create=False))

    def sum_and_check() -> list[CiBlockSumRow]:
        while change(partial(sum_days, quiet=0)):
            pass
        check()
        return change(_block_rows) or []

    asyncio.run(store.record(name, shuffled))
    check()
    summed = sum_and_check()
    assert set(_BLOCKS) == {row.first_day for row in summed}

    changed = queue.reports[0]._replace(id="zzz", happened_at=last, conclusion="failure")
    queue.reports.append(changed)
    asyncio.run(store.record(name, [changed]))
    assert 0 not in {row.first_day for row in change(_block_rows) or []}
    # An earlier version of the program, which knows no blocks, leaves them as they were.
    change(lambda held: held.insert(row for row in summed if row.first_day == 0))
    check()
    assert set(_BLOCKS) == {row.first_day for row in sum_and_check()}

    asyncio.run(drop_old_ci_checks(store, name, 14 * DAY, 0))
    queue.reports = reports_placed(queue.reports, since=14 * DAY)
    assert [14] == sorted({row.first_day for row in sum_and_check()})
