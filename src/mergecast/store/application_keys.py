"""Application keys in the store: read once, added, taken away, marked as used."""

from collections.abc import Mapping
from dataclasses import replace

import duckdb

from mergecast.model.application_key import ApplicationKey


def read_application_keys(connection: duckdb.DuckDBPyConnection) -> dict[str, ApplicationKey]:
    rows = connection.execute(
        "select id, digest, name, owner, scopes, created_at, expires_at, last_used_at from application_keys"
    ).fetchall()
    return {
        id: ApplicationKey(id, bytes.fromhex(digest), name, owner, tuple(scopes.split()), *times)
        for id, digest, name, owner, scopes, *times in rows
    }


def add_application_key(
    connection: duckdb.DuckDBPyConnection, known: dict[str, ApplicationKey], key: ApplicationKey
) -> None:
    connection.execute(
        "insert into application_keys values ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
            key.id, key.digest.hex(), key.name, key.owner, " ".join(key.scopes), key.created_at,
            key.expires_at, key.last_used_at,
        ],
    )  # fmt: skip
    known[key.id] = key


def remove_application_key(
    connection: duckdb.DuckDBPyConnection, known: dict[str, ApplicationKey], id: str
) -> ApplicationKey | None:
    """Done once it is durable; the key that was there, if any."""
    if id not in known:
        return None
    connection.execute("delete from application_keys where id = $1", [id])
    return known.pop(id)


def mark_as_used(
    connection: duckdb.DuckDBPyConnection, known: dict[str, ApplicationKey], uses: Mapping[str, int]
) -> None:
    """Write when each key was last used, all at once; keys revoked meanwhile are passed over."""
    present = {id: moment for id, moment in uses.items() if id in known}
    connection.execute(
        "update application_keys set last_used_at = uses.moment "
        "from (select unnest($1::text[]) as id, unnest($2::bigint[]) as moment) as uses "
        "where application_keys.id = uses.id",
        [list(present), list(present.values())],
    )
    for id, moment in present.items():
        known[id] = replace(known[id], last_used_at=moment)
