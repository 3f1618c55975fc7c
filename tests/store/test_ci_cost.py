"""CI costs the price of every single execution, however many are equally long, on every kind of store."""

import asyncio
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.ci_price import Prices, read_decimal
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.ci.prices import put_prices
from mergecast.queues.store.ci.rows import CiRunRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows, stored_rows

pytestmark = pytest.mark.thorough

_WIDGETS = Repository("acme", "widgets")
_PER_MINUTE = {None: Decimal("0.008"), "large": Decimal("0.064"), "small": Decimal("0.008")}
_PRICES = Prices("USD", read_decimal("0.008") or 0, {"large": read_decimal("0.064") or 0})
_OUTCOMES = {"SUCCESS": "PR_MERGED", "CHECKS_FAILED": "CHECKS_FAILED"}
_LENGTHS = (MINUTE, MINUTE, MINUTE, 10 * MINUTE, 7 * SECOND)  # few, so that many runs are alike
_START = 20_000 * DAY


_QUEUES = ("default", "hotfix")
_CHECKS = ("unit", "lint")


class _Run:
    """A CI run of one pull request, with up to three executions."""

    def __init__(self, number: int, random: Random) -> None:
        self._number, self._begun = number, _START + number * HOUR
        self.outcome, self.queue = random.choice(sorted(_OUTCOMES)), random.choice(_QUEUES)
        self.executions = [
            (random.choice([None, "large", "small"]), random.choice(_LENGTHS), random.choice(_CHECKS))
            for _ in range(random.randint(1, 3))
        ]
        self.ended_at = self._begun + max(length for _, length, _ in self.executions)

    def events(self) -> Iterator[AnyEvent]:
        stay, batch = f"stay-{self._number}", f"batch-{self._number}"
        make = partial(Event, base_ref="main", queue_name=self.queue, priority_rule_name=None, source="api",
                       session_id=stay, pull_request=self._number)  # fmt: skip
        run: dict[str, Any] = {"batch_id": batch, "attempt": 1}
        yield make(f"{stay}-in", "queue_entered", self._begun)
        yield make(f"{stay}-run", "checks_started", self._begun, batch_pull_requests=str(self._number), **run)
        yield make(f"{stay}-end", "checks_ended", self.ended_at, outcome=self.outcome, **run)
        yield make(f"{stay}-out", "queue_left", self.ended_at, reason=_OUTCOMES[self.outcome],
                   schedule_wait=0, freeze_wait=0)  # fmt: skip
        for place, (runner, length, check) in enumerate(self.executions):
            over = self._begun + length
            yield CiCheckReport(
                f"{batch}-{place}", over, "main", self.queue, batch, f"{place}", check, "success", 1,
                started_at=self._begun, ended_at=over, runner=runner,
            )  # fmt: skip

    def cost(self, check: str | None = None) -> Decimal:
        """Of each execution by itself, or of those of one check."""
        priced = (
            _PER_MINUTE[runner] * length / MINUTE
            for runner, length, name in self.executions
            if check in (None, name)
        )
        return sum(priced, Decimal())


def _sum(runs: Sequence[_Run], check: str | None = None) -> Decimal:
    return sum((run.cost(check) for run in runs), Decimal())


def _shown(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount.quantize(Decimal("0.0001"), ROUND_HALF_EVEN))


def _per_merge(runs: Sequence[_Run]) -> Decimal | None:
    merged = sum(run.outcome == "SUCCESS" for run in runs)
    return _sum(runs) / merged if merged else None


def _change(now: Decimal | None, then: Decimal | None) -> float | None:
    return float((now - then) / then) if now is not None and then else None


def _compared(runs: Sequence[_Run], before: Sequence[_Run], *, has_change: bool) -> dict[str, Any]:
    total, total_before = _sum(runs), _sum(before)
    each, each_before = _per_merge(runs), _per_merge(before)
    return {
        "total": _shown(total),
        "total_before": _shown(total_before),
        "total_change": _change(total, total_before) if has_change else None,
        "per_merge": _shown(each),
        "per_merge_before": _shown(each_before),
        "per_merge_change": _change(each, each_before) if has_change else None,
    }


def _expected(runs: Sequence[_Run], before: Sequence[_Run] = (), *, has_change: bool) -> dict[str, Any]:
    def of_queue(queue: str) -> list[list[_Run]]:
        return [[run for run in part if run.queue == queue] for part in (runs, before)]

    queues = [
        {"base_ref": "main", "queue_name": queue, **_compared(*of_queue(queue), has_change=has_change)}
        for queue in _QUEUES
    ]
    checks = [
        {
            "name": check,
            "total": _shown(_sum(runs, check)),
            "total_before": _shown(_sum(before, check)),
            "total_change": _change(_sum(runs, check), _sum(before, check)) if has_change else None,
        }
        for check in _CHECKS
    ]
    return {
        "currency": "USD",
        **_compared(runs, before, has_change=has_change),
        "wasted": _shown(_sum([run for run in runs if run.outcome != "SUCCESS"])),
        "queues": sorted(queues, key=lambda one: -float(one["total"])),
        "checks": sorted(checks, key=lambda one: -float(one["total"])),
    }


async def _fill(store: Store, runs: Sequence[_Run]) -> int:
    await store.record(_WIDGETS, [event for run in runs for event in run.events()])
    await store.change(_WIDGETS, lambda held: put_prices(held, _PRICES), create=False)
    known = await store.repository(_WIDGETS)
    assert known is not None
    return known.id


async def _cost(store: Store, id: int, window: Window, before: Window | None = None) -> Any:
    def work(reader: Reader) -> Any:
        groups = reader.groups(id)
        question = Question(id, window, window, grid_for(window), groups, since=_START, before=before)
        return msgspec.to_builtins(SUMMARY.answer(reader, question))

    return (await store.read(id, work))["cost"]


@pytest.mark.parametrize("seed", range(3))
def test_cost_is_the_price_of_each_execution(store: Store, seed: int) -> None:
    """Most runs are as long as another, on the same kind of runner; each queue and check has its part."""
    random = Random(seed)
    runs = [_Run(number, random) for number in range(1, 200)]
    half, end = _START + 100 * HOUR, _START + 300 * HOUR
    windows = {Window(0, half): runs[:99], Window(half, end): runs[99:], Window(0, end): runs}

    async def scenario() -> None:
        id = await _fill(store, runs)
        for window, within in windows.items():
            assert _expected(within, has_change=False) == await _cost(store, id, window, Window(0, 1))

    asyncio.run(scenario())


@pytest.mark.parametrize("seed", range(2))
def test_cost_is_compared_with_the_period_before(store: Store, seed: int) -> None:
    """Changes follow from the exact costs, and there is none if CI was not reported yet at its beginning."""
    random = Random(seed)
    runs = [_Run(number, random) for number in range(1, 200)]
    first, second, third, end = (_START + hours * HOUR for hours in (0, 48, 98, 148))
    later, former = Window(third, end), Window(second, third)

    async def scenario() -> None:
        id = await _fill(store, runs)
        assert _expected(runs[97:147], runs[47:97], has_change=True) == await _cost(store, id, later, former)
        early = _expected(runs[49:97], runs[1:49], has_change=False)
        spans = Window(second + 2 * HOUR, third), Window(first + 2 * HOUR, second + 2 * HOUR)
        assert early == await _cost(store, id, *spans)

    asyncio.run(scenario())


def test_verifying_compares_cost_with_time_and_price(store: Store) -> None:
    """19 runs of a minute at 0.008; the time of one of them is stored as three minutes."""
    runs = [_Run(number, Random(1)) for number in range(1, 20)]
    for run in runs:
        run.executions = [(None, MINUTE, "unit")]

    def damage(held: HeldRepository) -> None:
        (row,) = stored_rows(held.rows, CiRunRow, run=[1])
        delete_rows(held, CiRunRow, run=[row.run])
        held.insert([row._replace(seconds_by_runner=f"0:{3 * MINUTE}")])
        held.save(held.state)

    async def scenario() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        await _fill(store, runs)
        known = await store.repository(_WIDGETS)
        assert known is not None
        before = await store.verify(known)
        await store.change(_WIDGETS, damage, create=False)
        damaged = await store.verify(known)
        await store.rebuild(_WIDGETS)
        return before.examples, damaged.examples, (await store.verify(known)).examples

    before, damaged, repaired = asyncio.run(scenario())

    day = _START // DAY
    assert ((), ()) == (before, repaired)
    assert (
        "ci_runs: run 1 does not follow from its reports",
        f"cost: CI runs of day {day} cost 0.1680 USD, 0.1520 is right",
    ) == damaged
