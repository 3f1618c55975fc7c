"""What the owning process knows without asking the database: repositories, groups, keys and sessions.

Only the writer changes it, after a commit. An entry is replaced as a whole, so that other threads see either
the old or the new one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import duckdb

from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.event import Group
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.duckdb.credentials import read_application_keys, read_sessions
from mergecast.queues.store.duckdb.statements import execute, parsed
from mergecast.queues.store.rows import STATE_COLUMNS, state_from_row, state_to_row
from mergecast.queues.store.values import KnownRepository


@dataclass(slots=True)
class Catalog:
    last_repository_id: int
    repositories: dict[Repository, KnownRepository] = field(default_factory=dict)
    group_ids: dict[int, dict[Group, int]] = field(default_factory=dict)  # by repository
    application_keys: dict[str, ApplicationKey] = field(default_factory=dict)
    sessions: dict[bytes, Session] = field(default_factory=dict)  # by digest
    events: int = 0  # of all repositories
    ci_checks: int = 0  # executions of CI checks of all repositories
    changes: int = 0  # odd while a commit is under way: the catalog may differ from what readers see

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Around a commit and the changes here that follow from it."""
        self.changes += 1
        try:
            yield
        finally:
            self.changes += 1

    def groups(self, repository_id: int) -> dict[int, Group]:
        # A copy first: the writer may add a group meanwhile.
        return {id: group for group, id in list(self.group_ids.get(repository_id, {}).items())}

    def replace(self, known: KnownRepository, new_groups: dict[Group, int]) -> None:
        """To be called after a commit. A reader that sees the new version must also see its groups."""
        self.group_ids.setdefault(known.id, {}).update(new_groups)
        before = self.repositories.get(known.repository)
        self.repositories[known.repository] = known
        self._count(known, 1)
        self._count(before, -1)

    def remove(self, known: KnownRepository) -> None:
        self.remove_name(known.repository)
        self.group_ids.pop(known.id, None)

    def remove_name(self, name: Repository) -> None:
        """Forget a name: its repository was deleted, or is already listed under another name."""
        before = self.repositories.pop(name, None)
        self._count(before, -1)

    def _count(self, known: KnownRepository | None, times: int) -> None:
        if known is not None:
            self.events += times * known.events
            self.ci_checks += times * known.ci_checks


def read_catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    ((last_repository_id,),) = execute(connection, "select last_repository_id from store_state").fetchall()
    catalog = Catalog(
        last_repository_id,
        application_keys=read_application_keys(connection),
        sessions=read_sessions(connection),
    )
    for owner, name, *row in execute(
        connection,
        f"select owner, name, {', '.join(STATE_COLUMNS)} "  # noqa: S608 - constants
        "from repositories join repository_state using (repository_id)",
    ).fetchall():
        repository = Repository(owner, name)
        catalog.replace(state_from_row(repository, row), {})
    for repository_id, group_id, *names in execute(
        connection, "select repository_id, group_id, base_ref, queue_name, priority_rule_name from groups"
    ).fetchall():
        catalog.group_ids.setdefault(repository_id, {})[Group(*names)] = group_id
    return catalog


_LISTED = ", ".join(STATE_COLUMNS)
_PLACES = {name: f"${place}" for place, name in enumerate(STATE_COLUMNS, start=1)}
_INSERT = f"insert into repository_state ({_LISTED}) values ({', '.join(_PLACES.values())})"  # noqa: S608
_UPDATE_MANY = (
    "update repository_state set "  # noqa: S608 - constants
    + ", ".join(f"{name} = changed.{name}" for name in list(_PLACES)[1:])
    + " from (select "
    + ", ".join(f"unnest({_PLACES[name]}::{type}[]) as {name}" for name, type in STATE_COLUMNS.items())
    + ") as changed where repository_state.repository_id = changed.repository_id"
)


def insert_states(connection: duckdb.DuckDBPyConnection, states: list[KnownRepository]) -> None:
    """Add the state rows of new repositories."""
    connection.executemany(parsed(connection, _INSERT), [state_to_row(state) for state in states])


def save_states(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, states: list[KnownRepository]
) -> None:
    """Replace the state rows of repositories.

    For one row, a statement without a join takes a third of the time, and each column that stays as it is
    makes it shorter.
    """
    if len(states) == 1:
        _save_changes(connection, catalog.repositories.get(states[0].repository), states[0])
    else:
        columns = zip(*map(state_to_row, states), strict=True)
        execute(connection, _UPDATE_MANY, [list(column) for column in columns])


def _save_changes(
    connection: duckdb.DuckDBPyConnection, before: KnownRepository | None, state: KnownRepository
) -> None:
    """Save the columns of a state that differ from those stored; all if the repository was renamed."""
    row = dict(zip(STATE_COLUMNS, state_to_row(state), strict=True))
    if before is not None and before.id == state.id:
        stored = dict(zip(STATE_COLUMNS, state_to_row(before), strict=True))
        row = {name: value for name, value in row.items() if value != stored[name]}
    if changes := {name: value for name, value in row.items() if name != "repository_id"}:
        places = ", ".join(f"{name} = ${place}" for place, name in enumerate(changes, start=2))
        update = f"update repository_state set {places} where repository_id = $1"  # noqa: S608 - constants
        execute(connection, update, [state.id, *changes.values()])
