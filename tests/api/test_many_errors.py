"""All errors of all events are reported together, and nothing of the delivery is stored."""

from api.problem_documents import error, invalid
from builders import entered, left, started
from live_server import LiveServer

_AT = "2026-03-02T10:00:00Z"


def test_errors_of_several_events(server: LiveServer, repository: str) -> None:
    """Each error has the index of its event and its field; valid events are not stored either."""
    good = entered(_AT, "good", 1)
    events = [
        good,
        {**entered(_AT, "s", -1), "at": "2026-02-30T00:00:00Z", "colour": "red"},
        7,
        {**started(_AT, "s", 1, "b", [2, 2]), "attempt": 0},
        {**left(_AT, "s", 1), "reason": ""},
    ]

    answer = server.http.post(f"/v1/repos/{repository}/events", json=events)

    errors = answer.json()["errors"]
    names = [
        "/1/at",
        "/1/pull_request",
        "/1/colour",
        "/2",
        "/3/attempt",
        "/3/batch_pull_requests",
        "/4/reason",
    ]
    assert 422 == answer.status_code
    assert names == [one["name"] for one in errors]
    assert answer.json()["detail"].splitlines() == [f"* {one['name']}: {one['message']}" for one in errors]
    assert 404 == server.http.get(f"/v1/repos/{repository}/events").status_code
    assert {"stored": 1, "duplicates": 0} == server.send([good], repository).json()


def test_exactly_one_hundred_errors(server: LiveServer, repository: str) -> None:
    """The response lists all of them and mentions no others."""
    document = server.send([{**entered(_AT, "s", 1), "id": ""}] * 100, repository).json()

    assert 100 == len(document["errors"])
    assert "more_errors" not in document
    assert "* /99/id: must be a string of 1 to 200 characters" == document["detail"].splitlines()[-1]


def test_more_than_one_hundred_errors(server: LiveServer, repository: str) -> None:
    """The response lists the first hundred and counts the rest."""
    document = server.send([{**entered(_AT, "s", 1), "id": ""}] * 10_000, repository).json()

    assert (100, 9_900) == (len(document["errors"]), document["more_errors"])
    assert 101 == len(document["detail"].splitlines())
    assert "* and 9900 more" == document["detail"].splitlines()[-1]


def test_hundreds_of_unknown_fields(server: LiveServer, repository: str) -> None:
    """The response truncates a long name."""
    fields = {f"{number:03}".ljust(5000, "x"): 1 for number in range(300)}

    answer = server.send([{**entered(_AT, "s", 1), **fields}], repository)

    assert (422, 200) == (answer.status_code, answer.json()["more_errors"])
    assert len(answer.content) < 50_000


def test_errors_come_before_conflicts(server: LiveServer, repository: str) -> None:
    """422 comes before 409."""
    stored = entered(_AT, "s", 1)
    server.send([stored], repository).raise_for_status()

    answer = server.send([{**stored, "pull_request": 2}, {**stored, "pull_request": -1}], repository)

    message = "must be an integer from 0 to 9223372036854775807"
    assert (422, invalid(error("body", "/1/pull_request", message))) == (answer.status_code, answer.json())
