"""What a client reads when the database fails during a request: 503 and what to do, never 500."""

from collections.abc import Iterator

import psycopg
import pytest

from builders import worked_example
from live_server import LiveServer, live_server
from logged_secrets import LOGGED
from postgres.server import new_store

_FAIL = """
create or replace function fail() returns trigger language plpgsql as
$$ begin raise exception 'worker-2.internal:5432 says no' using errcode = '{}'; end $$
"""


@pytest.fixture(scope="module")
def failing(
    tmp_path_factory: pytest.TempPathFactory, database_server: str
) -> Iterator[tuple[LiveServer, str]]:
    """A server on a database in which no event can be stored."""
    url = new_store(database_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_FAIL.format("XX000").encode())
        connection.execute("create trigger failing before insert on events execute function fail()")
    with live_server(tmp_path_factory.mktemp("data"), database_url=url) as live:
        yield live, url


@pytest.mark.parametrize(
    ("sqlstate", "detail"),
    [
        ("XX000", "the database could not do this now; try again in a moment"),
        ("53200", "the database could not do this now; try again in a moment"),
        ("57014", "the database could not do this now; try again in a moment"),
        ("25P02", "the database could not do this now; try again in a moment"),
        ("08006", "a part of the database does not answer; try again in a moment"),
        ("08001", "a part of the database does not answer; try again in a moment"),
        ("57P01", "the database cannot be reached; try again in a moment"),
        ("40P01", "the database is busy with another change; try again in a moment"),
        ("53100", "the disk of the database is full; nothing was stored"),
        ("25006", "the database accepts no changes now; try again in a moment"),
    ],
)
def test_a_request(failing: tuple[LiveServer, str], sqlstate: str, detail: str) -> None:
    live, url = failing
    before = len(LOGGED.getvalue())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_FAIL.format(sqlstate).encode())

    answer = live.send(worked_example())

    assert (503, detail, "5") == (
        answer.status_code,
        answer.json()["detail"],
        answer.headers["retry-after"],
    )
    is_logged = b"worker-2.internal:5432 says no" in LOGGED.getvalue()[before:]
    assert is_logged == ("could not" in detail or "a part" in detail)


def test_a_full_disk_is_no_reason_to_take_the_server_away(
    tmp_path_factory: pytest.TempPathFactory, database_server: str
) -> None:
    """It answers questions, and says that it is degraded until a delivery is stored again."""
    url = new_store(database_server)
    with (
        live_server(tmp_path_factory.mktemp("data"), database_url=url) as live,
        psycopg.connect(url, autocommit=True) as connection,
    ):
        connection.execute(_FAIL.format("53100").encode())
        connection.execute("create trigger failing before insert on events execute function fail()")
        live.send(worked_example())
        full = live.http.get("/readyz")
        connection.execute("drop trigger failing on events")
        live.send(worked_example()).raise_for_status()
        after = live.http.get("/readyz")

    reason = "the disk of the store is full: nothing can be stored until there is room"
    assert (200, {"status": "degraded", "reason": reason}) == (full.status_code, full.json())
    assert {"status": "ready"} == after.json()
