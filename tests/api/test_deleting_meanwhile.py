"""Answers about a repository whose events are deleted at the same moment."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest

from builders import ended, entered, left, started
from live_server import LiveServer, live_server
from local_client import local_client

_ROUNDS = 8
_DAY = "2026-03-02T"
_PATHS = (
    *("summary", "queue", "thresholds", "badges/failure_rate.svg", "stats/queue_size", "pulls/1/history"),
    *("pulls/1/state", "verdicts", "changes", "report", "ci-checks", "stays", "alerts"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("deleting")) as live:
        yield live


def _events() -> list[dict[str, object]]:
    """A pull request that waits, and one that merged, each in its own queue."""
    return [
        entered(f"{_DAY}09:00:00Z", "a", 1, id="1"),
        entered(f"{_DAY}09:00:00Z", "b", 2, id="2", queue_name="hotfix"),
        started(f"{_DAY}10:00:00Z", "b", 2, "batch", [2], id="3", queue_name="hotfix"),
        ended(f"{_DAY}10:10:00Z", "b", 2, "batch", id="4", queue_name="hotfix"),
        left(f"{_DAY}10:10:00Z", "b", 2, id="5", queue_name="hotfix"),
    ]


@pytest.mark.parametrize("path", _PATHS)
def test_an_answer_is_of_one_moment(server: LiveServer, repository: str, path: str) -> None:
    """Before a deletion there are both queues, and after it the repository is not known: nothing between."""
    about, over = f"/v1/repos/{repository}", Signal()

    def ask(_: int) -> Counter[int]:
        found: Counter[int] = Counter()
        with local_client(server.url, headers=dict(server.http.headers)) as client:
            while not over.is_set():
                found[client.get(f"{about}/{path}").status_code] += 1
        return found

    server.send(_events(), repository).raise_for_status()
    assert server.http.get(f"{about}/{path}").status_code == 200
    with ThreadPoolExecutor() as pool:
        asking = [pool.submit(ask, number) for number in range(2)]
        try:
            for _ in range(_ROUNDS):
                server.send(_events(), repository).raise_for_status()
                server.http.delete(f"{about}/events", params={"source": "api"}).raise_for_status()
        finally:
            over.set()
        found = sum((one.result() for one in asking), Counter[int]())

    assert {200, 404} >= found.keys(), found
    assert found.total() > 0
