"""Application keys and sessions in DuckDB: read once, then kept in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import duckdb

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
from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.values import MOST_SESSIONS_PER_CREDENTIAL


def read_application_keys(connection: duckdb.DuckDBPyConnection) -> dict[str, ApplicationKey]:
    keys = map(key_from_row, execute(connection, SELECT_KEYS).fetchall())
    return {key.id: key for key in keys}


def insert_key(
    connection: duckdb.DuckDBPyConnection, keys: dict[str, ApplicationKey], key: ApplicationKey
) -> None:
    execute(connection, INSERT_KEY, key_to_row(key))
    keys[key.id] = key


def delete_key(
    connection: duckdb.DuckDBPyConnection, keys: dict[str, ApplicationKey], id: str
) -> ApplicationKey | None:
    """Delete a key; returns it, if there was one."""
    if id in keys:
        execute(connection, "delete from application_keys where id = $1", [id])
    return keys.pop(id, None)


def update_uses(
    connection: duckdb.DuckDBPyConnection, keys: dict[str, ApplicationKey], uses: Mapping[str, int]
) -> None:
    """Write when each key was last used, all at once; keys that no longer exist are skipped."""
    present = {id: moment for id, moment in uses.items() if id in keys}
    execute(
        connection,
        "update application_keys set last_used_at = uses.moment "
        "from (select unnest($1::text[]) as id, unnest($2::bigint[]) as moment) as uses "
        "where application_keys.id = uses.id",
        [list(present), list(present.values())],
    )
    for id, moment in present.items():
        keys[id] = replace(keys[id], last_used_at=moment)


def read_sessions(connection: duckdb.DuckDBPyConnection) -> dict[bytes, Session]:
    sessions = map(session_from_row, execute(connection, SELECT_SESSIONS).fetchall())
    return {session.digest: session for session in sessions}


def insert_session(
    connection: duckdb.DuckDBPyConnection, sessions: dict[bytes, Session], session: Session
) -> None:
    """Add a session or a code; delete expired ones and the oldest ones of this kind and credential.

    Codes do not count as sessions: whoever makes many of them does not end the sessions of others.
    """
    kind = (session.credential, session.is_code)
    others = sorted(
        (other for other in sessions.values() if (other.credential, other.is_code) == kind),
        key=lambda other: other.created_at,
    )
    expired = {other.digest for other in sessions.values() if other.expires_at <= session.created_at}
    oldest = {other.digest for other in others[: max(0, len(others) + 1 - MOST_SESSIONS_PER_CREDENTIAL)]}
    _delete_sessions(connection, sessions, list(expired | oldest))
    execute(connection, INSERT_SESSION, session_to_row(session))
    sessions[session.digest] = session


def delete_session(
    connection: duckdb.DuckDBPyConnection, sessions: dict[bytes, Session], digest: bytes
) -> Session | None:
    """Delete a session; returns it, if there was one."""
    found = sessions.get(digest)
    _delete_sessions(connection, sessions, [digest] if found else [])
    return found


def _delete_sessions(
    connection: duckdb.DuckDBPyConnection, sessions: dict[bytes, Session], digests: Sequence[bytes]
) -> None:
    if digests:
        execute(
            connection,
            "delete from sessions where digest in (select unnest($1::text[]))",
            [[digest.hex() for digest in digests]],
        )
    for digest in digests:
        del sessions[digest]
