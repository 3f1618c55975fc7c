"""Paths about the service itself: repositories, health and metrics."""

import json
from pathlib import Path

import pytest

from builders import entered, worked_example
from live_server import DAY, LiveServer, live_server
from local_client import get
from mergecast.errors import MergecastError
from mergecast.queues.stats.published import STATISTICS
from mergecast.signals.alerts.watcher import AlertWatch
from waiting import wait_until

_PUBLIC = {
    "/healthz": "application/json",
    "/readyz": "application/json",
    "/metrics": "text/plain",
    "/v1/openapi.json": "application/json",
    "/docs": "text/html",
}
_READABLE = [
    *_PUBLIC,
    "/v1/repos",
    "/v1/admin/backup",
    "/v1/repos/acme/widgets/events",
    *(f"/v1/repos/acme/widgets/stats/{name}" for name in STATISTICS),
]


def test_repositories(tmp_path: Path) -> None:
    """All repositories with events, sorted by name, with their number of events and their first and last."""
    with live_server(tmp_path) as server:
        nothing = server.http.get("/v1/repos").json()
        server.send(worked_example(), "b/x").raise_for_status()
        server.send([entered("2026-01-01T00:00:00.5+01:00", "s", 1)], "a/y").raise_for_status()
        listed = server.http.get("/v1/repos").json()

    assert {"repositories": []} == nothing
    assert [
        {
            "owner": "a", "repository": "y", "events": 1,
            "first_event_at": "2025-12-31T23:00:00.500000Z", "last_event_at": "2025-12-31T23:00:00.500000Z",
        },
        {
            "owner": "b", "repository": "x", "events": 12,
            "first_event_at": "2026-03-02T10:00:00Z", "last_event_at": "2026-03-02T11:03:00Z",
        },
    ] == listed["repositories"]  # fmt: skip


@pytest.mark.parametrize(("path", "type"), _PUBLIC.items())
@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}], ids=["no credential", "wrong credential"]
)
def test_public_paths(server: LiveServer, path: str, type: str, headers: dict[str, str]) -> None:
    """They need no credential, and ignore an invalid one."""
    answer = get(f"{server.url}{path}", headers=headers)

    assert (200, type) == (answer.status_code, answer.headers["content-type"].partition(";")[0])


@pytest.mark.parametrize("path", _READABLE)
def test_head(server: LiveServer, path: str) -> None:
    """HEAD works wherever GET does: same status and headers, no body."""
    window = DAY if "/stats/" in path and "time_to_merge" not in path else {}

    get = server.http.get(path, params=window)
    head = server.http.head(path, params=window)

    names = ["content-type", "etag", "cache-control"]
    assert (200, b"") == (head.status_code, head.content)
    if "time_to_merge" not in path:
        assert [get.headers.get(name) for name in names] == [head.headers.get(name) for name in names]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nowhere", 404), ("/v1/admin/rebuild", 405), ("/v1/repos?x=1", 422), ("/v1/repos/a/b/events", 404)],
)
def test_head_with_an_error(server: LiveServer, path: str, status: int) -> None:
    """The response has the status without the problem document."""
    answer = server.http.head(path)

    assert (status, b"") == (answer.status_code, answer.content)
    assert "application/problem+json" == answer.headers["content-type"]


def test_metrics_name_no_repository(server: LiveServer) -> None:
    """Counters are per route; unknown paths share one."""
    server.http.get("/v1/repos/secret-owner/secret-name/stats/queues")
    server.http.get("/secret-path")

    text = server.http.get("/metrics").text

    assert "secret" not in text
    assert "acme" not in text
    assert 'route="/v1/repos/{owner}/{repository}/stats/queues",status="404"' in text
    assert "mergecast_store_bytes" in text
    assert "mergecast_newest_event_age_seconds" in text


@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/admin/rebuild"), ("GET", "/v1/admin/backup")])
def test_paths_without_parameters_take_no_query(server: LiveServer, method: str, path: str) -> None:
    """An unknown parameter is rejected here too."""
    answer = server.http.request(method, f"{path}?repository=widgets")

    assert (422, "repository") == (answer.status_code, answer.json()["errors"][0]["name"])


def test_rebuild_reports_its_progress(tmp_path: Path) -> None:
    """One line per repository, also of one without events, which the list leaves out."""
    page = {"items": [], "cursor": "{}", "reached": "2026-03-03T10:00:00Z"}
    with live_server(tmp_path) as server:
        server.send([entered("2026-03-03T10:00:00Z", "a", 1)], "acme/one").raise_for_status()
        server.http.post("/v1/repos/acme/two/sources/gitlab/deliveries", json=page).raise_for_status()
        listed = server.http.get("/v1/repos").json()["repositories"]

        lines = server.http.post("/v1/admin/rebuild").text.splitlines()

    assert ["one"] == [known["repository"] for known in listed]
    assert [
        {"repository": "acme/one", "subjects": 1, "done": 1, "of": 2},
        {"repository": "acme/two", "subjects": 0, "done": 2, "of": 2},
    ] == list(map(json.loads, lines))


def test_work_in_the_background_is_counted_with_its_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator sees that something fails again and again, although no request does."""

    async def fail(_: AlertWatch) -> None:
        raise MergecastError("a test lets this fail")

    monkeypatch.setattr(AlertWatch, "look_seconds", 0.01)
    monkeypatch.setattr(AlertWatch, "judge_hour", fail)

    def counted(server: LiveServer, what: str, work: str) -> float:
        name = f'mergecast_background_{what}_total{{work="{work}"}} '
        (line,) = (one for one in server.http.get("/metrics").text.splitlines() if one.startswith(name))
        return float(line.removeprefix(name))

    with live_server(tmp_path) as server:
        wait_until(lambda: counted(server, "failures", "alerts") > 2)
        assert counted(server, "rounds", "alerts") >= counted(server, "failures", "alerts")
        assert counted(server, "failures", "notices") == 0
