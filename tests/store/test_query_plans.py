"""How SQLite runs a statement does not depend on what is stored: the plans are those of an empty store."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import pytest

from empty_store import copy_empty_store
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.sqlite.connections import connect
from postgres.parameters import FILES

# These look for repositories with something to do, in tables that are small or in one of their indexes.
_OF_ALL = frozenset(
    {
        *("waiting_repositories", "repositories_to_compare", "repositories_with_causes"),
        *("repositories_to_judge", "outdated_repositories", "repositories_with_ci_days", "every_part"),
    }
)
# A part of a page is called like the table that it was read from.
_NAMED_LIKE_A_TABLE = {"events_page": "events", "sent_events_page": "events"}
_LARGE = frozenset(
    {
        *("events", "subjects", "stays", "checks", "runs", "bisection_starts", "bisection_ends"),
        *("deliveries", "threads", "thread_links", "ci_runs", "ci_checks", "ci_day_sums"),
    }
)
# What these ask, only all rows of a repository can answer. No page of the dashboard waits for them, except
# for a summary of a queue in which nothing happened.
_READ_ALL = frozenset(
    {
        *("ci_all_days", "ci_run_sizes", "number_of_deliveries", "count_deliveries", "span_of_events"),
        *("subjects_of_repository", "threads_of_source", "translated_threads", "outdated_threads"),
        *("delete_selected_events", "delete_selected_deliveries", "delete_selected_ci_checks"),
        *("selected_ends", "selected_subjects", "days_of_selected_ci_checks", "runs_of_selected_ci_checks"),
        *("delete_old_uncertain_deliveries", "derived_events_of_sources", "groups_with_runs"),
    }
)
_OF_MANY_PERIODS = {"ci_runs_between"}
_PERIOD = re.compile(r"repository_id=\?(?: AND \w+[<>]\?)*")
_STEP = re.compile(r"(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?(?:INDEX \w+|PRIMARY KEY))?(?: \((.*)\))?")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """An empty store."""
    folder = tmp_path_factory.mktemp("plans")
    copy_empty_store(folder)
    with closing(connect(folder / FILE_NAME)) as connection:
        yield connection


class _Step(NamedTuple):
    """How a table is read inside the loops before it, and which of its columns are compared."""

    how: str
    table: str
    compared: str
    is_outermost: bool


def _steps(connection: sqlite3.Connection, name: str) -> Iterator[_Step]:
    text = re.sub(r"--.*", "", sql(name, "sqlite"))
    aliases = re.findall(r"\b(?:from|join)\s+(\w+)\s+as\s+(\w+)", text)
    tables: dict[str, str] = {alias: table for table, alias in aliases}
    parameters = dict.fromkeys(re.findall(r"\$(\d+)", text))
    with_loops = set()
    for _, block, _, step in connection.execute(f"explain query plan {text}", parameters):
        if found := _STEP.match(step):
            table = tables.get(found[2], found[2])
            if table != _NAMED_LIKE_A_TABLE.get(name):
                yield _Step(found[1], table, found[3] or "", block not in with_loops)
            with_loops.add(block)


def _with_repository(connection: sqlite3.Connection) -> set[str]:
    """The tables with rows of many repositories."""
    found = connection.execute(
        "select tables.name from sqlite_schema as tables, pragma_table_info(tables.name) as columns "
        "where tables.type = 'table' and columns.name = 'repository_id'"
    )
    return {name for (name,) in found}


@pytest.mark.parametrize("name", sorted({*FILES} - _OF_ALL))
def test_a_statement_reads_no_row_of_another_repository(empty: sqlite3.Connection, name: str) -> None:
    growing = _with_repository(empty)

    others = [
        step.table
        for step in _steps(empty, name)
        if step.table in growing and (step.how == "SCAN" or "ANY(repository_id)" in step.compared)
    ]

    assert [] == others


@pytest.mark.parametrize("name", sorted({*FILES} - _OF_ALL - _READ_ALL))
def test_a_statement_finds_its_rows_in_an_index(empty: sqlite3.Connection, name: str) -> None:
    whole = [step.table for step in _steps(empty, name) if step.compared == "repository_id=?"]

    assert [] == sorted(_LARGE.intersection(whole))


@pytest.mark.parametrize("name", sorted({*FILES} - _OF_ALL - _READ_ALL - _OF_MANY_PERIODS))
def test_a_period_is_read_once(empty: sqlite3.Connection, name: str) -> None:
    """Not once for each row of another table."""
    repeated = [
        step.table
        for step in _steps(empty, name)
        if step.table in _LARGE and not step.is_outermost and _PERIOD.fullmatch(step.compared)
    ]

    assert [] == repeated


def test_the_size_of_every_index_is_given(empty: sqlite3.Connection) -> None:
    """An index without figures would be planned with those that SQLite assumes."""
    growing = _with_repository(empty)
    indexes = {
        # A table without rowids is its own primary key.
        (table, table if origin == "pk" and is_key else index)
        for table, is_key in empty.execute("select name, wr from pragma_table_list where schema = 'main'")
        for _, index, _, origin, _ in empty.execute(f"pragma index_list({table})")
        if table in growing
    }
    given = set(empty.execute("select tbl, idx from sqlite_stat1"))

    assert indexes == given
