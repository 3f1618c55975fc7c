"""Where a store is kept, for tests that run over every kind of store."""

from collections.abc import Callable
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.queues.store.duckdb.store import DuckDBStore
from mergecast.queues.store.duckdb.tail import TailLimits
from mergecast.queues.store.opening import FILE_NAME, distribute_database, open_store
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


def _without_tail(request: pytest.FixtureRequest) -> OpenStore:
    """Every commit moves its rows out of the tail."""
    folder: Path = request.getfixturevalue("tmp_path")
    copy_empty_store(folder)
    return lambda: DuckDBStore(folder / FILE_NAME, TailLimits(bucket=1, total=1, deliveries=0))


def _in_citus(request: pytest.FixtureRequest) -> OpenStore:
    """The cluster that MERGECAST_TEST_CITUS_URL names, emptied and distributed before the test."""
    url = empty_cluster()
    distribute_database(url)
    folder: Path = request.getfixturevalue("tmp_path")
    return lambda: open_store(folder, url)


# How each kind of store is opened again and again at the same place.
KINDS: dict[str, Callable[[pytest.FixtureRequest], OpenStore]] = {
    "duckdb": _in_folder,
    "duckdb-without-tail": _without_tail,
    "postgres": _in_database,
    "citus": _in_citus,
}
