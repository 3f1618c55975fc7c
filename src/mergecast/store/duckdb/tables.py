"""Inserts rows of Python values into a DuckDB table, one column at a time."""

from collections.abc import Sequence

import duckdb
import numpy as np

from mergecast.store.rows import TABLES, Row, column_types

_DTYPES = {int: np.int64, bool: np.bool_}


def insert(connection: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
    """Append rows of one type to their table."""
    row_type: type[Row] = type(rows[0])
    types = column_types(row_type)
    columns = zip(types.items(), zip(*rows, strict=True), strict=True)
    connection.register("new_rows", {name: _array(type, values) for (name, type), values in columns})
    table, names = TABLES[row_type], ", ".join(types)
    connection.execute(f"insert into main.{table} ({names}) select {names} from new_rows")  # noqa: S608 - constants
    connection.unregister("new_rows")


def _array(type: type, values: tuple[object, ...]) -> object:
    if type is str:
        return np.array(values, dtype=object)
    if None not in values:
        return np.array(values, dtype=_DTYPES[type])
    mask = [value is None for value in values]
    return np.ma.array([value or 0 for value in values], mask=mask, dtype=_DTYPES[type])
