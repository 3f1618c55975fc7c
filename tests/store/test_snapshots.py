"""Recorded pull requests in the store."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository, OpenSnapshots, RecordedSnapshot, Selection

_WIDGETS = Repository("acme", "widgets")
_EVENT = Event("a", "queue_entered", 1_000, "main", "default", None, "api", "stay-a", 1)


@pytest.fixture
def database(data_folder: Path) -> Iterator[Store]:
    opened = open_store(data_folder)
    yield opened
    opened.close()


def _put(database: Store, number: int, document: str = "{}", *, is_open: bool = True) -> None:
    asyncio.run(database.put_snapshot(_WIDGETS, RecordedSnapshot(number, is_open, document)))


def _remove(database: Store, number: int) -> int:
    return asyncio.run(database.delete_snapshot(_WIDGETS, number))


def _known(database: Store) -> KnownRepository:
    known = asyncio.run(database.repository(_WIDGETS))
    assert known is not None
    return known


def test_the_last_one_counts(database: Store) -> None:
    """A snapshot is replaced, not added."""
    _put(database, 1, '{"é":1}')
    _put(database, 1, '{"é":2}')

    assert '{"é":2}'.encode() == asyncio.run(database.snapshot(_known(database), 1))
    assert None is asyncio.run(database.snapshot(_known(database), 2))
    assert 1 == _known(database).snapshots


def test_what_was_read_lately(database: Store) -> None:
    """A document is remembered until one of its repository changes, within bounds."""
    _put(database, 1, "1")
    before = _known(database)
    first = asyncio.run(database.snapshot(before, 1))
    _put(database, 1, "2")
    _put(database, 2, "3")

    assert b"1" == first == asyncio.run(database.snapshot(before, 1))
    assert b"2" == asyncio.run(database.snapshot(_known(database), 1))
    _remove(database, 1)
    assert None is asyncio.run(database.snapshot(_known(database), 1))
    assert b"3" == asyncio.run(database.snapshot(_known(database), 2))


def test_opened_again(tmp_path: Path) -> None:
    """Snapshots and their number are there."""
    first = open_store(tmp_path)
    _put(first, 1)
    _put(first, 2**63 - 1)
    first.close()
    second = open_store(tmp_path)

    assert 2 == _known(second).snapshots
    assert b"{}" == asyncio.run(second.snapshot(_known(second), 2**63 - 1))
    second.close()


def test_open_ones_by_number(database: Store) -> None:
    """The newest first, as many as there is room for; the rest is counted."""
    for number in range(1, 6):
        _put(database, number, '"1234"', is_open=number != 4)
    known = _known(database)

    def found(most: int, characters: int) -> OpenSnapshots:
        return asyncio.run(database.open_snapshots(known, most, characters))

    of_all = tuple((number, b'"1234"') for number in (5, 3, 2, 1))
    assert OpenSnapshots(of_all, 0) == found(100, 1000)
    assert OpenSnapshots(of_all[:3], 1) == found(3, 1000)
    assert OpenSnapshots(of_all[:2], 2) == found(100, 12)
    assert OpenSnapshots((), 4) == found(100, 5)


def test_the_last_trace(database: Store) -> None:
    """A repository is known as long as there is a snapshot, an event or a setting."""
    _put(database, 1)
    asyncio.run(database.record(_WIDGETS, [_EVENT]))
    asyncio.run(database.delete_events(Selection(_WIDGETS)))
    assert 1 == _known(database).snapshots

    assert (0, 1) == (_remove(database, 2), _remove(database, 1))

    assert asyncio.run(database.repository(_WIDGETS)) is None
    assert 0 == _remove(database, 1)


@pytest.mark.parametrize("products", [(), ("merge_queue",)])
def test_a_setting_keeps_it_known(database: Store, products: tuple[str, ...]) -> None:
    """Also one that says that nothing is enabled."""
    asyncio.run(database.set_products(_WIDGETS, products))
    _put(database, 1)

    assert 1 == _remove(database, 1)

    assert products == _known(database).products


def test_forgetting_takes_all(database: Store) -> None:
    """Nothing of a repository comes back when its name does."""
    _put(database, 1)
    asyncio.run(database.forget(_WIDGETS))
    _put(database, 2)

    assert 1 == _known(database).snapshots
    assert None is asyncio.run(database.snapshot(_known(database), 1))
