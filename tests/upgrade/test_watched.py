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
from postgres.server import new_database
from prompt_alerts import prompt_alerts
from upgrade.dumps import restore_duckdb, restore_postgres
from upgrade.make_stores import WATCHED
from upgrade.watched import NOTICES, STUCK_AT, Clock, has_waiting, known, start_again
from waiting import wait_for

_TITLES = ("Alert ·", "Alert over ·")


@pytest.fixture
def clock() -> Clock:
    return Clock(STUCK_AT)


@pytest.fixture(params=["duckdb", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def upgraded(kind: str, clock: Clock, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    dump, data = tmp_path / "dump.sql", tmp_path / "data"
    dump.write_bytes(lzma.decompress((WATCHED / f"{kind}.sql.xz").read_bytes()))
    serving: dict[str, Any] = {"now": clock, "notices": NOTICES}
    data.mkdir()
    if kind == "postgres":
        serving["database_url"] = new_database(request.getfixturevalue("database_server"))
        restore_postgres(dump, serving["database_url"])
    else:
        restore_duckdb(dump, data / FILE_NAME)
    with prompt_alerts(), live_server(data, **serving) as server:
        yield server


def test_everything_that_warns_outlasts_an_upgrade(kind: str, upgraded: LiveServer, clock: Clock) -> None:
    kept = json.loads((WATCHED / f"{kind}.json").read_text(encoding="utf-8"))
    logged = len(LOGGED.getvalue())

    assert kept == known(upgraded)

    clock.now += HOUR
    upgraded.send(start_again(), "demo/tower").raise_for_status()
    wait_for([], lambda: _open_a_while_later(upgraded, clock))
    wait_for({"log": False, "slack": False}, lambda: has_waiting(upgraded))
    # Of the two alerts, one was never reported: it was too old when its message was due.
    wait_for([0, 1], lambda: [LOGGED.getvalue()[logged:].decode().count(title) for title in _TITLES])
    assert _compared(kept) == _compared(known(upgraded))


def _open_a_while_later(server: LiveServer, clock: Clock) -> list[str]:
    """The open alerts of the queue as it is now; one has ended when it was not measured for some minutes."""
    clock.now += 5 * MINUTE
    found = known(server)
    alerts = [alert for alert in found["alerts"] if alert not in _compared(found)]
    return [alert["figure"] for alert in alerts if alert["ended_at"] is None]


def _compared(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [alert for alert in found["alerts"] if alert["origin"] == "reference"]
