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
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.window import Window, grid_for
from mergecast.queues.stats.question import Question
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


class _Run:
    """A CI run of one pull request, with up to three executions."""

    def __init__(self, number: int, random: Random) -> None:
        self._number, self._begun = number, _START + number * HOUR
        self.outcome = random.choice(sorted(_OUTCOMES))
        self.executions = [
            (random.choice([None, "large", "small"]), random.choice(_LENGTHS))
            for _ in range(random.randint(1, 3))
        ]
        self.ended_at = self._begun + max(length for _, length in self.executions)

    def events(self) -> Iterator[AnyEvent]:
        stay, batch = f"stay-{self._number}", f"batch-{self._number}"
        make = partial(Event, base_ref="main", queue_name="default", priority_rule_name=None, source="api",
                       session_id=stay, pull_request=self._number)  # fmt: skip
        run: dict[str, Any] = {"batch_id": batch, "attempt": 1}
        yield make(f"{stay}-in", "queue_entered", self._begun)
        yield make(f"{stay}-run", "checks_started", self._begun, batch_pull_requests=str(self._number), **run)
        yield make(f"{stay}-end", "checks_ended", self.ended_at, outcome=self.outcome, **run)
        yield make(f"{stay}-out", "queue_left", self.ended_at, reason=_OUTCOMES[self.outcome],
                   schedule_wait=0, freeze_wait=0)  # fmt: skip
        for place, (runner, length) in enumerate(self.executions):
            over = self._begun + length
            yield CiCheckReport(
                f"{batch}-{place}", over, "main", "default", batch, f"{place}", "unit", "success", 1,
                started_at=self._begun, ended_at=over, runner=runner,
            )  # fmt: skip

    @property
    def cost(self) -> Decimal:
        """Of each execution by itself."""
        return sum((_PER_MINUTE[runner] * length / MINUTE for runner, length in self.executions), Decimal())


def _expected(runs: Sequence[_Run]) -> dict[str, str | None]:
    total = sum((run.cost for run in runs), Decimal())
    wasted = sum((run.cost for run in runs if run.outcome != "SUCCESS"), Decimal())
    merged = sum(run.outcome == "SUCCESS" for run in runs)

    def shown(amount: Decimal) -> str:
        return str(amount.quantize(Decimal("0.0001"), ROUND_HALF_EVEN))

    return {
        "currency": "USD",
        "total": shown(total),
        "per_merge": shown(total / merged) if merged else None,
        "wasted": shown(wasted),
    }


async def _fill(store: Store, runs: Sequence[_Run]) -> int:
    await store.record(_WIDGETS, [event for run in runs for event in run.events()])
    await store.change(_WIDGETS, lambda held: put_prices(held, _PRICES), create=False)
    known = await store.repository(_WIDGETS)
    assert known is not None
    return known.id


async def _cost(store: Store, id: int, window: Window) -> Any:
    def work(reader: Reader) -> Any:
        question = Question(id, window, window, grid_for(window), reader.groups(id))
        return msgspec.to_builtins(SUMMARY.answer(reader, question))

    return (await store.read(id, work))["cost"]


@pytest.mark.parametrize("seed", range(3))
def test_cost_is_the_price_of_each_execution(store: Store, seed: int) -> None:
    """Most runs are as long as another, on the same kind of runner."""
    random = Random(seed)
    runs = [_Run(number, random) for number in range(1, 200)]
    half, end = _START + 100 * HOUR, _START + 300 * HOUR
    windows = {Window(0, half): runs[:99], Window(half, end): runs[99:], Window(0, end): runs}

    async def scenario() -> None:
        id = await _fill(store, runs)
        for window, within in windows.items():
            assert _expected(within) == await _cost(store, id, window)

    asyncio.run(scenario())


def test_verifying_compares_cost_with_time_and_price(store: Store) -> None:
    """19 runs of a minute at 0.008; the time of one of them is stored as three minutes."""
    runs = [_Run(number, Random(1)) for number in range(1, 20)]
    for run in runs:
        run.executions = [(None, MINUTE)]

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
