"""Inserts many rows of one type at once, as arrays."""

from collections.abc import Sequence

import duckdb
import numpy as np

from mergecast.queues.store.duckdb.statements import execute
from mergecast.queues.store.rows import TABLES, Row, column_types

_FEW_ROWS = 4  # inserting this few as parameters takes less than half as long as with arrays
_DTYPES = {int: np.int64, bool: np.bool_}


def insert(connection: duckdb.DuckDBPyConnection, rows: Sequence[Row], schema: str = "main") -> None:
    """Append rows of one type to their table."""
    row_type: type[Row] = type(rows[0])
    types = column_types(row_type)
    names = ", ".join(types)
    target = f"insert into {schema}.{TABLES[row_type]} ({names})"
    if len(rows) <= _FEW_ROWS:
        places = ", ".join([f"({', '.join('?' * len(types))})"] * len(rows))
        execute(connection, f"{target} values {places}", [value for row in rows for value in row])
        return
    arrays: dict[str, object] = {"place": np.arange(len(rows))}
    chosen: list[str] = []
    constants: list[object] = []
    for (name, kind), values in zip(types.items(), zip(*rows, strict=True), strict=True):
        if values[0] == values[-1] and values.count(values[0]) == len(values):
            # Many columns have one value in all rows of an import; the database repeats it much faster.
            constants.append(values[0])
            chosen.append(f"${len(constants)}")
        else:
            arrays[name] = _array(kind, values)
            chosen.append(name)
    connection.register("new_rows", arrays)
    execute(connection, f"{target} select {', '.join(chosen)} from new_rows", constants)  # noqa: S608 - constants
    connection.unregister("new_rows")


def _array(type: type, values: tuple[object, ...]) -> object:
    if type in (str, bytes):
        return np.array(values, dtype=object)
    if None not in values:
        return np.array(values, dtype=_DTYPES[type])
    mask = [value is None for value in values]
    return np.ma.array([value or 0 for value in values], mask=mask, dtype=_DTYPES[type])
