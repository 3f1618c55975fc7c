"""On a Citus cluster every statement about one repository is one task on one machine."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from builders import worked_example
from live_server import live_server
from mergecast.queues.store.opening import distribute_database
from mergecast.queues.store.postgres.connections import statement_text
from postgres.citus import CLUSTER, NO_CLUSTER, empty_cluster
from postgres.parameters import FILES
from postgres.stores import Row

_SHARDS = (
    "select shardid, nodename, nodeport from citus_shards "
    "where table_name = 'repository_state'::regclass order by shardid"
)
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
    pytest.mark.skipif(CLUSTER is None, reason=NO_CLUSTER),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[psycopg.Connection]:
    url = empty_cluster()
    distribute_database(url)
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        yield connection


@pytest.mark.parametrize(
    "name", [name for name, parameters in FILES.items() if parameters.__name__ in _PARAMETERS]
)
def test_a_statement_is_one_task(cluster: psycopg.Connection, name: str) -> None:
    parameters = _PARAMETERS[FILES[name].__name__]
    plan = cluster.execute(f"explain {statement_text(name)}".encode(), list(parameters)).fetchall()

    assert any("Task Count: 1" in line for (line,) in plan), plan


def test_inserting_prepares_no_transaction(cluster: psycopg.Connection) -> None:
    """A worker that dies between two phases would leave acknowledged rows invisible."""
    assert [] == cluster.execute("select gid from pg_prepared_xacts").fetchall()


def test_a_rebalance_while_events_arrive(tmp_path: Path) -> None:
    """With the default transfer mode, which needs an identity of every row."""
    url = empty_cluster()
    distribute_database(url)
    sent = 12
    with live_server(tmp_path / "data", database_url=url) as live, ThreadPoolExecutor(1) as thread:
        for number in range(12):
            live.send(worked_example(), f"acme/r{number}").raise_for_status()
        moved = thread.submit(_unbalance_and_rebalance, url)
        while not moved.done():
            live.send(worked_example(), f"acme/r{sent % 12}").raise_for_status()
            sent += 1
        unbalanced, balanced = moved.result()
        listed = live.http.get("/v1/repos").json()["repositories"]

    assert unbalanced != balanced
    assert 12 * sent == sum(one["events"] for one in listed)


def _unbalance_and_rebalance(url: str) -> tuple[list[Row], list[Row]]:
    """Move four shards to another worker, then let Citus rebalance; returns where the shards were."""
    with psycopg.connect(url, autocommit=True) as connection:
        first = connection.execute(_SHARDS).fetchall()
        here = first[0][1:]
        there = next(node for _, *node in first if tuple(node) != here)
        for shard in [shard for shard, *node in first if tuple(node) == here][:4]:
            connection.execute(
                "select citus_move_shard_placement(%s, %s, %s, %s, %s)", [shard, *here, *there]
            )
        unbalanced = connection.execute(_SHARDS).fetchall()
        connection.execute("select citus_rebalance_start()")
        connection.execute("select citus_rebalance_wait()")
        return unbalanced, connection.execute(_SHARDS).fetchall()


def test_finding_a_repository_needs_no_worker(cluster: psycopg.Connection) -> None:
    """The coordinator finds it by its name; then one worker has its state."""
    found = cluster.execute("explain select repository_id from repositories where folded = 'a/b'").fetchall()
    state = cluster.execute("explain select version from repository_state where repository_id = 1").fetchall()

    assert not any("Citus" in line for (line,) in found), found
    assert any("Task Count: 1" in line for (line,) in state), state
