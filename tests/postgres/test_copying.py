"""`mergecast store copy` moves a store between any two places, and says so only if both answer the same."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from builders import worked_example
from cli.program import mergecast
from live_server import live_server
from mergecast.process.data_folder import DataFolder
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    GitHubAppRow,
    add_added_source,
    add_github_app,
    read_added_sources,
    read_github_apps,
)
from mergecast.queues.store.audit_rows import all_audit_lines
from mergecast.queues.store.channel_rows import read_channels
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from postgres.server import new_database

WIDGETS = Repository("acme", "widgets")
_URL = "https://api.github.com"
_APP = GitHubAppRow("7", "mergecast-acme", "acme", _URL, "sealed", True, '["acme"]', 1)
_ADDED = AddedSourceRow("a", "github", "acme/web", "acme", "web", _URL, "", "7", 1, "operator", 2)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A data folder with events, products, a snapshot, a key, a channel, an added source and an app."""
    folder = tmp_path / "filled"
    with live_server(folder) as server:
        server.send(worked_example()).raise_for_status()
        server.send(worked_example(), "acme/gadgets").raise_for_status()
        server.http.put("/v1/repos/acme/widgets/products", json={"products": ["merge_queue"]})
        server.key()
        channel = {"kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/x"}
        server.http.post("/v1/owners/acme/channels", json=channel).raise_for_status()
        asyncio.run(_add_sources(server.store))
    return folder


async def _add_sources(store: Store) -> None:
    await add_github_app(store, _APP)
    await add_added_source(store, _ADDED)


def _inspected(folder: Path, url: str | None) -> Any:
    async def inspect(store: Store) -> Any:
        known = await store.repository(WIDGETS)
        assert known is not None
        keys = await store.application_keys()
        channels = [(channel.owner, channel.kind) for channel in await read_channels(store)]
        lines = [json.loads(line.document)["event"] async for page in all_audit_lines(store) for line in page]
        assert ([_ADDED], [_APP]) == (await read_added_sources(store), await read_github_apps(store))
        return known.events, known.products, [key.name for key in keys.values()], channels, lines

    store = open_store(folder, url)
    try:
        return asyncio.run(inspect(store))
    finally:
        store.close()


def test_from_a_folder_to_a_database_and_back(filled: Path, tmp_path: Path, database_server: str) -> None:
    """Events, products, keys, channels, sources and audit lines arrive, and a second run adds nothing."""
    url = new_database(database_server)

    first = mergecast("store", "copy", "--to", url, data=filled)
    again = mergecast("store", "copy", "--to", url, data=filled)

    expected = "copied 24 events of 2 repositories; the copy has the same events and gives the same answers\n"
    assert (0, expected) == (first.code, first.out)
    assert (0, expected) == (again.code, again.out)
    lines = ["channel created", "key created", "products changed"]
    everything = (12, ("merge_queue",), ["a test"], [("acme", "slack")], lines)
    assert everything == _inspected(tmp_path, url)
    back = tmp_path / "back"
    assert (
        0 == mergecast("store", "copy", "--to", back, data=tmp_path / "no", MERGECAST_DATABASE_URL=url).code
    )
    assert everything == _inspected(back, None)


def test_there_is_nothing_to_copy(tmp_path: Path, database_server: str) -> None:
    """A folder without a store is named, and nothing is created."""
    url = new_database(database_server)
    folder = tmp_path / "none"

    ended = mergecast("store", "copy", "--to", url, data=folder)

    assert 1 == ended.code
    assert ended.err.startswith("mergecast: there is no store in")


def test_a_store_in_use_is_not_copied(tmp_path: Path, database_server: str) -> None:
    """The server of the store must be stopped first."""
    with live_server(tmp_path / "live") as server:
        server.send(worked_example()).raise_for_status()
        with holding(tmp_path / "live"):
            ended = mergecast("store", "copy", "--to", new_database(database_server), data=tmp_path / "live")

    assert 1 == ended.code
    assert ended.err.endswith("is in use; stop its server first\n")


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Own the data folder as a running server does."""
    owned = DataFolder(folder)
    assert owned.take()
    try:
        yield
    finally:
        owned.release()
