"""Sessions in DuckDB: read once, then kept in memory."""

from collections.abc import Sequence

import duckdb

from mergecast.model.session import Session
from mergecast.store.duckdb.statements import execute
from mergecast.store.values import MOST_SESSIONS_PER_CREDENTIAL

_COLUMNS = "digest, is_code, kind, name, credential, key_id, sealed, created_at, expires_at"


def read_sessions(connection: duckdb.DuckDBPyConnection) -> dict[bytes, Session]:
    rows = execute(connection, f"select {_COLUMNS} from sessions").fetchall()  # noqa: S608 - constants
    found = (
        Session(bytes.fromhex(digest), is_code, kind, name, bytes.fromhex(credential), *more)
        for digest, is_code, kind, name, credential, *more in rows
    )
    return {session.digest: session for session in found}


def insert_session(
    connection: duckdb.DuckDBPyConnection, sessions: dict[bytes, Session], session: Session
) -> None:
    """Add a session; delete expired ones and the oldest ones of the same credential."""
    others = sorted(
        (one for one in sessions.values() if one.credential == session.credential),
        key=lambda one: one.created_at,
    )
    doomed = {one.digest for one in sessions.values() if one.expires_at <= session.created_at}
    doomed |= {one.digest for one in others[: max(0, len(others) + 1 - MOST_SESSIONS_PER_CREDENTIAL)]}
    _delete(connection, sessions, list(doomed))
    execute(
        connection,
        f"insert into sessions ({_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",  # noqa: S608 - constants
        [
            session.digest.hex(), session.is_code, session.kind, session.name, session.credential.hex(),
            session.key_id, session.sealed, session.created_at, session.expires_at,
        ],
    )  # fmt: skip
    sessions[session.digest] = session


def delete_session(
    connection: duckdb.DuckDBPyConnection, sessions: dict[bytes, Session], digest: bytes
) -> Session | None:
    """Delete a session; returns it, if there was one."""
    found = sessions.get(digest)
    _delete(connection, sessions, [digest] if found else [])
    return found


def _delete(
    connection: duckdb.DuckDBPyConnection, sessions: dict[bytes, Session], digests: Sequence[bytes]
) -> None:
    if digests:
        execute(
            connection,
            "delete from sessions where digest in (select unnest($1::text[]))",
            [[one.hex() for one in digests]],
        )
    for digest in digests:
        del sessions[digest]
