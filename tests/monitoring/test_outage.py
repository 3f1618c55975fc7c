"""The store stops for a while: no receiver hears that a stuck queue has recovered."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from live_server import TOKEN, LiveServer, live_server
from local_http import LocalServer, Reply
from mergecast.queues.model.repository import Repository
from monitoring.programs import Prometheus, monitoring, why_not
from monitoring.troubled_queue import BAD, add_problem, waiting_for_hours
from postgres.server import DatabaseProcess, database_process
from postgres.server import why_not as why_no_database
from waiting import wait_until

_WHY_NOT = why_not() or why_no_database()
# As many as there are in five minutes, at the interval of 30 seconds in `prometheus.yml`.
_SCRAPES = 10

pytestmark = [pytest.mark.server, pytest.mark.skipif(_WHY_NOT is not None, reason=_WHY_NOT or "")]


@dataclass(frozen=True)
class Watched:
    database: DatabaseProcess
    server: LiveServer
    prometheus: Prometheus
    receiver: LocalServer

    def received(self, status: str) -> set[str]:
        """The names of alerts that the receiver has got, firing or resolved."""
        alerts = [alert for asked in list(self.receiver.asked) for alert in json.loads(asked.body)["alerts"]]
        return {alert["labels"]["alertname"] for alert in alerts if alert["status"] == status}

    def wait_for(self, status: str, name: str) -> None:
        wait_until(lambda: name in self.received(status), f"{name} {status}")

    def count_failed_scrapes(self) -> float:
        scrapes = 'up{job="mergecast-queues"}[1h]'
        found = self.prometheus.ask(f"count_over_time({scrapes}) - sum_over_time({scrapes})")
        return float(found[0]["value"][1])


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A server on a database of its own, with a queue that is stuck."""
    with (
        database_process() as database,
        LocalServer(lambda _: Reply(200)) as receiver,
        live_server(tmp_path / "data", database_url=database.address) as server,
    ):
        server.send(waiting_for_hours(), BAD).raise_for_status()
        asyncio.run(server.store.change(Repository(*BAD.split("/")), add_problem, create=False))
        with monitoring(tmp_path, server.url, TOKEN, receiver.url) as prometheus:
            yield Watched(database, server, prometheus, receiver)


def test_an_outage_of_the_store_ends_no_alert(watched: Watched) -> None:
    """The receiver hears that the server fails, and that it is well again; the queue is stuck all along."""
    for name in ("MergeQueueStuck", "MergeQueueProblem"):
        watched.wait_for("firing", name)
    before = watched.count_failed_scrapes()

    watched.database.stop()
    watched.wait_for("firing", "MergecastNotReady")
    wait_until(lambda: watched.count_failed_scrapes() >= before + _SCRAPES, "failed scrapes")
    during = _firing(watched.prometheus)
    metrics = watched.server.http.get("/metrics")
    watched.database.start()
    watched.wait_for("resolved", "MergecastNotReady")
    watched.prometheus.wait_for("mergecast_queue_problem == 1")

    assert {"MergeQueueStuck", "MergeQueueProblem", "MergecastNotReady"} <= during
    assert {"MergeQueueStuck", "MergeQueueProblem"} <= _firing(watched.prometheus)
    assert not [name for name in watched.received("resolved") if name.startswith("MergeQueue")]
    assert "MergecastDown" not in watched.received("firing")
    ready = re.findall("^mergecast_ready (.*)$", metrics.text, re.MULTILINE)
    assert (200, ["0.0"]) == (metrics.status_code, ready)
    assert "mergecast_backup_age_seconds" not in metrics.text


def _firing(prometheus: Prometheus) -> set[str]:
    return {one["metric"]["alertname"] for one in prometheus.ask('ALERTS{alertstate="firing"}')}


def test_the_server_stops(watched: Watched) -> None:
    """One message about the server, and none about what follows from that."""
    watched.wait_for("firing", "MergeQueueStuck")

    watched.server.stop()

    watched.wait_for("firing", "MergecastDown")
    watched.prometheus.wait_for('ALERTS{alertname="MergecastQueuesUnreadable", alertstate="firing"}')
    assert not [name for name in watched.received("resolved") if name.startswith("MergeQueue")]
