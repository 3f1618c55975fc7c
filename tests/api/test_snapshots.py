"""Recorded pull requests: store, show, replace, delete, and reject invalid ones as a whole."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from api.problem_documents import error, invalid, problem, unknown_repository
from api.recorded_pulls import record, rich_record
from live_server import LiveServer

_LARGEST = 9223372036854775807
_JSON = {"Content-Type": "application/json"}


def _path(repository: str, number: int | str = 7) -> str:
    return f"/v1/repos/{repository}/pulls/{number}/snapshot"


def _put(server: LiveServer, repository: str, body: bytes | dict[str, Any], **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return server.http.put(_path(repository), content=content, headers={**_JSON, **headers})


def test_a_snapshot_is_shown_as_sent(server: LiveServer, repository: str) -> None:
    """It makes its repository known."""
    sent = rich_record() | {"recorded_at": "2026-11-15T12:00:00.25+01:00"}

    answer = _put(server, repository, sent)
    shown = server.http.get(_path(repository))

    assert (200, {"number": 7, "open": True}) == (answer.status_code, answer.json())
    assert (200, "application/json") == (shown.status_code, shown.headers["content-type"])
    assert sent == shown.json()
    listed = server.http.get("/v1/repos").json()["repositories"]
    assert repository in [f"{one['owner']}/{one['repository']}" for one in listed]


@pytest.mark.parametrize("given", [{}, {"recorded_at": None}])
def test_the_default_time_of_recording(server: LiveServer, repository: str, given: dict[str, Any]) -> None:
    """The time of a record without one is now."""
    _put(server, repository, record() | given).raise_for_status()

    shown = server.http.get(_path(repository)).json()

    assert shown.pop("recorded_at").endswith("Z")
    assert record() == shown


def test_replacing(server: LiveServer, repository: str) -> None:
    """The last one counts, and so does its open or closed state."""
    _put(server, repository, record(title="old"))
    closed = record(
        pull={"state": "closed", "closed_at": "2026-11-15T12:00:00Z"}, recorded_at="2026-11-16T11:00:00Z"
    )

    answer = _put(server, repository, closed)

    assert {"number": 7, "open": False} == answer.json()
    assert closed == server.http.get(_path(repository)).json()


def test_deleting(server: LiveServer, repository: str) -> None:
    """Deleting the last data of a repository makes it unknown."""
    _put(server, repository, record()).raise_for_status()
    server.http.put(_path(repository, 8), json=record(8)).raise_for_status()

    removed = [server.http.delete(_path(repository, number)) for number in (7, 7, 8, 8)]

    assert [200, 404, 200, 404] == [answer.status_code for answer in removed]
    assert {"deleted": 1} == removed[0].json()
    detail = f"no snapshot of pull request 7 of {repository} is recorded"
    assert problem(404, detail) == removed[1].json()
    assert unknown_repository(repository) == removed[3].json()


def test_deleting_the_repository(server: LiveServer, repository: str) -> None:
    """Its snapshots are deleted with it."""
    _put(server, repository, record()).raise_for_status()

    assert {"deleted": 0} == server.http.delete(f"/v1/repos/{repository}").json()

    assert unknown_repository(repository) == server.http.get(_path(repository)).json()


def test_numbers(server: LiveServer, repository: str) -> None:
    """A record needs a valid number of a pull request."""
    largest = server.http.put(_path(repository, _LARGEST), json=record(_LARGEST))
    too_large = [
        server.http.request(method, _path(repository, _LARGEST + 1), headers=_JSON)
        for method in ("PUT", "GET", "DELETE")
    ]
    none = server.http.put(_path(repository, 0), json=record(0))

    assert 200 == largest.status_code
    assert record(_LARGEST)["pull"] == server.http.get(_path(repository, _LARGEST)).json()["pull"]
    message = f"must be at most {_LARGEST}"
    refusal = invalid(error("path", "number", message))
    assert [(422, refusal)] * 3 == [(answer.status_code, answer.json()) for answer in too_large]
    assert (422, invalid(error("body", "/pull/number", "must be a whole number of at least 1, not 0"))) == (
        none.status_code,
        none.json(),
    )


def test_all_errors_are_reported(server: LiveServer, repository: str) -> None:
    """Each has a JSON pointer, and an unknown key has the nearest known one; nothing is stored."""
    sent = record(
        pull={"title": 1, "labels": {}},
        reviws=[],
        files=[{"filename": "a", "status": "added"}, {"filename": None}],
        recorded_at="2026-11-15",
    )

    answer = _put(server, repository, sent)

    assert 422 == answer.status_code
    expected = [
        error("body", "/reviws", "is not a known key; did you mean `reviews`?"),
        error("body", "/pull/title", "must be a text, not 1"),
        error("body", "/pull/labels", "must be a list, not an object"),
        error("body", "/files/1/filename", "must be a text, not null"),
        error("body", "/files/1/status", "is missing; it is a text"),
    ]
    assert expected == [one for one in answer.json()["errors"] if one["name"] != "/recorded_at"]
    assert unknown_repository(repository) == server.http.get(_path(repository)).json()


def test_a_number_that_differs_from_the_path(server: LiveServer, repository: str) -> None:
    """A record belongs to one pull request."""
    answer = _put(server, repository, record(8))

    message = "must be 7, the number in the path, not 8"
    assert (422, invalid(error("body", "/pull/number", message))) == (answer.status_code, answer.json())


def test_many_errors(server: LiveServer, repository: str) -> None:
    """The first hundred are listed, the others counted."""
    answer = _put(server, repository, record(files=[0] * 5000))

    problem_document = answer.json()
    assert 422 == answer.status_code
    assert (100, 4900) == (len(problem_document["errors"]), problem_document["more_errors"])


def test_long_keys(server: LiveServer, repository: str) -> None:
    """An error truncates a path of a million characters."""
    answer = _put(server, repository, record(teams={"a" * 1_000_000: []}))

    pointer = f"/teams/{'a' * 193}"
    message = "is not a valid key; an example is acme/core"
    assert (422, invalid(error("body", pointer, message))) == (answer.status_code, answer.json())


_WHOLE = json.dumps(record(scopes=["HERE"])).encode()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the body is not valid JSON: Input data was truncated"),
        (b"{", "the body is not valid JSON: Input data was truncated"),
        (b"{}{}", "the body is not valid JSON: trailing characters (byte 3)"),
        (_WHOLE + b',"number":8', "the body is not valid JSON: trailing characters (byte "),
        (_WHOLE.replace(b'"HERE"', b"NaN"), "the body is not valid JSON: invalid character (byte "),
        (
            _WHOLE.replace(b"HERE", b"\\ud800"),
            "the body is not valid JSON: half of a surrogate pair in a string",
        ),
        (_WHOLE.replace(b"HERE", b"\xff"), "the record is not valid JSON: not UTF-8"),
        (_WHOLE.replace(b'"HERE"', b"1e999"), "the record is not valid JSON: a number is out of range"),
        (_WHOLE.replace(b'"HERE"', b"9" * 5000), "the record is not valid JSON: a number is out of range"),
        (b"[" * 100_000 + b"]" * 100_000, "the body is not valid JSON: nested too deeply"),
        (
            _WHOLE.replace(b'"HERE"', b"[" * 100_000 + b"]" * 100_000),
            "the body is not valid JSON: nested too deeply",
        ),
        (b"[]", "must be an object, not a list"),
        (b"null", "must be an object, not null"),
        (b'"text"', "must be an object, not `text`"),
    ],
)  # fmt: skip
def test_invalid_records(server: LiveServer, repository: str, body: bytes, message: str) -> None:
    """The server rejects each with a reason, and continues."""
    answer = _put(server, repository, body)

    assert 422 == answer.status_code, answer.text
    assert answer.json()["detail"].startswith(message)
    assert unknown_repository(repository) == server.http.get(_path(repository)).json()


_LARGE_RECORDS: dict[str, tuple[int, Callable[[], bytes]]] = {
    "lists": (422, lambda: b'{"pull": [' + b",".join([b"[]"] * 2_700_000) + b"]}"),
    "keys": (422, lambda: b"{" + b",".join(b'"%d":0' % number for number in range(700_000)) + b"}"),
    "nothing": (200, lambda: json.dumps(record(scopes=["\u0000" * 100_000])).encode()),
    "names": (
        200,
        lambda: json.dumps(record(files=[{"filename": "a" * 1_000_000, "status": "added"}] * 7)).encode(),
    ),
}


@pytest.mark.parametrize("name", _LARGE_RECORDS)
def test_large_records(server: LiveServer, repository: str, name: str) -> None:
    """They are stored or rejected as invalid, and a simulation finds what is stored."""
    status, body = _LARGE_RECORDS[name]
    answer = _put(server, repository, body())
    path = f"/v1/repos/{repository}/pulls/7/simulator"
    document = "pull_request_rules: [{name: a, conditions: ['files ~= ^(a+)+$b', scope = a], actions: {}}]"
    simulated = server.http.post(path, json={"config_yml": document})

    assert status == answer.status_code, answer.text
    assert (200 if status == 200 else 404) == simulated.status_code, simulated.text


def test_the_largest_body(server: LiveServer, repository: str) -> None:
    """The limit is 8 MiB, before and after decompression."""
    most = 8 << 20
    body = json.dumps(record()).encode()
    largest = body + b" " * (most - len(body))

    assert 200 == _put(server, repository, largest).status_code
    assert 413 == _put(server, repository, largest + b" ").status_code
    packed = gzip.compress(largest, 1), gzip.compress(largest + b" ", 1)
    encoding = {"Content-Encoding": "gzip"}
    assert [200, 413] == [_put(server, repository, one, **encoding).status_code for one in packed]
    answer = _put(server, repository, packed[1], **encoding)
    assert problem(413, "the body may be at most 8 MiB, decompressed") == answer.json()


def test_other_requests(server: LiveServer, repository: str) -> None:
    """It takes no query, no other method or type, and needs a credential."""
    http, path = server.http, _path(repository)

    assert 422 == http.put(f"{path}?at=now", json=record()).status_code
    assert "DELETE, GET, HEAD, PUT" == http.post(path, json=record()).headers["allow"]
    assert 415 == _put(server, repository, record(), **{"Content-Type": "text/yaml"}).status_code
    for method in ("PUT", "GET", "DELETE"):
        assert 403 == http.request(method, path, headers={"Authorization": "Bearer no"}).status_code
