"""Where a store is kept, for tests that run over every kind of store."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mergecast.store.opening import open_store
from mergecast.store.store import Store
from postgres.server import new_database

OpenStore = Callable[[], Store]


def _in_folder(request: pytest.FixtureRequest) -> OpenStore:
    folder: Path = request.getfixturevalue("tmp_path")
    return lambda: open_store(folder)


def _in_database(request: pytest.FixtureRequest) -> OpenStore:
    url = new_database(request.getfixturevalue("database_server"))
    folder: Path = request.getfixturevalue("tmp_path")
    return lambda: open_store(folder, url)


# How each kind of store is opened again and again at the same place.
KINDS: dict[str, Callable[[pytest.FixtureRequest], OpenStore]] = {
    "duckdb": _in_folder,
    "postgres": _in_database,
}
