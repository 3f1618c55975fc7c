"""Forecasts with a live platform: the current document, and documents that extend another one."""

from collections.abc import Iterator
from typing import Any

import pytest

from forge.widgets import ROOT, routes
from github_server import TOKEN, GitHubServer, Reply
from live_server import LiveServer, live_server
from mergecast.app import platform_of
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import format_instant
from mergecast.settings import Settings
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import START, World

WORLD = World(5, days=15, pulls_per_day=20, length_median=20, weekend=0.5)
DOCUMENT = f"{ROOT}/contents/.mergify.yml"
SHARED = "/repos/Acme/shared/contents/.mergify.yml"
CURRENT = "queue_rules: [{name: default, batch_size: 2, batch_max_wait_time: 90 s}]\n"


@pytest.fixture(scope="module")
def github() -> Iterator[GitHubServer]:
    with GitHubServer(routes()) as made:
        yield made


@pytest.fixture(scope="module")
def server(github: GitHubServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with access to the platform, and fifteen days of a queue."""
    settings = Settings(github_url=github.url, github_token=TOKEN)
    record = WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    events = [wire_event(event) for event in history_of(WORLD, record)]
    folder = tmp_path_factory.mktemp("documents")
    with live_server(folder, platform=platform_of(settings)) as made:
        for first in range(0, len(events), 5000):
            assert made.send(events[first : first + 5000], "Acme/Widgets").status_code < 300
        yield made


def _raw(text: str) -> Reply:
    return Reply(200, text.encode(), {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"})


def _ask(server: LiveServer, path: str = "", **body: Any) -> Any:
    window = {"start_at": format_instant(START), "end_at": format_instant(WORLD.end)}
    asked = {"base_ref": "main", **window, **body}
    response = server.http.post(f"/v1/repos/Acme/Widgets/forecast{path}", json=asked)
    assert response.status_code == 200, response.text
    return response.json()


def test_the_current_document_is_the_baseline(server: LiveServer, github: GitHubServer) -> None:
    """What a candidate's settings leave out is the document's; a search varies it too."""
    github.routes[DOCUMENT] = _raw(CURRENT)

    answer = _ask(server, candidate={"settings": {"batch_size": 3}})
    found = _ask(server, "/search", vary={"batch_size": [1]})

    assert answer["settings"]["source_of_baseline"] == "document in force"
    assert answer["settings"]["baseline"]["default"]["batch_max_wait_time"] == 90
    assert answer["settings"]["candidate"]["default"]["batch_max_wait_time"] == 90
    assert answer["settings"]["candidate"]["default"]["batch_size"] == 3
    assert found["settings"]["source_of_baseline"] == "document in force"


def test_a_current_document_that_does_not_describe_the_history(
    server: LiveServer, github: GitHubServer
) -> None:
    """The baseline is inferred from the history, and a note says why."""
    github.routes[DOCUMENT] = _raw("queue_rules: [{name: other}]\n")

    answer = _ask(server, candidate={"settings": {"batch_size": 3}})

    assert answer["settings"]["source_of_baseline"] == "history"
    assert (
        "The current document cannot be the baseline (the document has no queue named default, "
        "which the history has), which is inferred from the history."
    ) in answer["notes"]


def test_a_candidate_that_extends_another_document(server: LiveServer, github: GitHubServer) -> None:
    """The other one is fetched; where that is not possible, a note says that it does not count."""
    github.routes[DOCUMENT] = _raw(CURRENT)
    candidate = {"config_yml": "extends: shared\nmerge_queue: {max_parallel_checks: 3}\n"}
    github.routes[SHARED] = _raw("queue_rules: [{name: default, batch_size: 4}]\n")

    whole = _ask(server, candidate=candidate)
    del github.routes[SHARED]
    part = _ask(server, candidate={"config_yml": f"extends: shared\n{CURRENT}"})

    assert whole["settings"]["candidate"]["default"]["batch_size"] == 4
    assert whole["settings"]["candidate"]["default"]["max_parallel_checks"] == 3
    assert (
        "The document extends the one of Acme/shared, which could not be read; "
        "the forecast does not include it."
    ) in part["notes"]
