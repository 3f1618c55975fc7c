"""Application keys and sessions in SQLite: changed by statements, and kept in memory to be found."""

import sqlite3
from collections.abc import Mapping

from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.store.credential_rows import (
    INSERT_KEY,
    INSERT_SESSION,
    SELECT_KEYS,
    SELECT_SESSIONS,
    key_from_row,
    key_to_row,
    session_from_row,
    session_to_row,
)
from mergecast.queues.store.sqlite.connections import execute, fetch
from mergecast.queues.store.values import MOST_SESSIONS_PER_CREDENTIAL


def read_application_keys(connection: sqlite3.Connection) -> dict[str, ApplicationKey]:
    return {key.id: key for key in map(key_from_row, fetch(connection, SELECT_KEYS))}


def insert_key(connection: sqlite3.Connection, key: ApplicationKey) -> None:
    execute(connection, INSERT_KEY, key_to_row(key))


def delete_key(connection: sqlite3.Connection, id: str) -> None:
    execute(connection, "delete from application_keys where id = $1", [id])


def update_uses(connection: sqlite3.Connection, uses: Mapping[str, int]) -> None:
    """Write when each key was last used; keys that no longer exist are skipped."""
    moments = [(moment, id) for id, moment in uses.items()]
    connection.executemany("update application_keys set last_used_at = ? where id = ?", moments)


def read_sessions(connection: sqlite3.Connection) -> dict[bytes, Session]:
    return {session.digest: session for session in map(session_from_row, fetch(connection, SELECT_SESSIONS))}


def insert_session(connection: sqlite3.Connection, session: Session) -> None:
    """Add a session or a code; delete expired ones and the oldest ones of this kind and credential.

    Codes do not count as sessions: whoever makes many of them does not end the sessions of others.
    """
    execute(connection, "delete from sessions where expires_at <= $1", [session.created_at])
    execute(
        connection,
        "delete from sessions where digest in (select digest from sessions where credential = $1 "
        "and is_code = $2 order by created_at desc, digest limit -1 offset $3)",
        [session.credential.hex(), session.is_code, MOST_SESSIONS_PER_CREDENTIAL - 1],
    )
    execute(connection, INSERT_SESSION, session_to_row(session))


def delete_session(connection: sqlite3.Connection, digest: bytes) -> None:
    execute(connection, "delete from sessions where digest = $1", [digest.hex()])
