"""The facts of what a change touched: taken out, derived anew from events, written back."""

from collections.abc import Iterable, Sequence

import duckdb
import numpy as np

from mergecast.model.facts import (
    Statement,
    derive_bisection_ends,
    derive_bisection_starts,
    derive_checks,
    derive_runs,
    derive_stays,
    settle,
)
from mergecast.store.sql_files import sql
from mergecast.store.tables import insert

# Which column of each table of facts says what subject a row belongs to.
_SUBJECT_COLUMNS = {
    "stays": "stay",
    "checks": "stay",
    "runs": "run",
    "bisection_starts": "bisection",
    "bisection_ends": "bisection",
}


def rewrite_facts(
    connection: duckdb.DuckDBPyConnection,
    known: Sequence[int],
    fresh: Iterable[int] = (),
    statements: Iterable[Statement] = (),
) -> None:
    """Derive the facts of all these subjects.

    The events of `known` subjects are read from the store, where they stand already; `statements` are
    all the events of the `fresh` ones, which the store had never heard of before.
    """
    touched = {*known, *fresh}
    said = list(statements)
    if known:
        said += read_statements(connection, known)
        _take_out(connection)
    settled = settle(said)
    checks = derive_checks(settled)
    insert(connection, "checks", [check for check in checks if check.stay in touched])
    insert(connection, "stays", derive_stays(settled, checks))
    insert(connection, "runs", derive_runs(check for check in checks if check.run in touched))
    insert(connection, "bisection_starts", derive_bisection_starts(settled))
    insert(connection, "bisection_ends", derive_bisection_ends(settled))


def read_statements(connection: duckdb.DuckDBPyConnection, subjects: Sequence[int]) -> list[Statement]:
    """Everything the stored events say of these subjects, which become the view `touched`."""
    connection.register("touched", {"number": np.array(subjects, dtype=np.int64)})
    return [Statement(*row) for row in connection.execute(sql("statements")).fetchall()]


def _take_out(connection: duckdb.DuckDBPyConnection) -> None:
    for table, column in _SUBJECT_COLUMNS.items():
        connection.execute(f"delete from {table} where {column} in (select number from touched)")  # noqa: S608
