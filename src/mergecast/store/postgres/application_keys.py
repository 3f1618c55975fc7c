"""Application keys in PostgreSQL; servers read them again when their version changes."""

from collections.abc import Mapping

from mergecast.model.application_key import ApplicationKey
from mergecast.store.postgres.connections import Connection

_COLUMNS = "id, digest, name, owner, scopes, created_at, expires_at, last_used_at"


def read_version(connection: Connection) -> int:
    row = connection.execute("select version from key_state").fetchone()
    return int(row[0]) if row else 0


def read_keys(connection: Connection) -> dict[str, ApplicationKey]:
    rows = connection.execute(f"select {_COLUMNS} from application_keys").fetchall()  # noqa: S608 - constants
    return {
        id: ApplicationKey(id, bytes.fromhex(digest), name, owner, tuple(scopes.split()), *times)
        for id, digest, name, owner, scopes, *times in rows
    }


def insert_key(connection: Connection, key: ApplicationKey) -> None:
    connection.execute(
        f"insert into application_keys ({_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)",  # noqa: S608
        [
            key.id, key.digest.hex(), key.name, key.owner, " ".join(key.scopes), key.created_at,
            key.expires_at, key.last_used_at,
        ],
    )  # fmt: skip
    _raise_version(connection)


def delete_key(connection: Connection, id: str) -> ApplicationKey | None:
    """Delete a key; returns it, if there was one."""
    key = read_keys(connection).get(id)
    connection.execute("delete from application_keys where id = $1", [id])
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
