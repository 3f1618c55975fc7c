"""The files of `monitoring/` with a real Prometheus and Alertmanager that watch a running demo."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from builders import Wire, ended, entered, event, left, started
from cli.begun_demo import send_first_day
from live_server import TOKEN, LiveServer, live_server
from local_http import Asked, LocalServer, Reply
from mergecast.client.client import Client
from mergecast.process.metrics import Metrics, StoreState
from mergecast.queues.metrics.lines import FAMILIES
from mergecast.queues.model.repository import Repository
from monitoring.programs import FILES, Prometheus, monitoring, why_not
from monitoring.troubled_queue import BAD, add_problem, ago, waiting_for_hours
from waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.skipif(why_not() is not None, reason=why_not() or "")]


@dataclass(frozen=True)
class Watched:
    """A server with the demo and a queue in trouble, what watches it, and the receiver of alerts."""

    server: LiveServer
    prometheus: Prometheus
    receiver: LocalServer


def _slow_and_failing() -> list[Wire]:
    events = [left(ago(0), f"slow-{number}", number) for number in range(2, 8)]
    for number in range(2, 8):
        events.append(started(ago(20), f"slow-{number}", number, f"b{number}", [number], attempt=2))
        events.append(ended(ago(1), f"slow-{number}", number, f"b{number}", "CHECKS_FAILED", attempt=2))
    bisection = {"batch_id": "b2", "culprit_found": True, "max_failures_reached": False}
    return [*events, entered(ago(0), "new", 9), event("bisection_ended", ago(0), **bisection)]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("monitoring")
    with (
        LocalServer(lambda _: Reply(200)) as receiver,
        live_server(folder / "data") as server,
        Client(server.url, TOKEN) as client,
    ):
        send_first_day(client)
        server.send(waiting_for_hours(), BAD).raise_for_status()
        page = {"items": [], "cursor": "{}", "reached": ago(600)}
        path = f"/v1/repos/{BAD}/sources/gitlab/deliveries"
        server.http.post(path, json=page).raise_for_status()
        asyncio.run(server.store.change(Repository(*BAD.split("/")), add_problem, create=False))
        with monitoring(folder, server.url, TOKEN, receiver.url) as prometheus:
            # A counter must be seen at 0 first: only an increment between two scrapes is an increase.
            prometheus.wait_for(f'mergecast_queue_left_total{{repository="{BAD}"}} == 0')
            server.send(_slow_and_failing(), BAD).raise_for_status()
            yield Watched(server, prometheus, receiver)


def _targets() -> list[dict[str, str]]:
    panels = json.loads((FILES / "grafana-dashboard.json").read_text())["panels"]
    return [target for panel in panels for target in panel["targets"]]


def test_every_panel_shows_data(watched: Watched) -> None:
    """With all repositories, branches and queues selected; its legend names labels that the data has."""
    for target in _targets():
        found = watched.prometheus.wait_for(_of_everything(target["expr"]))
        named = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
        assert all(named <= one["metric"].keys() for one in found), target["expr"]


def _of_everything(query: str) -> str:
    for variable in ("repository", "base_ref", "queue_name"):
        query = query.replace(f"${variable}", ".*")
    return query


def test_every_choice_finds_something(watched: Watched) -> None:
    """The variables of the dashboard list the values of a label that their metric has."""
    variables = json.loads((FILES / "grafana-dashboard.json").read_text())["templating"]["list"]
    queries = [variable["query"] for variable in variables if variable["type"] == "query"]

    assert 3 == len(queries)
    for query in queries:
        series, label = query.removeprefix("label_values(").removesuffix(")").rsplit(", ", 1)
        found = watched.prometheus.wait_for(_of_everything(series))
        assert all(label in one["metric"] for one in found)


def test_prometheus_scrapes_the_demo(watched: Watched) -> None:
    """Its queues and the process are two targets, and both are up."""
    watched.prometheus.wait_for('up{job="mergecast-queues"} == 1')
    watched.prometheus.wait_for('up{job="mergecast"} == 1')
    watched.prometheus.wait_for('mergecast_queue_size{repository="demo/harbor"}')


def test_every_recording_rule_gives_data(watched: Watched) -> None:
    recording = [rule for rule in watched.prometheus.rules() if rule["type"] == "recording"]

    assert 5 == len(recording)
    for rule in recording:
        watched.prometheus.wait_for(rule["name"])


def test_every_alert_reaches_the_receiver(watched: Watched) -> None:
    """The queue in trouble raises all alerts about queues; those about the server are tested below."""
    alerts = {rule["name"] for rule in watched.prometheus.rules() if rule["type"] == "alerting"}
    names = {name for name in alerts if name.startswith("MergeQueue")}
    assert {
        "MergeQueueProblem",
        "MergeQueueBeyondThreshold",
        "MergeQueueStuck",
        "MergeQueueSlow",
        "MergeQueueFailing",
        "MergeQueueSourceSilent",
    } == names
    assert {
        "MergecastDown",
        "MergecastNotReady",
        "MergecastQueuesUnreadable",
        "MergecastErrors",
        "MergecastBackupOld",
    } == alerts - names

    def has_all() -> bool:
        return names <= {name for asked in list(watched.receiver.asked) for name in _alerts(asked)}

    wait_until(has_all, "the arrival of all alerts")


def _alerts(asked: Asked) -> list[str]:
    """The names of alerts about the queue in trouble."""
    alerts = json.loads(asked.body)["alerts"]
    return [alert["labels"]["alertname"] for alert in alerts if alert["labels"].get("repository") == BAD]


def _promtool(*arguments: str | Path, text: str | None = None) -> None:
    done = subprocess.run(
        ["promtool", *arguments], input=text, capture_output=True, text=True, check=False, cwd=FILES
    )
    assert (0, "") == (done.returncode, done.stderr if text is not None else ""), done.stdout + done.stderr


def test_promtool_accepts_the_metrics(watched: Watched) -> None:
    """It also finds names and descriptions that break conventions."""
    _promtool("check", "metrics", text=watched.server.http.get("/v1/metrics").text)


def test_what_to_watch_can_be_asked(watched: Watched) -> None:
    """Prometheus understands every expression on the page for operators, and its metrics exist."""
    page = (FILES.parent / "docs" / "monitoring.md").read_text(encoding="utf-8")
    table = page.partition("## What to watch\n")[2].partition("\n## ")[0]
    expressions = [code.replace("\\|", "|") for code in re.findall(r"`([^`]*mergecast_[^`]*)`", table)]
    known = {family.name for family in FAMILIES} | set(
        re.findall(r"^# TYPE (\w+)", Metrics().text(StoreState(True, 1, 1.0, 1.0)).decode(), re.MULTILINE)
    )
    for expression in expressions:
        watched.prometheus.ask(expression)
        (name,) = re.findall(r"mergecast_\w+", expression)
        assert re.sub(r"_(count|bucket)$", "", name) in known

    assert len(expressions) >= 8


def test_promtool_accepts_the_example(tmp_path: Path) -> None:
    for name in ("prometheus.yml", "rules.yml"):
        (tmp_path / name).write_text((FILES / name).read_text())
    (tmp_path / "mergecast-token").write_text("x")

    _promtool("check", "config", tmp_path / "prometheus.yml")
    _promtool("check", "rules", "rules.yml")


def test_alerts_fire_when_they_should_and_only_then() -> None:
    """As `rules_test.yml` tells, over hours that pass in a moment."""
    _promtool("test", "rules", Path(__file__).with_name("rules_test.yml"))
