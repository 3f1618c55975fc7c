"""Stores of earlier versions, as `scripts/release` kept them, open with this one and answer as they did."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from live_server import LiveServer, live_server
from mergecast.queues.store.opening import FILE_NAME
from postgres.server import new_database
from upgrade.dumps import dump_duckdb, restore_duckdb, restore_postgres
from upgrade.history import NOW, REPOSITORIES, answers
from upgrade.make_stores import MOST_BYTES, STORES
from waiting import wait_until

VERSIONS = sorted(folder.name for folder in STORES.iterdir())


@pytest.fixture(params=["duckdb", "postgres"])
def upgraded(request: pytest.FixtureRequest, tmp_path: Path, version: str) -> Iterator[LiveServer]:
    """A server of this version on the store of an earlier one."""
    serving: dict[str, Any] = {"now": lambda: NOW}
    if request.param == "postgres":
        serving["database_url"] = new_database(request.getfixturevalue("database_server"))
        restore_postgres(STORES / version / "postgres.sql", serving["database_url"])
    else:
        restore_duckdb(STORES / version / "duckdb.sql", tmp_path / FILE_NAME)
    with live_server(tmp_path, **serving) as server:
        yield server


@pytest.mark.parametrize("version", VERSIONS)
def test_every_statistic_is_as_it_was(version: str, upgraded: LiveServer) -> None:
    """Before what was delivered is translated again, and after."""
    expected = json.loads((STORES / version / "answers.json").read_text(encoding="utf-8"))

    assert expected == answers(upgraded)
    wait_until(lambda: not _translating(upgraded), "translating again")
    assert expected == answers(upgraded)


def _translating(server: LiveServer) -> list[Any]:
    """The sources whose deliveries are being translated again."""
    paths = [f"/v1/repos/{repository}/sources" for repository in REPOSITORIES]
    sources = [source for path in paths for source in server.http.get(path).json()["sources"]]
    return [source for source in sources if source["translating"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_kept_store_is_small(version: str) -> None:
    files = sorted((STORES / version).iterdir())

    assert ["answers.json", "duckdb.sql", "postgres.sql"] == [file.name for file in files]
    assert [] == [file.name for file in files if file.stat().st_size > MOST_BYTES]


def test_a_store_as_text_is_the_store(tmp_path: Path) -> None:
    """Restoring a dump and dumping it again changes nothing."""
    kept = STORES / VERSIONS[0] / "duckdb.sql"
    restore_duckdb(kept, tmp_path / FILE_NAME)

    assert kept.read_text(encoding="utf-8") == dump_duckdb(tmp_path / FILE_NAME)
