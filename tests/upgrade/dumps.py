"""Stores as text: a DuckDB file, or a PostgreSQL database."""

import subprocess
from pathlib import Path

import duckdb

from postgres.server import BINARIES


def dump_duckdb(file: Path) -> str:
    """The statements that make the tables of a store and fill them again."""
    with duckdb.connect(str(file), read_only=True) as connection:
        lines = ["-- The tables of a DuckDB store, and their rows."]
        schemas = "select distinct schema_name from duckdb_tables() where schema_name != 'main' order by all"
        lines += [f'create schema "{schema}";' for (schema,) in connection.execute(schemas).fetchall()]
        for schema, table, definition in connection.execute(
            "select schema_name, table_name, sql from duckdb_tables() order by all"
        ).fetchall():
            lines.append(definition)
            rows = connection.execute(f'from "{schema}"."{table}" order by all').fetchall()
            if rows:
                listed = ",\n".join(f"({', '.join(map(_literal, row))})" for row in rows)
                lines.append(f'insert into "{schema}"."{table}" values\n{listed};')
        return "\n".join([*lines, ""])


def _literal(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case float():
            return f"{value!r}::double"
        case bytes():
            return f"from_hex('{value.hex()}')"
        case str():
            return "'" + value.replace("'", "''") + "'"
    raise TypeError(f"no table of a store has a value like {value!r}")


def restore_duckdb(dump: Path, file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute(dump.read_text(encoding="utf-8"))


def dump_postgres(url: str) -> str:
    command = [str(BINARIES / "pg_dump"), "--no-owner", "--no-privileges", "--restrict-key=mergecast", url]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True)
    return dumped.stdout


def restore_postgres(dump: Path, url: str) -> None:
    command = [
        str(BINARIES / "psql"),
        "--quiet",
        "--no-psqlrc",
        "--set=ON_ERROR_STOP=1",
        "--file",
        str(dump),
        url,
    ]
    subprocess.run(command, check=True, capture_output=True)
