"""What the owning process knows without asking the database: repositories, groups, keys, counters.

Only the writer changes it, after a commit; an entry is replaced whole, so that other threads see
either the old or the new one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import duckdb

from mergecast.model.application_key import ApplicationKey
from mergecast.model.event import Group
from mergecast.model.repository import Repository
from mergecast.store.application_keys import read_application_keys


@dataclass(frozen=True, slots=True)
class KnownRepository:
    """A repository that has events or a product setting. Every change of its events raises its version."""

    id: int
    repository: Repository
    version: int
    events: int = 0
    first_at: int | None = None  # no event, no first and last one
    last_at: int | None = None
    products: tuple[str, ...] | None = None  # not determined while never set


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
    products = _read_products(connection)
    for id, owner, name, *rest in connection.execute(
        "select repository_id, owner, name, version, events, first_at, last_at from repositories"
    ).fetchall():
        repository = Repository(owner, name)
        catalog.repositories[repository] = KnownRepository(id, repository, *rest, products=products.get(id))
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
