"""Application keys and sessions in PostgreSQL. Servers keep keys in memory until their version changes."""

from collections.abc import Mapping

from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.store.postgres.connections import Connection
from mergecast.queues.store.values import MOST_SESSIONS_PER_CREDENTIAL

_KEY_COLUMNS = "id, digest, name, owner, scopes, created_at, expires_at, last_used_at"
_SESSION_COLUMNS = "digest, is_code, kind, name, credential, key_id, sealed, created_at, expires_at"


def read_version(connection: Connection) -> int:
    row = connection.execute("select version from key_state").fetchone()
    return int(row[0]) if row else 0


def read_keys(connection: Connection) -> dict[str, ApplicationKey]:
    rows = connection.execute(f"select {_KEY_COLUMNS} from application_keys").fetchall()  # noqa: S608 - constants
    return {
        id: ApplicationKey(id, bytes.fromhex(digest), name, owner, tuple(scopes.split()), *times)
        for id, digest, name, owner, scopes, *times in rows
    }


def insert_key(connection: Connection, key: ApplicationKey) -> None:
    connection.execute(
        f"insert into application_keys ({_KEY_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)",  # noqa: S608
        [
            key.id, key.digest.hex(), key.name, key.owner, " ".join(key.scopes), key.created_at,
            key.expires_at, key.last_used_at,
        ],
    )  # fmt: skip
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


def _raise_version(connection: Connection) -> None:
    connection.execute("update key_state set version = version + 1")


def read_session(connection: Connection, digest: bytes) -> Session | None:
    statement = f"select {_SESSION_COLUMNS} from sessions where digest = $1"  # noqa: S608 - constants
    return _session(connection.execute(statement, [digest.hex()]).fetchone())


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
    connection.execute(
        f"insert into sessions ({_SESSION_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",  # noqa: S608 - constants
        [
            session.digest.hex(), session.is_code, session.kind, session.name, session.credential.hex(),
            session.key_id, session.sealed, session.created_at, session.expires_at,
        ],
    )  # fmt: skip


def delete_session(connection: Connection, digest: bytes) -> Session | None:
    """Delete a session; of several servers that try at the same time, one gets it."""
    statement = f"delete from sessions where digest = $1 returning {_SESSION_COLUMNS}"  # noqa: S608 - constants
    return _session(connection.execute(statement, [digest.hex()]).fetchone())


def _session(row: tuple[object, ...] | None) -> Session | None:
    if row is None:
        return None
    digest, is_code, kind, name, credential, *more = row
    return Session(bytes.fromhex(str(digest)), is_code, kind, name, bytes.fromhex(str(credential)), *more)  # type: ignore[arg-type]
