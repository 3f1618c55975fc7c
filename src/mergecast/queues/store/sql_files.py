"""The text of statements, by the name of their file.

A word in braces stands for a fragment: a part that several statements share and that is defined once. If a
column follows, the fragment is about this column. Values never become part of the text; they are parameters.
"""

import re
from functools import cache
from importlib.resources import files

from mergecast.queues.model.event import MERGED_REASONS, Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.store.rows import TABLES, column_types

_ROW_TYPES = {table: row_type for row_type, table in TABLES.items()}
_LISTS = {int: "bigint", str: "text"}
_SHORT = frozenset(("day", "first_day", "queue"))  # columns of type integer
# A report about a CI check and its thread, in the order of `CiCheckReport`.
_CI_EXECUTION_COLUMNS = (
    *("ci_checks.thread", "ci_checks.run", "ci_checks.id", "ci_checks.happened_at"),
    *("base_refs.text", "queue_names.text", "ci_runs.batch_id", "ci_checks.check_id", "names.text"),
    *("ci_checks.conclusion", "ci_runs.attempt"),
    *("ci_checks.queued_at", "ci_checks.started_at", "ci_checks.ended_at"),
    *("ci_checks.url", "runners.text", "ci_checks.is_required", "ci_checks.source"),
)
# Fragments that are files.
_FILES = (
    *("sweep", "of_page", "ci_executions", "selected", "named_stays"),
    *("of_two_windows", "in_two_windows"),
)
_FRAGMENT = re.compile(r"\{(\w+)(?: ([\w.]+))?\}")


@cache
def sql(name: str) -> str:
    """A statement, with its fragments filled in; a name of several words is one of `stored_rows.py`."""
    if " " in name:
        return _made(*name.split())
    return _FRAGMENT.sub(lambda match: _fragment(match[1], match[2]), _read(name))


def _read(name: str) -> str:
    return (files("mergecast.queues.store") / "sql" / f"{name}.sql").read_text(encoding="utf-8")


def _made(verb: str, table: str, *columns: str) -> str:
    types = column_types(_ROW_TYPES[table])
    what = "delete" if verb == "delete" else f"select {', '.join(types)}"
    chosen = [
        f"and {column} in (select unnest(${place}::{_list_type(column, types[column])}[]))"
        for place, column in enumerate(columns, start=2)
    ]
    return " ".join([f"{what} from {table} where repository_id = $1", *chosen])


def _list_type(column: str, type: type) -> str:
    return "integer" if column in _SHORT else _LISTS[type]


def _fragment(name: str, about: str | None) -> str:
    match name:
        case "event_columns":
            return ", ".join(f"{_table_of(column)}.{column}" for column in Event._fields)
        case "statement_columns":
            return ", ".join(Statement._fields)
        case name if (table := name.removesuffix("_columns")) in _ROW_TYPES:
            return ", ".join(column_types(_ROW_TYPES[table]))
        case "merged_reasons":
            return ", ".join(f"'{reason}'" for reason in MERGED_REASONS)
        case "ci_execution_columns":
            return ", ".join(_CI_EXECUTION_COLUMNS)
        case name if name in _FILES:
            return _read(f"fragments/{name}").replace("{at}", about or "")
    raise ValueError(f"unknown fragment {{{name}}}")


def _table_of(column: str) -> str:
    return "groups" if column in Group._fields else "events"
