"""Verdicts go where their repository goes: copies, renames, retention, deletion; and they are verified."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.rows import VerdictRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows
from removals.judging import NAME, START, judge, known_of, rows_of, said, send, states_of
from removals.world import World

NOW = START + 10 * DAY
NEW_NAME = Repository("acme", "gadgets")


@pytest.fixture
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("target")
    copy_empty_store(folder)
    opened = open_store(folder)
    yield opened
    opened.close()


async def _judged(store: Store) -> None:
    await send(store, World(5, START, 4).events, NOW)
    await judge(store, NOW)


async def _copy(source: Store, target: Store) -> None:
    async for _ in copy_store(source, target, NOW):
        pass


def _plain(rows: list[VerdictRow]) -> list[VerdictRow]:
    """Numbers of stays and repositories are different in a copy."""
    return [row._replace(repository_id=0, stay=0) for row in rows]


def test_a_copy_has_the_same_verdicts_and_need_not_judge_again(store: Store, target: Store) -> None:
    """It continues from the same states; copying twice changes nothing."""

    async def run() -> None:
        await _judged(store)
        for _ in range(2):
            await _copy(store, target)
            assert _plain(await rows_of(store)) == _plain(await rows_of(target))
            days = {state.day for state in await states_of(store)}
            assert days == {state.day for state in await states_of(target)}
            copy = await known_of(target)
            assert (None, None, None) == (copy.judge_from, copy.judge_by, copy.judging_from)
            assert () == (await target.verify(copy)).examples
        await store.rebuild(NAME)
        await judge(store, NOW)
        await target.rebuild(NAME)
        await judge(target, NOW)
        assert await said(store) == await said(target)

    asyncio.run(run())


def test_what_is_still_to_be_judged_is_judged_in_the_copy(store: Store, target: Store) -> None:
    async def run() -> None:
        await send(store, World(5, START, 4).events, NOW)
        await _copy(store, target)
        assert [] == await rows_of(target)
        await judge(store, NOW)
        await judge(target, NOW)
        assert await said(store) == await said(target)

    asyncio.run(run())


def test_a_rename_and_a_deletion_take_the_verdicts_along(store: Store) -> None:
    async def run() -> None:
        await _judged(store)
        before = await rows_of(store)
        assert await store.rename(NAME, NEW_NAME, 7)
        assert before == await rows_of(store, NEW_NAME)
        await store.forget(NEW_NAME)
        await send(store, World(5, START, 1).events, NOW, NEW_NAME)
        assert [] == await rows_of(store, NEW_NAME)

    asyncio.run(run())


def test_what_is_deleted_because_of_its_age_loses_its_verdict(store: Store) -> None:
    """The others keep theirs, although what they were judged from is gone."""

    async def run() -> None:
        await _judged(store)
        before = await said(store)
        await drop_old_events(store, NAME, NOW, 8 * DAY)
        after = await said(store)
        assert {} != after
        assert after.keys() < before.keys()
        assert after == {session: before[session] for session in after}
        known = await known_of(store)
        assert known.judge_from is None
        assert () == (await store.verify(known)).examples

    asyncio.run(run())


def test_a_verdict_that_does_not_fit_its_stay_is_found_and_repaired(store: Store) -> None:
    def spoil(held: HeldRepository) -> None:
        row = VerdictRow(*held.rows("verdicts_page", -1, 1)[0])
        delete_rows(held, VerdictRow, stay=[row.stay])
        held.insert([row._replace(left_at=row.left_at + 1)])
        held.save(held.state)

    async def run() -> None:
        await _judged(store)
        before = await said(store)
        (row, *_) = sorted(await rows_of(store), key=lambda one: one.stay)
        await store.change(NAME, spoil, create=False)
        found = await store.verify(await known_of(store))
        assert (f"verdicts: stay {row.stay} does not follow from events",) == found.examples
        await store.rebuild(NAME)
        await judge(store, NOW)
        assert before == await said(store)
        assert () == (await store.verify(await known_of(store))).examples

    asyncio.run(run())
