"""Owners take turns at the only writer of an embedded store, and share those of PostgreSQL."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.sqlite.turns import Turns
from mergecast.queues.store.store import Store
from waiting import MOST_SECONDS

_MANY = 30


def test_owners_take_turns() -> None:
    """What one owner puts in comes out in the same order."""
    turns: Turns[str] = Turns()
    for job in ("a1", "a2", "a3", "b1", "c1", "b2"):
        turns.put(job[0], job)

    assert ["a1", "b1", "c1", "a2", "b2", "a3"] == [turns.take() for _ in range(6)]
    assert turns.take() is None


def test_what_waits_is_done_after_closing() -> None:
    """Nothing that was submitted gets lost."""
    turns: Turns[int] = Turns()
    turns.put("acme", 1)
    turns.close()

    assert not turns.is_over()
    assert 1 == turns.take(60)
    assert turns.take(60) is None
    assert turns.is_over()


def test_the_changes_of_one_owner_do_not_keep_another_waiting(tmp_path: Path) -> None:
    """However many changes of the first wait already, in however many repositories."""
    done: list[str] = []
    is_free = threading.Event()

    def hold(_: HeldRepository) -> None:
        is_free.wait()

    async def change(owner: str, place: int) -> None:
        def note(held: HeldRepository) -> None:
            done.append(owner)
            held.save(held.state)

        await store.change(Repository(owner, f"repository-{place % 3}"), note, create=True)

    def note_items(held: HeldRepository, items: Sequence[str]) -> Sequence[str]:
        done.extend(items)
        held.save(held.state)
        return items

    async def record() -> None:
        await store.run_batched(Repository("umbrella", "web"), note_items, "recorded", 1)

    async def scenario() -> None:
        held = asyncio.create_task(store.change(Repository("acme", "first"), hold, create=True))
        await asyncio.sleep(0)
        many = [asyncio.create_task(change("acme", place)) for place in range(_MANY)]
        await asyncio.sleep(0)
        few = [asyncio.create_task(change("umbrella", 0)), asyncio.create_task(record())]
        await asyncio.sleep(0)
        is_free.set()
        await asyncio.gather(held, *many, *few)

    store = open_store(tmp_path)
    try:
        asyncio.run(scenario())
    finally:
        is_free.set()
        store.close()

    assert _MANY + 2 == len(done)
    assert done.index("umbrella") <= 1
    assert done.index("recorded") <= _MANY // 2


def test_a_small_change_is_not_committed_with_the_large_one_of_another_owner(tmp_path: Path) -> None:
    """It is done while the large one is not."""
    may_begin, may_end = threading.Event(), threading.Event()

    def begin(_: HeldRepository) -> None:
        may_begin.wait()

    def small(held: HeldRepository, items: Sequence[None]) -> Sequence[str]:
        held.save(held.state)
        return ["stored"] * len(items)

    def large(held: HeldRepository, items: Sequence[None]) -> Sequence[str]:
        may_end.wait()
        return small(held, items)

    async def scenario() -> tuple[str, bool, str]:
        first = asyncio.create_task(store.change(Repository("first", "web"), begin, create=True))
        await asyncio.sleep(0)
        acme, umbrella = Repository("acme", "web"), Repository("umbrella", "web")
        in_short = asyncio.create_task(store.run_batched(acme, small, None, 5))
        at_length = asyncio.create_task(store.run_batched(umbrella, large, None, 10_000))
        await asyncio.sleep(0)
        may_begin.set()
        await first
        try:
            async with asyncio.timeout(MOST_SECONDS):
                stored = await in_short
            is_large_done = at_length.done()
        finally:
            may_end.set()
        return stored, is_large_done, await at_length

    store = open_store(tmp_path)
    try:
        assert ("stored", False, "stored") == asyncio.run(scenario())
    finally:
        may_begin.set()
        may_end.set()
        store.close()


@pytest.mark.server
@pytest.mark.parametrize("open_again", ["postgres"], indirect=True)
def test_one_owner_does_not_take_all_writers_of_postgresql(store: Store) -> None:
    """Another one's change is made while many of the first are under way or wait."""
    is_free = threading.Event()

    async def change(owner: str, name: str, work: Callable[[HeldRepository], object]) -> None:
        await store.change(Repository(owner, name), work, create=True)

    async def scenario() -> None:
        try:
            many = [
                asyncio.create_task(change("acme", f"repository-{place}", lambda _: is_free.wait()))
                for place in range(_MANY)
            ]
            await asyncio.sleep(0)
            async with asyncio.timeout(MOST_SECONDS):
                await change("umbrella", "web", lambda held: held.save(held.state))
        finally:
            is_free.set()
        await asyncio.gather(*many)

    asyncio.run(scenario())
