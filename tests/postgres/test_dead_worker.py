"""One worker of a cluster is down: its repositories cannot be answered, and all others can."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from builders import worked_example
from live_server import DAY, LiveServer, live_server
from postgres.workers import Cluster, imitated_workers, real_workers
from waiting import wait_for

_NAMES = [f"acme/r{number}" for number in range(12)]


@pytest.fixture(params=["imitated", "citus"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    with ExitStack() as stack:
        if request.param == "citus":
            yield stack.enter_context(real_workers())
        else:
            yield stack.enter_context(imitated_workers(request.getfixturevalue("database_server")))


def _ask(live: LiveServer, name: str) -> Any:
    return live.http.get(f"/v1/repos/{name}/stats/queues_merged_count", params=DAY)


def _status(live: LiveServer) -> tuple[int, object]:
    ready = live.http.get("/readyz")
    return ready.status_code, ready.json().get("status")


def test_the_repositories_of_other_workers_are_answered(cluster: Cluster, tmp_path: Path) -> None:
    with live_server(tmp_path / "data", database_url=cluster.url) as live:
        for name in _NAMES:
            live.send(worked_example(), name).raise_for_status()
        assert (200, "ready") == _status(live)

        cluster.stop_worker()

        answers = {name: _ask(live, name) for name in _NAMES}
        up = [name for name, answer in answers.items() if answer.status_code == 200]
        down = [name for name in _NAMES if name not in up]
        assert up
        assert down
        assert [503] * len(down) == [answers[name].status_code for name in down]
        assert {"5"} == {answers[name].headers["retry-after"] for name in down}
        # Citus reports a worker that has just died in several ways.
        assert all(answers[name].json()["detail"].endswith("; try again in a moment") for name in down)
        assert (200, "degraded") == _status(live)
        _changes_work(live, up)
        refused = [live.send(worked_example(), name) for name in down]
        assert [503] * len(down) == [answer.status_code for answer in refused]

        cluster.start_worker()

        wait_for((200, "ready"), lambda: _status(live), pause=0.1)
        assert [200] * len(_NAMES) == [_ask(live, name).status_code for name in _NAMES]


def _changes_work(live: LiveServer, up: list[str]) -> None:
    """What belongs to no repository, and what belongs to those that can be reached."""
    for name in up:
        assert {"stored": 12, "duplicates": 0} == live.send(worked_example(), name).json()
    new = [live.send(worked_example(), f"acme/new{number}").status_code for number in range(8)]
    assert {200, 503} >= set(new) > {503}
    assert 200 == live.ask(live.key()["key"], f"/v1/repos/{up[0]}/stats/queues").status_code
    assert 404 == _ask(live, "acme/unknown").status_code
    assert 200 == live.http.get("/metrics").status_code
