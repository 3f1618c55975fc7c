"""The embedded store itself: its schema, ownership, time limits, errors of its file."""

import asyncio
import os
import shutil
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from mergecast import __version__
from mergecast.errors import Unavailable
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import (
    QueryTooSlow,
    StoreDamaged,
    StoreInUse,
    StoreTooNew,
    StoreTooOld,
    StoreUnreadable,
)
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.migrations import MIGRATIONS
from mergecast.queues.store.opening import FILE_NAME, inspect_store, open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import TABLES, SubjectRow, column_types
from mergecast.queues.store.sqlite import connections
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Receipt, Selection
from waiting import MOST_SECONDS, wait_until

pytestmark = pytest.mark.thorough

REPOSITORY = Repository("acme", "widgets")
_SCHEMA = MIGRATIONS[-1].number


def _entered(id: str, at: int = 1_000) -> Event:
    return Event(id, "queue_entered", at, "main", "default", None, "api", f"stay-{id}", 1)


@contextmanager
def _file(folder: Path) -> Iterator[sqlite3.Connection]:
    """The file of a store that is not open."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def opened(data_folder: Path) -> Iterator[Store]:
    store = open_store(data_folder)
    yield store
    store.close()


def test_every_column_is_written(data_folder: Path) -> None:
    """A row type names all columns of its table."""
    with _file(data_folder) as connection:
        for row_type, table in TABLES.items():
            columns = {name for _, name, *_ in connection.execute(f"pragma table_info({table})")}

            assert columns == column_types(row_type).keys(), table


def test_a_store_of_a_newer_program_is_refused(data_folder: Path) -> None:
    """And not touched."""
    with _file(data_folder) as connection:
        connection.execute("update store_state set program = '7.2.1'")
        connection.execute("pragma user_version = 999")
    before = (data_folder / FILE_NAME).read_bytes()

    with pytest.raises(StoreTooNew) as refusal:
        open_store(data_folder)

    assert (
        f"the store was last migrated by mergecast 7.2.1, to schema 999; this is mergecast {__version__}, "
        f"which knows schemas up to {_SCHEMA}: install mergecast 7.2.1 or a newer version, "
        "or restore a backup made before the upgrade"
    ) == str(refusal.value)
    assert before == (data_folder / FILE_NAME).read_bytes()


def test_a_store_says_which_version_made_it(data_folder: Path) -> None:
    with _file(data_folder) as connection:
        made = connection.execute("select program from store_state").fetchall()
        schema = connection.execute("pragma user_version").fetchall()

    assert [(__version__,)] == made
    assert [(_SCHEMA,)] == schema


def test_a_folder_with_a_store_of_duckdb_is_refused(tmp_path: Path) -> None:
    """The message names the way out. A new store beside it is opened."""
    old = tmp_path / "mergecast.duckdb"
    old.write_bytes(b"DUCK")

    with pytest.raises(StoreTooOld) as refusal:
        open_store(tmp_path)
    with pytest.raises(StoreTooOld):
        inspect_store(tmp_path, None, 1.0)
    names = {file.name for file in tmp_path.iterdir()}
    (tmp_path / FILE_NAME).touch()
    open_store(tmp_path).close()

    assert (
        f"{old} is a store of DuckDB, which mergecast {__version__} does not read: import the history again "
        "into another folder; or copy the store with the last version that reads it, first with `mergecast "
        "store copy --to postgresql://…`, then with this one from there to a folder (docs/backups.md says "
        "how). To begin with an empty store, move mergecast.duckdb out of the folder"
    ) == str(refusal.value)
    assert {old.name} == names


def test_a_library_that_is_too_old_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "OLDEST", (99, 1, 0))

    with pytest.raises(StoreUnreadable) as refusal:
        open_store(tmp_path / "data")

    assert (
        f"this Python has SQLite {sqlite3.sqlite_version}, and the embedded store needs 99.1.0 or newer: use "
        "a Python with a newer SQLite, or a PostgreSQL database (MERGECAST_DATABASE_URL)"
    ) == str(refusal.value)
    assert not (tmp_path / "data").exists()


def test_a_store_is_open_once(data_folder: Path, opened: Store) -> None:  # noqa: ARG001 - it is open
    with pytest.raises(StoreInUse) as refusal:
        open_store(data_folder)

    assert f"the store {data_folder / FILE_NAME} is in use by another process" == str(refusal.value)


_HOLDING = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("begin immediate")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_program_has_locked_is_refused(data_folder: Path) -> None:
    command = [sys.executable, "-c", _HOLDING, str(data_folder / FILE_NAME)]
    with Popen(command, stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()

        with pytest.raises(StoreInUse):
            open_store(data_folder)

        other.communicate()


def test_many_rows_of_a_change_that_fails_are_not_stored(opened: Store) -> None:
    """Nor with the next one that stores many."""

    def fail(held: HeldRepository) -> None:
        held.insert(SubjectRow(held.state.id, number, number, number) for number in range(1, 5_001))
        held.save(held.state)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        asyncio.run(opened.change(REPOSITORY, fail, create=True))
    receipt = asyncio.run(opened.record(REPOSITORY, [_entered(f"event-{place}") for place in range(2_000)]))
    known = asyncio.run(opened.repository(REPOSITORY))
    assert known is not None
    verified = asyncio.run(opened.verify(known))

    assert Receipt(2_000, 0) == receipt
    assert (2_000, 2_000) == (verified.events, verified.subjects)


def test_only_its_user_can_read_the_files(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    asyncio.run(store.record(REPOSITORY, [_entered("a")]))
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    store.close()

    files = (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}.acknowledged")
    assert dict.fromkeys(files, 0o600) == modes


def test_a_query_that_takes_too_long_is_stopped(opened: Store) -> None:
    """The reader is free again at once."""

    def ask_for_ever(reader: Reader) -> None:
        while True:
            reader.rows("ready", [])

    async def ask() -> None:
        with pytest.raises(QueryTooSlow) as stopped:
            await opened.read(None, ask_for_ever, seconds=0.3)
        assert "the store did not answer within 0.3 seconds; choose a shorter period or try again" == str(
            stopped.value
        )
        assert [(None,)] == await opened.read(None, lambda reader: reader.rows("ready", []))

    asyncio.run(ask())


def test_reading_stops_when_the_client_disconnects(data_folder: Path) -> None:
    """Closing the store does not wait for it, which would be forever."""
    store = open_store(data_folder)

    def ask_for_ever(reader: Reader) -> None:
        while True:
            reader.rows("ready", [])

    async def ask() -> None:
        asking = asyncio.create_task(store.read(None, ask_for_ever))
        await asyncio.sleep(0.2)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(ask())
    closing = threading.Thread(target=store.close, daemon=True)
    closing.start()
    closing.join(MOST_SECONDS)

    assert not closing.is_alive()


def test_the_log_is_merged_while_there_is_nothing_to_do(data_folder: Path, opened: Store) -> None:
    log = data_folder / f"{FILE_NAME}-wal"

    asyncio.run(opened.record(REPOSITORY, [_entered("a")]))

    assert log.stat().st_size > 0
    wait_until(lambda: log.stat().st_size == 0, "the merge")


def test_the_log_is_merged_during_a_long_import(data_folder: Path, opened: Store) -> None:
    """It never becomes much longer than its limit."""
    log = data_folder / f"{FILE_NAME}-wal"
    longest = 0
    for part in range(12):
        events = [_entered(f"{part}-{number}-{'x' * 900}") for number in range(1_000)]
        asyncio.run(opened.record(REPOSITORY, events))
        longest = max(longest, log.stat().st_size)

    assert 4 << 20 < longest < 40 << 20


def test_a_reader_that_keeps_the_log_is_no_hindrance(data_folder: Path) -> None:
    """Changes go on, and what they stored is there after a restart."""
    store = open_store(data_folder)
    has_begun, may_end = threading.Event(), threading.Event()

    def read(reader: Reader) -> None:
        reader.rows("ready", [])
        has_begun.set()
        may_end.wait()

    async def scenario() -> None:
        reading = asyncio.create_task(store.read(1, read))
        await asyncio.to_thread(has_begun.wait)
        for part in range(4):
            await store.record(REPOSITORY, [_entered(f"{part}-{n}-{'x' * 900}") for n in range(2_000)])
        may_end.set()
        await reading

    try:
        asyncio.run(scenario())
    finally:
        may_end.set()
        store.close()
    again = open_store(data_folder)
    known = asyncio.run(again.repository(REPOSITORY))
    again.close()

    assert known is not None
    assert 8_000 == known.events


def _replace(file: Path) -> None:
    shutil.copyfile(file, file.with_name("copy"))
    file.with_name("copy").replace(file)


@pytest.mark.parametrize("name", [FILE_NAME, f"{FILE_NAME}-wal"])
@pytest.mark.parametrize("how", [_replace, os.unlink])
def test_a_file_that_is_replaced_or_deleted_while_the_store_is_open(
    data_folder: Path, name: str, how: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written to a file without a name, and nothing is read from it."""
    assert callable(how)
    store = open_store(data_folder)
    asyncio.run(store.record(REPOSITORY, [_entered("a")]))
    wait_until(lambda: not (data_folder / f"{FILE_NAME}-wal").stat().st_size)
    how(data_folder / name)

    for work in (store.record(REPOSITORY, [_entered("b")]), store.ping()):
        with pytest.raises(Unavailable) as refusal:
            asyncio.run(work)
        assert (
            f"the file {name} of the store was replaced or deleted while the server runs; nothing was "
            "changed, and the operator has to restart the server"
        ) == str(refusal.value)
    store.close()

    assert "a file of the store was replaced or deleted; restart the server" in capsys.readouterr().err


def test_a_backup_is_one_file_that_opens(tmp_path: Path, opened: Store) -> None:
    asyncio.run(opened.record(REPOSITORY, [_entered("a")]))
    folder = tmp_path / "restored"
    folder.mkdir()

    asyncio.run(opened.back_up(folder / FILE_NAME))
    files = [file.name for file in folder.iterdir()]
    restored = open_store(folder)
    known = asyncio.run(restored.repository(REPOSITORY))
    restored.close()

    assert [FILE_NAME] == files
    assert known is not None
    assert 1 == known.events


def test_deleting_nothing_changes_nothing(opened: Store) -> None:
    """Not even the version."""
    asyncio.run(opened.record(REPOSITORY, [_entered("a")]))
    before = asyncio.run(opened.repository(REPOSITORY))

    removed = asyncio.run(opened.delete_events(Selection(REPOSITORY, source="elsewhere")))

    assert 0 == removed
    assert before == asyncio.run(opened.repository(REPOSITORY))


def test_a_file_that_is_no_store_is_explained(tmp_path: Path) -> None:
    """Whatever its folder is called."""
    folder = tmp_path / "clockwork"
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(b"no database" * 1000)

    with pytest.raises(StoreUnreadable) as refusal:
        open_store(folder)

    assert (
        f"the store {folder / FILE_NAME} cannot be opened: file is not a database (SQLITE_NOTADB); restore a "
        f"backup into an empty folder, without the {FILE_NAME}-wal of another store"
    ) == str(refusal.value)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with _file(tmp_path) as connection:
        connection.execute("create table notes (text)")

    with pytest.raises(StoreUnreadable) as refusal:
        open_store(tmp_path)

    assert f"{tmp_path / FILE_NAME} is a database of another program; move it out of the folder" == str(
        refusal.value
    )


def test_a_doctor_finds_a_damaged_page(data_folder: Path) -> None:
    file = data_folder / FILE_NAME
    content = bytearray(file.read_bytes())
    content[-4096:] = bytes([7]) * 4096
    file.write_bytes(content)

    with pytest.raises((StoreUnreadable, StoreDamaged)) as refusal:
        inspect_store(data_folder, None, 1.0)

    assert str(refusal.value).startswith(f"the store {file} is damaged: ")
