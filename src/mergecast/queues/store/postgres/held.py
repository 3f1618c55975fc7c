"""One repository during a transaction that has locked its state row."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from psycopg.errors import UniqueViolation

from mergecast import __version__
from mergecast.errors import Unavailable
from mergecast.queues.model.event import Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import SubjectName
from mergecast.queues.store.keys import halves
from mergecast.queues.store.postgres.connections import Connection, statement_text
from mergecast.queues.store.postgres.migrate import PROGRAM, has_citus
from mergecast.queues.store.rows import (
    STATE_COLUMNS,
    SUBJECT_COLUMNS,
    TABLES,
    EventRow,
    Row,
    SubjectRow,
    column_types,
    fact_tables,
    state_from_row,
    state_to_row,
)
from mergecast.queues.store.stored_rows import delete_rows
from mergecast.queues.store.values import KnownRepository, Selection

# Inserts rows into the tables of one repository.
#
# Plain PostgreSQL gets them by COPY, which takes half the CPU time. On Citus a COPY commits in two phases,
# and a machine that fails between the two would hide acknowledged rows for a while. So there an insert is
# joined to the state row: it stays on one machine and commits in one phase.


Insert = Callable[[Connection, Sequence[Row]], None]

_TYPES = {int: "bigint", str: "text", bool: "boolean", bytes: "bytea"}
_MARKS = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPES = str.maketrans(_MARKS)
_NULL = "\\N"


def copy_rows(connection: Connection, rows: Sequence[Row]) -> None:
    """Add rows of one type by COPY."""
    types = column_types(type(rows[0]))
    columns = zip(types.values(), zip(*rows, strict=True), strict=True)
    fields = [_as_text(type, values) for type, values in columns]
    lines = "\n".join(map("\t".join, zip(*fields, strict=True)))
    statement = f"copy {TABLES[type(rows[0])]} ({', '.join(types)}) from stdin"
    with connection.cursor() as cursor, cursor.copy(statement.encode()) as copy:
        copy.write(lines + "\n")


def insert_joined(connection: Connection, rows: Sequence[Row]) -> None:
    """Add rows of one type and one repository by an insert that one machine can commit alone."""
    columns = column_types(type(rows[0]))
    names = list(columns)[1:]  # the first is repository_id, which the state row gives
    arrays = ", ".join(f"${place}::{_TYPES[columns[name]]}[]" for place, name in enumerate(names, start=2))
    values = [list(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    connection.execute(
        f"insert into {TABLES[type(rows[0])]} (repository_id, {', '.join(names)}) "  # noqa: S608 - constants
        f"select state.repository_id, added.* from repository_state as state, unnest({arrays}) as added "
        "where state.repository_id = $1",
        [rows[0][0], *values],
    )


def insert_for(connection: Connection) -> Insert:
    """The way to insert rows into this database."""
    return insert_joined if has_citus(connection) else copy_rows


def array_of(numbers: Collection[int]) -> str:
    """Integers as an array parameter; the driver takes much longer to write a list."""
    return f"{{{','.join(map(str, numbers))}}}"


def _as_text(type: type, values: Sequence[Any]) -> list[str]:
    """The values of a column as COPY reads them."""
    if type is bytes:
        return [_NULL if value is None else f"\\\\x{value.hex()}" for value in values]
    if type is str and any(mark in "".join(filter(None, values)) for mark in _MARKS):
        return [_NULL if value is None else value.translate(_ESCAPES) for value in values]
    return [_NULL if value is None else str(value) for value in values]


DELETE_SECONDS = 600.0
_ALL_TABLES = (*TABLES.values(), "repository_state", "repositories")


def hold(
    connection: Connection, name: Repository, insert: Insert, now: int, *, create: bool
) -> "HeldInPostgres | None":
    """Lock the repository until the transaction ends; None if it does not exist and is not to be created."""
    while True:
        row = _find(connection, name)
        if row is None and not create:
            return None
        if row is None:
            _create(connection, name)
            continue
        id, owner, repository, *listed = row
        state = connection.execute(_LOCK_STATE, [id]).fetchone()
        if state is None:
            _finish_deletion(connection, id)
            continue
        if state[0] > PROGRAM:
            raise _outdated(connection)
        found = state_from_row(Repository(owner, repository), state[1:])
        return HeldInPostgres(connection, found, insert, now, tuple(listed))


def _outdated(connection: Connection) -> Unavailable:
    ((program,),) = connection.execute(
        "select program from schema_migrations order by number desc limit 1"
    ).fetchall()
    return Unavailable(
        f"the database was migrated by mergecast {program}, and this server is {__version__}; "
        "update this server"
    )


def _find(connection: Connection, name: Repository) -> tuple[Any, ...] | None:
    return connection.execute(
        "select repository_id, owner, name, platform_id, former_names from repositories where folded = $1",
        [str(name).lower()],
    ).fetchone()


def _finish_deletion(connection: Connection, repository_id: int) -> None:
    """Wait for the transaction that deleted the state of the repository, and delete a name that it left over.

    On Citus a worker commits before the coordinator does, which may stop in between.
    """
    connection.execute("delete from repositories where repository_id = $1", [repository_id])


def _create(connection: Connection, name: Repository) -> None:
    """Insert the repository, or wait for another transaction that is inserting it."""
    made = connection.execute(
        "insert into repositories (repository_id, owner, name, folded) "
        "values (nextval('repository_ids'), $1, $2, $3) on conflict (folded) do nothing "
        "returning repository_id",
        [name.owner, name.name, str(name).lower()],
    ).fetchone()
    if made is not None:
        state = KnownRepository(made[0], name)
        places = ", ".join(f"${place}" for place in range(1, len(STATE_COLUMNS) + 1))
        connection.execute(
            f"insert into repository_state ({', '.join(STATE_COLUMNS)}) values ({places})",  # noqa: S608
            state_to_row(state),
        )


_LOCK_STATE = (
    "select (select max(oldest_program) from schema_migrations), "  # noqa: S608 - constants
    f"{', '.join(STATE_COLUMNS)} from repository_state where repository_id = $1 for update"
)
_SAVE_STATE = (
    "update repository_state set "  # noqa: S608 - constants
    + ", ".join(f"{name} = ${place}" for place, name in enumerate(list(STATE_COLUMNS)[1:], start=2))
    + " where repository_id = $1"
)

_LISTED = [list(STATE_COLUMNS).index(name) for name in ("platform_id", "former_names")]


class HeldInPostgres:
    def __init__(
        self,
        connection: Connection,
        state: KnownRepository,
        insert: Insert,
        now: int,
        listed: tuple[Any, ...],
    ) -> None:
        self._connection = connection
        self._insert = insert
        self.now = now
        self._listed = listed  # the platform's id and the former names, by which the repository is found
        self.state = state
        self.is_saved = False
        self._stored: KnownRepository | None = state

    @property
    def shared(self) -> "SharedInPostgres":
        return SharedInPostgres(self._connection)

    def give_way(self) -> None:
        """Other repositories are changed by other transactions at the same time."""

    def groups(self) -> Mapping[Group, int]:
        rows = self._connection.execute(
            "select base_ref, queue_name, priority_rule_name, group_id from groups where repository_id = $1",
            [self.state.id],
        ).fetchall()
        return {Group(*names): group_id for *names, group_id in rows}

    def stored_events(self, keys: Collection[bytes]) -> dict[str, Event]:
        found = self._by_key("events", keys)
        rows = self.rows("stored_events", array_of(found.values())) if found else []
        return {event.id: event for event in (Event(*row) for row in rows)}

    def subject_numbers(self, keys: Mapping[SubjectName, bytes]) -> dict[SubjectName, int]:
        found = self._by_key("subjects", keys.values())
        pairs = ((name, found.get(halves(key))) for name, key in keys.items())
        return {name: number for name, number in pairs if number is not None}

    def _by_key(self, table: str, keys: Collection[bytes]) -> dict[tuple[int, int], int]:
        """The numbers of the rows with these keys."""
        if not keys:
            return {}
        high, low = zip(*map(halves, keys), strict=True)
        rows = self._connection.execute(
            f"select {table}.key_high, {table}.key_low, {table}.number from {table} "  # noqa: S608 - constants
            "join unnest($2::bigint[], $3::bigint[]) as wanted(high, low) "
            f"on {table}.key_high = wanted.high and {table}.key_low = wanted.low "
            f"where {table}.repository_id = $1",
            [self.state.id, array_of(high), array_of(low)],
        ).fetchall()
        return {(high, low): number for high, low, number in rows}

    def statements(self, subjects: Collection[int]) -> list[Statement]:
        return [Statement(*row) for row in self.rows("statements", array_of(subjects))]

    def insert(self, rows: Iterable[Row]) -> None:
        given = list(rows)
        if given:
            self._insert(self._connection, given)

    def delete_facts(self, subjects: Collection[int], kind: str | None = None) -> None:
        for table in fact_tables(kind) if subjects else ():
            matching = f"repository_id = $1 and {SUBJECT_COLUMNS[table]} = any($2::bigint[])"
            self._change(f"delete from {table} where {matching}", array_of(subjects))  # noqa: S608

    def delete_numbered(self, events: Mapping[int, bytes], subjects: Mapping[int, bytes]) -> None:
        delete_rows(self, EventRow, number=events)
        delete_rows(self, SubjectRow, number=subjects)

    def delete_selected_events(self, selection: Selection) -> int:
        return self.change_rows("delete_selected_events", *selection.parameters)

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement_text(statement), [self.state.id, *parameters]).fetchall()

    def change_rows(self, statement: str, *parameters: object) -> int:
        return self._change(statement_text(statement), *parameters)

    def rename(self, name: Repository) -> bool:
        try:
            with self._connection.transaction():
                self._connection.execute(
                    "update repositories set owner = $2, name = $3, folded = $4 where repository_id = $1",
                    [self.state.id, name.owner, name.name, str(name).lower()],
                )
        except UniqueViolation:
            return False
        self.save(replace(self.state, repository=name))
        return True

    def delete_everything(self) -> None:
        for table in _ALL_TABLES:
            self._change(f"delete from {table} where repository_id = $1")  # noqa: S608
        self._stored, self.is_saved = None, True

    def save(self, state: KnownRepository) -> None:
        self.state = state
        self.is_saved = True

    def write_state(self) -> None:
        """At the end of the transaction: a state may be saved several times, and is written once."""
        if self._stored is None:
            return
        row = state_to_row(self.state)
        if self._stored != self.state:
            self._connection.execute(_SAVE_STATE, row)
        wanted = tuple(row[place] for place in _LISTED)
        if self._listed != wanted:
            self._connection.execute(
                "update repositories set platform_id = $2, former_names = $3 where repository_id = $1",
                [self.state.id, *wanted],
            )

    def _change(self, text: str, *parameters: object) -> int:
        """Returns how many rows changed; the database may take minutes to delete a long history."""
        with self._connection.patient(DELETE_SECONDS):
            return self._connection.execute(text, [self.state.id, *parameters]).rowcount


class SharedInPostgres:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement_text(statement), parameters).fetchall()

    def change(self, statement: str, *parameters: object) -> int:
        return self._connection.execute(statement_text(statement), parameters).rowcount
