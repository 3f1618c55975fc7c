"""While nothing listens at the address of the database, every request is refused at once."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from builders import worked_example
from live_server import LiveServer, live_server
from mergecast.queues.store.postgres import connections
from postgres.server import DatabaseProcess, database_process, new_database, new_store
from waiting import wait_for

_REFUSED = (503, "the database cannot be reached; try again in a moment")
_PATHS = ("/readyz", "/v1/repos", "/v1/keys", "/v1/repos/acme/widgets/events")


@pytest.fixture
def database(database_server: str) -> Iterator[DatabaseProcess]:  # noqa: ARG001 - skips where there is none
    with database_process() as process:
        yield process


def _answers(server: LiveServer) -> set[tuple[int, str]]:
    answers = [server.http.get(path) for path in _PATHS]
    answers.append(server.send(worked_example()))
    assert all("retry-after" in one.headers for one in answers)
    return {(one.status_code, one.json()["detail"]) for one in answers}


def test_requests_are_refused_at_once_and_the_reason_is_logged_once(
    database: DatabaseProcess,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A request that waited for a connection would not end in this test."""
    monkeypatch.setattr(connections, "POOL_SECONDS", 3600.0)
    with live_server(tmp_path, database_url=new_store(database.address)) as server:
        events = worked_example()
        server.send(events).raise_for_status()
        database.stop()
        refused = [_answers(server) for _ in range(20)]
        database.start()
        wait_for(200, lambda: server.http.get("/readyz").status_code)
        stored = server.send(events).json()
    logged = capfd.readouterr().err

    assert [{_REFUSED}] * 20 == refused
    assert {"stored": 0, "duplicates": len(events)}.items() <= stored.items()
    lines = [json.loads(line) for line in logged.splitlines()]
    about = [line for line in lines if line["event"].startswith(("the database can", "error connecting"))]
    assert ["the database cannot be reached", "the database can be reached again"] == [
        line["event"] for line in about
    ]
    # What the database says depends on how far it had stopped: refused, shutting down, or closed.
    assert re.match(
        r'connection failed: connection to server at "127.0.0.1", port \d+ failed: .', about[0]["error"]
    )


def test_a_limit_on_connections_refuses_no_request(database_server: str, tmp_path: Path) -> None:
    """Those that the database accepted are used in turn."""
    url = new_database(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop role if exists modest")
        connection.execute("create role modest login connection limit 3")
        connection.execute(f"alter database {connection.info.dbname} owner to modest".encode())
        connection.execute("grant create on schema public to modest")
    url = url.replace("tester@", "modest@")
    with live_server(tmp_path, database_url=url) as server, ThreadPoolExecutor(20) as threads:
        asked = ["/v1/repos", "/v1/keys", "/readyz"] * 40
        statuses = set(threads.map(lambda path: server.http.get(path).status_code, asked))

    assert {200} == statuses
