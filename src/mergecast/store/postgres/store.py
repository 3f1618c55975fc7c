"""The store in a PostgreSQL database that any number of servers share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from mergecast.errors import Conflict, FieldError
from mergecast.model.credentials import ApplicationKey, Session
from mergecast.model.repository import Repository
from mergecast.store.errors import StoreDamaged
from mergecast.store.held_repository import HeldRepository
from mergecast.store.postgres.connections import Connection, first_connection, open_pool
from mergecast.store.postgres.credentials import (
    delete_key,
    delete_session,
    insert_key,
    insert_session,
    read_keys,
    read_session,
    read_version,
    update_uses,
)
from mergecast.store.postgres.inserting import insert_for
from mergecast.store.postgres.migrate import migrate
from mergecast.store.postgres.readers import Readers
from mergecast.store.postgres.writer import Writers
from mergecast.store.rows import STATE_COLUMNS, state_from_row
from mergecast.store.store import QUERY_SECONDS, BatchedWork, Reader, Store
from mergecast.store.values import KnownRepository, Lease

T = TypeVar("T")
R = TypeVar("R")

READERS = 4
WRITERS = 4
LOOKUPS = 4
_STATE = (
    "select repositories.owner, repositories.name, "  # noqa: S608 - constants
    f"{', '.join(f'repository_state.{name}' for name in STATE_COLUMNS)} "
    "from repositories join repository_state on repository_state.repository_id = repositories.repository_id"
)


class PostgresStore(Store):
    def __init__(self, url: str) -> None:
        super().__init__()
        with first_connection(url) as connection:
            migrate(connection)
            insert = insert_for(connection)
        # Looking up a repository must not wait behind queries, so it has separate connections.
        self._pool = open_pool(url, READERS + WRITERS)
        self._lookup_pool = open_pool(url, LOOKUPS)
        self._readers = Readers(self._pool, READERS)
        self._lookups = Readers(self._lookup_pool, LOOKUPS)
        self._writers = Writers(self._pool, WRITERS, insert)
        self._is_damaged = False
        self._keys: tuple[int, Mapping[str, ApplicationKey]] = (0, {})

    def close(self) -> None:
        for part in (self._writers, self._readers, self._lookups, self._pool, self._lookup_pool):
            part.close()

    async def size(self) -> int:
        rows = await self._look_up("select pg_database_size(current_database())", [])
        return int(rows[0][0])

    async def repository(self, name: Repository) -> KnownRepository | None:
        rows = await self._look_up(f"{_STATE} where repositories.folded = $1", [str(name).lower()])
        return state_from_row(Repository(*rows[0][:2]), rows[0][2:]) if rows else None

    async def repositories(self) -> list[KnownRepository]:
        known = [state_from_row(Repository(*row[:2]), row[2:]) for row in await self._look_up(_STATE, [])]
        return sorted(known, key=lambda one: (one.repository.owner, one.repository.name))

    async def _look_up(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        def rows(connection: Connection) -> list[tuple[Any, ...]]:
            return connection.execute(statement, parameters).fetchall()

        return await self._lookups.run(rows)

    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        readers = self._lookups if repository_id is None else self._readers
        with self._noting_damage():
            return await readers.read(work, seconds=seconds)

    @contextmanager
    def _noting_damage(self) -> Iterator[None]:
        """`ping` reports a part that could not be read until the next start."""
        try:
            yield
        except StoreDamaged:
            self._is_damaged = True
            raise

    async def ping(self) -> None:
        if self._is_damaged:
            raise StoreDamaged
        await super().ping()

    async def run_batched(self, name: Repository, work: BatchedWork[T, R], item: T, size: int) -> R:
        with self._noting_damage():
            return await self._writers.run_batched(name, work, item, size)

    async def repositories_with_platform_id(self, id: int) -> list[KnownRepository]:
        matching = "repository_state.platform_id = $1 order by repository_state.repository_id"
        rows = await self._look_up(f"{_STATE} where {matching}", [id])
        return [state_from_row(Repository(*row[:2]), row[2:]) for row in rows]

    async def repository_formerly_named(self, name: Repository) -> KnownRepository | None:
        # Names that were replaced without an announcement are marked.
        matching = "$1 = any(string_to_array(replace(repository_state.former_names, '?', ''), ','))"
        newest = "order by repository_state.repository_id desc limit 1"
        rows = await self._look_up(f"{_STATE} where {matching} {newest}", [str(name).lower()])
        return state_from_row(Repository(*rows[0][:2]), rows[0][2:]) if rows else None

    async def take_lease(self, lease: Lease, now: int, longest: int) -> bool:
        return await self._writers.run(lambda connection: _take_lease(connection, lease, now, longest))

    async def shared_now(self, now: int) -> int:  # noqa: ARG002 - it is not this server's clock that counts
        """The clock of the database: those of the servers may differ."""
        return await self._lookups.run(_read_clock)

    async def change(
        self, name: Repository, work: Callable[[HeldRepository], T], *, create: bool
    ) -> T | None:
        with self._noting_damage():
            return await self._writers.change(name, work, create=create)

    async def application_keys(self) -> Mapping[str, ApplicationKey]:
        """The keys, read again when their version has changed: all servers refuse a revoked key at once."""
        version, keys = await self._lookups.run(partial(_newer_keys, known=self._keys[0]))
        if keys is not None:
            self._keys = (version, keys)
        return self._keys[1]

    async def add_application_key(self, key: ApplicationKey) -> None:
        await self._writers.run(lambda connection: insert_key(connection, key))

    async def remove_application_key(self, id: str) -> ApplicationKey | None:
        return await self._writers.run(lambda connection: delete_key(connection, id))

    async def mark_as_used(self, uses: Mapping[str, int]) -> None:
        await self._writers.run(lambda connection: update_uses(connection, uses))
        self._keys = (0, {})  # read again with the new times

    async def session(self, digest: bytes) -> Session | None:
        return await self._lookups.run(lambda connection: read_session(connection, digest))

    async def add_session(self, session: Session) -> None:
        await self._writers.run(lambda connection: insert_session(connection, session))

    async def remove_session(self, digest: bytes) -> Session | None:
        return await self._writers.run(lambda connection: delete_session(connection, digest))

    async def back_up(self, target: Path) -> None:
        message = "the store is a PostgreSQL database; back it up with pg_dump"
        raise Conflict([FieldError("path", "", f"{message}, for example `pg_dump -Fc -f {target.name}`")])


def _newer_keys(connection: Connection, known: int) -> tuple[int, dict[str, ApplicationKey] | None]:
    version = read_version(connection)
    return version, read_keys(connection) if version != known else None


def _read_clock(connection: Connection) -> int:
    text = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint"
    ((now,),) = connection.execute(text).fetchall()
    return int(now)


def _take_lease(connection: Connection, lease: Lease, now: int, longest: int) -> bool:
    """Insert the lease, or replace it unless another holder has it."""
    taken = connection.execute(
        "insert into leases (name, holder, until, next_at, error) values ($1, $2, $3, $4, $5) "
        "on conflict (name) do update set "
        "holder = excluded.holder, until = excluded.until, next_at = excluded.next_at, "
        "error = excluded.error "
        "where leases.holder = excluded.holder or leases.until <= $6 or leases.until > $7",
        [*lease, now, now + longest],
    )
    return taken.rowcount > 0
