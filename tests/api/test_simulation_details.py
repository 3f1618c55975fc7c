"""What a simulation says as data, for pages, and the current document of a repository."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from api.only_these import OnlyThese
from api.recorded_pulls import Simulator, record, simulator
from mergecast.api.platform_access import Platform
from mergecast.api.simulation.simulate import OUTCOMES
from mergecast.errors import Unavailable
from mergecast.language.rules.simulation import Entrance

_NAME = "acme/engine"
_READY = {"labels": [{"name": "ready"}], "title": "Fix `a`\nand b"}


def _document(label: str) -> str:
    return f"""\
queue_rules:
  - name: default
    queue_conditions: ["label = {label}"]
pull_request_rules:
  - name: queue it
    conditions: [base = main]
    actions: {{queue: {{name: default}}}}
"""


@pytest.fixture(scope="module")
def platform() -> OnlyThese:
    pulls = {7: record(7), 8: record(8, pull=_READY)}
    return OnlyThese(pulls, {_NAME: _document("urgent")}, not_looked_at=5)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, platform: OnlyThese) -> Iterator[Simulator]:
    with simulator(tmp_path_factory.mktemp("details"), platform=Platform(platform, "ghp_of_ours")) as made:
        yield made


def _check_described(server: Simulator, path: str, details: Any) -> None:
    description = server.server.http.get("/v1/openapi.json").json()
    content = description["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]
    schema = content["schema"]["properties"]["details"]
    Draft202012Validator({**schema, "components": description["components"]}).validate(details)
    assert details.keys() == schema["properties"].keys()


def test_each_open_pull_request_is_a_row(live: Simulator) -> None:
    """What happens to it now, what would change, and why."""
    details = live.details(_NAME, _document("ready"))

    _check_described(live, "/v1/repos/{owner}/{repository}/simulator", details)
    assert (details["is_compared"], details["not_looked_at"]) == (True, 5)
    ready, other = details["pull_requests"]
    assert ready == {
        "number": 8,
        "title": "Fix `a` and b",
        "outcome": "would enter",
        "now": "waits to enter queue `default`",
        "then": "would enter queue `default` with priority medium",
        "changes": ["would enter queue `default` with priority medium (now: waits to enter queue `default`)"],
        "why": [],
        "rules": ["queue it"],
        "error": None,
    }
    assert (other["number"], other["outcome"], other["changes"]) == (7, "waiting to enter", [])
    assert other["now"] == other["then"] == "waits to enter queue `default`"
    assert other["why"]


def test_without_a_current_document_nothing_is_compared(live: Simulator) -> None:
    details = live.details("acme/undocumented", _document("ready"))

    assert details["is_compared"] is False
    assert [(row["now"], row["changes"]) for row in details["pull_requests"]] == [(None, None)] * 2


def test_the_conditions_of_one_pull_request_are_a_tree(live: Simulator) -> None:
    """Each line has its depth, and whether it holds."""
    details = live.details(_NAME, _document("ready"), 7)

    _check_described(live, "/v1/repos/{owner}/{repository}/pulls/{number}/simulator", details)
    report = details["report"]
    assert report["title"] == '1 potential rule — waiting to enter queue "default"'
    conditions = [
        condition
        for part in report["parts"]
        for block in part["blocks"]
        if block["kind"] == "conditions"
        for condition in block["conditions"]
    ]
    assert {"depth": 0, "state": "holds", "text": "`base = main`"} in conditions
    assert {"depth": 0, "state": "fails", "text": "`label = ready` — seen: nothing"} in conditions
    assert "Merge queue" in [part["title"] for part in report["parts"]]


def test_details_are_added_only_on_request(live: Simulator) -> None:
    path = f"/v1/repos/{_NAME}/simulator"
    answers = [
        live.server.http.post(f"{path}{query}", json={"config_yml": ""}).json()
        for query in ("", "?details=false")
    ]
    wrong = live.server.http.post(f"{path}?details=all", json={"config_yml": ""})

    assert [list(answer) for answer in answers] == [["title", "summary", "deprecations"]] * 2
    assert (wrong.status_code, wrong.json()["errors"][0]["name"]) == (422, "details")


def test_every_outcome_is_described() -> None:
    assert set(OUTCOMES) == {"no queue", "not simulated", *(entrance.value for entrance in Entrance)}


def _current(server: Simulator, repository: str = _NAME) -> Any:
    answer = server.server.http.get(f"/v1/repos/{repository}/configuration")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_current_document_is_that_of_the_platform(live: Simulator) -> None:
    assert _current(live) == {"config_yml": _document("urgent"), "detail": None}
    assert _current(live, "acme/undocumented") == {
        "config_yml": None,
        "detail": "the repository has no configuration document",
    }


def test_why_there_is_no_current_document_is_said(
    live: Simulator, platform: OnlyThese, tmp_path: Path
) -> None:
    platform.failure = Unavailable("the platform does not answer")
    try:
        assert _current(live) == {"config_yml": None, "detail": "the platform does not answer"}
    finally:
        platform.failure = None
    with simulator(tmp_path) as alone:
        assert _current(alone) == {
            "config_yml": None,
            "detail": "the service has no access to the code-hosting platform",
        }


def test_who_may_not_read_the_repository_gets_no_document(live: Simulator) -> None:
    key = live.server.key("other", scopes=["read"])["key"]

    assert live.server.ask(key, f"/v1/repos/{_NAME}/configuration").status_code == 403
