"""The only writer of an embedded store stores small changes between the steps of a long one."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from typing import Self

import pytest

from builders import entered
from mergecast.errors import Conflict
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Receipt

pytestmark = pytest.mark.thorough

_LARGE, _SMALL = Repository("acme", "web"), Repository("umbrella", "web")


@pytest.fixture
def embedded_store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path)
    yield store
    store.close()


def _events(number: int) -> list[Event]:
    """Events of as many stays."""
    values = (entered("2026-03-02T10:00:00Z", f"session-{place}", 1) for place in range(number))
    read = [read_event(value, "", 2**62) for value in values]
    return [event for event in read if isinstance(event, Event)]


class _Order:
    """Notes in which order pieces of work end; they are all submitted before the first one begins."""

    def __init__(self, store: Store) -> None:
        self.done: list[str] = []
        self._store = store
        self._may_begin = threading.Event()
        self._tasks: list[asyncio.Task[object]] = []

    async def __aenter__(self) -> Self:
        await self._submit("first", self._store.change(Repository("first", "web"), self._wait, create=True))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._may_begin.set()
        await asyncio.gather(*self._tasks)

    def _wait(self, _: HeldRepository) -> None:
        self._may_begin.wait()

    async def record(self, label: str, name: Repository, events: Sequence[Event]) -> None:
        await self._submit(label, self._store.record(name, events))

    async def give_way(self, name: Repository) -> None:
        """Work of several steps, in the course of which everything small is stored."""

        def work(held: HeldRepository, items: Sequence[None]) -> Sequence[None]:
            for _ in range(5):
                time.sleep(0.03)
                held.give_way()
            held.save(held.state)
            return items

        await self._submit("long", self._store.run_batched(name, work, None, 10_000))

    async def _submit(self, label: str, work: Awaitable[object]) -> None:
        async def note() -> None:
            try:
                await work
                self.done.append(label)
            except Conflict:
                self.done.append(f"{label} refused")

        self._tasks.append(asyncio.create_task(note()))
        await asyncio.sleep(0)


def test_a_small_delivery_does_not_wait_for_the_large_one_of_another_owner(embedded_store: Store) -> None:
    """Both are stored whole."""
    large, small = _events(10_000), _events(2)

    async def scenario() -> list[str]:
        await embedded_store.record(_SMALL, small[:1])
        async with _Order(embedded_store) as order:
            await order.record("large", _LARGE, large)
            await order.record("small", _SMALL, small[1:])
        assert Receipt(0, 10_000) == await embedded_store.record(_LARGE, large)
        assert Receipt(0, 2) == await embedded_store.record(_SMALL, small)
        return order.done

    assert ["first", "small", "large"] == asyncio.run(scenario())


def test_an_error_of_the_small_change_is_its_own(embedded_store: Store) -> None:
    (event,) = _events(1)

    async def scenario() -> list[str]:
        await embedded_store.record(_SMALL, [event])
        async with _Order(embedded_store) as order:
            await order.give_way(_LARGE)
            await order.record("small", _SMALL, [event._replace(session_id="another")])
        assert await embedded_store.repository(_LARGE) is not None
        return order.done

    assert ["first", "small refused", "long"] == asyncio.run(scenario())


def test_what_cannot_be_stored_in_between_waits(embedded_store: Store) -> None:
    """A change of the same owner, of a new repository, or a large one."""

    async def scenario() -> list[str]:
        await embedded_store.record(_SMALL, _events(1))
        async with _Order(embedded_store) as order:
            await order.give_way(_LARGE)
            await order.record("same owner", _LARGE, _events(1))
            await order.record("new repository", Repository("initech", "web"), _events(1))
            await order.record("large", _SMALL, _events(101))
        return order.done

    first, long, *others = asyncio.run(scenario())

    assert ("first", "long") == (first, long)
    assert ["large", "new repository", "same owner"] == sorted(others)


def test_changes_of_many_owners_are_stored_in_between(embedded_store: Store) -> None:
    """Those of one owner in their order; the store holds everything that was acknowledged."""
    names = [Repository(f"owner-{number}", "web") for number in range(15)]
    events = _events(3)

    async def scenario() -> list[str]:
        for name in names:
            await embedded_store.record(name, events[:1])
        async with _Order(embedded_store) as order:
            await order.give_way(_LARGE)
            for name in names:
                await order.record(f"{name.owner} 1", name, events[1:2])
                await order.record(f"{name.owner} 2", name, events[2:])
        for name in names:
            assert Receipt(0, 3) == await embedded_store.record(name, events)
        return order.done

    done = asyncio.run(scenario())

    assert "long" == done[-1]
    assert sorted(done) == sorted(["first", "long", *(f"{name.owner} {n}" for name in names for n in (1, 2))])
    for name in names:
        assert done.index(f"{name.owner} 1") < done.index(f"{name.owner} 2")
