"""Targets over HTTP: set for a repository and its queues, and compared with the figures of a summary."""

import json
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import ended, entered, left, started
from live_server import LiveServer

_WEEK = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-09T00:00:00Z"}
_NONE = {"time_in_queue_p95": None, "failure_rate": None, "ci_runs_per_merge": None}
_REPOSITORY = {"base_ref": None, "queue_name": None, **_NONE, "time_in_queue_p95": 3600}
_QUEUE = {"base_ref": "main", "queue_name": "hotfix", **_NONE, "time_in_queue_p95": 60, "failure_rate": 0.5}


@pytest.fixture
def named(server: LiveServer, repository: str) -> str:
    """Ten minutes in queue default, and ten in hotfix, each with a CI run."""
    for number, queue in enumerate(("default", "hotfix"), 1):
        session = f"s{number}"
        server.send(
            [
                entered("2026-03-03T10:00:00Z", session, number, queue_name=queue),
                started("2026-03-03T10:01:00Z", session, number, f"run{number}", [number], queue_name=queue),
                ended("2026-03-03T10:09:00Z", session, number, f"run{number}", queue_name=queue),
                left("2026-03-03T10:10:00Z", session, number, queue_name=queue),
            ],
            repository,
        )
    return f"/v1/repos/{repository}"


def test_targets_are_set_and_replaced(server: LiveServer, named: str) -> None:
    """What is left out is null; the answer is what is stored."""
    assert {"targets": []} == server.http.get(f"{named}/targets").json()

    given = {"targets": [{"time_in_queue_p95": 3600}, _QUEUE]}
    stored = server.http.put(f"{named}/targets", json=given)
    assert (200, {"targets": [_REPOSITORY, _QUEUE]}) == (stored.status_code, stored.json())
    assert stored.json() == server.http.get(f"{named}/targets").json()

    assert {"targets": []} == server.http.put(f"{named}/targets", json={"targets": []}).json()
    assert {"targets": []} == server.http.get(f"{named}/targets").json()


def test_a_summary_says_whether_they_are_met(server: LiveServer, named: str) -> None:
    """A queue has its own targets, and those of the repository for the rest."""
    first = server.http.get(f"{named}/summary", params=_WEEK)
    body = {"targets": [{**_REPOSITORY, "ci_runs_per_merge": 2}, _QUEUE]}
    server.http.put(f"{named}/targets", json=body).raise_for_status()

    tagged = {"If-None-Match": first.headers["etag"]}
    whole = server.http.get(f"{named}/summary", params=_WEEK, headers=tagged)
    hotfix = server.http.get(f"{named}/summary", params={**_WEEK, "queue_name": "hotfix"}).json()

    assert _NONE == first.json()["targets"]
    assert 200 == whole.status_code
    met = {"limit": 2.0, "is_met": True}
    assert {
        "time_in_queue_p95": {"limit": 3600.0, "is_met": True},
        "failure_rate": None,
        "ci_runs_per_merge": met,
    } == whole.json()["targets"]
    assert {
        "time_in_queue_p95": {"limit": 60.0, "is_met": False},
        "failure_rate": {"limit": 0.5, "is_met": True},
        "ci_runs_per_merge": met,
    } == hotfix["targets"]
    assert {
        "state": "slow",
        "sentence": "Little data: 1 stay, p50 10m, p95 10m. Over target: p95 in queue (1m).",
    } == hotfix["verdict"]


def test_a_target_without_a_figure_is_neither_met_nor_missed(server: LiveServer, named: str) -> None:
    server.http.put(f"{named}/targets", json={"targets": [_REPOSITORY]}).raise_for_status()
    empty = {"start_at": "2026-01-01T00:00:00Z", "end_at": "2026-01-02T00:00:00Z"}

    targets = server.http.get(f"{named}/summary", params=empty).json()["targets"]

    assert {"limit": 3600.0, "is_met": None} == targets["time_in_queue_p95"]


def test_only_administrators_set_targets(server: LiveServer, named: str) -> None:
    statuses = {}
    for scope in ("ingest", "admin"):
        token = server.key(scopes=["read", scope])["key"]
        path = f"{named}/targets"
        shown = server.ask(token, path).status_code
        statuses[scope] = shown, server.ask(token, path, "PUT", json={"targets": []}).status_code

    assert {"ingest": (200, 403), "admin": (200, 200)} == statuses


_LIST = "must be a list of objects with limits, each for the repository, a branch or a queue"
_FIELDS = "base_ref, queue_name, time_in_queue_p95, failure_rate or ci_runs_per_merge"
_WRONG: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "no field": ({}, [("/targets", "is missing")]),
    "no list": ({"targets": {"failure_rate": 1}}, [("/targets", _LIST)]),
    "no objects": ({"targets": [3]}, [("/targets", _LIST)]),
    "another field": (
        {"target": [], "targets": []},
        [("/target", "is not a field of this body, did you mean targets? It takes targets")],
    ),
    "every error at once": (
        {
            "targets": [
                {"time_in_queue_p95": 0, "failure_rate": 5, "ci_runs_per_merge": "1.3"},
                {"base_ref": "", "failure_rates": 0.1, "failure_rate": True},
                {"base_ref": "main"},
            ]
        },
        [
            ("/targets/0/time_in_queue_p95", "must be a number of seconds from 1 to 10,000,000, or null"),
            ("/targets/0/failure_rate", "must be a rate from 0 to 1, or null"),
            ("/targets/0/ci_runs_per_merge", "must be a number from 0.001 to 1,000, or null"),
            ("/targets/1/base_ref", "must be a string of 1 to 255 characters, or null"),
            ("/targets/1/failure_rate", "must be a rate from 0 to 1, or null"),
            (
                "/targets/1/failure_rates",
                f"is not a field of a target, did you mean failure_rate? It takes {_FIELDS}",
            ),
            ("/targets/2", "has no limit; it takes time_in_queue_p95, failure_rate, ci_runs_per_merge"),
        ],
    ),
    "twice": (
        {"targets": [_REPOSITORY, _QUEUE, {"failure_rate": 0.1}]},
        [("/targets/2", "is for the same branch and queue as another one")],
    ),
    "unknown names": (
        {
            "targets": [
                {"queue_name": "hotfixes", "failure_rate": 0.1},
                {"base_ref": "main", "queue_name": "zzz", "failure_rate": 0.1},
                {"base_ref": "mian", "failure_rate": 0.1},
            ]
        },
        [
            ("/targets/0/queue_name", "there is no queue hotfixes; did you mean hotfix?"),
            (
                "/targets/1/queue_name",
                "there is no queue zzz on main; there are default on main, hotfix on main",
            ),
            ("/targets/2/base_ref", "there is no branch mian; did you mean main?"),
        ],
    ),
    "too many": (
        {"targets": [{"base_ref": f"b{n}", "failure_rate": 0.1} for n in range(1001)]},
        [("/targets", "has 1,001 targets, more than 1,000")],
    ),
}


@pytest.mark.parametrize("wrong", _WRONG)
def test_wrong_targets_change_nothing(server: LiveServer, named: str, wrong: str) -> None:
    body, errors = _WRONG[wrong]
    server.http.put(f"{named}/targets", json={"targets": [_QUEUE]}).raise_for_status()

    answer = server.http.put(f"{named}/targets", json=body)

    assert invalid(*(error("body", name, message) for name, message in errors)) == answer.json()
    assert {"targets": [_QUEUE]} == server.http.get(f"{named}/targets").json()


def test_numbers_that_are_none(server: LiveServer, named: str) -> None:
    for number in ("1e999", "-1", "NaN", json.dumps("5"), "[]"):
        text = f'{{"targets": [{{"failure_rate": {number}}}]}}'
        sent = server.http.put(f"{named}/targets", content=text, headers={"Content-Type": "application/json"})
        assert 422 == sent.status_code, (number, sent.text)


def test_a_repository_that_is_deleted_leaves_no_targets(server: LiveServer, named: str) -> None:
    """One of the same name starts without."""
    server.http.put(f"{named}/targets", json={"targets": [_REPOSITORY]}).raise_for_status()
    server.http.delete(named).raise_for_status()
    repository = named.removeprefix("/v1/repos/")
    server.send([entered("2026-03-03T10:00:00Z", "again", 1)], repository).raise_for_status()

    assert {"targets": []} == server.http.get(f"{named}/targets").json()
    assert 404 == server.http.get("/v1/repos/acme/unknown/targets").status_code
