"""What is open when a server is upgraded stays open, is not reported again, and is reported when it ends."""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from live_server import LiveServer, live_server
from logged_secrets import LOGGED
from mergecast.queues.model.instant import HOUR, MINUTE
from mergecast.queues.store.opening import FILE_NAME
from mergecast.signals.diagnosis.diagnosis import Diagnosis
from postgres.server import new_database
from upgrade.dumps import restore_duckdb, restore_postgres
from upgrade.make_stores import WATCHED
from upgrade.watched import NOTICES, STUCK_AT, Clock, has_waiting, known, start_again
from waiting import wait_for

_TITLES = ("Queue problem ·", "Queue problem solved ·")


@pytest.fixture
def clock() -> Clock:
    return Clock(STUCK_AT)


@pytest.fixture(params=["duckdb", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def upgraded(
    kind: str, clock: Clock, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LiveServer]:
    monkeypatch.setattr(Diagnosis, "look_seconds", 0.1)
    dump, data = tmp_path / "dump.sql", tmp_path / "data"
    dump.write_bytes(lzma.decompress((WATCHED / f"{kind}.sql.xz").read_bytes()))
    serving: dict[str, Any] = {"now": clock, "notices": NOTICES}
    data.mkdir()
    if kind == "postgres":
        serving["database_url"] = new_database(request.getfixturevalue("database_server"))
        restore_postgres(dump, serving["database_url"])
    else:
        restore_duckdb(dump, data / FILE_NAME)
    with live_server(data, **serving) as server:
        yield server


def test_everything_that_warns_outlasts_an_upgrade(kind: str, upgraded: LiveServer, clock: Clock) -> None:
    kept = json.loads((WATCHED / f"{kind}.json").read_text(encoding="utf-8"))
    logged = len(LOGGED.getvalue())

    assert kept == known(upgraded)

    clock.now += HOUR
    upgraded.send(start_again(), "demo/tower").raise_for_status()
    wait_for([], lambda: _open_a_while_later(upgraded, clock))
    wait_for({"log": False, "slack": False}, lambda: has_waiting(upgraded))
    # Of the two problems, one was never reported: it was too old when its message was due.
    wait_for([0, 1], lambda: [LOGGED.getvalue()[logged:].decode().count(title) for title in _TITLES])
    assert kept["alerts"] == known(upgraded)["alerts"]


def _open_a_while_later(server: LiveServer, clock: Clock) -> list[str]:
    """The problems that hold; one has ended when it was not measured for some minutes."""
    clock.now += 5 * MINUTE
    return [problem["name"] for problem in known(server)["problems"] if problem["ended_at"] is None]
