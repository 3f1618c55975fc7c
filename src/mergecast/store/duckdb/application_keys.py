"""Application keys in DuckDB: read once, then kept in memory."""

from collections.abc import Mapping
from dataclasses import replace

import duckdb

from mergecast.model.application_key import ApplicationKey
from mergecast.store.duckdb.statements import execute


def read_application_keys(connection: duckdb.DuckDBPyConnection) -> dict[str, ApplicationKey]:
    rows = execute(
        connection,
        "select id, digest, name, owner, scopes, created_at, expires_at, last_used_at from application_keys",
    ).fetchall()
    return {
        id: ApplicationKey(id, bytes.fromhex(digest), name, owner, tuple(scopes.split()), *times)
        for id, digest, name, owner, scopes, *times in rows
    }


def insert_key(
    connection: duckdb.DuckDBPyConnection, keys: dict[str, ApplicationKey], key: ApplicationKey
) -> None:
    execute(
        connection,
        "insert into application_keys values ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
            key.id, key.digest.hex(), key.name, key.owner, " ".join(key.scopes), key.created_at,
            key.expires_at, key.last_used_at,
        ],
    )  # fmt: skip
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
