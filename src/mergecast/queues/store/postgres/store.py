"""The store in a PostgreSQL database that any number of servers share."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from mergecast.errors import Conflict, FieldError, Unavailable
from mergecast.process.concurrently import finished
from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.credential_rows import (
    INSERT_KEY,
    INSERT_SESSION,
    SELECT_KEYS,
    SELECT_SESSIONS,
    TAKE_SESSION,
    key_from_row,
    key_to_row,
    session_from_row,
    session_to_row,
)
from mergecast.queues.store.errors import StoreDamaged
from mergecast.queues.store.held_repository import HeldRepository, SharedRows
from mergecast.queues.store.postgres.connections import (
    Connection,
    first_connection,
    interruptible,
)
from mergecast.queues.store.postgres.held import SharedInPostgres, array_of, insert_for
from mergecast.queues.store.postgres.migrate import is_distributed, migrate
from mergecast.queues.store.postgres.pool import Pool, watched
from mergecast.queues.store.postgres.readers import Readers
from mergecast.queues.store.postgres.writer import Writers
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import STATE_COLUMNS, state_from_row
from mergecast.queues.store.store import QUERY_SECONDS, BatchedWork, Store
from mergecast.queues.store.values import (
    DISK_FULL,
    MOST_SESSIONS_PER_CREDENTIAL,
    READY,
    WITHOUT_A_PART,
    Health,
    KnownRepository,
    Lease,
    by_name,
)


def read_version(connection: Connection) -> int:
    """Servers keep keys in memory until their version changes."""
    row = connection.execute("select version from key_state").fetchone()
    return int(row[0]) if row else 0


def read_keys(connection: Connection) -> dict[str, ApplicationKey]:
    keys = map(key_from_row, connection.execute(SELECT_KEYS).fetchall())
    return {key.id: key for key in keys}


def insert_key(connection: Connection, key: ApplicationKey) -> None:
    connection.execute(INSERT_KEY, key_to_row(key))
    _raise_version(connection)


def delete_key(connection: Connection, id: str) -> ApplicationKey | None:
    """Delete a key; returns it, if there was one.

    The id is any text that a client sent. Only that of a stored key becomes a parameter: PostgreSQL refuses
    text with a NUL.
    """
    key = read_keys(connection).get(id)
    if key is not None:
        connection.execute("delete from application_keys where id = $1", [key.id])
        _raise_version(connection)
    return key


def update_uses(connection: Connection, uses: Mapping[str, int]) -> None:
    """Write when each key was last used; keys that no longer exist are skipped."""
    connection.execute(
        "update application_keys set last_used_at = greatest(last_used_at, uses.moment) "
        "from unnest($1::text[], $2::bigint[]) as uses(id, moment) where application_keys.id = uses.id",
        [list(uses), list(uses.values())],
    )
    _raise_version(connection)


def _raise_version(connection: Connection) -> None:
    connection.execute("update key_state set version = version + 1")


def read_session(connection: Connection, digest: bytes) -> Session | None:
    row = connection.execute(f"{SELECT_SESSIONS} where digest = $1", [digest.hex()]).fetchone()
    return None if row is None else session_from_row(row)


def insert_session(connection: Connection, session: Session) -> None:
    """Add a session or a code; delete expired ones and the oldest ones of this kind and credential.

    Codes do not count as sessions: whoever makes many of them does not end the sessions of others.
    """
    connection.execute("delete from sessions where expires_at <= $1", [session.created_at])
    connection.execute(
        "delete from sessions where digest in (select digest from sessions where credential = $1 "
        "and is_code = $2 order by created_at desc, digest offset $3)",
        [session.credential.hex(), session.is_code, MOST_SESSIONS_PER_CREDENTIAL - 1],
    )
    connection.execute(INSERT_SESSION, session_to_row(session))


def delete_session(connection: Connection, digest: bytes) -> Session | None:
    """Delete a session; of several servers that try at the same time, one gets it."""
    row = connection.execute(TAKE_SESSION, [digest.hex()]).fetchone()
    return None if row is None else session_from_row(row)


T = TypeVar("T")
R = TypeVar("R")

READERS = 4
WRITERS = 4
LOOKUPS = 4
_PARTS_SECONDS = 2.0
_LOOK_SECONDS = 30.0  # on a cluster, where it asks every worker
_NAMES = "select repository_id, owner, name from repositories"
_STATES = f"select {', '.join(STATE_COLUMNS)} from repository_state"  # noqa: S608 - constants


class PostgresStore(Store):
    is_shared = True
    other_backup = (
        "the store is a PostgreSQL database, which the server does not copy; back it up with pg_dump, for "
        "example `pg_dump --format=custom --table='public.*' --file=mergecast.dump`"
    )

    def __init__(self, url: str, now: Callable[[], int], opening: Opening) -> None:
        super().__init__()
        with first_connection(url) as connection, interruptible(connection, opening):
            migrate(connection, opening)
            insert = insert_for(connection)
            if is_distributed(connection):
                self.look_seconds = _LOOK_SECONDS
        # Looking up a repository must not wait behind queries, so it has separate connections.
        self._reach = watched(url)
        self._pool = Pool(url, READERS + WRITERS, self._reach)
        self._lookup_pool = Pool(url, LOOKUPS, self._reach)
        self._readers = Readers(self._pool, READERS)
        self._lookups = Readers(self._lookup_pool, LOOKUPS)
        self._writers = Writers(self._pool, WRITERS, insert, now)
        self._is_damaged = False
        self._keys: tuple[int, Mapping[str, ApplicationKey]] = (0, {})

    def close(self) -> None:
        parts = (self._writers, self._readers, self._lookups, self._pool, self._lookup_pool, self._reach)
        for part in parts:
            part.close()

    async def size(self) -> int:
        return await self._lookups.run(_size)

    async def repository(self, name: Repository) -> KnownRepository | None:
        return await self._lookups.run(partial(_find, condition="folded = $1", value=str(name).lower()))

    async def repositories(self, owner: str | None = None) -> list[KnownRepository]:
        return sorted(await self._lookups.run(partial(_find_all, owner=owner)), key=by_name)

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

    async def ping(self) -> Health:
        if self._is_damaged:
            raise StoreDamaged
        await super().ping()
        try:
            await self.read(None, lambda reader: reader.rows("every_part", []), seconds=_PARTS_SECONDS)
        except StoreDamaged:
            raise
        except Unavailable:
            return WITHOUT_A_PART
        return DISK_FULL if self._writers.room.is_missing else READY

    async def run_batched(self, name: Repository, work: BatchedWork[T, R], item: T, size: int) -> R:
        with self._noting_damage():
            return await self._writers.run_batched(name, work, item, size)

    async def repositories_with_platform_id(self, id: int) -> list[KnownRepository]:
        condition = "platform_id = $1 order by repository_id"
        return await self._lookups.run(partial(_find_each, condition=condition, value=id))

    async def repository_formerly_named(self, name: Repository) -> KnownRepository | None:
        # Names that were replaced without an announcement are marked.
        matching = "$1 = any(string_to_array(replace(former_names, '?', ''), ','))"
        newest = f"{matching} order by repository_id desc limit 1"
        return await self._lookups.run(partial(_find, condition=newest, value=str(name).lower()))

    async def take_lease(self, lease: Lease, now: int, longest: int) -> bool:
        # A server that stops gives its lease back: a renewal that is under way must not come after that.
        return await finished(
            self._writers.run(lambda connection: _take_lease(connection, lease, now, longest))
        )

    async def shared_now(self, now: int) -> int:  # noqa: ARG002 - it is not this server's clock that counts
        """The time of the database, because the clocks of servers may differ."""
        return await self._lookups.run(_read_clock)

    async def change(
        self, name: Repository, work: Callable[[HeldRepository], T], *, create: bool
    ) -> T | None:
        with self._noting_damage():
            return await self._writers.change(name, work, create=create)

    async def change_shared(self, work: Callable[[SharedRows], T]) -> T:
        return await self._writers.run(lambda connection: work(SharedInPostgres(connection)))

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

    async def session(self, digest: bytes) -> Session | None:
        return await self._lookups.run(lambda connection: read_session(connection, digest))

    async def add_session(self, session: Session) -> None:
        await self._writers.run(lambda connection: insert_session(connection, session))

    async def remove_session(self, digest: bytes) -> Session | None:
        return await self._writers.run(lambda connection: delete_session(connection, digest))

    async def back_up(self, target: Path) -> None:  # noqa: ARG002 - nothing is written there
        raise Conflict([FieldError("path", "", self.other_backup)])


def _find(connection: Connection, *, condition: str, value: object) -> KnownRepository | None:
    found = _find_each(connection, condition=condition, value=value)
    return found[0] if found else None


def _find_each(connection: Connection, *, condition: str, value: object) -> list[KnownRepository]:
    """Find repositories by name or id, then the state of each.

    On Citus the first statement runs on the coordinator, each other one on one worker. A join would ask all.
    """
    found = []
    for id, *name in connection.execute(f"{_NAMES} where {condition}", [value]).fetchall():
        state = connection.execute(f"{_STATES} where repository_id = $1", [id]).fetchone()
        if state is not None:
            found.append(state_from_row(Repository(*name), state))
    return found


def _find_all(connection: Connection, *, owner: str | None) -> list[KnownRepository]:
    """All repositories, or those of an owner."""
    if owner is None:
        rows = connection.execute(_NAMES).fetchall()
        states = connection.execute(_STATES).fetchall()
    else:
        rows = connection.execute(f"{_NAMES} where lower(owner) = $1", [owner]).fetchall()
        ids = array_of([id for id, *_ in rows])
        states = connection.execute(f"{_STATES} where repository_id = any($1::integer[])", [ids]).fetchall()
    names = {id: Repository(*name) for id, *name in rows}
    return [state_from_row(names[state[0]], state) for state in states if state[0] in names]


def _size(connection: Connection) -> int:
    ((size,),) = connection.execute("select pg_database_size(current_database())").fetchall()
    return int(size)


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
