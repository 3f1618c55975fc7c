"""The tables of a store and their migrations, and the refusals of stores that cannot be migrated."""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from mergecast import __version__
from mergecast.queues.store.errors import StoreTooNew, StoreTooOld

# Comments, quoted text and quoted bodies may contain semicolons that end nothing.
_PART = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|(?P<quote>\$\w*\$).*?(?P=quote)|(?P<end>;)|.", re.DOTALL
)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


class Migration(NamedTuple):
    number: int
    name: str
    oldest_program: int  # the last migration that a program must know to write beside this one
    sqlite: str
    postgres: str


def _schema(store: str) -> str:
    return files(f"mergecast.queues.store.{store}").joinpath("schema.sql").read_text(encoding="utf-8")


# The first one makes the tables of a new store. The last one's number is that of a version in development.
MIGRATIONS = (
    Migration(25, "tables", 25, _schema("sqlite"), _schema("postgres")),
    Migration(
        26,
        "set-ups",
        25,
        """
        create table set_ups (
            repository_id integer not null,
            base_ref text not null,
            read_at integer not null,
            document blob not null,
            primary key (repository_id, base_ref)
        ) strict, without rowid;
        -- For the planner, as for the tables of the schema.
        insert into sqlite_stat1 (tbl, idx, stat) values ('set_ups', 'set_ups', '100 2 1');
        """,
        """
        create table set_ups (
            repository_id integer not null,
            base_ref text not null,
            read_at bigint not null,
            document bytea not null,
            primary key (repository_id, base_ref)
        )
        """,
    ),
)


def too_new(what: str, schema: int, program: str | None, known: int) -> StoreTooNew:
    """The refusal of a store with a migration that this program does not know."""
    by, wanted = (
        (f"mergecast {program}", f"mergecast {program} or a newer version")
        if program
        else ("a newer version of mergecast", "that version")
    )
    return StoreTooNew(
        f"{what} was last migrated by {by}, to schema {schema}; this is mergecast {__version__}, which knows "
        f"schemas up to {known}: install {wanted}, or restore a backup made before the upgrade"
    )


def too_old(what: str, schema: int, first: int) -> StoreTooOld:
    """The refusal of a store of a program before the first one whose stores this program migrates."""
    return StoreTooOld(
        f"{what} has schema {schema}, and mergecast {__version__} reads schemas from {first} on: open it "
        f"once with a program of schema {first}, or import the history again into an empty one"
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
