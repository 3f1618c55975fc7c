"""The pull-request simulator on recorded pull requests."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from api.problem_documents import error, invalid, problem
from api.recorded_pulls import NOON, Simulator, record, repository_of, scenario, simulator
from live_server import NO_LIMITS
from local_client import request
from mergecast.queues.model.instant import HOUR, parse_instant
from scenario_files import NAMES, SCENARIOS

_QUEUE = "queue_rules: [{name: default}]\n"
_INVALID = "queue_rules:\n  - name: default\n    batch_size: 0\n"
_GREETING = """\
pull_request_rules:
  - name: greet
    conditions: [base = main]
    actions: {comment: {message: Hello}}
"""


@pytest.fixture(scope="module")
def simulating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    with simulator(tmp_path_factory.mktemp("simulator")) as made:
        yield made


@pytest.mark.parametrize("name", NAMES)
def test_scenarios(simulating: Simulator, name: str) -> None:
    """The whole response, for realistic pull requests."""
    document, recorded = scenario(name)
    repository, number = repository_of(recorded), recorded["pull"]["number"]
    simulating.clock.instant = parse_instant(recorded["recorded_at"])
    simulating.record(repository, recorded).raise_for_status()

    answers = [simulating.pull_request(repository, number, document) for _ in range(2)]

    assert [200, 200] == [answer.status_code for answer in answers], answers[0].text
    assert answers[0].content == answers[1].content
    found = answers[0].json()
    assert ["title", "summary", "deprecations"] == list(found)
    golden = (SCENARIOS / name / "summary.md").read_text(encoding="utf-8")
    assert golden == f"{found['title']}\n\n{found['summary']}\n"


@pytest.mark.parametrize("field", ["config_yml", "mergify_yml"])
def test_existing_clients(simulating: Simulator, field: str) -> None:
    """Either field name works: 200 has a title and a summary, 422 has a text in `detail`."""
    simulating.record("acme/engine", record()).raise_for_status()

    valid = simulating.pull_request("acme/engine", 7, _QUEUE, field)
    invalid_document = simulating.pull_request("acme/engine", 7, _INVALID, field)

    assert 200 == valid.status_code
    assert {"title", "summary"} <= valid.json().keys()
    assert (422, _problem(field)) == (invalid_document.status_code, invalid_document.json())


@pytest.mark.parametrize("number", [7, 8, 0, 2**63, 9223372036854776000])
def test_an_invalid_document_is_reported_first(simulating: Simulator, number: int) -> None:
    """Even if the pull request or the repository is unknown."""
    assert 422 == simulating.pull_request("acme/engine", number, _INVALID).status_code
    assert 422 == simulating.pull_request("acme/unheard-of", number, _INVALID).status_code


@pytest.mark.parametrize("number", [0, 8, 2**63 - 1, 2**63, 9223372036854776000])
def test_an_unknown_pull_request(simulating: Simulator, number: int) -> None:
    """The numbers are valid, but no pull request has them."""
    for repository in ("acme/engine", "acme/unheard-of"):
        answer = simulating.pull_request(repository, number, _QUEUE)

        detail = (
            f"pull request {number} of {repository} is not known here: no snapshot of it is recorded, "
            "and the service has no access to the code-hosting platform"
        )
        assert (404, problem(404, detail)) == (answer.status_code, answer.json())


@pytest.mark.parametrize(
    "number",
    [
        "-1",
        "+1",
        "1.0",
        "1e3",
        "1_0",
        "0x1",
        "x",
        "%20",
        "7%0A",
        "",
        "%D9%A7",
        "9223372036854776001",
        "9" * 5000,
    ],
)
def test_numbers(simulating: Simulator, number: str) -> None:
    """Only plain digits up to the largest number are valid."""
    path = f"/v1/repos/acme/engine/pulls/{number}/simulator"

    answer = simulating.server.http.post(path, json={"config_yml": _QUEUE})

    message = "must be a number from 0 to 9223372036854776000, in plain decimal digits"
    assert (422, invalid(error("path", "number", message))) == (answer.status_code, answer.json())


@pytest.mark.parametrize("kind", ["pulls/7/simulator", "simulator"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, error("body", "/config_yml", "is missing; it holds the text of a configuration document")),
        (
            {"config_yml": "", "mergify_yml": ""},
            error("body", "/mergify_yml", "is another name for config_yml; give one of them"),
        ),
        (
            {"config_yml": 1},
            error("body", "/config_yml", "must be a string, the text of a document; got a number"),
        ),
        (
            {"config_yml": "", "numbr": 1},
            error("body", "/numbr", "is not a field of this body; it takes config_yml or mergify_yml"),
        ),
        ([], error("body", "", "the body must be a JSON object with the field config_yml")),
    ],
)
def test_invalid_bodies(simulating: Simulator, kind: str, body: object, expected: dict[str, str]) -> None:
    """The errors are those of the configuration simulator."""
    answer = simulating.server.http.post(f"/v1/repos/acme/engine/{kind}", json=body)

    assert (422, invalid(expected)) == (answer.status_code, answer.json())


@pytest.mark.parametrize("kind", ["pulls/7/simulator", "simulator"])
def test_the_longest_document(simulating: Simulator, kind: str) -> None:
    """One character more is rejected."""
    simulating.record("acme/engine", record()).raise_for_status()
    path, most = f"/v1/repos/acme/engine/{kind}", 1_048_576

    longest = simulating.server.http.post(path, json={"config_yml": "#" * most})
    longer = simulating.server.http.post(path, json={"config_yml": "#" * (most + 1)})

    assert 200 == longest.status_code
    assert 422 == longer.status_code
    assert (
        f"a document may have at most {most:,} characters; this one has {most + 1:,}"
        == (longer.json()["detail"])
    )


def test_other_requests(simulating: Simulator) -> None:
    """It takes no query, no other method or type, and needs a credential."""
    http, path = simulating.server.http, "/v1/repos/acme/engine/pulls/7/simulator"

    assert 422 == http.post(f"{path}?at=now", json={"config_yml": ""}).status_code
    assert (405, "POST") == (http.get(path).status_code, http.get(path).headers["allow"])
    assert 415 == http.post(path, content=b"a", headers={"Content-Type": "text/yaml"}).status_code
    assert 403 == http.post(path, json={}, headers={"Authorization": "Bearer no"}).status_code


@pytest.mark.parametrize(
    ("accept", "is_text"),
    [
        ("text/plain", True),
        ("Text/Plain; charset=utf-8", True),
        ("application/json", False),
        ("*/*", False),
        ("text/html, text/plain", False),
    ],
)
def test_plain_text(simulating: Simulator, accept: str, *, is_text: bool) -> None:
    """Only clients that accept nothing else get plain text."""
    simulating.record("acme/engine", record()).raise_for_status()

    answer = simulating.pull_request("acme/engine", 7, _GREETING, Accept=accept)

    assert is_text == answer.headers["content-type"].startswith("text/plain")
    if is_text:
        assert answer.text.startswith("1 rule matches\n\nPlanned actions\n  • greet: Would post")


def test_an_old_record(simulating: Simulator, repository: str) -> None:
    """A note says when the pull request was recorded."""
    simulating.clock.instant = NOON
    simulating.record(repository, record(recorded_at="2026-11-15T11:59:59.5Z")).raise_for_status()
    simulating.record(repository, record(8, recorded_at="2026-11-15T12:00:00Z")).raise_for_status()

    old, young = (simulating.pull_request(repository, number, _GREETING).json() for number in (7, 8))

    note = "- The pull request was recorded on 2026-11-15T11:59:59Z"
    assert old["summary"].endswith(f"### Notes\n\n{note}")
    assert "### Notes" not in young["summary"]


def test_time_conditions_use_the_current_time(simulating: Simulator) -> None:
    """The simulation uses the time of the request, not of the recording."""
    document = _GREETING.replace("base = main", '"current-datetime >= 2026-11-16T13:00[UTC]"')
    simulating.clock.instant = NOON
    simulating.record("acme/engine", record()).raise_for_status()
    titles = []
    for simulating.clock.instant in (NOON, NOON + 2 * HOUR):
        titles.append(simulating.pull_request("acme/engine", 7, document).json()["title"])

    assert ["1 potential rule", "1 rule matches"] == titles


def test_disabled_products(simulating: Simulator) -> None:
    """Sections of products known to be disabled are ignored."""
    repository = "acme/without-queue"
    simulating.record(repository, record()).raise_for_status()
    path = f"/v1/repos/{repository}/products"
    simulating.server.http.put(path, json={"products": ["workflow_automation"]}).raise_for_status()

    summary = simulating.pull_request(repository, 7, _QUEUE).json()["summary"]

    assert "The section `queue_rules` is ignored: the product Merge Queue is not enabled" in summary


def test_deprecations(simulating: Simulator) -> None:
    """They are reported as in the configuration simulator."""
    simulating.record("acme/engine", record()).raise_for_status()
    document = "queue_rules:\n  - name: default\n    conditions: [check-success = build]\n"

    found = simulating.pull_request("acme/engine", 7, document).json()
    path = "/v1/repos/acme/engine/configuration-simulator"
    judged = simulating.server.http.post(path, json={"config_yml": document}).json()

    assert judged["deprecations"] == found["deprecations"]
    assert [["queue_rules", "0", "conditions"]] == [one["path_to_field"] for one in found["deprecations"]]


@pytest.mark.parametrize("text", ["\ud800", "a: \ud800", '"\\ud800"', "name: '\ufffe'"])
def test_lone_surrogates(simulating: Simulator, text: str) -> None:
    """They are rejected, as bytes and as YAML escapes, and never cause an internal error."""
    simulating.record("acme/engine", record()).raise_for_status()
    body = json.dumps({"config_yml": text})

    answer = simulating.server.http.post(
        "/v1/repos/acme/engine/pulls/7/simulator", content=body, headers={"Content-Type": "application/json"}
    )

    assert 422 == answer.status_code


def test_a_slow_pattern(simulating: Simulator) -> None:
    """It is an evaluation error of its condition, and the simulation completes."""
    simulating.record("acme/engine", record(pull={"title": "a" * 60})).raise_for_status()
    document = _GREETING.replace("base = main", '"title ~= ^(a+)+$b"')

    answer = simulating.pull_request("acme/engine", 7, document)

    assert 200 == answer.status_code
    assert "Regular expression took too long" in answer.json()["summary"]


def _problem(field: str) -> dict[str, object]:
    message = "Input should be greater than or equal to 1, found the number 0"
    entry = {**error("body", f"/{field}", message), "path": ["queue_rules", "0", "batch_size"]}
    detail = f"{message} @ root → queue_rules → item 0 → batch_size"
    return problem(422, detail, errors=[{**entry, "line": 3, "column": 17}])


@pytest.mark.parametrize(
    "text", ["[" * 1_000_000, "a: &a [1]\n" + "b: [*a, *a]\n" * 10_000, "x: '{{ 'a' * 10**9 }}'", "\0"]
)
def test_a_hostile_extended_document(simulating: Simulator, text: str) -> None:
    """A document recorded for `extends` is as untrusted as the candidate, and its error is reported."""
    simulating.record("acme/engine", record(extends={"acme/shared": text})).raise_for_status()

    answer = simulating.pull_request("acme/engine", 7, "extends: shared\n")

    assert 422 == answer.status_code
    assert isinstance(answer.json()["detail"], str)
    assert 200 == simulating.pull_request("acme/engine", 7, _QUEUE).status_code


def test_documents_are_counted_once(simulating: Simulator) -> None:
    """Each document counts once, however many steps the simulation takes."""
    simulating.record("acme/engine", record()).raise_for_status()

    def counted() -> list[str]:
        metrics = simulating.server.http.get("/metrics").text
        return [line for line in metrics.splitlines() if line.startswith("mergecast_judged_documents_total")]

    before = counted()
    simulating.pull_request("acme/engine", 7, _QUEUE)
    simulating.pull_request("acme/engine", 7, _INVALID)
    after = counted()

    def number(lines: list[str], result: str) -> float:
        return next((float(line.split()[-1]) for line in lines if f'"{result}"' in line), 0.0)

    assert [1.0, 1.0] == [number(after, name) - number(before, name) for name in ("valid", "invalid")]


def test_keys_and_simulations_share_one_clock(tmp_path: Path) -> None:
    """A key expires by the clock that simulations use."""
    path, body, statuses = "/v1/repos/acme/engine/pulls/7/simulator", {"config_yml": _QUEUE}, []
    with simulator(tmp_path) as made:
        key = made.server.key(expires_at="2026-11-16T13:00:00Z")["key"]
        made.record("acme/engine", record()).raise_for_status()
        for made.clock.instant in (NOON, NOON + 2 * HOUR):
            statuses.append(made.server.ask(key, path, "POST", json=body).status_code)

    assert [200, 403] == statuses


def test_recording_counts_as_a_costly_request(tmp_path: Path) -> None:
    """Child processes read records too, so the number of concurrent recordings per credential is limited."""
    policy = replace(NO_LIMITS, simulations_at_once=1)
    with simulator(tmp_path, policy=policy) as made:
        key = made.server.key(scopes=["ingest"])["key"]
        content, meanwhile = json.dumps(record()).encode(), []

        def put(content: bytes | Iterator[bytes]) -> int:
            headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
            path = f"{made.server.url}/v1/repos/acme/engine/pulls/7/snapshot"
            return request("PUT", path, content=content, headers=headers).status_code

        def slowly() -> Iterator[bytes]:
            yield content[:10]
            meanwhile.append(put(content))
            yield content[10:]

        first, after = put(slowly()), put(content)

    assert (200, [429], 200) == (first, meanwhile, after)
