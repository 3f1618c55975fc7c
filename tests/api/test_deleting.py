"""What is wrong can be undone."""

import json

import pytest

from api.problem_documents import error, invalid, unknown_repository
from builders import entered, left
from live_server import DAY, LiveServer

_HOURS = ("2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", "2026-03-02T12:00:00Z")


@pytest.fixture
def filled(server: LiveServer, repository: str) -> str:
    """Three events of each of two sources, at 10, 11 and 12 o'clock."""
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
def test_events_of_a_source_and_a_span(
    server: LiveServer, filled: str, selection: dict[str, str], deleted: int
) -> None:
    """The span is half open; every restriction given must hold."""
    answer = server.http.delete(f"/v1/repos/{filled}/events", params=selection)

    left_over = server.http.get(f"/v1/repos/{filled}/events").text.splitlines() if deleted < 6 else []
    assert (200, {"deleted": deleted}) == (answer.status_code, answer.json())
    assert 6 - deleted == len(left_over)


def test_numbers_follow(server: LiveServer, repository: str) -> None:
    """A deleted leaving was never there, and its id is free again."""
    leaving = left(_HOURS[1], "a", 1, source="github")
    server.send([entered(_HOURS[0], "a", 1), leaving], repository).raise_for_status()

    server.http.delete(f"/v1/repos/{repository}/events", params={"source": "github"}).raise_for_status()
    without = server.stats("total_queue_time", repository)
    again = server.send([{**leaving, "reason": "PR_DEQUEUED"}], repository)

    assert {"groups": []} == without
    assert {"stored": 1, "duplicates": 0} == again.json()
    assert 1 == len(server.stats("total_queue_time", repository)["groups"])


def test_the_last_event(server: LiveServer, filled: str) -> None:
    """A repository without events is not known."""
    server.http.delete(f"/v1/repos/{filled}/events", params={"start_at": _HOURS[0]}).raise_for_status()

    answer = server.http.get(f"/v1/repos/{filled}/stats/queues", params=DAY)

    assert (404, unknown_repository(filled)) == (answer.status_code, answer.json())


def test_a_whole_repository(server: LiveServer, filled: str) -> None:
    """It is forgotten once; its events can be sent anew."""
    lines = server.http.get(f"/v1/repos/{filled}/events").text.splitlines()

    first, second = (server.http.delete(f"/v1/repos/{filled}") for _ in range(2))
    again = server.send([json.loads(line) for line in lines], filled)

    assert (200, {"deleted": 6}) == (first.status_code, first.json())
    assert (404, unknown_repository(filled)) == (second.status_code, second.json())
    assert {"stored": 6, "duplicates": 0} == again.json()


def test_nothing_selected(server: LiveServer, filled: str) -> None:
    """Events are not deleted for want of a parameter."""
    answer = server.http.delete(f"/v1/repos/{filled}/events")

    message = "say which events to delete by source, start_at, end_at, or delete the repository"
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
def test_wrong_selections(server: LiveServer, filled: str, query: str, name: str) -> None:
    """Nothing is deleted by a query that has an error."""
    answer = server.http.delete(f"/v1/repos/{filled}/events?{query}")

    assert (422, name) == (answer.status_code, answer.json()["errors"][0]["name"])
    assert 6 == len(server.http.get(f"/v1/repos/{filled}/events").text.splitlines())


@pytest.mark.parametrize("path", ["", "/events?source=api"])
def test_a_repository_that_is_not_known(server: LiveServer, repository: str, path: str) -> None:
    """404: there is nothing to undo."""
    answer = server.http.delete(f"/v1/repos/{repository}{path}")

    assert (404, unknown_repository(repository)) == (answer.status_code, answer.json())


def test_a_query_where_none_is_taken(server: LiveServer, filled: str) -> None:
    """A selection on the wrong path does not forget the repository."""
    answer = server.http.delete(f"/v1/repos/{filled}?source=github")

    assert 422 == answer.status_code
    assert 6 == len(server.http.get(f"/v1/repos/{filled}/events").text.splitlines())
