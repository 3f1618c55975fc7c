"""Deleting events and repositories."""

import json

import pytest

from api.problem_documents import error, invalid, unknown_repository
from builders import entered, left
from live_server import DAY, LiveServer

_HOURS = ("2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", "2026-03-02T12:00:00Z")


@pytest.fixture
def filled(server: LiveServer, repository: str) -> str:
    """Three events from each of two sources, at 10, 11 and 12 o'clock."""
    events = [entered(at, f"{source}{at}", 1, source=source) for source in ("api", "github") for at in _HOURS]
    server.send(events, repository).raise_for_status()
    return repository


@pytest.mark.parametrize(
    ("selection", "deleted"),
    [
        ({"source": "github"}, 3),
        ({"source": "nothing"}, 0),
        ({"start_at": _HOURS[1]}, 4),
        ({"end_at": _HOURS[1]}, 2),
        ({"start_at": _HOURS[1], "end_at": _HOURS[2]}, 2),
        ({"source": "api", "start_at": _HOURS[0], "end_at": _HOURS[2]}, 2),
        ({"start_at": "0001-01-01T00:00:00Z", "end_at": "9999-12-31T23:59:59Z"}, 6),
    ],
    ids=str,
)
def test_delete_by_source_and_time(
    server: LiveServer, filled: str, selection: dict[str, str], deleted: int
) -> None:
    """The time span is half open; an event must match every condition given."""
    answer = server.http.delete(f"/v1/repos/{filled}/events", params=selection)

    left_over = server.http.get(f"/v1/repos/{filled}/events").text.splitlines() if deleted < 6 else []
    assert (200, {"deleted": deleted}) == (answer.status_code, answer.json())
    assert 6 - deleted == len(left_over)


def test_statistics_follow_deletions(server: LiveServer, repository: str) -> None:
    """Statistics no longer count a deleted event, and its id can be used again."""
    leaving = left(_HOURS[1], "a", 1, source="github")
    server.send([entered(_HOURS[0], "a", 1), leaving], repository).raise_for_status()

    server.http.delete(f"/v1/repos/{repository}/events", params={"source": "github"}).raise_for_status()
    without = server.stats("total_queue_time", repository)
    again = server.send([{**leaving, "reason": "PR_DEQUEUED"}], repository)

    assert {"groups": []} == without
    assert {"stored": 1, "duplicates": 0} == again.json()
    assert 1 == len(server.stats("total_queue_time", repository)["groups"])


def test_deleting_the_last_event(server: LiveServer, filled: str) -> None:
    """A repository without events is unknown."""
    server.http.delete(f"/v1/repos/{filled}/events", params={"start_at": _HOURS[0]}).raise_for_status()

    answer = server.http.get(f"/v1/repos/{filled}/stats/queues", params=DAY)

    assert (404, unknown_repository(filled)) == (answer.status_code, answer.json())


def test_deleting_a_repository(server: LiveServer, filled: str) -> None:
    """It can be deleted once, and its events can be sent again."""
    lines = server.http.get(f"/v1/repos/{filled}/events").text.splitlines()

    first, second = (server.http.delete(f"/v1/repos/{filled}") for _ in range(2))
    again = server.send([json.loads(line) for line in lines], filled)

    assert (200, {"deleted": 6}) == (first.status_code, first.json())
    assert (404, unknown_repository(filled)) == (second.status_code, second.json())
    assert {"stored": 6, "duplicates": 0} == again.json()


def test_a_deletion_without_conditions(server: LiveServer, filled: str) -> None:
    """A request without parameters deletes no events."""
    answer = server.http.delete(f"/v1/repos/{filled}/events")

    message = "choose events with any of source, start_at, end_at, or delete the whole repository"
    assert (422, invalid(error("query", "", message))) == (answer.status_code, answer.json())


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("start_at=2026-03-02T10:00:00Z&end_at=2026-03-02T10:00:00Z", "start_at"),
        ("source=", "source"),
        ("source=a&source=b", "source"),
        ("sourc=a", "sourc"),
        ("source=a&start_at=1", "start_at"),
        ("base_ref=main", "base_ref"),
    ],
)
def test_invalid_conditions(server: LiveServer, filled: str, query: str, name: str) -> None:
    """A query with an error deletes nothing."""
    answer = server.http.delete(f"/v1/repos/{filled}/events?{query}")

    assert (422, name) == (answer.status_code, answer.json()["errors"][0]["name"])
    assert 6 == len(server.http.get(f"/v1/repos/{filled}/events").text.splitlines())


@pytest.mark.parametrize("path", ["", "/events?source=api"])
def test_deleting_from_an_unknown_repository(server: LiveServer, repository: str, path: str) -> None:
    """The response is 404."""
    answer = server.http.delete(f"/v1/repos/{repository}{path}")

    assert (404, unknown_repository(repository)) == (answer.status_code, answer.json())


def test_deleting_a_repository_takes_no_query(server: LiveServer, filled: str) -> None:
    """Conditions on the wrong path do not delete the repository."""
    answer = server.http.delete(f"/v1/repos/{filled}?source=github")

    assert 422 == answer.status_code
    assert 6 == len(server.http.get(f"/v1/repos/{filled}/events").text.splitlines())
