"""Application keys and sessions in PostgreSQL. Servers keep keys in memory until their version changes."""

from collections.abc import Mapping

from mergecast.queues.model.credentials import ApplicationKey, Session
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
from mergecast.queues.store.postgres.connections import Connection
from mergecast.queues.store.values import MOST_SESSIONS_PER_CREDENTIAL


def read_version(connection: Connection) -> int:
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
