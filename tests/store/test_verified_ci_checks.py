"""Verifying compares what is stored about CI checks with their reports, and a rebuild recomputes it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from builders import worked_example
from made_up_checks import reports_for
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.day_sums import sum_days
from mergecast.queues.store.ci.rows import CiBlockSumRow, CiDayRow, CiDaySumRow, CiRunRow, first_day_of_block
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows, stored_rows
from mergecast.queues.store.table_pages import export_ci_checks
from mergecast.queues.store.values import KnownRepository
from mergecast.queues.store.verify import Verification

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")
_NOW = 2**51


def _history() -> list[AnyEvent]:
    events = worked_example()
    read = [read_event(event, "", _NOW) for event in (*events, *reports_for(events, Random(1)))]
    return [event for event in read if isinstance(event, (Event, CiCheckReport))]


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(WIDGETS)
    assert known is not None
    return known


def _lower_a_run(held: HeldRepository) -> None:
    run, *_ = stored_rows(held.rows, CiRunRow, run=[1, 2, 3])
    delete_rows(held, CiRunRow, run=[run.run])
    held.insert([run._replace(seconds=run.seconds + 1)])
    held.save(held.state)


def _change_a_sum(held: HeldRepository) -> None:
    days = [day for (day,) in held.rows("ci_all_days")]
    first, *others = stored_rows(held.rows, CiDaySumRow, day=days[:1])
    delete_rows(held, CiDaySumRow, day=days[:1])
    held.insert([first._replace(runs=first.runs + 1), *others])
    held.save(held.state)


def _change_a_block(held: HeldRepository) -> None:
    blocks = sorted({first_day_of_block(day) for (day,) in held.rows("ci_all_days")})
    first, *others = stored_rows(held.rows, CiBlockSumRow, first_day=blocks[:1])
    delete_rows(held, CiBlockSumRow, first_day=blocks[:1])
    held.insert([first._replace(runs=first.runs + 1), *others])
    held.save(held.state)


def _forget_the_days(held: HeldRepository) -> None:
    delete_rows(held, CiDayRow, day=[day for (day,) in held.rows("ci_all_days")])
    held.save(held.state)


def _miscount(held: HeldRepository) -> None:
    held.save(replace(held.state, ci_checks=held.state.ci_checks + 1))


async def _fill(store: Store) -> None:
    await store.record(WIDGETS, _history())
    while await store.change(WIDGETS, lambda held: sum_days(held, quiet=-_NOW), create=False):
        pass


async def _verified(store: Store) -> Verification:
    return await store.verify(await _known(store))


def test_what_follows_from_the_reports_is_consistent(store: Store) -> None:
    """With and without sums, and after a rebuild, which loses no report."""

    async def scenario() -> None:
        await store.record(WIDGETS, _history())
        assert () == (await _verified(store)).examples
        await _fill(store)
        before = [page async for page in export_ci_checks(store, await _known(store))]
        assert () == (await _verified(store)).examples
        await store.rebuild(WIDGETS)
        assert () == (await _verified(store)).examples
        assert before == [page async for page in export_ci_checks(store, await _known(store))]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_lower_a_run, "ci_runs: run 1 does not follow from its reports"),
        (_change_a_sum, "ci_day_sums: the sums of day"),
        (_change_a_block, "ci_block_sums: the sums of the 14 days from"),
        (_forget_the_days, "ci_days: day"),
    ],
)
def test_a_rebuild_repairs_what_differs(
    store: Store, damage: Callable[[HeldRepository], None], message: str
) -> None:
    async def scenario() -> tuple[Verification, Verification]:
        await _fill(store)
        await store.change(WIDGETS, damage, create=False)
        found = await _verified(store)
        await store.rebuild(WIDGETS)
        return found, await _verified(store)

    found, repaired = asyncio.run(scenario())

    assert found.differences > 0
    assert found.examples[0].startswith(message)
    assert (0, 0, ()) == (repaired.differences, repaired.wrong, repaired.examples)


def test_a_wrong_number_of_executions_is_named(store: Store) -> None:
    async def scenario() -> tuple[int, Verification]:
        await _fill(store)
        await store.change(WIDGETS, _miscount, create=False)
        return (await _known(store)).ci_checks, await _verified(store)

    count, found = asyncio.run(scenario())

    assert (f"repository_state: ci_checks is {count}, {count - 1} is right",) == found.examples
    assert 1 == found.wrong
