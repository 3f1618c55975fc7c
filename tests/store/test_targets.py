"""Targets in every kind of store."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.target import Target
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.targets import read_targets, set_targets
from mergecast.queues.store.values import KnownRepository

pytestmark = pytest.mark.thorough

NAME, OTHER = Repository("acme", "widgets"), Repository("acme", "gadgets")
TARGETS = [Target(time_in_queue_p95=3600), Target("main", "default", failure_rate=0.05)]


def _known(store: Store, name: Repository) -> KnownRepository:
    known = asyncio.run(store.repository(name))
    assert known is not None
    return known


def _set(store: Store, targets: list[Target], name: Repository = NAME) -> int:
    """Returns the version of the data afterwards."""
    asyncio.run(store.set_products(name, ()))
    asyncio.run(store.change(name, partial(set_targets, targets=targets), create=False))
    return _known(store, name).version


def _read(store: Store, name: Repository = NAME) -> list[Target]:
    known = _known(store, name)
    return asyncio.run(store.read(known.id, partial(read_targets, repository_ids=[known.id]))).get(
        known.id, []
    )


def test_targets_are_replaced_together(store: Store) -> None:
    """The data version rises only if they change, because answers that show them do."""
    first = _set(store, TARGETS)
    assert TARGETS == _read(store)
    assert first == _set(store, TARGETS)
    assert first < _set(store, TARGETS[:1])
    assert TARGETS[:1] == _read(store)
    _set(store, [])
    assert [] == _read(store)


def test_other_repositories_keep_theirs(store: Store) -> None:
    _set(store, TARGETS)
    _set(store, TARGETS[1:], OTHER)
    asyncio.run(store.forget(NAME))

    assert TARGETS[1:] == _read(store, OTHER)


def test_a_copy_has_targets(store: Store, tmp_path: Path) -> None:
    """A second copy takes over what has changed, and what is gone."""
    copy_empty_store(tmp_path / "copy")
    copy = open_store(tmp_path / "copy")
    found = []

    async def run() -> None:
        async for _ in copy_store(store, copy, 0):
            pass

    try:
        for targets in (TARGETS, TARGETS[:1], []):
            _set(store, targets)
            asyncio.run(run())
            found.append(_read(copy))
    finally:
        copy.close()

    assert [TARGETS, TARGETS[:1], []] == found
