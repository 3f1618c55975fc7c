"""Inserts rows into the tables of one repository.

Plain PostgreSQL gets them by COPY, which takes half the CPU time. On Citus a COPY commits in two phases, and
a machine that fails between the two would hide acknowledged rows for a while. So there an insert is joined to
the state row: it stays on one machine and commits in one phase.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from mergecast.queues.store.postgres.connections import Connection
from mergecast.queues.store.postgres.migrate import has_citus
from mergecast.queues.store.rows import TABLES, Row, column_types

Insert = Callable[[Connection, Sequence[Row]], None]

_TYPES = {int: "bigint", str: "text", bool: "boolean", bytes: "bytea"}
_MARKS = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPES = str.maketrans(_MARKS)
_NULL = "\\N"


def copy_rows(connection: Connection, rows: Sequence[Row]) -> None:
    """Add rows of one type by COPY."""
    types = column_types(type(rows[0]))
    columns = zip(types.values(), zip(*rows, strict=True), strict=True)
    fields = [_as_text(type, values) for type, values in columns]
    lines = "\n".join(map("\t".join, zip(*fields, strict=True)))
    statement = f"copy {TABLES[type(rows[0])]} ({', '.join(types)}) from stdin"
    with connection.cursor() as cursor, cursor.copy(statement.encode()) as copy:
        copy.write(lines + "\n")


def insert_joined(connection: Connection, rows: Sequence[Row]) -> None:
    """Add rows of one type and one repository by an insert that one machine can commit alone."""
    columns = column_types(type(rows[0]))
    names = list(columns)[1:]  # the first is repository_id, which the state row gives
    arrays = ", ".join(f"${place}::{_TYPES[columns[name]]}[]" for place, name in enumerate(names, start=2))
    values = [list(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    connection.execute(
        f"insert into {TABLES[type(rows[0])]} (repository_id, {', '.join(names)}) "  # noqa: S608 - constants
        f"select state.repository_id, added.* from repository_state as state, unnest({arrays}) as added "
        "where state.repository_id = $1",
        [rows[0][0], *values],
    )


def insert_for(connection: Connection) -> Insert:
    """The way to insert rows into this database."""
    return insert_joined if has_citus(connection) else copy_rows


def array_of(numbers: Collection[int]) -> str:
    """Integers as an array parameter; the driver takes much longer to write a list."""
    return f"{{{','.join(map(str, numbers))}}}"


def _as_text(type: type, values: Sequence[Any]) -> list[str]:
    """The values of a column as COPY reads them."""
    if type is bytes:
        return [_NULL if value is None else f"\\\\x{value.hex()}" for value in values]
    if type is str and any(mark in "".join(filter(None, values)) for mark in _MARKS):
        return [_NULL if value is None else value.translate(_ESCAPES) for value in values]
    return [_NULL if value is None else str(value) for value in values]
