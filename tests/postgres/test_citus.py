"""On a Citus cluster every statement about one repository is one task on one machine."""

import os
from collections.abc import Iterator

import psycopg
import pytest

from mergecast.store.opening import distribute_database
from mergecast.store.postgres.connections import statement
from postgres.parameters import FILES

_URL = os.environ.get("MERGECAST_TEST_CITUS_URL")
_WINDOW: list[object] = [1, 0, 1 << 50, [1, 2]]
_PARAMETERS: dict[str, list[object]] = {
    "by_window": _WINDOW,
    "by_interval": [*_WINDOW, 60_000_000, 0],
    "observed": [*_WINDOW, 60_000_000, 0],
    "by_selection": [1, None, None, None],
    "by_repository": [1],
    "by_page": [1, 0, 10, 10],
    "by_number": [1, 1],
    "by_numbers": [1, [1, 2]],
    "by_instant": [1, 1 << 50],
    "by_stays": [1, 1 << 50, [1, 2]],
}

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not _URL, reason="MERGECAST_TEST_CITUS_URL is not set: it names a Citus database"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[psycopg.Connection]:
    assert _URL is not None
    distribute_database(_URL)
    with psycopg.connect(_URL, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        yield connection


@pytest.mark.parametrize(
    "name", [name for name, parameters in FILES.items() if parameters.__name__ in _PARAMETERS]
)
def test_a_statement_is_one_task(cluster: psycopg.Connection, name: str) -> None:
    parameters = _PARAMETERS[FILES[name].__name__]
    plan = cluster.execute(f"explain {statement(name)}".encode(), list(parameters)).fetchall()

    assert any("Task Count: 1" in line for (line,) in plan), plan


def test_inserting_prepares_no_transaction(cluster: psycopg.Connection) -> None:
    """A worker that dies between two phases would leave acknowledged rows invisible."""
    assert [] == cluster.execute("select gid from pg_prepared_xacts").fetchall()
