"""The store in one SQLite file: one writer thread and a few readers."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import plain_name
from mergecast.queues.store.errors import StoreDamaged
from mergecast.queues.store.held_repository import HeldRepository, SharedRows
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.sqlite.catalog import Catalog
from mergecast.queues.store.sqlite.connections import converted_error, execute, fetch
from mergecast.queues.store.sqlite.credentials import (
    delete_key,
    delete_session,
    insert_key,
    insert_session,
    update_uses,
)
from mergecast.queues.store.sqlite.database_file import DatabaseFile
from mergecast.queues.store.sqlite.readers import Readers
from mergecast.queues.store.sqlite.transaction import SharedInSQLite, Transaction
from mergecast.queues.store.sqlite.writer import Item, Work, Writer
from mergecast.queues.store.store import QUERY_SECONDS, BatchedWork, Store
from mergecast.queues.store.values import DISK_FULL, Health, KnownRepository, Lease, by_name

T = TypeVar("T")
R = TypeVar("R")


class SQLiteStore(Store):
    def __init__(
        self,
        path: Path,
        now: Callable[[], int] = now_in_microseconds,
        opening: Opening | None = None,
    ) -> None:
        super().__init__()
        self._file = DatabaseFile(path, opening or Opening())
        try:
            self._writer = Writer(self._file, now)
        except BaseException as error:
            self._file.close()
            if isinstance(error, sqlite3.Error):
                raise self._file.unreadable(error) from error
            raise
        self._readers = Readers(self._file)
        self._leases: set[str] = set()  # that were taken since the store was opened

    @property
    def catalog(self) -> Catalog:
        """What is known about all repositories, as of the last commit."""
        return self._writer.catalog

    def close(self) -> None:
        self._writer.close()
        self._readers.close()
        self._file.close()

    async def size(self) -> int:
        return self._file.size()

    async def ping(self) -> Health:
        if self._file.is_damaged:
            raise StoreDamaged
        health = await super().ping()
        return health if self._writer.has_room else DISK_FULL

    async def repository(self, name: Repository) -> KnownRepository | None:
        return self.catalog.repositories.get(name)

    async def repositories(self, owner: str | None = None) -> list[KnownRepository]:
        every = list(self.catalog.repositories.values())  # a copy: the writer may add one meanwhile
        found = [known for known in every if owner in (None, known.repository.owner.lower())]
        return sorted(found, key=by_name)

    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        return await self._readers.read(repository_id, work, seconds=seconds)

    async def run_batched(self, name: Repository, work: BatchedWork[T, R], item: T, size: int) -> R:
        result: R = await asyncio.wrap_future(self._writer.run_batched(Item(name, work, item, size)))
        return result

    async def repositories_with_platform_id(self, id: int) -> list[KnownRepository]:
        found = (known for known in list(self.catalog.repositories.values()) if known.platform_id == id)
        return sorted(found, key=lambda known: known.id)

    async def repository_formerly_named(self, name: Repository) -> KnownRepository | None:
        every, folded = list(self.catalog.repositories.values()), str(name).lower()
        found = (known for known in every if folded in map(plain_name, known.former_names or ()))
        return max(found, key=lambda known: known.id, default=None)

    async def take_lease(self, lease: Lease, now: int, longest: int) -> bool:
        """One process has the store, so any other holder of a lease that was not taken here has ended."""

        def take(transaction: Transaction) -> bool:
            if lease.name in self._leases and _is_held(transaction.connection, lease, now, longest):
                return False
            execute(transaction.begin(), "insert or replace into leases values ($1, $2, $3, $4, $5)", lease)
            self._leases.add(lease.name)
            return True

        return await self._write(take)

    async def change(
        self, name: Repository, work: Callable[[HeldRepository], T], *, create: bool
    ) -> T | None:
        def hold_and_work(transaction: Transaction) -> T | None:
            held = transaction.create_or_hold(name) if create else transaction.hold(name)
            return None if held is None else work(held)

        return await self._write(hold_and_work, name.owner)

    async def change_shared(self, work: Callable[[SharedRows], T]) -> T:
        return await self._write(lambda transaction: work(SharedInSQLite(transaction)))

    async def application_keys(self) -> Mapping[str, ApplicationKey]:
        return self.catalog.application_keys

    async def add_application_key(self, key: ApplicationKey) -> None:
        await self._write(lambda transaction: insert_key(transaction.change_credentials(), key))

    async def remove_application_key(self, id: str) -> ApplicationKey | None:
        def remove(transaction: Transaction) -> ApplicationKey | None:
            key = transaction.catalog.application_keys.get(id)
            if key is not None:
                delete_key(transaction.change_credentials(), id)
            return key

        return await self._write(remove)

    async def mark_as_used(self, uses: Mapping[str, int]) -> None:
        await self._write(lambda transaction: update_uses(transaction.change_credentials(), uses))

    async def session(self, digest: bytes) -> Session | None:
        return self.catalog.sessions.get(digest)

    async def add_session(self, session: Session) -> None:
        await self._write(lambda transaction: insert_session(transaction.change_credentials(), session))

    async def remove_session(self, digest: bytes) -> Session | None:
        def remove(transaction: Transaction) -> Session | None:
            session = transaction.catalog.sessions.get(digest)
            if session is not None:
                delete_session(transaction.change_credentials(), digest)
            return session

        return await self._write(remove)

    async def _write(self, work: Work[T], owner: str = "") -> T:
        return await asyncio.wrap_future(self._writer.change(owner, work))

    async def back_up(self, target: Path) -> None:
        await asyncio.to_thread(self._copy, target)

    def _copy(self, target: Path) -> None:
        """In one step, which sees one moment; with several, each commit would begin the copy again."""
        try:
            with self._file.reading() as source, closing(sqlite3.connect(target)) as copy:
                source.backup(copy)
                copy.execute("pragma journal_mode = delete").fetchall()  # the copy is one file
        except sqlite3.Error as error:
            self._file.note_damage(error)
            raise converted_error(error) or error from error


def _is_held(connection: sqlite3.Connection, lease: Lease, now: int, longest: int) -> bool:
    """Whether another holder has the lease."""
    text = "select 1 from leases where name = $1 and holder <> $2 and until > $3 and until <= $4"
    return bool(fetch(connection, text, [lease.name, lease.holder, now, now + longest]))
