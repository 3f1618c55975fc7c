"""The store in one DuckDB file: one writer thread and a few readers."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import duckdb

from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import plain_name
from mergecast.queues.store.duckdb.catalog import Catalog
from mergecast.queues.store.duckdb.credentials import (
    delete_key,
    delete_session,
    insert_key,
    insert_session,
    update_uses,
)
from mergecast.queues.store.duckdb.engine import Engine, unavailable
from mergecast.queues.store.duckdb.readers import Readers
from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.duckdb.tail import TailLimits
from mergecast.queues.store.duckdb.transaction import SharedInDuckDB, Transaction
from mergecast.queues.store.duckdb.writer import Item, Work, Writer
from mergecast.queues.store.errors import StoreDamaged
from mergecast.queues.store.held_repository import HeldRepository, SharedRows
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import QUERY_SECONDS, BatchedWork, Store
from mergecast.queues.store.values import DISK_FULL, Health, KnownRepository, Lease, by_name

T = TypeVar("T")
R = TypeVar("R")


class DuckDBStore(Store):
    def __init__(
        self,
        file: Path,
        limits: TailLimits | None = None,
        now: Callable[[], int] = now_in_microseconds,
        opening: Opening | None = None,
    ) -> None:
        super().__init__()
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.engine = Engine(file, opening)
        try:
            self._writer = Writer(self.engine, limits, now)
        except duckdb.Error as error:
            self.engine.close()
            raise self.engine.unreadable(error) from error
        self._readers = Readers(self.engine, lambda: self.catalog)
        self._leases: set[str] = set()  # that were taken since the store was opened

    @property
    def catalog(self) -> Catalog:
        """What is known about all repositories, as of the last commit."""
        return self._writer.catalog

    def close(self) -> None:
        self._writer.close()
        self._readers.close()
        self.engine.close()

    async def size(self) -> int:
        return self.engine.size()

    async def ping(self) -> Health:
        if self.engine.is_damaged:
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

    def read_together(self, repository_ids: Sequence[int]) -> list[list[int]]:
        parts: dict[str, list[int]] = {}
        for id in repository_ids:
            parts.setdefault(self.engine.buckets.path(id), []).append(id)
        return list(parts.values())

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
            connection = transaction.connection
            if lease.name in self._leases and _is_held(connection, lease, now, longest):
                return False
            _replace_lease(connection, lease)
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
        return await self._write(lambda transaction: work(SharedInDuckDB(transaction)))

    async def application_keys(self) -> Mapping[str, ApplicationKey]:
        return self.catalog.application_keys

    async def add_application_key(self, key: ApplicationKey) -> None:
        await self._write(
            lambda transaction: insert_key(transaction.connection, transaction.application_keys(), key)
        )

    async def remove_application_key(self, id: str) -> ApplicationKey | None:
        return await self._write(
            lambda transaction: delete_key(transaction.connection, transaction.application_keys(), id)
        )

    async def mark_as_used(self, uses: Mapping[str, int]) -> None:
        await self._write(
            lambda transaction: update_uses(transaction.connection, transaction.application_keys(), uses)
        )

    async def session(self, digest: bytes) -> Session | None:
        return self.catalog.sessions.get(digest)

    async def add_session(self, session: Session) -> None:
        await self._write(
            lambda transaction: insert_session(transaction.connection, transaction.sessions(), session)
        )

    async def remove_session(self, digest: bytes) -> Session | None:
        return await self._write(
            lambda transaction: delete_session(transaction.connection, transaction.sessions(), digest)
        )

    async def _write(self, work: Work[T], owner: str = "") -> T:
        return await asyncio.wrap_future(self._writer.change(owner, work))

    async def back_up(self, target: Path) -> None:
        await asyncio.to_thread(self._copy, target)

    def _copy(self, target: Path) -> None:
        quoted = str(target).replace("'", "''")
        with self.engine.cursor() as cursor:
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


def _is_held(connection: duckdb.DuckDBPyConnection, lease: Lease, now: int, longest: int) -> bool:
    """Whether another holder has the lease."""
    found = execute(
        connection,
        "select 1 from main.leases where name = $1 and holder <> $2 and until > $3 and until <= $4",
        [lease.name, lease.holder, now, now + longest],
    ).fetchall()
    return bool(found)


def _replace_lease(connection: duckdb.DuckDBPyConnection, lease: Lease) -> None:
    execute(connection, "delete from main.leases where name = $1", [lease.name])
    execute(connection, "insert into main.leases values ($1, $2, $3, $4, $5)", list(lease))
