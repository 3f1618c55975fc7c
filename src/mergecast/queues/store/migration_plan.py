"""Which migrations the next start would run, and which tables they rewrite."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mergecast.queues.store.migration_statements import statements_of
from mergecast.queues.store.sql_files import MigrationText

_INDEX = re.compile(r"create (?:unique )?index (?:if not exists )?(?:\w+ )?on (\w+)")
_CHANGED = re.compile(r"(?:update|delete from) (\w+)")
_ALTERED = re.compile(r"alter table (?:if exists )?(\w+)")
_ALL_ROWS = re.compile(r"\badd constraint\b|\bprimary key\b|\balter column \w+ (?:set data )?type\b")
_ADDED_COLUMN = re.compile(r"\badd column\b")
_FILLED = re.compile(r"(?:insert into|create (?:temporary )?table) .*?\bselect\b", re.DOTALL)
_CREATED = re.compile(r"^create (?:temporary )?table (\w+)", re.MULTILINE)
_SOURCE = re.compile(r"\b(?:from|join) (\w+)")


class Rewritten(NamedTuple):
    table: str
    rows: int | None  # None if that cannot be found out quickly


class PlannedMigration(NamedTuple):
    number: int
    name: str
    rewritten: tuple[Rewritten, ...]  # without empty tables


class Plan(NamedTuple):
    schema: int  # the last migration of the store; 0: there is none yet
    known_schema: int
    migrations: tuple[PlannedMigration, ...]
    is_estimate: bool  # how many rows there are


def plan_migrations(
    missing: Iterable[MigrationText], count: Callable[[str], int | None], *, writes_new_columns: bool
) -> Iterator[PlannedMigration]:
    """`count` says how many rows a table has. It is asked only about tables that exist now.

    A store that writes new columns needs time for each row when a migration adds one.
    """
    created: set[str] = set()
    for number, name, text in missing:
        tables = dict.fromkeys(_rewritten(text, writes_new_columns=writes_new_columns))
        created |= set(_CREATED.findall(text))
        counted = [Rewritten(table, count(table)) for table in tables if table not in created]
        yield PlannedMigration(number, name, tuple(one for one in counted if one.rows != 0))


def _rewritten(text: str, *, writes_new_columns: bool) -> Iterator[str]:
    """The tables of which the statements of a migration read or write all rows."""
    for statement in statements_of(text):
        for pattern in (_INDEX, _CHANGED):
            if found := pattern.match(statement):
                yield found[1]
        altered = _ALTERED.match(statement)
        if altered and (
            _ALL_ROWS.search(statement) or (writes_new_columns and _ADDED_COLUMN.search(statement))
        ):
            yield altered[1]
        if _FILLED.match(statement):
            yield from _SOURCE.findall(statement)
