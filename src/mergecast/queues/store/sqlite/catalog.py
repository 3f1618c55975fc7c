"""What the owning process knows without asking the database: repositories, groups, keys and sessions.

Only the writer changes it, after a commit. An entry is replaced as a whole, so that other threads see either
the old or the new one.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.event import Group
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.rows import STATE_COLUMNS, state_from_row, state_to_row
from mergecast.queues.store.sqlite.connections import fetch
from mergecast.queues.store.sqlite.credentials import read_application_keys, read_sessions
from mergecast.queues.store.values import KnownRepository


@dataclass(slots=True)
class Catalog:
    identity: str  # of the store
    commits: int
    last_repository_id: int
    repositories: dict[Repository, KnownRepository] = field(default_factory=dict)
    group_ids: dict[int, dict[Group, int]] = field(default_factory=dict)  # by repository
    application_keys: dict[str, ApplicationKey] = field(default_factory=dict)
    sessions: dict[bytes, Session] = field(default_factory=dict)  # by digest

    def replace(self, known: KnownRepository, new_groups: dict[Group, int]) -> None:
        """To be called after a commit. A reader that sees the new version must also see its groups."""
        self.group_ids.setdefault(known.id, {}).update(new_groups)
        self.repositories[known.repository] = known

    def remove(self, known: KnownRepository) -> None:
        self.repositories.pop(known.repository, None)
        self.group_ids.pop(known.id, None)


def read_catalog(connection: sqlite3.Connection) -> Catalog:
    ((identity, commits, last_repository_id),) = fetch(
        connection, "select identity, commits, last_repository_id from store_state"
    )
    catalog = Catalog(
        identity,
        commits,
        last_repository_id,
        application_keys=read_application_keys(connection),
        sessions=read_sessions(connection),
    )
    for owner, name, *row in fetch(
        connection,
        f"select owner, name, {', '.join(STATE_COLUMNS)} "  # noqa: S608 - constants
        "from repositories join repository_state using (repository_id)",
    ):
        catalog.replace(state_from_row(Repository(owner, name), row), {})
    for repository_id, group_id, *names in fetch(
        connection, "select repository_id, group_id, base_ref, queue_name, priority_rule_name from groups"
    ):
        catalog.group_ids.setdefault(repository_id, {})[Group(*names)] = group_id
    return catalog


def save_states(connection: sqlite3.Connection, states: Iterable[KnownRepository]) -> None:
    """Write the state rows of repositories, new and old."""
    places = ", ".join("?" * len(STATE_COLUMNS))
    text = f"insert or replace into repository_state ({', '.join(STATE_COLUMNS)}) values ({places})"  # noqa: S608
    connection.executemany(text, map(state_to_row, states))
