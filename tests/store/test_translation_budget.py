"""One transaction loads a limited number of deliveries, so that no client holds the store for long."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, cast

import pytest

from mergecast.incoming.intake.intake import FREELY_LOADED, Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Cursor, DeliveryReceipt
from sources.github_deliveries import Story, clock

pytestmark = pytest.mark.thorough

_NOW = clock(24 * 60)
_PULL_REQUESTS, _REPORTS = 4, 6
_POSTGRES = pytest.param("postgres", marks=pytest.mark.server)


def _tested(minute: int, number: int, commit: str) -> Delivery:
    """A check of a new commit, which the next commit interrupts."""
    started = {"id": minute, "name": "unit", "started_at": format_instant(clock(minute))}
    item = {"number": number, "base_ref": "main", "head_sha": commit, **started}
    return SOURCES["github"].translator().read_item(commit, "check_run", json.dumps(item).encode(), _NOW)


def _pushed(minute: int) -> Delivery:
    """A push to the base branch: because of it, all were tested again."""
    story = Story()
    story.pushed(minute, "ines")
    (sent,) = story.deliveries
    return webhook_delivery(sent.event, sent.id, sent.body, sent.received_at)[1]


def _queue() -> list[Delivery]:
    """Pull requests that were all tested again at the same instants: they depend on each other."""
    return [
        _tested(5 * turn, number, f"{number}-{turn}")
        for number in range(1, _PULL_REQUESTS + 1)
        for turn in range(_REPORTS)
    ]


class _Watched:
    """A store that counts the deliveries which each transaction loads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.loaded: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change(self, name: Repository, work: Callable[[HeldRepository], Any], *, create: bool) -> Any:
        return await self._store.change(name, lambda held: work(self._watch(held)), create=create)

    async def run_batched(
        self, name: Repository, work: Callable[[HeldRepository, Any], Any], item: Any, size: int
    ) -> Any:
        return await self._store.run_batched(
            name, lambda held, items: work(self._watch(held), items), item, size
        )

    def _watch(self, held: HeldRepository) -> HeldRepository:
        return cast("HeldRepository", _WatchedRepository(held, self.loaded))


class _WatchedRepository:
    def __init__(self, held: HeldRepository, loaded: list[int]) -> None:
        self._held, self._loaded = held, loaded
        loaded.append(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._held, name)

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        rows = self._held.rows(statement, *parameters)
        if statement in ("deliveries_of_threads", "newest_deliveries"):
            self._loaded[-1] += len(rows)
        return rows


async def _events(store: Store, name: Repository) -> list[Event]:
    known = await store.repository(name)
    assert known is not None
    assert 0 == (await store.verify(known)).differences
    assert [] == await store.repositories_with_waiting_threads()
    return sorted([event async for page in store.export(known) for event in page])


# Where rows are in a store makes no difference here.
@pytest.mark.parametrize("open_again", ["sqlite", _POSTGRES], indirect=True)
def test_a_transaction_loads_a_limited_number_of_deliveries(store: Store) -> None:
    """Further transactions load the others, and the events are the same in the end.

    To find out that there are too many, one transaction may load the limit twice, and one more.
    """
    parts = (_queue(), [_pushed(12)], [_tested(22, 1, "1-late"), _tested(23, 3, "3-late"), _pushed(24)])

    async def drained(name: str, most: int, *, is_imported: bool) -> tuple[list[list[Event]], int]:
        """The events after each part, and how many deliveries a transaction has loaded at most."""
        repository, watched, found = Repository("acme", name), _Watched(store), []
        intake = Intake(cast("Store", watched), lambda: _NOW, "tests")
        intake.most_loaded = most
        for part in parts:
            if is_imported:
                await intake.receive_import(repository, part, None)
            else:
                await intake.receive(repository, part)
                await intake.translate(repository)
            found.append(await _events(store, repository))
        return found, max(watched.loaded)

    most = _REPORTS + 2
    expected, at_once = asyncio.run(drained("at-once", 1_000, is_imported=True))
    assert expected[0] != expected[1] != expected[2]
    assert 2 * most + 1 < at_once
    for name, is_imported in (("imported", True), ("delivered", False)):
        found, loaded = asyncio.run(drained(name, most, is_imported=is_imported))
        assert expected == found
        assert loaded <= 2 * most + 1


@pytest.mark.parametrize("open_again", ["sqlite", _POSTGRES], indirect=True)
def test_a_small_import_loads_little_when_it_is_stored(store: Store) -> None:
    """Hundreds of them may be stored in one transaction; the long thread is translated in another."""
    long = [_tested(5 * turn, 1, f"1-{turn}") for turn in range(60)]
    name = Repository("acme", "small-import")

    async def scenario() -> tuple[list[Event], list[int]]:
        watched = _Watched(store)
        intake = Intake(cast("Store", watched), lambda: _NOW, "tests")
        await intake.receive_import(name, long[1:], None)
        watched.loaded.clear()
        await intake.receive_import(name, long[:1], None)
        return await _events(store, name), watched.loaded

    events, (storing, translating) = asyncio.run(scenario())

    assert {f"1-{turn}" for turn in range(60)} <= {one.batch_id for one in events}
    assert storing <= 2 * (len(long[:1]) + FREELY_LOADED) + 1 < translating


@pytest.mark.parametrize("open_again", ["sqlite", _POSTGRES], indirect=True)
def test_a_large_import_is_stored_in_parts(store: Store) -> None:
    """Others take turns between the parts; the cursor is stored with the last one."""
    items = [_tested(turn, number, f"{number}-{turn}") for number in range(1, 301) for turn in range(3)]
    name = Repository("acme", "large-import")

    class _Noting(_Watched):
        async def run_batched(
            self, name: Repository, work: Callable[[HeldRepository, Any], Any], item: Any, size: int
        ) -> Any:
            stored = await store.run_batched(name, work, item, size)
            parts.append((len(item.deliveries.packed), item.deliveries.cursor))
            return stored

    parts: list[tuple[int, Cursor | None]] = []
    cursor = Cursor("github", "next", None)

    async def scenario() -> tuple[DeliveryReceipt, list[Event]]:
        intake = Intake(cast("Store", _Noting(store)), lambda: _NOW, "tests")
        receipt = await intake.receive_import(name, items, cursor)
        return receipt, await _events(store, name)

    receipt, events = asyncio.run(scenario())

    assert DeliveryReceipt(len(items), 0, 0) == receipt
    assert {f"{number}-2" for number in range(1, 301)} <= {one.batch_id for one in events}
    assert len(items) == sum(length for length, _ in parts)
    assert max(length for length, _ in parts) <= 400
    assert [*[None] * (len(parts) - 1), cursor] == [given for _, given in parts]
