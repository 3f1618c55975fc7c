"""Opens the kind of store that the settings name, and loads only its driver."""

from pathlib import Path

from mergecast.store.store import Store

FILE_NAME = "mergecast.duckdb"


def open_store(folder: Path) -> Store:
    """The store in a data folder."""
    from mergecast.store.duckdb.store import DuckDBStore  # noqa: PLC0415 - the driver takes long to load

    return DuckDBStore(folder / FILE_NAME)
