"""What the owning process knows without asking the database: repositories, groups and application keys.

Only the writer changes it, after a commit. An entry is replaced as a whole, so that other threads see either
the old or the new one.
"""

from dataclasses import dataclass, field

import duckdb

from mergecast.model.application_key import ApplicationKey
from mergecast.model.event import Group
from mergecast.model.repository import Repository
from mergecast.store.duckdb.application_keys import read_application_keys
from mergecast.store.values import KnownRepository


@dataclass(slots=True)
class Catalog:
    last_repository_id: int
    repositories: dict[Repository, KnownRepository] = field(default_factory=dict)
    group_ids: dict[int, dict[Group, int]] = field(default_factory=dict)  # by repository
    application_keys: dict[str, ApplicationKey] = field(default_factory=dict)

    def groups(self, repository_id: int) -> dict[int, Group]:
        # A copy first: the writer may add a group meanwhile.
        return {id: group for group, id in list(self.group_ids.get(repository_id, {}).items())}

    def replace(self, known: KnownRepository, new_groups: dict[Group, int]) -> None:
        """After a commit. Whoever sees the new version must be able to see the groups that belong to it."""
        self.group_ids.setdefault(known.id, {}).update(new_groups)
        self.repositories[known.repository] = known

    def remove(self, known: KnownRepository) -> None:
        self.repositories.pop(known.repository, None)
        self.group_ids.pop(known.id, None)


def read_catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    ((last_repository_id,),) = connection.execute("select last_repository_id from store_state").fetchall()
    catalog = Catalog(last_repository_id, application_keys=read_application_keys(connection))
    for id, owner, name, products, *numbers in connection.execute(
        "select repository_id, owner, name, products, version, events, first_at, last_at, snapshots, "
        "recordings, last_event, last_subject, last_group "
        "from repositories join repository_state using (repository_id)"
    ).fetchall():
        version, events, first_at, last_at, *counts = numbers
        repository = Repository(owner, name)
        catalog.repositories[repository] = KnownRepository(
            id, repository, version, events, first_at, last_at, _products(products), *counts
        )
    for repository_id, group_id, *names in connection.execute(
        "select repository_id, group_id, base_ref, queue_name, priority_rule_name from groups"
    ).fetchall():
        catalog.group_ids.setdefault(repository_id, {})[Group(*names)] = group_id
    return catalog


def _products(names: str | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    return tuple(names.split(",")) if names else ()


_STATE_COLUMNS = {
    "repository_id": "integer", "version": "bigint", "events": "bigint", "first_at": "bigint",
    "last_at": "bigint", "products": "text", "snapshots": "bigint", "recordings": "bigint",
    "last_event": "bigint", "last_subject": "bigint", "last_group": "integer",
}  # fmt: skip
_PLACES = {name: f"${place}" for place, name in enumerate(_STATE_COLUMNS, start=1)}
_INSERT = f"insert into repository_state ({', '.join(_PLACES)}) values ({', '.join(_PLACES.values())})"  # noqa: S608
_UPDATE_ONE = (
    "update repository_state set "  # noqa: S608 - constants
    + ", ".join(f"{name} = {place}" for name, place in list(_PLACES.items())[1:])
    + " where repository_id = $1"
)
_UPDATE_MANY = (
    "update repository_state set "  # noqa: S608 - constants
    + ", ".join(f"{name} = changed.{name}" for name in list(_PLACES)[1:])
    + " from (select "
    + ", ".join(f"unnest({_PLACES[name]}::{type}[]) as {name}" for name, type in _STATE_COLUMNS.items())
    + ") as changed where repository_state.repository_id = changed.repository_id"
)


def insert_states(connection: duckdb.DuckDBPyConnection, states: list[KnownRepository]) -> None:
    """Add the state rows of new repositories."""
    connection.executemany(_INSERT, [_row(state) for state in states])


def save_states(connection: duckdb.DuckDBPyConnection, states: list[KnownRepository]) -> None:
    """Replace the state rows of repositories.

    For one row, a statement without a join takes a third of the time.
    """
    if len(states) == 1:
        connection.execute(_UPDATE_ONE, _row(states[0]))
    else:
        connection.execute(_UPDATE_MANY, [list(column) for column in zip(*map(_row, states), strict=True)])


def _row(state: KnownRepository) -> list[object]:
    products = None if state.products is None else ",".join(state.products)
    return [
        state.id, state.version, state.events, state.first_at, state.last_at, products, state.snapshots,
        state.recordings, state.last_event, state.last_subject, state.last_group,
    ]  # fmt: skip
