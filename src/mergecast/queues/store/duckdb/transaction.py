"""One transaction of the writer: the repositories it holds, and what it is going to insert.

Inserts are collected and written together before the commit: a statement costs about a millisecond, however
few rows it inserts, and one commit may hold deliveries to many repositories.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np

from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.event import Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.rows import CiBlockSumRow, CiCheckRow, CiDaySumRow, CiRunRow
from mergecast.queues.store.duckdb.buckets import BUCKET_TABLES, MAIN, bucket_schema, create_buckets
from mergecast.queues.store.duckdb.catalog import Catalog, insert_states, save_states
from mergecast.queues.store.duckdb.key_index import KeyIndexes, RepositoryKeys
from mergecast.queues.store.duckdb.statements import execute, parsed
from mergecast.queues.store.duckdb.tail import Tail
from mergecast.queues.store.held_repository import SubjectName
from mergecast.queues.store.keys import joined
from mergecast.queues.store.rows import (
    SUBJECT_COLUMNS,
    TABLES,
    DeliveryRow,
    EventRow,
    GroupRow,
    Row,
    SubjectRow,
    VerdictRow,
    column_types,
    fact_tables,
)
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.stored_rows import delete_rows
from mergecast.queues.store.values import KnownRepository, Selection

_CHANGED_TABLE = re.compile(r"^(?:delete from|update) (\w+)", re.MULTILINE)
# Rows that would fill the tail: they go to the bucket of a repository that has one.
_LARGE = (DeliveryRow, CiCheckRow, CiRunRow, CiDaySumRow, CiBlockSumRow, VerdictRow)
_ALL_TABLES = tuple(f"main.{table}" for table in (*TABLES.values(), "repository_state", "repositories"))
_ROWS_AT_ONCE = 2_500  # other owners' small changes wait for no more
_FEW_ROWS = 8  # inserting this few as parameters is faster than with arrays
_DTYPES = {int: np.int64, bool: np.bool_}


def _go_on() -> None:
    """For a transaction that gives way to no other."""


class Transaction:
    """Used by the writer thread only. The catalog does not change before the commit."""

    def __init__(  # noqa: PLR0913 - what the writer thread works with
        self,
        connection: duckdb.DuckDBPyConnection,
        catalog: Catalog,
        indexes: KeyIndexes,
        tail: Tail,
        give_way: Callable[[], None] | None = None,
        *,
        now: int,
    ) -> None:
        self.connection = connection
        self.now = now
        self.give_way = give_way or _go_on
        self.catalog = catalog
        self.indexes = indexes
        self.tail = tail
        self.buckets = tail.buckets
        self._path = MAIN
        self._held: dict[Repository, HeldInDuckDB] = {}
        self._last_repository_id = catalog.last_repository_id
        self._keys: dict[str, ApplicationKey] | None = None
        self._sessions: dict[bytes, Session] | None = None
        self.is_bulk = False  # whether it has stored very many rows of one repository
        execute(connection, "begin")

    def hold(self, name: Repository) -> "HeldInDuckDB | None":
        """The repository, or None when it does not exist."""
        known = self.catalog.repositories.get(name)
        if known is not None and name not in self._held:
            self._held[name] = HeldInDuckDB(self, known)
        return self._held.get(name)

    def create_or_hold(self, name: Repository) -> "HeldInDuckDB":
        """The repository; a new one exists from its first saved state on."""
        held = self.hold(name)
        if held is None:
            self._last_repository_id += 1
            held = self._held[name] = HeldInDuckDB(self, KnownRepository(self._last_repository_id, name))
        return held

    def execute_in(self, path: str, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        """Run a statement of `queues/store/sql` under a search path."""
        if path != self._path:
            execute(self.connection, f"set search_path = '{path}'")
            self._path = path
        return execute(self.connection, sql(statement), parameters).fetchall()

    def application_keys(self) -> dict[str, ApplicationKey]:
        """A copy of the keys to change; the catalog gets it with the commit."""
        if self._keys is None:
            self._keys = dict(self.catalog.application_keys)
        return self._keys

    def sessions(self) -> dict[bytes, Session]:
        """A copy of the sessions to change; the catalog gets it with the commit."""
        if self._sessions is None:
            self._sessions = dict(self.catalog.sessions)
        return self._sessions

    def commit(self) -> None:
        """Make everything durable, then let the catalog and the indexes know."""
        changed = [held for held in self._held.values() if held.is_changed]
        created = self._write([held for held in changed if not held.is_deleted])
        with self.catalog.changing():
            self.buckets.commit(self.connection, created)
            self.catalog.last_repository_id = self._last_repository_id
            if self._keys is not None:
                self.catalog.application_keys = self._keys
            if self._sessions is not None:
                self.catalog.sessions = self._sessions
            self.is_bulk = any(held.is_bulk for held in changed)
            for held in changed:
                held.publish()
        self._held.clear()  # each refers to this object: only the garbage collector would free their rows

    def roll_back(self) -> None:
        self._held.clear()
        try:
            execute(self.connection, "rollback")
        except duckdb.Error:
            # A commit that failed has ended the transaction already.
            return

    def _write(self, changed: list["HeldInDuckDB"]) -> list[int]:
        """Returns the repositories whose bucket was created."""
        for table in SUBJECT_COLUMNS:
            lists = ((held.state.id, held.facts_to_delete[table]) for held in changed)
            subjects = {repository_id: listed for repository_id, listed in lists if listed}
            self.tail.delete_facts(self.connection, table, subjects)
        new = [held.state for held in changed if not held.is_stored]
        if new:
            self._create(new)
        created = [held.state.id for held in changed if held.needs_bucket]
        create_buckets(self.connection, created)
        self._insert_rows(changed)
        if old := [held.state for held in changed if held.is_stored]:
            save_states(self.connection, self.catalog, old)
        return created

    def _create(self, states: list[KnownRepository]) -> None:
        insertion = "insert into repositories (repository_id, owner, name) values ($1, $2, $3)"
        self.connection.executemany(
            parsed(self.connection, insertion),
            [[state.id, state.repository.owner, state.repository.name] for state in states],
        )
        insert_states(self.connection, states)
        execute(self.connection, "update store_state set last_repository_id = $1", [self._last_repository_id])

    def _insert_rows(self, changed: list["HeldInDuckDB"]) -> None:
        """Rows of all repositories go to the tail together; many rows of one go to its bucket at once."""
        tail: defaultdict[type[Row], list[Row]] = defaultdict(list)
        for held in changed:
            for row_type, rows in held.new_rows.items():
                if not rows:
                    continue
                if held.is_direct(row_type):
                    for start in range(0, len(rows), _ROWS_AT_ONCE):
                        chunk = rows[start : start + _ROWS_AT_ONCE]
                        insert(self.connection, chunk, bucket_schema(held.state.id))
                        self.give_way()
                else:
                    tail[row_type] += rows
        for rows in tail.values():
            insert(self.connection, rows)


class HeldInDuckDB:
    """A repository during a transaction of the writer thread, the only one that changes anything."""

    def __init__(self, transaction: Transaction, known: KnownRepository) -> None:
        self._transaction = transaction
        self._connection = transaction.connection
        self.state = known
        self.is_changed = False
        self.is_deleted = False
        self.new_rows: defaultdict[type[Row], list[Row]] = defaultdict(list)
        self.facts_to_delete: defaultdict[str, list[int]] = defaultdict(list)  # subjects, by table
        self._lost_events = False
        self._gone_events: list[bytes] = []  # keys of events and subjects that were deleted by their numbers
        self._gone_subjects: list[bytes] = []
        self._former: KnownRepository | None = None  # before a rename

    @property
    def now(self) -> int:
        return self._transaction.now

    @property
    def shared(self) -> "SharedInDuckDB":
        return SharedInDuckDB(self._transaction)

    @property
    def is_stored(self) -> bool:
        """A new repository has no rows and no bucket."""
        return self._former is not None or self.state.repository in self._transaction.catalog.repositories

    def give_way(self) -> None:
        self._transaction.give_way()

    def groups(self) -> Mapping[Group, int]:
        return self._transaction.catalog.group_ids.get(self.state.id, {})

    def stored_events(self, keys: Collection[bytes]) -> dict[str, Event]:
        found = self._index().events.find(list(keys))
        numbers = [number for number in found if number is not None]
        rows = self.rows("stored_events", numbers) if numbers else []
        return {event.id: event for event in (Event(*row) for row in rows)}

    def subject_numbers(self, keys: Mapping[SubjectName, bytes]) -> dict[SubjectName, int]:
        found = self._index().subjects.find(list(keys.values()))
        return {name: number for name, number in zip(keys, found, strict=True) if number is not None}

    def statements(self, subjects: Collection[int]) -> list[Statement]:
        return [Statement(*row) for row in self.rows("statements", list(subjects))]

    def insert(self, rows: Iterable[Row]) -> None:
        if given := list(rows):
            self.new_rows[type(given[0])] += given

    def delete_facts(self, subjects: Collection[int], kind: str | None = None) -> None:
        for table in fact_tables(kind):
            self.facts_to_delete[table] += subjects

    def delete_numbered(self, events: Mapping[int, bytes], subjects: Mapping[int, bytes]) -> None:
        delete_rows(self, EventRow, number=events)
        delete_rows(self, SubjectRow, number=subjects)
        self._gone_events += events.values()
        self._gone_subjects += subjects.values()

    def delete_selected_events(self, selection: Selection) -> int:
        self._lost_events = True
        return self.change_rows("delete_selected_events", *selection.parameters)

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        if not self.is_stored:
            return []
        path = self._transaction.buckets.path(self.state.id)
        return self._transaction.execute_in(path, statement, [self.state.id, *parameters])

    def change_rows(self, statement: str, *parameters: object) -> int:
        """Changes rows in the tail and in the bucket, if the table has both."""
        changed = _CHANGED_TABLE.search(sql(statement))
        is_in_buckets = changed is not None and changed[1] in BUCKET_TABLES
        # Other tables are found under the search path of reads too, and changing the path costs a statement.
        paths = [self._transaction.buckets.path(self.state.id)]
        if is_in_buckets and self._has_bucket:
            paths = [MAIN, f"{bucket_schema(self.state.id)},main"]
        rows = 0
        for path in paths if self.is_stored else ():
            ((more,),) = self._transaction.execute_in(path, statement, [self.state.id, *parameters])
            rows += more
        return rows

    def rename(self, name: Repository) -> bool:
        if name != self.state.repository and name in self._transaction.catalog.repositories:
            return False
        execute(
            self._connection,
            "update main.repositories set owner = $2, name = $3 where repository_id = $1",
            [self.state.id, name.owner, name.name],
        )
        self._former = self.state
        self.save(replace(self.state, repository=name))
        return True

    def delete_everything(self) -> None:
        bucket = bucket_schema(self.state.id)
        settled = [f"{bucket}.{table}" for table in BUCKET_TABLES] if self._has_bucket else []
        for table in (*_ALL_TABLES, *settled):
            execute(self._connection, f"delete from {table} where repository_id = $1", [self.state.id])  # noqa: S608
        self.is_changed = self.is_deleted = True

    def save(self, state: KnownRepository) -> None:
        self.state = state
        self.is_changed = True

    @property
    def is_bulk(self) -> bool:
        """Whether there are so many new rows that they go to the bucket at once."""
        return not self._transaction.tail.takes(len(self.new_rows.get(EventRow, ())))

    def is_direct(self, row_type: type[Row]) -> bool:
        """Whether new rows of this type go to the bucket."""
        if row_type in _LARGE:
            return self.is_bulk or not self._takes_deliveries
        return self.is_bulk and TABLES[row_type] in BUCKET_TABLES

    @property
    def needs_bucket(self) -> bool:
        """Whether new rows go to a bucket that does not exist."""
        has_direct = any(rows and self.is_direct(row_type) for row_type, rows in self.new_rows.items())
        return has_direct and not self._has_bucket

    @property
    def _takes_deliveries(self) -> bool:
        large = self.state.deliveries + self.state.ci_checks
        return self._transaction.tail.takes_deliveries(self.state.id, large)

    @property
    def _has_bucket(self) -> bool:
        return self._transaction.buckets.has(self.state.id)

    def publish(self) -> None:
        """Update the catalog and the indexes, after the commit."""
        catalog, indexes = self._transaction.catalog, self._transaction.indexes
        if self.is_deleted or self._lost_events:
            indexes.drop(self.state.id)
        else:  # new keys come last: an event that replaces another one may have the same
            indexes.discard(self.state.id, self._gone_events, self._gone_subjects)
            if self.new_rows[SubjectRow] or self.new_rows[EventRow]:
                keys = self._index()
                keys.events.add(_keys(self.new_rows[EventRow]))
                keys.subjects.add(_keys(self.new_rows[SubjectRow]))
        if self.new_rows[EventRow] and not self.is_deleted:
            self._note_place(len(self.new_rows[EventRow]))
        if self.is_deleted:
            catalog.remove(self.state)
        else:
            catalog.replace(self.state, _group_ids(self.new_rows[GroupRow]))
        if self._former is not None and self._former.repository != self.state.repository:
            catalog.remove_name(self._former.repository)

    def _note_place(self, rows: int) -> None:
        tail = self._transaction.tail
        if self.is_bulk:
            tail.note_settled(self.state.id, self.state.last_subject)
        else:
            tail.add(self.state.id, rows)

    def _index(self) -> RepositoryKeys:
        indexes = self._transaction.indexes
        if not self.is_stored:
            return indexes.of_new(self.state.id)
        schemas = [MAIN, bucket_schema(self.state.id)] if self._has_bucket else [MAIN]
        return indexes.of(self._connection, self.state.id, schemas)


class SharedInDuckDB:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._transaction.execute_in(MAIN, statement, parameters)

    def change(self, statement: str, *parameters: object) -> int:
        ((changed,),) = self.rows(statement, *parameters)
        return int(changed)


def _keys(rows: Iterable[Row]) -> Iterator[tuple[bytes, int]]:
    """The keys and numbers of new events or subjects."""
    for row in rows:
        if isinstance(row, (EventRow, SubjectRow)):
            yield joined(row.key_high, row.key_low), row.number


def _group_ids(rows: Iterable[Row]) -> dict[Group, int]:
    return {
        Group(row.base_ref, row.queue_name, row.priority_rule_name): row.group_id
        for row in rows
        if isinstance(row, GroupRow)
    }


def insert(connection: duckdb.DuckDBPyConnection, rows: Sequence[Row], schema: str = "main") -> None:
    """Append rows of one type to their table."""
    row_type: type[Row] = type(rows[0])
    types = column_types(row_type)
    names = ", ".join(types)
    target = f"insert into {schema}.{TABLES[row_type]} ({names})"
    if len(rows) <= _FEW_ROWS:
        places = ", ".join([f"({', '.join('?' * len(types))})"] * len(rows))
        execute(connection, f"{target} values {places}", [value for row in rows for value in row])
        return
    arrays: dict[str, object] = {"place": np.arange(len(rows))}
    chosen: list[str] = []
    constants: list[object] = []
    for (name, kind), values in zip(types.items(), zip(*rows, strict=True), strict=True):
        if values[0] == values[-1] and values.count(values[0]) == len(values):
            # Many columns have one value in all rows of an import; the database repeats it much faster.
            constants.append(values[0])
            chosen.append(f"${len(constants)}")
        else:
            arrays[name] = _array(kind, values)
            chosen.append(name)
    connection.register("new_rows", arrays)
    execute(connection, f"{target} select {', '.join(chosen)} from new_rows", constants)  # noqa: S608 - constants
    connection.unregister("new_rows")


def _array(type: type, values: tuple[object, ...]) -> object:
    if type in (str, bytes):
        return np.array(values, dtype=object)
    if None not in values:
        return np.array(values, dtype=_DTYPES[type])
    mask = [value is None for value in values]
    return np.ma.array([value or 0 for value in values], mask=mask, dtype=_DTYPES[type])
