"""What the owning process knows without asking the database: repositories, groups, keys, counters.

Only the writer changes it, after a commit; an entry is replaced whole, so that other threads see
either the old or the new one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import duckdb

from mergecast.model.application_key import ApplicationKey
from mergecast.model.event import Group
from mergecast.model.repository import Repository
from mergecast.store.application_keys import read_application_keys


@dataclass(frozen=True, slots=True)
class KnownRepository:
    """A repository with events, a setting or snapshots. Every change of its events raises its version."""

    id: int
    repository: Repository
    version: int
    events: int = 0
    first_at: int | None = None  # no event, no first and last one
    last_at: int | None = None
    products: tuple[str, ...] | None = None  # not determined while never set
    snapshots: int = 0
    recordings: int = 0  # raised by every change of its snapshots, as long as the store is open

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left that makes it known."""
        return not self.events and not self.snapshots and self.products is None


@dataclass(slots=True)
class Counters:
    """The last value given out of each kind; none is ever given out twice."""

    version: int
    number: int
    repository_id: int
    group_id: int


@dataclass(slots=True)
class Catalog:
    counters: Counters
    repositories: dict[Repository, KnownRepository] = field(default_factory=dict)
    group_ids: dict[tuple[int, Group], int] = field(default_factory=dict)
    groups_of: dict[int, dict[int, Group]] = field(default_factory=dict)
    application_keys: dict[str, ApplicationKey] = field(default_factory=dict)

    def add_group(self, repository_id: int, group_id: int, group: Group) -> None:
        self.group_ids[repository_id, group] = group_id
        self.groups_of.setdefault(repository_id, {})[group_id] = group

    def forget(self, known: KnownRepository) -> None:
        self.repositories.pop(known.repository, None)
        for group in self.groups_of.pop(known.id, {}).values():
            self.group_ids.pop((known.id, group), None)

    def groups(self, repository_id: int, keep: Callable[[Group], bool]) -> dict[int, Group]:
        # A copy first: the writer may add a group meanwhile.
        known = list(self.groups_of.get(repository_id, {}).items())
        return {id: group for id, group in known if keep(group)}


def read_catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    (state,) = connection.execute(
        "select last_version, last_number, last_repository_id, last_group_id from store_state"
    ).fetchall()
    catalog = Catalog(Counters(*state), application_keys=read_application_keys(connection))
    products, snapshots = _read_products(connection), _count_snapshots(connection)
    for id, owner, name, *counts in connection.execute(
        "select repository_id, owner, name, version, events, first_at, last_at from repositories"
    ).fetchall():
        repository = Repository(owner, name)
        row = KnownRepository(id, repository, *counts)
        catalog.repositories[repository] = replace(
            row, products=products.get(id), snapshots=snapshots.get(id, 0)
        )
    groups: dict[int, dict[int, Group]] = {}
    for repository_id, group_id, *names in connection.execute(
        "select repository_id, group_id, base_ref, queue_name, priority_rule_name from groups"
    ).fetchall():
        groups.setdefault(repository_id, {})[group_id] = Group(*names)
    for repository_id, known in groups.items():
        catalog.groups_of[repository_id] = known
        catalog.group_ids.update({(repository_id, group): id for id, group in known.items()})
    return catalog


def _read_products(connection: duckdb.DuckDBPyConnection) -> dict[int, tuple[str, ...]]:
    rows = connection.execute("select repository_id, products from product_settings").fetchall()
    return {id: tuple(names.split(",")) if names else () for id, names in rows}


def _count_snapshots(connection: duckdb.DuckDBPyConnection) -> dict[int, int]:
    return dict(
        connection.execute("select repository_id, count(*) from snapshots group by repository_id").fetchall()
    )
