"""Reports about CI checks over HTTP: they are kept, exported, and seen by nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from builders import Wire, entered, reported, worked_example
from live_server import LiveServer, live_server
from made_up_checks import reports_for
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.queues.stats.published import STATISTICS

_AT = "2026-03-02T10:00:00Z"
_NOW = parse_instant("2026-03-09T00:00:00Z")
_WEEK = "start_at=2026-03-01T00:00:00Z&end_at=2026-03-08T00:00:00Z"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("checks"), now=lambda: _NOW) as server:
        yield server


def _export(server: LiveServer, repository: str) -> list[Wire]:
    return [json.loads(line) for line in server.http.get(f"/v1/repos/{repository}/events").text.splitlines()]


def test_an_export_has_the_reports_that_count(server: LiveServer, repository: str) -> None:
    """After all other events, with every field, so that it can be sent to another server."""
    running = reported(_AT, "b", "unit", None, started_at=_AT)
    passed = reported("2026-03-02T11:00:00Z", "b", "unit", queued_at=_AT, started_at=_AT, ended_at=_AT,
                      url="https://ci.example.com/1", runner="l", is_required=True, attempt=2)  # fmt: skip
    sent = [running, passed, entered(_AT, "s", 1), {**passed, "id": "later", "conclusion": "failure"}]

    answer = server.send(sent, repository)
    lines = _export(server, repository)

    assert {"stored": 4, "duplicates": 0} == answer.json()
    assert ["queue_entered", "ci_check_reported", "ci_check_reported"] == [line["type"] for line in lines]
    assert {**sent[3], "source": "api"} in lines
    nothing = {"queued_at": None, "ended_at": None, "url": None, "runner": None, "is_required": None}
    assert {**running, **nothing, "attempt": 1, "source": "api"} in lines
    assert {"stored": 3, "duplicates": 0} == server.send(lines, f"{repository}-copy").json()
    assert lines == _export(server, f"{repository}-copy")


def test_nothing_else_changes(server: LiveServer, repository: str) -> None:
    """Every statistic, its ETag, stays, the queue and the list of repositories stay the same."""
    events = worked_example()
    server.send(events, repository).raise_for_status()
    paths = [
        *(f"/v1/repos/{repository}/stats/{name}" for name in STATISTICS),
        *(f"/v1/repos/{repository}/{path}" for path in ("stays", "queue", "sources")),
        "/v1/repos",
    ]
    before = [_answer(server, path) for path in paths]

    reports = [*reports_for(events, Random(3)), reported("2026-03-07T00:00:00Z", "unknown", "unit")]
    stored = server.send(reports, repository).json()["stored"]

    assert stored
    assert before == [_answer(server, path) for path in paths]


def _answer(server: LiveServer, path: str) -> tuple[bytes, str | None]:
    is_over_time = "/stats/" in path or path.endswith("stays")
    query = f"?{_WEEK}" if is_over_time and not path.endswith("time_to_merge") else ""
    answer = server.http.get(f"{path}{query}").raise_for_status()
    return answer.content, answer.headers.get("ETag")


def test_a_repository_with_reports_alone_has_no_statistics(server: LiveServer, repository: str) -> None:
    """It is as unknown to them as before, and lists do not show it."""
    server.send([reported(_AT, "b", "unit")], repository).raise_for_status()

    answer = server.http.get(f"/v1/repos/{repository}/stats/queue_size")

    expected = f"the repository {repository} is not known here: it has no events"
    assert (404, expected) == (answer.status_code, answer.json()["detail"])
    assert repository not in server.http.get("/v1/repos").text


def test_a_report_without_its_run_is_kept(server: LiveServer, repository: str) -> None:
    """The events of the run may come later, and reports may come after the run has ended."""
    server.send([reported(_AT, "X", "unit")], repository).raise_for_status()
    server.send(worked_example(), repository).raise_for_status()
    server.send([reported("2026-03-05T10:00:00Z", "X", "lint", attempt=2)], repository).raise_for_status()

    names = [line["name"] for line in _export(server, repository) if line["type"] == "ci_check_reported"]

    assert ["unit", "lint"] == names


def test_too_many_executions_in_a_run(server: LiveServer, repository: str) -> None:
    """The whole delivery is refused, and the message says what the limit is."""
    server.send([reported(_AT, "b", f"{n}") for n in range(10_000)], repository).raise_for_status()

    answer = server.send([entered(_AT, "s", 1), reported(_AT, "b", "more")], repository)

    message = "this CI run would have more than 10,000 executions of checks, which is the limit"
    assert (409, f"/1/check_id: {message}") == (answer.status_code, answer.json()["detail"])


def test_reports_that_are_too_old_are_ignored(tmp_path: Path) -> None:
    """The answer counts them; nothing is stored."""
    old, new = reported("2026-02-26T00:00:00Z", "b", "unit"), reported(_AT, "b", "lint")
    with live_server(tmp_path, now=lambda: _NOW, checks_keep=10 * DAY) as server:
        answer = server.send([old, new, entered(_AT, "s", 1)])

        assert {"stored": 2, "duplicates": 0, "ignored": 1} == answer.json()
        assert ["lint"] == [line["name"] for line in _export(server, "acme/widgets") if "name" in line]


def test_reports_can_be_switched_off(tmp_path: Path) -> None:
    """They are accepted and counted as ignored, and a repository of them alone is not created."""
    with live_server(tmp_path, now=lambda: _NOW, checks_keep=0) as server:
        answer = server.send([reported("2026-03-08T23:59:59Z", "b", "unit")])
        refused = server.send([reported(_AT, "b", "a\nb")])

        assert {"stored": 0, "duplicates": 0, "ignored": 1} == answer.json()
        assert 422 == refused.status_code
        assert 404 == server.http.get("/v1/repos/acme/widgets/events").status_code
