"""The store as the rest of the program sees it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import duckdb

from mergecast.lru import BoundedCache
from mergecast.model.application_key import ApplicationKey
from mergecast.model.event import Event, Group
from mergecast.model.repository import Repository
from mergecast.store.append import Delivery, Receipt
from mergecast.store.application_keys import add_application_key, mark_as_used, remove_application_key
from mergecast.store.catalog import Catalog, KnownRepository
from mergecast.store.engine import Engine
from mergecast.store.errors import unavailable
from mergecast.store.products import set_products
from mergecast.store.readers import Reader, Readers
from mergecast.store.removal import Selection, forget_repository, rebuild_facts, remove_events
from mergecast.store.snapshots import (
    OpenSnapshots,
    RecordedSnapshot,
    put_snapshot,
    read_document,
    read_open,
    remove_snapshot,
)
from mergecast.store.write_events import Keys
from mergecast.store.writer import Writer, read_keys

T = TypeVar("T")

FILE_NAME = "mergecast.duckdb"
QUERY_SECONDS = 30.0
_REBUILD_CHUNK = 5_000
_PAGE = 5_000
_RECENT_BYTES = 16 << 20
_ENTRY_BYTES = 500  # what an entry costs besides its text


class Database:
    """One file, one writer thread, a few readers. Everything that waits is awaited."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._engine = Engine(folder / FILE_NAME)
        self._writer = Writer(self._engine)
        self._readers = Readers(self._engine)
        self._recent: BoundedCache[tuple[int, int, int], bytes] = BoundedCache(_RECENT_BYTES, _size)

    def close(self) -> None:
        self._writer.close()
        self._readers.close()
        self._engine.close()

    def size(self) -> int:
        return self._engine.size()

    def find(self, repository: Repository) -> KnownRepository | None:
        return self._writer.catalog.repositories.get(repository)

    def repositories(self) -> list[KnownRepository]:
        known = list(self._writer.catalog.repositories.values())
        return sorted(known, key=lambda one: (one.repository.owner, one.repository.name))

    def groups(self, repository_id: int, keep: Callable[[Group], bool]) -> dict[int, Group]:
        return self._writer.catalog.groups(repository_id, keep)

    def application_keys(self) -> Mapping[str, ApplicationKey]:
        """All keys by their ids, from memory; what was revoked is not among them."""
        return self._writer.catalog.application_keys

    async def add_application_key(self, key: ApplicationKey) -> None:
        await self._change_keys(partial(add_application_key, key=key))

    async def remove_application_key(self, id: str) -> ApplicationKey | None:
        return await self._change_keys(partial(remove_application_key, id=id))

    async def mark_as_used(self, uses: Mapping[str, int]) -> None:
        """Write when each of these keys was last used."""
        await self._change_keys(partial(mark_as_used, uses=uses))

    async def _change_keys(
        self, change: Callable[[duckdb.DuckDBPyConnection, dict[str, ApplicationKey]], T]
    ) -> T:
        """Done once the change is durable."""

        def work(connection: duckdb.DuckDBPyConnection, catalog: Catalog, _: Keys) -> T:
            return change(connection, catalog.application_keys)

        return await asyncio.wrap_future(self._writer.change(work))

    async def read(self, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS) -> T:
        return await self._readers.read(work, seconds=seconds)

    async def record(self, repository: Repository, events: Sequence[Event]) -> Receipt:
        """Done once every new event is durable, together with what follows from it."""
        return await asyncio.wrap_future(self._writer.record(Delivery(repository, events)))

    async def remove(self, selection: Selection) -> int:
        """Delete the selected events, and with its last one a repository without setting; how many."""
        return await self._remove(partial(remove_events, selection=selection))

    async def forget(self, repository: Repository) -> int:
        """Delete everything that is known of a repository; how many events there were."""
        return await self._remove(partial(forget_repository, repository=repository))

    async def _remove(self, remove: Callable[[duckdb.DuckDBPyConnection, Catalog], int]) -> int:
        def work(connection: duckdb.DuckDBPyConnection, catalog: Catalog, keys: Keys) -> int:
            removed = remove(connection, catalog)
            if removed:
                fresh = read_keys(connection)
                keys.events, keys.subjects = fresh.events, fresh.subjects
            return removed

        return await asyncio.wrap_future(self._writer.change(work))

    async def set_products(self, repository: Repository, products: tuple[str, ...]) -> None:
        """Done once the setting is durable."""

        def work(connection: duckdb.DuckDBPyConnection, catalog: Catalog, _: Keys) -> None:
            set_products(connection, catalog, repository, products)

        await asyncio.wrap_future(self._writer.change(work))

    async def put_snapshot(self, repository: Repository, snapshot: RecordedSnapshot) -> None:
        """Done once it is durable."""

        def work(connection: duckdb.DuckDBPyConnection, catalog: Catalog, _: Keys) -> None:
            put_snapshot(connection, catalog, repository, snapshot)

        await asyncio.wrap_future(self._writer.change(work))

    async def remove_snapshot(self, repository: Repository, number: int) -> int:
        """Delete a snapshot, and with its last trace the repository; how many there were."""

        def work(connection: duckdb.DuckDBPyConnection, catalog: Catalog, _: Keys) -> int:
            return remove_snapshot(connection, catalog, repository, number)

        return await asyncio.wrap_future(self._writer.change(work))

    async def snapshot(self, known: KnownRepository, number: int) -> bytes | None:
        """The recorded document of a pull request, in JSON."""
        # The key names the state of the repository, so that an entry is never out of date.
        key = (known.id, known.recordings, number)
        document = self._recent.get(key)
        if document is None:
            document = await self.read(lambda reader: read_document(reader, known, number))
            if document is not None:
                self._recent.put(key, document)
        return document

    async def open_snapshots(self, known: KnownRepository, most: int, most_bytes: int) -> OpenSnapshots:
        return await self.read(lambda reader: read_open(reader, known, most, most_bytes))

    async def rebuild(self, repository: Repository) -> int:
        """Derive all facts of a repository from its events; how many subjects there were.

        It goes in small transactions, so that deliveries are stored in between.
        """
        known = self.find(repository)
        if known is None:
            return 0
        subjects = await self.read(lambda reader: reader.column("subjects_of_repository", [known.id]))
        for start in range(0, len(subjects), _REBUILD_CHUNK):
            chunk = subjects[start : start + _REBUILD_CHUNK]
            work = partial(_rebuild, repository=repository, subjects=chunk)
            await asyncio.wrap_future(self._writer.change(work))
        return len(subjects)

    async def events_after(self, known: KnownRepository, number: int, last: int) -> list[tuple[int, Event]]:
        """The next stored events with numbers above `number` and up to `last`."""
        rows = await self.read(lambda reader: reader.rows("events_page", [known.id, number, last, _PAGE]))
        return [(row[0], Event(*row[1:])) for row in rows]

    def last_number(self) -> int:
        """No event stored so far has a higher number."""
        return self._writer.catalog.counters.number

    async def back_up(self, target: Path) -> None:
        """Write a consistent copy of the whole store to a new file."""
        await asyncio.to_thread(self._copy, target)

    def _copy(self, target: Path) -> None:
        quoted = str(target).replace("'", "''")
        with self._engine.cursor() as cursor:
            ((name,),) = cursor.execute("select current_database()").fetchall()
            try:
                cursor.execute(f"attach '{quoted}' as backup_copy")
                try:
                    cursor.execute(f'copy from database "{name}" to backup_copy')
                    cursor.execute("checkpoint backup_copy")
                finally:
                    cursor.execute("detach backup_copy")
            except duckdb.Error as error:
                raise unavailable(error) or error from error


def _size(document: bytes) -> int:
    return len(document) + _ENTRY_BYTES


def _rebuild(
    connection: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    _: Keys,
    *,
    repository: Repository,
    subjects: list[int],
) -> None:
    rebuild_facts(connection, catalog, repository, subjects)
