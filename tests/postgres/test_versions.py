"""Servers of different versions on one database."""

import asyncio
from pathlib import Path

import psycopg
import pytest

from mergecast import __version__
from mergecast.errors import Unavailable
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from postgres.server import new_database, new_store

WIDGETS = Repository("acme", "widgets")
_ENTERED = Event(
    "in", "queue_entered", 0, "main", "default", None, "api", session_id="stay", pull_request=1
)  # fmt: skip


@pytest.mark.server
def test_a_server_that_is_too_old_changes_nothing(tmp_path: Path, database_server: str) -> None:
    """A newer program has migrated the database while this server was running."""
    url = new_database(database_server)
    store = open_store(tmp_path, url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("insert into schema_migrations values (999, 999, '7.2.1')")

    with pytest.raises(Unavailable) as raised:
        asyncio.run(store.record(WIDGETS, [_ENTERED]))

    store.close()
    assert (
        f"the database was migrated by mergecast 7.2.1, and this server is {__version__}; update this server"
    ) == str(raised.value)
    with psycopg.connect(url) as connection:
        assert [(0,)] == connection.execute("select count(*) from events").fetchall()


@pytest.mark.server
def test_what_an_older_server_noted_is_found_after_the_next_change(
    tmp_path: Path, database_server: str
) -> None:
    """It writes the platform's id to the state of a repository alone."""
    url = new_store(database_server)
    store = open_store(tmp_path, url)
    asyncio.run(store.record(WIDGETS, [_ENTERED]))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("update repository_state set platform_id = 17, former_names = 'acme/gizmos'")

    asyncio.run(store.set_products(WIDGETS, ("merge_queue",)))

    (found,) = asyncio.run(store.repositories_with_platform_id(17))
    renamed = asyncio.run(store.repository_formerly_named(Repository("acme", "gizmos")))
    store.close()
    assert [WIDGETS, WIDGETS] == [found.repository, renamed and renamed.repository]


@pytest.mark.server
def test_a_name_without_a_repository_is_used_again(tmp_path: Path, database_server: str) -> None:
    """A coordinator stopped after a worker had deleted the repository, and before it deleted the name."""
    url = new_store(database_server)
    store = open_store(tmp_path, url)
    asyncio.run(store.record(WIDGETS, [_ENTERED]))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("delete from events")
        connection.execute("delete from repository_state")

    before = asyncio.run(store.repository(WIDGETS))
    forgotten = asyncio.run(store.forget(WIDGETS))
    receipt = asyncio.run(store.record(WIDGETS, [_ENTERED]))

    known = asyncio.run(store.repositories())
    store.close()
    assert (None, 0, 1) == (before, forgotten, receipt.stored)
    assert [(WIDGETS, 1)] == [(one.repository, one.events) for one in known]
