"""A process that deletes old events is killed in the middle of it."""

import asyncio
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from store.old_histories import BEGIN, answers_since, known_as

pytestmark = [pytest.mark.server, pytest.mark.thorough]  # it starts and kills processes

WIDGETS = Repository("acme", "widgets")
_KEEP = 30 * DAY
_LIMIT = BEGIN + 30 * DAY
_NOW = _LIMIT + _KEEP + HOUR
_STAYS = 2_000


def _stay(number: int) -> list[Event]:
    """Stays that end in the same minutes; every tenth ends after the limit."""
    left = BEGIN + number * MINUTE if number % 10 else _LIMIT + number * MINUTE
    common = ("main", "default", None, "api", f"stay-{number}", number)
    return [
        Event(f"{number}-in", "queue_entered", BEGIN, *common),
        Event(f"{number}-out", "queue_left", left, *common, reason="PR_MERGED",
              schedule_wait=0, freeze_wait=0),
    ]  # fmt: skip


class _Reporting:
    """A store that waits for permission for each of its changes, and reports it when it is made."""

    def __init__(self, store: Store, parent: Connection) -> None:
        self._store, self._parent = store, parent

    async def change(self, *given: object, **more: object) -> object:
        self._parent.recv()
        result: object = await self._store.change(*given, **more)  # type: ignore[arg-type]
        self._parent.send(None)
        return result


def _delete(folder: Path, parent: Connection) -> None:
    store = open_store(folder)
    asyncio.run(drop_old_events(_Reporting(store, parent), WIDGETS, _NOW, _KEEP))  # type: ignore[arg-type]


def _kill_after(folder: Path, steps: int) -> None:
    """Kill a process that deletes, once it has done so many steps: during the next one, or after it."""
    context = get_context("forkserver")
    ours, theirs = context.Pipe()
    process = context.Process(target=_delete, args=(folder, theirs))
    process.start()
    theirs.close()
    for _ in range(steps + 1):
        ours.send(None)
    for _ in range(steps):
        ours.recv()
    process.kill()
    process.join()


def test_a_killed_deletion_leaves_whole_stays(tmp_path: Path) -> None:
    """The answers about later periods are the same after each kill, and the next run deletes the rest."""
    copy_empty_store(tmp_path)
    store = open_store(tmp_path)
    asyncio.run(store.record(WIDGETS, [event for number in range(_STAYS) for event in _stay(number)]))
    expected = asyncio.run(answers_since(store, WIDGETS, _LIMIT))
    store.close()
    left = []
    for steps in (1, 3):
        _kill_after(tmp_path, steps)
        store = open_store(tmp_path)
        known = asyncio.run(known_as(store, WIDGETS))
        left.append(known.events)
        assert _LIMIT == known.kept_since
        assert expected == asyncio.run(answers_since(store, WIDGETS, _LIMIT))
        assert () == asyncio.run(store.verify(known)).examples
        store.close()
    store = open_store(tmp_path)
    asyncio.run(drop_old_events(store, WIDGETS, _NOW, _KEEP))
    left.append(asyncio.run(known_as(store, WIDGETS)).events)
    store.close()

    assert 2 * _STAYS > left[0] > left[1] > left[2] == 2 * _STAYS // 10
