"""One transaction of the writer: the repositories it holds, and what it is going to write.

Reading and computing come first, outside the transaction of SQLite, which begins with the first statement
that changes something. New rows are collected and written before the commit; many rows go to temporary tables
first, from where one statement takes them. So the file is held for as short as possible, and small changes of
other repositories can be stored while a large one is prepared.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from mergecast.queues.model.event import Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import SubjectName
from mergecast.queues.store.keys import halves
from mergecast.queues.store.rows import (
    SUBJECT_COLUMNS,
    TABLES,
    EventRow,
    GroupRow,
    Row,
    SubjectRow,
    column_types,
    fact_tables,
)
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.sqlite.catalog import Catalog, save_states
from mergecast.queues.store.sqlite.connections import execute, fetch
from mergecast.queues.store.sqlite.credentials import read_application_keys, read_sessions
from mergecast.queues.store.stored_rows import delete_rows
from mergecast.queues.store.values import KnownRepository, Selection

_ALL_TABLES = (*TABLES.values(), "repository_state", "repositories")
# Rows that one statement inserts: the driver lets other threads compute while each statement runs, and has to
# wait for its turn again after it.
_ROWS_AT_ONCE = 64
_MANY_ROWS = 1_000


class Transaction:
    """Used by the writer thread only. The catalog does not change before the commit."""

    def __init__(
        self, connection: sqlite3.Connection, catalog: Catalog, give_way: Callable[[], None] | None, now: int
    ) -> None:
        """`give_way` stores small changes; None if this is one of them."""
        self.connection = connection
        self.catalog = catalog
        self.now = now
        self._give_way = give_way
        self._has_begun = False
        self._held: dict[Repository, HeldInSQLite] = {}
        self._last_repository_id = catalog.last_repository_id
        self._commits = catalog.commits
        self._changes_before = 0
        self._has_credentials = False  # whether it may have changed keys or sessions
        self._staged: set[type[Row]] = set()  # the tables with rows in temporary tables

    def hold(self, name: Repository) -> "HeldInSQLite | None":
        """The repository, or None when it does not exist."""
        known = self.catalog.repositories.get(name)
        if known is not None and name not in self._held:
            self._held[name] = HeldInSQLite(self, known, is_stored=True)
        return self._held.get(name)

    def create_or_hold(self, name: Repository) -> "HeldInSQLite":
        """The repository; a new one exists from its first saved state on."""
        held = self.hold(name)
        if held is None:
            self._last_repository_id += 1
            new = KnownRepository(self._last_repository_id, name)
            held = self._held[name] = HeldInSQLite(self, new, is_stored=False)
        return held

    def give_way(self) -> None:
        """Let small changes be made, unless this transaction has begun to write."""
        if self._give_way is not None and not self._has_begun:
            self._give_way()

    def begin(self) -> sqlite3.Connection:
        """The connection, for a change."""
        if not self._has_begun:
            self.connection.execute("begin immediate")
            self._has_begun = True
            self._changes_before = self.connection.total_changes
        return self.connection

    def stage(self, rows: Sequence[Row]) -> bool:
        """Put many rows into a temporary table; returns False if they are to be inserted before the commit.

        A small change that is made meanwhile must leave the temporary tables alone.
        """
        if len(rows) < _MANY_ROWS or self._has_begun or self._give_way is None:
            return False
        row_type = type(rows[0])
        table = TABLES[row_type]
        if row_type not in self._staged:
            columns = ", ".join(column_types(row_type))
            made = f"create temp table if not exists new_{table} as select {columns} from {table} limit 0"  # noqa: S608
            self.connection.execute(made)
            self._staged.add(row_type)
        for start in range(0, len(rows), _MANY_ROWS):
            insert(self.connection, f"temp.new_{table}", rows[start : start + _MANY_ROWS])
            self.give_way()
        return True

    def _take_staged(self, repository_ids: Collection[int]) -> None:
        for row_type in self._staged:
            table, columns = TABLES[row_type], ", ".join(column_types(row_type))
            self.change(
                f"insert into {table} ({columns}) select {columns} from temp.new_{table} "  # noqa: S608 - constants
                "where repository_id in (select value from json_each($1))",
                [list(repository_ids)],
            )

    def _clear_staged(self) -> None:
        for row_type in self._staged:
            self.connection.execute(f"delete from temp.new_{TABLES[row_type]}")  # noqa: S608 - constants
        self._staged.clear()

    def change_credentials(self) -> sqlite3.Connection:
        """The connection, for a change of keys or sessions."""
        self._has_credentials = True
        return self.begin()

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        return fetch(self.connection, sql(statement, "sqlite"), parameters)

    def change(self, text: str, parameters: Sequence[object]) -> int:
        """Returns how many rows changed."""
        return execute(self.begin(), text, parameters).rowcount

    def commit(self) -> bool:
        """Make everything durable, then let the catalog know; returns whether anything changed."""
        changed = [held for held in self._held.values() if held.is_changed]
        if changed:
            self.begin()
            self._write([held for held in changed if not held.is_deleted])
        has_changes = self._has_begun and self.connection.total_changes > self._changes_before
        if has_changes:
            self._commits = self.catalog.commits + 1
            numbers = (self._commits, self._last_repository_id)
            self.connection.execute("update store_state set commits = ?, last_repository_id = ?", numbers)
        if self._has_begun:
            self.connection.execute("commit")
        self._clear_staged()
        if has_changes:
            self._publish(changed)
        self._held.clear()  # each refers to this object: only the garbage collector would free their rows
        return has_changes

    def _write(self, changed: list["HeldInSQLite"]) -> None:
        for held in changed:
            for table, subjects in held.facts_to_delete.items():
                column = SUBJECT_COLUMNS[table]
                self.change(
                    f"delete from {table} where repository_id = $1 "  # noqa: S608 - constants
                    f"and {column} in (select value from json_each($2))",
                    [held.state.id, subjects],
                )
        new = [held.state for held in changed if not held.is_stored]
        self.connection.executemany(
            "insert into repositories (repository_id, owner, name) values (?, ?, ?)",
            [(state.id, state.repository.owner, state.repository.name) for state in new],
        )
        save_states(self.connection, [held.state for held in changed])
        self._take_staged([held.state.id for held in changed])
        for row_type in {row_type: None for held in changed for row_type in held.new_rows}:
            rows = [row for held in changed for row in held.new_rows.get(row_type, ())]
            if rows:
                insert(self.connection, TABLES[row_type], rows)

    def _publish(self, changed: list["HeldInSQLite"]) -> None:
        self.catalog.commits = self._commits
        self.catalog.last_repository_id = self._last_repository_id
        if self._has_credentials:
            self.catalog.application_keys = read_application_keys(self.connection)
            self.catalog.sessions = read_sessions(self.connection)
        for held in changed:
            held.publish()

    def roll_back(self) -> None:
        self._held.clear()
        with suppress(sqlite3.Error):  # the error that led here is the one to report
            self.connection.rollback()
            self._clear_staged()


class HeldInSQLite:
    """A repository during a transaction of the writer thread, the only one that changes anything."""

    def __init__(self, transaction: Transaction, known: KnownRepository, *, is_stored: bool) -> None:
        self._transaction = transaction
        self.state = known
        self.is_stored = is_stored  # a new repository has no rows
        self.is_changed = False
        self.is_deleted = False
        self.new_rows: defaultdict[type[Row], list[Row]] = defaultdict(list)
        self.facts_to_delete: defaultdict[str, list[int]] = defaultdict(list)  # subjects, by table
        self._former: KnownRepository | None = None  # before a rename

    @property
    def now(self) -> int:
        return self._transaction.now

    @property
    def shared(self) -> "SharedInSQLite":
        return SharedInSQLite(self._transaction)

    def give_way(self) -> None:
        self._transaction.give_way()

    def groups(self) -> Mapping[Group, int]:
        return self._transaction.catalog.group_ids.get(self.state.id, {})

    def stored_events(self, keys: Collection[bytes]) -> dict[str, Event]:
        found = self._by_key("events", keys)
        rows = self.rows("stored_events", list(found.values())) if found else []
        return {event.id: event for event in (Event(*row) for row in rows)}

    def subject_numbers(self, keys: Mapping[SubjectName, bytes]) -> dict[SubjectName, int]:
        found = self._by_key("subjects", keys.values())
        pairs = ((name, found.get(halves(key))) for name, key in keys.items())
        return {name: number for name, number in pairs if number is not None}

    def _by_key(self, table: str, keys: Collection[bytes]) -> dict[tuple[int, int], int]:
        """The numbers of the rows with these keys; the low halves of others may differ."""
        if not self.is_stored or not keys:
            return {}
        ((found,),) = fetch(
            self._transaction.connection,
            "select json_group_array(json_array(key_high, key_low, number)) "  # noqa: S608 - constants
            f"from json_each($2) as wanted cross join {table} "
            "on repository_id = $1 and key_high = wanted.value",
            [self.state.id, [high for high, _ in map(halves, keys)]],
        )
        return {(high, low): number for high, low, number in json.loads(found)}

    def statements(self, subjects: Collection[int]) -> list[Statement]:
        return [Statement(*row) for row in self.rows("statements", list(subjects))]

    def insert(self, rows: Iterable[Row]) -> None:
        given = list(rows)
        if given and not self._transaction.stage(given):
            self.new_rows[type(given[0])] += given

    def delete_facts(self, subjects: Collection[int], kind: str | None = None) -> None:
        for table in fact_tables(kind) if subjects else ():
            self.facts_to_delete[table] += subjects

    def delete_numbered(self, events: Mapping[int, bytes], subjects: Mapping[int, bytes]) -> None:
        delete_rows(self, EventRow, number=events)
        delete_rows(self, SubjectRow, number=subjects)

    def delete_selected_events(self, selection: Selection) -> int:
        return self.change_rows("delete_selected_events", *selection.parameters)

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._transaction.rows(statement, [self.state.id, *parameters]) if self.is_stored else []

    def change_rows(self, statement: str, *parameters: object) -> int:
        if not self.is_stored:
            return 0
        return self._transaction.change(sql(statement, "sqlite"), [self.state.id, *parameters])

    def rename(self, name: Repository) -> bool:
        if name != self.state.repository and name in self._transaction.catalog.repositories:
            return False
        self._transaction.change(
            "update repositories set owner = $2, name = $3 where repository_id = $1",
            [self.state.id, name.owner, name.name],
        )
        self._former = self.state
        self.save(replace(self.state, repository=name))
        return True

    def delete_everything(self) -> None:
        for table in _ALL_TABLES:
            self._transaction.change(f"delete from {table} where repository_id = $1", [self.state.id])  # noqa: S608
        self.is_changed = self.is_deleted = True

    def save(self, state: KnownRepository) -> None:
        self.state = state
        self.is_changed = True

    def publish(self) -> None:
        """Update the catalog, after the commit."""
        catalog = self._transaction.catalog
        if self._former is not None and self._former.repository != self.state.repository:
            catalog.repositories.pop(self._former.repository, None)
        if self.is_deleted:
            catalog.remove(self.state)
        else:
            groups = [row for row in self.new_rows[GroupRow] if isinstance(row, GroupRow)]
            catalog.replace(
                self.state,
                {Group(row.base_ref, row.queue_name, row.priority_rule_name): row.group_id for row in groups},
            )


class SharedInSQLite:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._transaction.rows(statement, parameters)

    def change(self, statement: str, *parameters: object) -> int:
        return self._transaction.change(sql(statement, "sqlite"), parameters)


def insert(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    """Add rows of one type to a table."""
    columns = column_types(type(rows[0]))
    target = f"insert into {table} ({', '.join(columns)}) values "  # noqa: S608 - constants
    place = f"({', '.join('?' * len(columns))})"
    many = target + ", ".join([place] * _ROWS_AT_ONCE)
    whole = len(rows) // _ROWS_AT_ONCE * _ROWS_AT_ONCE
    for start in range(0, whole, _ROWS_AT_ONCE):
        connection.execute(many, list(chain.from_iterable(rows[start : start + _ROWS_AT_ONCE])))
    for row in rows[whole:]:
        connection.execute(target + place, row)
