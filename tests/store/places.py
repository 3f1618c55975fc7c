"""Where a store is kept, for tests that run over every kind of store."""

from collections.abc import Callable
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.queues.store.opening import distribute_database, open_store
from mergecast.queues.store.store import Store
from postgres.citus import empty_cluster
from postgres.server import new_store

OpenStore = Callable[[], Store]


def _in_folder(request: pytest.FixtureRequest) -> OpenStore:
    folder: Path = request.getfixturevalue("tmp_path")
    copy_empty_store(folder)
    return lambda: open_store(folder)


def _in_database(request: pytest.FixtureRequest) -> OpenStore:
    url = new_store(request.getfixturevalue("database_server"))
    folder: Path = request.getfixturevalue("tmp_path")
    return lambda: open_store(folder, url)


def _in_citus(request: pytest.FixtureRequest) -> OpenStore:
    """The cluster that MERGECAST_TEST_CITUS_URL names, emptied and distributed before the test."""
    url = empty_cluster()
    distribute_database(url)
    folder: Path = request.getfixturevalue("tmp_path")
    return lambda: open_store(folder, url)


# How each kind of store is opened again and again at the same place.
KINDS: dict[str, Callable[[pytest.FixtureRequest], OpenStore]] = {
    "sqlite": _in_folder,
    "postgres": _in_database,
    "citus": _in_citus,
}
