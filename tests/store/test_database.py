"""The store itself: migrations, ownership, time limits, errors of the database."""

import asyncio
import threading
from pathlib import Path

import duckdb
import pytest
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.duckdb.store import DuckDBStore
from mergecast.queues.store.duckdb.tail import TailLimits
from mergecast.queues.store.duckdb.writer import Item, Writer

from mergecast import __version__
from mergecast.errors import MergecastError, Unavailable
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import QueryTooSlow, StoreTooNew, StoreUnreadable
from mergecast.queues.store.migrations import migrations
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import TABLES, column_types
from mergecast.queues.store.store import record
from mergecast.queues.store.values import Receipt, Selection, Sent
from waiting import MOST_SECONDS

pytestmark = pytest.mark.thorough

REPOSITORY = Repository("acme", "widgets")


def _entered(id: str, at: int = 1_000) -> Event:
    return Event(id, "queue_entered", at, "main", "default", None, "api", f"stay-{id}", 1)


def test_migrations_are_numbered_without_gaps() -> None:
    """They are applied in this order."""
    assert list(range(1, len(migrations("duckdb")) + 1)) == [one.number for one in migrations("duckdb")]


def test_every_column_is_written(data_folder: Path) -> None:
    """A row type names all columns of its table."""
    with duckdb.connect(str(data_folder / FILE_NAME)) as connection:
        for row_type, table in TABLES.items():
            described = connection.execute(f"describe {table}").fetchall()

            assert {row[0] for row in described} == column_types(row_type).keys(), table


def test_a_store_of_a_newer_program_is_refused(data_folder: Path) -> None:
    """And not touched."""
    with duckdb.connect(str(data_folder / FILE_NAME)) as connection:
        connection.execute("insert into schema_migrations values (999, '7.2.1')")

    with pytest.raises(StoreTooNew) as refusal:
        open_store(data_folder)

    assert (
        f"the store was last migrated by mergecast 7.2.1, to schema 999; this is mergecast {__version__}, "
        f"which knows schemas up to {len(migrations('duckdb'))}: install mergecast 7.2.1 or a newer version, "
        "or restore a backup made before the upgrade"
    ) == str(refusal.value)


def test_a_newer_store_that_names_no_version_is_refused(tmp_path: Path) -> None:
    """And its list of migrations stays as it is."""
    with duckdb.connect(str(tmp_path / FILE_NAME)) as connection:
        connection.execute("create table schema_migrations (number integer not null)")
        connection.execute("insert into schema_migrations values (999)")

    with pytest.raises(StoreTooNew) as refusal:
        open_store(tmp_path)

    assert (
        "the store was last migrated by a version of mergecast that it does not name, to schema 999; "
        f"this is mergecast {__version__}, which knows schemas up to {len(migrations('duckdb'))}: "
        "install a newer version of mergecast, or restore a backup made before the upgrade"
    ) == str(refusal.value)
    with duckdb.connect(str(tmp_path / FILE_NAME)) as connection:
        assert [(999,)] == connection.execute("from schema_migrations").fetchall()


def test_a_store_says_which_version_applied_each_migration(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / FILE_NAME)) as connection:
        connection.execute("create table schema_migrations (number integer not null)")
        number, _, first = migrations("duckdb")[0]
        connection.execute(first)
        connection.execute("insert into schema_migrations values ($1)", [number])

    open_store(tmp_path).close()

    with duckdb.connect(str(tmp_path / FILE_NAME)) as connection:
        applied = connection.execute("from schema_migrations order by number").fetchall()
    later = [(one.number, __version__) for one in migrations("duckdb")[1:]]
    assert [(1, "before 0.1.0"), *later] == applied


def test_a_query_that_takes_too_long_is_stopped(data_folder: Path) -> None:
    """The reader is free again at once."""
    database = open_store(data_folder)

    def ask_for_ever(reader: Reader) -> None:
        while True:
            reader.rows("ready", [])

    async def ask() -> None:
        with pytest.raises(QueryTooSlow) as stopped:
            await database.read(None, ask_for_ever, seconds=0.3)
        assert "the store did not answer within 0.3 seconds; choose a shorter period or try again" == str(
            stopped.value
        )
        assert [(None,)] == await database.read(None, lambda reader: reader.rows("ready", []))

    asyncio.run(ask())
    database.close()


def test_the_file_can_be_opened_again_while_readers_come_and_go(data_folder: Path) -> None:
    """No cursor of the old instance is open meanwhile."""
    engine = Engine(data_folder / FILE_NAME)
    errors: list[Exception] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            try:
                with engine.cursor() as cursor:
                    cursor.execute("select * from store_state").fetchall()
            except Exception as error:  # noqa: BLE001
                errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        engine.reopen()
    is_over.set()
    for thread in threads:
        thread.join()
    engine.close()

    assert [] == errors


def test_the_log_of_commits_is_merged_into_an_existing_store(data_folder: Path) -> None:
    """Once it is long, and also when the store was opened and not made."""
    # Rows that move out of the tail would lengthen the log, too; it may be longer during an import.
    limits = TailLimits(bucket=10**9, total=10**9, direct=10**9)
    database = DuckDBStore(data_folder / FILE_NAME, limits)
    log = data_folder / f"{FILE_NAME}.wal"

    longest = 0
    for part in range(12):
        events = [_entered(f"{part}-{number}-{'x' * 900}") for number in range(1_000)]
        asyncio.run(database.record(REPOSITORY, events))
        longest = max(longest, log.stat().st_size if log.exists() else 0)
    asyncio.run(database.record(REPOSITORY, [_entered("last")]))
    length = log.stat().st_size if log.exists() else 0
    database.close()

    assert longest > 16 << 20 > length


def test_reading_stops_when_the_client_disconnects(data_folder: Path) -> None:
    """Closing the store does not wait for it, which would be forever."""
    database = open_store(data_folder)

    def ask_for_ever(reader: Reader) -> None:
        while True:
            reader.rows("ready", [])

    async def ask() -> None:
        asking = asyncio.create_task(database.read(None, ask_for_ever))
        await asyncio.sleep(0.2)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(ask())
    closing = threading.Thread(target=database.close, daemon=True)
    closing.start()
    closing.join(MOST_SECONDS)

    assert not closing.is_alive()


def test_a_store_that_cannot_be_reopened_is_tried_again_with_the_next_job(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed attempt to reopen the store does not close it forever."""
    engine = Engine(data_folder / FILE_NAME)
    writer = Writer(engine)
    writer.run_batched(Item(REPOSITORY, record, Sent([_entered("a")]), 1)).result()
    with pytest.raises(Unavailable):
        writer.change("", _give_up).result()
    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", _fail_to_connect)

    with pytest.raises(MergecastError):
        writer.run_batched(Item(REPOSITORY, record, Sent([_entered("b")]), 1)).result()
    monkeypatch.setattr(duckdb, "connect", connect)
    receipt = writer.run_batched(Item(REPOSITORY, record, Sent([_entered("a"), _entered("b")]), 1)).result()
    writer.close()
    engine.close()

    assert Receipt(1, 1) == receipt


def _give_up(*_: object) -> None:
    """What DuckDB raises once it considers its database invalid."""
    raise duckdb.FatalException("the database has been invalidated")


def _fail_to_connect(*_: object, **__: object) -> None:
    raise duckdb.IOException("the file system went away")


def test_deleting_nothing_changes_nothing(data_folder: Path) -> None:
    """Not even the version."""
    database = open_store(data_folder)
    asyncio.run(database.record(REPOSITORY, [_entered("a")]))
    before = asyncio.run(database.repository(REPOSITORY))

    removed = asyncio.run(database.delete_events(Selection(REPOSITORY, source="elsewhere")))

    assert 0 == removed
    assert before == asyncio.run(database.repository(REPOSITORY))
    database.close()


def test_a_file_that_is_no_store_is_explained(tmp_path: Path) -> None:
    """Whatever its folder is called."""
    folder = tmp_path / "clockwork"
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(b"no database" * 1000)

    with pytest.raises(StoreUnreadable) as refusal:
        open_store(folder)

    assert str(refusal.value).startswith(f"the store {folder / FILE_NAME} cannot be opened: ")
