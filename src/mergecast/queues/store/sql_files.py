"""The text of statements, by the name of their file.

A text in braces stands for a fragment: a part that several statements share, or one that each store writes
in its own form (`fragments.py`). Values never become part of the text; they are parameters, and SQLite binds
`$1` as the name of one. A statement whose whole shape differs has a file of the same name in a folder of its
store.

A column named `x [boolean]`, `x [list]` or `x [sorted]` is converted by the driver of SQLite, which has no
such types; PostgreSQL returns them as they are.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from mergecast.queues.model.event import MERGED_REASONS, Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.store.fragments import IN_POSTGRES, IN_SQLITE
from mergecast.queues.store.rows import TABLES, EventRow, Row, column_types

Dialect = Literal["sqlite", "postgres"]

_ROW_TYPES = {table: row_type for row_type, table in TABLES.items()}
_LISTS = {int: "bigint", str: "text"}
_SHORT = frozenset(("day", "first_day", "queue"))  # columns of type integer
# A report about a CI check and its thread, in the order of `CiCheckReport`.
_CI_EXECUTION_COLUMNS = (
    *("ci_checks.thread", "ci_checks.run", "ci_checks.id", "ci_checks.happened_at"),
    *("base_refs.text", "queue_names.text", "ci_runs.batch_id", "ci_checks.check_id", "names.text"),
    *("ci_checks.conclusion", "ci_runs.attempt"),
    *("ci_checks.queued_at", "ci_checks.started_at", "ci_checks.ended_at"),
    *(
        "ci_checks.url",
        "runners.text",
        'ci_checks.is_required as "is_required [boolean]"',
        "ci_checks.source",
    ),
)
# Fragments that are files.
_FILES = (
    *("sweep", "swept", "of_page", "ci_executions", "selected", "named_stays", "levels"),
    *("of_two_windows", "in_two_windows"),
)
_FRAGMENT = re.compile(r"\{(\w+)(?: ([^{}]*))?\}")


@cache
def sql(name: str, dialect: Dialect) -> str:
    """A statement, with its fragments filled in; a name of several words is one of `stored_rows.py`."""
    text = _made(*name.split()) if " " in name else _read(name, dialect)
    while _FRAGMENT.search(text):  # a fragment may contain others
        text = _FRAGMENT.sub(lambda match: _fragment(match[1], match[2] or "", dialect), text)
    return text


def _read(name: str, dialect: Dialect) -> str:
    folder = files("mergecast.queues.store") / "sql"
    own = folder / dialect / f"{name}.sql"
    return (own if own.is_file() else folder / f"{name}.sql").read_text(encoding="utf-8")


def _made(verb: str, table: str, *columns: str) -> str:
    types = column_types(_ROW_TYPES[table])
    what = "delete" if verb == "delete" else f"select {{{table}_columns}}"
    chosen = [
        f"and {column} {{among ${place} {_list_type(column, types[column])}}}"
        for place, column in enumerate(columns, start=2)
    ]
    return " ".join([f"{what} from {table} where repository_id = $1", *chosen])


def _list_type(column: str, type: type) -> str:
    return "integer" if column in _SHORT else _LISTS[type]


def columns_of(row_type: type[Row], names: Sequence[str] = (), prefix: str = "") -> str:
    """The columns of a table with these names, or all of them, as rows have them."""
    types = column_types(row_type)
    return ", ".join(
        prefix + (f'{name} as "{name} [boolean]"' if types[name] is bool else name) for name in names or types
    )


def _fragment(name: str, about: str, dialect: Dialect) -> str:
    if name in _FILES:
        return _read(f"fragments/{name}", dialect).replace("{at}", about)
    if (table := name.removesuffix("_columns")) in _ROW_TYPES:
        return columns_of(_ROW_TYPES[table])
    if name in _SHARED:
        return _SHARED[name]
    return (IN_SQLITE if dialect == "sqlite" else IN_POSTGRES)[name](" ".join(about.split()))


_SHARED = {
    "event_columns": ", ".join(
        f"groups.{name}" if name in Group._fields else columns_of(EventRow, (name,), "events.")
        for name in Event._fields
    ),
    "statement_columns": columns_of(EventRow, Statement._fields),
    "merged_reasons": ", ".join(f"'{reason}'" for reason in MERGED_REASONS),
    "ci_execution_columns": ", ".join(_CI_EXECUTION_COLUMNS),
}
