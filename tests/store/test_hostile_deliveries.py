"""Deliveries that say too much, or cannot be translated, do not keep others from being translated."""

import asyncio
import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from mergecast.incoming.intake.given_up import GIVEN_UP
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.overview import source_overviews
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sqlite.store import SQLiteStore
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Deliveries, PackedDelivery
from sources.github_deliveries import Story, clock
from waiting import MOST_SECONDS

pytestmark = pytest.mark.thorough
_NOW = clock(24 * 60)
_NAME = Repository("acme", "web")
_MIB = 1 << 20
_POSTGRES = pytest.param("postgres", marks=pytest.mark.server)
# Where rows are in a store makes no difference here.
_stores = pytest.mark.parametrize("open_again", ["sqlite", _POSTGRES], indirect=True)


def _read(story: Story) -> list[Delivery]:
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story.deliveries]


def _merged(number: int, minute: int = 0) -> list[Delivery]:
    """A pull request that entered, was tested, and was merged."""
    story = Story()
    story.enqueued(minute, number)
    story.group(minute + 1, number, f"g{number}")
    story.check(minute + 5, number, f"g{number}", "success", began=minute + 1)
    story.merged(minute + 6, number)
    return [one._replace(guid=f"{number}-{one.guid}") for one in _read(story)]


def _with_long_commit(number: int, place: int, commit: str) -> Delivery:
    """A check whose commit has any length, as earlier versions stored it."""
    story = Story()
    story.check(5, number, "g", "success", began=1)
    (check,) = _read(story)
    (observation,) = json.loads(check.fields)
    fields = json.dumps([{**observation, "head_sha": commit, "id": f"long-{place}"}])
    return check._replace(guid=f"long-{place}", digest=place.to_bytes(32), fields=fields)


async def _store_as_is(store: Store, deliveries: list[Delivery]) -> None:
    for one in deliveries:
        await store.receive(_NAME, Deliveries([PackedDelivery(one, b"")]))


async def _reasons(store: Store) -> dict[str, int]:
    known = await store.repository(_NAME)
    (source,) = await source_overviews(store, _NAME, known, _NOW)
    return {one.reason: one.count for one in source.untranslated}


async def _types(store: Store, number: int) -> list[str]:
    known = await store.repository(_NAME)
    assert known is not None
    events = [event async for page in store.export(known) for event in page]
    return sorted(event.type for event in events if event.pull_request == number)


@_stores
@pytest.mark.parametrize("is_random", [False, True], ids=["repeated", "random"])
def test_stored_texts_of_any_length_are_not_loaded(store: Store, *, is_random: bool) -> None:
    """Their pull request is translated without them, and they are counted."""
    numbers = random.Random(7)
    commits = [numbers.randbytes(_MIB // 2).hex() * 4 if is_random else "a" * 4 * _MIB for _ in range(8)]
    long = [_with_long_commit(1, place, commit) for place, commit in enumerate(commits)]

    async def scenario() -> tuple[int, dict[str, int], list[str], list[str]]:
        await _store_as_is(store, [*_merged(1), *long, *_merged(2)])
        intake = Intake(store, lambda: _NOW, "tests")
        tracemalloc.start()
        await intake.translate(_NAME)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert [] == await store.repositories_with_waiting_threads()
        return peak, await _reasons(store), await _types(store, 1), await _types(store, 2)

    peak, reasons, hostile, other = asyncio.run(scenario())

    assert peak < 20 * _MIB  # all of them have 32
    assert {"a report has texts or lists that are too long": 8} == reasons
    assert hostile == other != []


@_stores
def test_a_pull_request_has_a_limited_number_of_bytes(store: Store) -> None:
    """Deliveries that are short enough one by one; it keeps the events that it had."""
    numbers = random.Random(7)
    commits = [numbers.randbytes(30 << 10).hex() for _ in range(300)]
    long = [_with_long_commit(1, place, commit) for place, commit in enumerate(commits)]

    async def scenario() -> tuple[dict[str, int], list[str], list[str]]:
        intake = Intake(store, lambda: _NOW, "tests")
        await intake.receive(_NAME, _merged(1))
        await intake.translate(_NAME)
        before = await _types(store, 1)
        packed = [PackedDelivery(one, b"") for one in long]
        await store.receive(_NAME, Deliveries(packed))
        await intake.translate(_NAME)
        return await _reasons(store), before, await _types(store, 1)

    reasons, before, after = asyncio.run(scenario())

    assert {"more than 16 MiB of reports about one pull request": 1} == reasons
    assert before == after != []


class _Failing:
    """A store in which loading one thread fails, as if its deliveries did not fit into memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.thread: int | None = None
        self.failures = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change(self, name: Repository, work: Callable[[HeldRepository], Any], *, create: bool) -> Any:
        def watched(held: HeldRepository) -> Any:
            return work(cast("HeldRepository", _FailingRepository(held, self)))

        return await self._store.change(name, watched, create=create)


class _FailingRepository:
    def __init__(self, held: HeldRepository, failing: _Failing) -> None:
        self._held, self._failing = held, failing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._held, name)

    def rows(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        if statement == "deliveries_of_threads" and self._failing.thread in parameters[0]:
            self._failing.failures += 1
            raise MemoryError
        return self._held.rows(statement, *parameters)


async def _first_thread(store: Store) -> int:
    """The number of the first thread that waits."""
    found = await store.change(_NAME, lambda held: held.rows("waiting_threads", 1), create=False)
    assert found is not None
    return int(found[0][0])


@_stores
def test_a_thread_that_fails_again_and_again_is_given_up(store: Store) -> None:
    """Others are translated. It is not tried again after a restart or another webhook, but on request."""
    failing = _Failing(store)
    failing_store = cast("Store", failing)

    async def scenario() -> None:
        intake = Intake(failing_store, lambda: _NOW, "tests")
        await intake.receive(_NAME, _merged(1))
        failing.thread = await _first_thread(store)
        await intake.receive(_NAME, [*_merged(2), *_merged(3, 30)])
        await intake.translate(_NAME)
        assert [] == await store.repositories_with_waiting_threads()
        assert 3 == failing.failures
        assert {GIVEN_UP: 1} == await _reasons(store)
        assert [] == await _types(store, 1) != await _types(store, 2) == await _types(store, 3)

        restarted = Intake(failing_store, lambda: _NOW, "tests")
        story = Story()
        story.closed(60, 1)
        await restarted.receive(_NAME, [one._replace(guid="late") for one in _read(story)])
        await restarted.translate(_NAME)
        assert [] == await store.repositories_with_waiting_threads()
        assert 3 == failing.failures

        failing.thread = None
        await restarted.translate_again(_NAME, "github")
        assert {} == await _reasons(store)
        assert [] != await _types(store, 1)

    asyncio.run(scenario())


async def _until(is_so: Callable[[], object]) -> None:
    """Wait until something has happened."""
    for _ in range(int(MOST_SECONDS / 0.01)):
        if is_so():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it did not happen")


def _has_events(store: SQLiteStore, name: Repository) -> bool:
    known = store.catalog.repositories.get(name)
    return known is not None and known.events > 0


def test_a_failing_repository_does_not_stop_the_others(tmp_path: Path) -> None:
    """The server translates others at once, and tries the failing one again later."""
    store = SQLiteStore(tmp_path / FILE_NAME)
    failing = _Failing(store)
    other = Repository("umbrella", "web")

    async def scenario() -> None:
        intake = Intake(cast("Store", failing), lambda: _NOW, "tests")
        intake.patience_seconds = 3600  # longer than this test takes on any machine
        await intake.receive(_NAME, _merged(1))
        failing.thread = await _first_thread(store)
        intake.start()
        await _until(lambda: failing.failures)
        failing.thread = None
        await intake.receive(other, _merged(2))
        intake.translate_soon(other)
        await _until(lambda: _has_events(store, other))
        assert 1 == failing.failures
        assert [_NAME] == await store.repositories_with_waiting_threads()
        await intake.close()

    try:
        asyncio.run(scenario())
    finally:
        store.close()


def test_a_repository_rests_after_a_long_translation(tmp_path: Path) -> None:
    """One webhook after the other on a long pull request takes little of the time that others need."""
    store = SQLiteStore(tmp_path / FILE_NAME)
    other = Repository("umbrella", "web")

    async def scenario() -> None:
        intake = Intake(store, lambda: _NOW, "tests")
        intake.long_seconds, intake.rest_factor = 0.0, 1e9
        first, *more = _merged(1)
        await intake.receive(_NAME, [first])
        intake.start()
        await _until(lambda: _has_events(store, _NAME))
        known = await store.repository(_NAME)
        assert known is not None
        for one in more:
            await intake.receive(_NAME, [one])
            intake.translate_soon(_NAME)
        await intake.receive(other, _merged(2))
        intake.translate_soon(other)
        await _until(lambda: _has_events(store, other))
        assert [_NAME] == await store.repositories_with_waiting_threads()
        await intake.close()
        assert known.events == (await store.repository(_NAME) or known).events

    try:
        asyncio.run(scenario())
    finally:
        store.close()
