"""Problems of queues and thresholds in every kind of store."""

import asyncio
from functools import partial

import pytest

from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.problems import (
    KEEP,
    ProblemChanges,
    StoredProblem,
    delete_old_problems,
    delete_thresholds,
    open_problems,
    problems_between,
    set_levels,
    set_thresholds,
    store_past_problems,
    store_problems,
)
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

pytestmark = pytest.mark.thorough

NAME = Repository("acme", "widgets")
HANGS = StoredProblem(100, "main", "default", "run_too_long", 90, None, '{"sentence":"a run hangs"}')


def _read(store: Store, start: int, end: int) -> list[StoredProblem]:
    async def read() -> list[StoredProblem]:
        known = await store.repository(NAME)
        assert known is not None
        return await store.read(known.id, lambda reader: problems_between(reader, known.id, start, end))

    return asyncio.run(read())


def _open(store: Store) -> list[StoredProblem]:
    async def read() -> list[StoredProblem]:
        known = await store.repository(NAME)
        assert known is not None
        return await store.read(known.id, lambda reader: open_problems(reader, known.id))

    return asyncio.run(read())


def _change(store: Store, changes: ProblemChanges) -> ProblemChanges | None:
    return asyncio.run(store.change(NAME, partial(store_problems, changes=changes), create=False))


def test_a_problem_begins_and_ends_once(store: Store) -> None:
    """Of two servers that find the same, one stores it."""
    asyncio.run(store.set_products(NAME, ()))
    ended = HANGS._replace(ended_at=150)

    begun = [
        _change(store, ProblemChanges(begun=(problem,))) for problem in (HANGS, HANGS._replace(found_at=101))
    ]
    held = _open(store)
    over = [_change(store, ProblemChanges(ended=(ended,))) for _ in range(2)]

    assert [ProblemChanges(begun=(HANGS,)), ProblemChanges()] == begun
    assert [HANGS] == held
    assert [ProblemChanges(ended=(ended,)), ProblemChanges()] == over
    assert [] == _open(store)
    assert [[ended], [ended], [], []] == [
        _read(store, *window) for window in ((0, 91), (150, 200), (0, 90), (151, 200))
    ]


def test_problems_of_the_past_are_stored_once(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))
    past = HANGS._replace(ended_at=150)

    for problems in ([past], [past._replace(found_at=120)]):
        work = partial(store_past_problems, problems=problems, until=200)
        asyncio.run(store.change(NAME, work, create=False))

    assert [past] == _read(store, 0, 1_000)


def test_problems_are_kept_for_400_days(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))
    old, kept = (
        HANGS._replace(found_at=50, since=40, ended_at=80),
        HANGS._replace(name="nothing_merges", ended_at=2 * DAY),
    )
    work = partial(store_past_problems, problems=[old, kept, HANGS], until=200)
    asyncio.run(store.change(NAME, work, create=False))

    asyncio.run(store.change(NAME, partial(delete_old_problems, now=KEEP + DAY), create=False))

    assert [kept] == [problem for problem in _read(store, 0, 10 * DAY) if problem.ended_at is not None]
    assert [HANGS] == _open(store)


def test_thresholds_are_replaced_and_deleted(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))
    queues = (("main", "default"), ("main", "hotfix"))

    def levels() -> dict[tuple[str, str], dict[str, float]]:
        async def read() -> dict[tuple[str, str], dict[str, float]]:
            known = await store.repository(NAME)
            assert known is not None

            def work(reader: Reader) -> dict[tuple[str, str], dict[str, float]]:
                return set_levels(reader, known.id)

            return await store.read(known.id, work)

        return asyncio.run(read())

    for given in ({"run_too_long": 60.0}, {"run_too_long": 90.5, "no_run_started": 10.0}):
        for queue in queues:
            asyncio.run(store.change(NAME, partial(set_thresholds, queue=queue, levels=given), create=False))
    assert {queue: {"no_run_started": 10.0, "run_too_long": 90.5} for queue in queues} == levels()

    deleting = partial(delete_thresholds, base_ref="main", queue_name="hotfix")
    assert 2 == asyncio.run(store.change(NAME, deleting, create=False))
    assert {queues[0]: {"no_run_started": 10.0, "run_too_long": 90.5}} == levels()
