"""The migrations of a store: their texts and statements, and what the next start would do with them."""

import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import NamedTuple

from mergecast import __version__
from mergecast.queues.store.errors import StoreTooNew

# What the list of migrations says about those that were applied when it had no versions yet.
UNRECORDED = "before 0.1.0"
# Comments, quoted text and quoted bodies may contain semicolons that end nothing.
_PART = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|(?P<quote>\$\w*\$).*?(?P=quote)|(?P<end>;)|.", re.DOTALL
)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_INDEX = re.compile(r"create (?:unique )?index (?:if not exists )?(?:\w+ )?on (\w+)")
_CHANGED = re.compile(r"(?:update|delete from) (\w+)")
_ALTERED = re.compile(r"alter table (?:if exists )?(\w+)")
_ALL_ROWS = re.compile(r"\badd constraint\b|\bprimary key\b|\balter column \w+ (?:set data )?type\b")
_ADDED_COLUMN = re.compile(r"\badd column\b")
_FILLED = re.compile(r"(?:insert into|create (?:temporary )?table) .*?\bselect\b", re.DOTALL)
_CREATED = re.compile(r"^create (?:temporary )?table (\w+)", re.MULTILINE)
_SOURCE = re.compile(r"\b(?:from|join) (\w+)")


class MigrationText(NamedTuple):
    number: int
    name: str
    text: str


def migrations(store: str) -> list[MigrationText]:
    """Every migration of a kind of store, in order."""
    folder = files(f"mergecast.queues.store.{store}") / "migrations"
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [_migration(name, entry.read_text(encoding="utf-8")) for name, entry in found]


def _migration(file: str, text: str) -> MigrationText:
    number, _, name = file.removesuffix(".sql").partition("_")
    return MigrationText(int(number), name.replace("_", " "), text)


def too_new(what: str, schema: int, program: str | None, known: int) -> StoreTooNew:
    """The refusal of a store with a migration that this program does not know."""
    version = program if program not in (None, UNRECORDED) else None
    by = f"mergecast {version}" if version else "a version of mergecast that it does not name"
    wanted = f"mergecast {version} or a newer version" if version else "a newer version of mergecast"
    return StoreTooNew(
        f"{what} was last migrated by {by}, to schema {schema}; this is mergecast {__version__}, which knows "
        f"schemas up to {known}: install {wanted}, or restore a backup made before the upgrade"
    )


def statements_of(text: str) -> Iterator[str]:
    """The statements of a text, in order, without the comments before them.

    Citus sends a statement about a distributed table to the workers as it arrived, and refuses a text that
    holds several.
    """
    start = 0
    for part in _PART.finditer(f"{text};"):
        if part["end"]:
            statement = _without_comments_before(text[start : part.start()])
            if statement:
                yield statement
            start = part.end()


def _without_comments_before(statement: str) -> str:
    statement = statement.strip()
    while comment := _COMMENT.match(statement):
        statement = statement[comment.end() :].strip()
    return statement


def title(statement: str) -> str:
    """The first line of a statement, to name it in a message."""
    return statement.partition("\n")[0].rstrip(" (")


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
