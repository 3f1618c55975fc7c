"""Servers of different versions on one database."""

import asyncio
from pathlib import Path

import psycopg
import pytest

from mergecast.errors import Unavailable
from mergecast.model.event import Event
from mergecast.model.repository import Repository
from mergecast.store.opening import open_store
from postgres.server import new_database

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
        connection.execute("insert into schema_migrations values (999, 999)")

    with pytest.raises(Unavailable) as raised:
        asyncio.run(store.record(WIDGETS, [_ENTERED]))

    store.close()
    assert "the database was migrated by a newer program; update this server" == str(raised.value)
    with psycopg.connect(url) as connection:
        assert [(0,)] == connection.execute("select count(*) from events").fetchall()
