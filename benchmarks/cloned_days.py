"""Multiplies the days of a store: the database copies a year of a monorepo from a few of its days.

A copy has other numbers, keys and instants, and the same durations and texts.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from mergecast.queues.model.instant import DAY
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.rows import TABLES

_TABLES = ("subjects", "stays", "checks", "runs", "ci_runs", "ci_days", "ci_day_sums", "ci_checks")
_COLUMNS = {table: row_type._fields for row_type, table in TABLES.items() if table in _TABLES}


class Template(NamedTuple):
    """How many days, subjects, runs with reports and pull requests are copied."""

    days: int
    subjects: int
    ci_runs: int
    pulls: int

    def shifts(self, table: str) -> Iterator[str]:
        """The expression for each column in copy `n`."""
        run = self.ci_runs if table.startswith("ci_") else self.subjects
        by_column = {"day": self.days, "run": run, "stay": self.subjects, "number": self.subjects}
        by_column |= {"pull_request": self.pulls, "key_high": 1}
        for column in _COLUMNS[table]:
            if column == "batch_id":
                yield "batch_id || '~' || n"
                continue
            shift = self.days * DAY if column.endswith("_at") else by_column.get(column)
            yield column if shift is None else f"{column} + n * {shift}"


def clone_in_sqlite(folder: Path, template: Template, copies: int) -> None:
    """The store must be closed."""
    counted = f"select 1 union all select n + 1 from copies where n < {copies}"
    numbers = f"(with recursive copies (n) as ({counted}) select n from copies)"
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        for table in _TABLES:
            columns = ", ".join(template.shifts(table))
            connection.execute(
                f"insert into {table} ({', '.join(_COLUMNS[table])}) "
                f"select {columns} from {table} cross join {numbers} order by n"
            )


def clone_in_postgres(url: str, template: Template, copies: int, *, only_failures: bool) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        run: Callable[[Any], object] = connection.execute
        for table in _TABLES:
            chosen = " where conclusion <> 'success'" if only_failures and table == "ci_checks" else ""
            columns = ", ".join(template.shifts(table))
            run(
                f"insert into {table} ({', '.join(_COLUMNS[table])}) "
                f"select {columns} from {table}, generate_series(1, {copies}) as n{chosen} order by n"
            )
        run("vacuum analyze")
