"""Where a store is kept, for tests that run over every kind of store."""

from collections.abc import Callable
from pathlib import Path

from mergecast.store.opening import open_store
from mergecast.store.store import Store

OpenStore = Callable[[], Store]


def _in_folder(folder: Path) -> OpenStore:
    return lambda: open_store(folder)


# How each kind of store is opened again and again at the same place.
KINDS: dict[str, Callable[[Path], OpenStore]] = {"duckdb": _in_folder}
