"""Sessions in PostgreSQL; every server looks them up in the database."""

from mergecast.model.session import Session
from mergecast.store.postgres.connections import Connection
from mergecast.store.values import MOST_SESSIONS_PER_CREDENTIAL

_COLUMNS = "digest, is_code, kind, name, credential, key_id, sealed, created_at, expires_at"


def read_session(connection: Connection, digest: bytes) -> Session | None:
    statement = f"select {_COLUMNS} from sessions where digest = $1"  # noqa: S608 - constants
    return _session(connection.execute(statement, [digest.hex()]).fetchone())


def insert_session(connection: Connection, session: Session) -> None:
    """Add a session; delete expired ones and the oldest ones of the same credential."""
    connection.execute("delete from sessions where expires_at <= $1", [session.created_at])
    connection.execute(
        "delete from sessions where digest in (select digest from sessions where credential = $1 "
        "order by created_at desc, digest offset $2)",
        [session.credential.hex(), MOST_SESSIONS_PER_CREDENTIAL - 1],
    )
    connection.execute(
        f"insert into sessions ({_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",  # noqa: S608 - constants
        [
            session.digest.hex(), session.is_code, session.kind, session.name, session.credential.hex(),
            session.key_id, session.sealed, session.created_at, session.expires_at,
        ],
    )  # fmt: skip


def delete_session(connection: Connection, digest: bytes) -> Session | None:
    """Delete a session; of several servers that try at the same time, one gets it."""
    statement = f"delete from sessions where digest = $1 returning {_COLUMNS}"  # noqa: S608 - constants
    return _session(connection.execute(statement, [digest.hex()]).fetchone())


def _session(row: tuple[object, ...] | None) -> Session | None:
    if row is None:
        return None
    digest, is_code, kind, name, credential, *more = row
    return Session(bytes.fromhex(str(digest)), is_code, kind, name, bytes.fromhex(str(credential)), *more)  # type: ignore[arg-type]
