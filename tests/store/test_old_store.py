"""A store that an earlier version wrote can be opened and used."""

import asyncio
import json
from pathlib import Path

import duckdb
import pytest

from empty_store import copy_empty_store
from mergecast.incoming.intake.event_bodies import read_json
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Receipt
from store.statistics import all_answers

WIDGETS = Repository("acme", "widgets")
GADGETS = Repository("acme", "gadgets")
_STATEMENTS = Path(__file__).with_name("old_store.sql")
_NOW = 1_900_000_000_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with the store as the earlier program left it."""
    with duckdb.connect(str(tmp_path / FILE_NAME)) as connection:
        connection.execute(_STATEMENTS.read_text(encoding="utf-8"))
    return tmp_path


async def _exported(store: Store, name: Repository) -> list[Event]:
    known = await store.repository(name)
    assert known is not None
    return [event async for page in store.export(known) for event in page]


def _left(id: str, session: str) -> list[AnyEvent]:
    event = {
        "id": id, "type": "queue_left", "at": "2026-03-02T12:00:00Z", "base_ref": "main",
        "queue_name": "default", "session_id": session, "pull_request": 2, "reason": "CHECKS_FAILED",
    }  # fmt: skip
    return read_json(json.dumps([event]).encode(), _NOW)


def test_everything_is_there(folder: Path) -> None:
    """Events, products, snapshots and keys."""
    store = open_store(folder)
    listed = asyncio.run(store.repositories())
    exported = asyncio.run(_exported(store, WIDGETS))
    snapshots = [asyncio.run(store.snapshot(listed[1], number)) for number in (7, 8, 9)]
    keys = asyncio.run(store.application_keys())
    store.close()

    assert ["Acme/widgets", "acme/gadgets", "acme/none"] == [str(known.repository) for known in listed]
    assert [9, 2, 0] == [known.events for known in listed]
    assert [0, 2, 0] == [known.snapshots for known in listed]
    assert [("merge_queue", "merge_protections"), None, ()] == [known.products for known in listed]
    assert [str(number) for number in range(1, 10)] == [event.id for event in exported]
    assert [b'{"number": 7}', b'{"title": "it\'s"}', None] == snapshots
    assert ["ci"] == [key.name for key in keys.values()]


@pytest.mark.thorough
def test_it_answers_as_a_new_store_with_the_same_events(folder: Path, tmp_path: Path) -> None:
    """For every statistic, before and after more events and a rebuild."""
    copy_empty_store(tmp_path / "new")
    old, new = open_store(folder), open_store(tmp_path / "new")

    async def compare() -> list[bool]:
        same = []
        for name in (WIDGETS, GADGETS):
            await new.record(name, await _exported(old, name))
            same.append(await all_answers(old, name) == await all_answers(new, name))
            for more in (_left("more", "b"), _left("new", "c")):
                assert Receipt(1, 0) == await old.record(name, more)
                await new.record(name, more)
                same.append(await all_answers(old, name) == await all_answers(new, name))
        await old.rebuild(WIDGETS)
        same.append(await all_answers(old, WIDGETS) == await all_answers(new, WIDGETS))
        return same

    try:
        same = asyncio.run(compare())
    finally:
        old.close()
        new.close()

    assert [True] * 7 == same


def test_stored_events_are_recognised(folder: Path) -> None:
    """Sending everything again stores nothing."""
    store = open_store(folder)
    events = asyncio.run(_exported(store, WIDGETS))

    receipt = asyncio.run(store.record(WIDGETS, events))
    store.close()

    assert Receipt(0, 9) == receipt


def test_numbers_continue_after_the_last_one_of_the_whole_store(folder: Path) -> None:
    """What is stored keeps its numbers, and no new row gets one of them."""
    store = open_store(folder)
    asyncio.run(store.record(GADGETS, _left("more", "new")))
    store.close()
    engine = Engine(folder / FILE_NAME)
    with engine.cursor() as cursor:
        numbers = [row[0] for row in cursor.execute("select number from events order by 1").fetchall()]
    engine.close()

    assert [4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16, 17] == numbers
