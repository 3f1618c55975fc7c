"""Opens the kind of store that the settings name, and loads only its driver."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mergecast import __version__
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.store.errors import MissingDriver, StoreTooOld
from mergecast.queues.store.inspection import Inspection
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.store import Store

FILE_NAME = "mergecast.sqlite"
_OLD_FILE_NAME = "mergecast.duckdb"


def open_store(
    folder: Path,
    database_url: str | None = None,
    now: Callable[[], int] = now_in_microseconds,
    opening: Opening | None = None,
) -> Store:
    """The store in the database at this URL; without one, in the data folder."""
    if database_url is not None:
        return _open_postgres(database_url, now, opening or Opening())
    from mergecast.queues.store.sqlite.store import SQLiteStore  # noqa: PLC0415 - as for PostgreSQL

    return SQLiteStore(_file_in(folder), now, opening)


def _file_in(folder: Path) -> Path:
    """The file of the store in a data folder; raises an error if only an old one is there."""
    file, old = folder / FILE_NAME, folder / _OLD_FILE_NAME
    if old.exists() and not file.exists():
        raise StoreTooOld(
            f"{old} is a store of DuckDB, which mergecast {__version__} does not read: import the history "
            "again into another folder; or copy the store with the last version that reads it, first with "
            "`mergecast store copy --to postgresql://…`, then with this one from there to a folder "
            f"(docs/backups.md says how). To begin with an empty store, move {old.name} out of the folder"
        )
    return file


def _open_postgres(url: str, now: Callable[[], int], opening: Opening) -> Store:
    with _explaining_a_missing_driver():
        from mergecast.queues.store.postgres.store import PostgresStore  # noqa: PLC0415
    return PostgresStore(url, now, opening)


def distribute_database(url: str) -> list[str]:
    """Distribute the tables of a database over its Citus cluster; returns the tables this changed."""
    with _explaining_a_missing_driver():
        from mergecast.queues.store.postgres.migrate import distribute  # noqa: PLC0415
    return distribute(url)


def inspect_store(folder: Path, database_url: str | None, seconds: float) -> Inspection | None:
    """What the store says about itself; None if the folder has none. A database may take this long."""
    if database_url is not None:
        with _explaining_a_missing_driver():
            from mergecast.queues.store.postgres.inspect_database import inspect_database  # noqa: PLC0415
        return inspect_database(database_url, seconds)
    from mergecast.queues.store.sqlite.inspect_file import inspect_file  # noqa: PLC0415

    return inspect_file(_file_in(folder))


@contextmanager
def _explaining_a_missing_driver() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("psycopg", "psycopg_pool"):
            raise
        raise MissingDriver(
            "MERGECAST_DATABASE_URL needs the PostgreSQL driver: "
            "install it with `pip install 'mergecast[server,postgres]'`"
        ) from None
