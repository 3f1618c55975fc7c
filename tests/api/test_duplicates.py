"""One id has one content: duplicates are counted, conflicts reject the whole delivery."""

from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import Wire, entered, left, started
from live_server import LiveServer

_AT = "2026-03-02T10:00:00Z"
_LEFT = left(_AT, "s", 1, seconds_waiting_for_schedule=60)
_STARTED = started(_AT, "s", 1, "b", [1, 2])
_FOREVER = "the content of an id can never change"

_SAME: dict[str, tuple[Wire, dict[str, Any]]] = {
    "as it was": (_LEFT, {}),
    "other offset": (_LEFT, {"at": "2026-03-02T11:00:00+01:00"}),
    "week date": (_LEFT, {"at": "2026-W10-1T15:30+0530"}),
    "basic format": (_LEFT, {"at": "2026061T10Z"}),
    "fraction of nothing": (_LEFT, {"at": "2026-03-02T10:00:00.000Z"}),
    "digits that are cut": (_LEFT, {"at": "2026-03-02t10:00:00.0000009z"}),
    "60.0 seconds": (_LEFT, {"seconds_waiting_for_schedule": 60.0}),
    "6e1 seconds": (_LEFT, {"seconds_waiting_for_schedule": 6e1}),
    "no wait written out": (_LEFT, {"seconds_waiting_for_freeze": 0}),
    "no batch written out": (_LEFT, {"batch_id": None}),
    "no rule written out": (_LEFT, {"priority_rule_name": None}),
    "source written out": (_LEFT, {"source": "api"}),
    "no commit written out": (_LEFT, {"head_sha": None}),
    "a commit that was missing": (_LEFT, {"head_sha": "1a" * 20}),
    "without its commit": ({**_LEFT, "head_sha": "1a" * 20}, {"head_sha": None}),
    "commit in upper case": ({**_LEFT, "head_sha": "1a" * 20}, {"head_sha": "1A" * 20}),
    "attempt written out": (_STARTED, {"attempt": 1}),
}
_OTHER: dict[str, tuple[Wire, dict[str, Any], str]] = {
    "pull request": (_LEFT, {"pull_request": 2}, "pull_request"),
    "instant": (_LEFT, {"at": "2026-03-02T10:00:00.000001Z"}, "at"),
    "wait": (_LEFT, {"seconds_waiting_for_schedule": 60.000001}, "seconds_waiting_for_schedule"),
    "freeze": (_LEFT, {"seconds_waiting_for_freeze": 1}, "seconds_waiting_for_freeze"),
    "batch": (_LEFT, {"batch_id": "b"}, "batch_id"),
    "rule": (_LEFT, {"priority_rule_name": "high"}, "priority_rule_name"),
    "source": (_LEFT, {"source": "github"}, "source"),
    "case": (_LEFT, {"base_ref": "Main"}, "base_ref"),
    "normal form": (_LEFT, {"queue_name": "de\u0301fault"}, "queue_name"),
    "commit": ({**_LEFT, "head_sha": "1a" * 20}, {"head_sha": "2b" * 20}, "head_sha"),
    "commit and reason": (_LEFT, {"head_sha": "1a" * 20, "reason": "UNKNOWN"}, "reason"),
    "attempt": (_STARTED, {"attempt": 2}, "attempt"),
    "members": (_STARTED, {"batch_pull_requests": [1, 3]}, "batch_pull_requests"),
    "two fields": (_LEFT, {"queue_name": "other", "session_id": "t"}, "queue_name and session_id"),
}


@pytest.mark.parametrize(("first", "change"), _SAME.values(), ids=_SAME.keys())
def test_equivalent_events_are_duplicates(
    server: LiveServer, repository: str, first: Wire, change: dict[str, Any]
) -> None:
    """Another spelling of the same content is a duplicate, in the same delivery or a later one."""
    apart = [server.send([one], repository).json() for one in (first, {**first, **change})]
    together = server.send([first, {**first, **change}], f"{repository}-together").json()

    assert [{"stored": 1, "duplicates": 0}, {"stored": 0, "duplicates": 1}] == apart
    assert {"stored": 1, "duplicates": 1} == together


@pytest.mark.parametrize(("first", "change", "named"), _OTHER.values(), ids=_OTHER.keys())
def test_conflicting_content(
    server: LiveServer, repository: str, first: Wire, change: dict[str, Any], named: str
) -> None:
    """The 409 response names the event and the fields that differ; nothing is stored."""
    server.send([first], repository).raise_for_status()
    new = entered(_AT, "new", 9)

    answer = server.send([new, {**first, **change}], repository)

    message = f"an event with this id already exists with another {named}; {_FOREVER}"
    assert (409, invalid(error("body", "/1/id", message), status=409)) == (answer.status_code, answer.json())
    assert {"stored": 1, "duplicates": 0} == server.send([new], repository).json()


def test_a_conflict_within_a_delivery(server: LiveServer, repository: str) -> None:
    """The server rejects the whole delivery."""
    answer = server.send([_LEFT, {**_LEFT, "pull_request": 2}], repository)

    assert (409, ["/1/id"]) == (answer.status_code, [one["name"] for one in answer.json()["errors"]])
    assert 404 == server.http.get(f"/v1/repos/{repository}/events").status_code


def test_many_conflicts(server: LiveServer, repository: str) -> None:
    """The response lists the first hundred and counts the rest."""
    events = [entered(_AT, f"s{number}", number) for number in range(150)]
    server.send(events, repository).raise_for_status()

    document = server.send([{**one, "queue_name": "other"} for one in events], repository).json()

    assert (409, 100, 50) == (document["status"], len(document["errors"]), document["more_errors"])


def test_ids_are_per_repository(server: LiveServer, repository: str) -> None:
    """The same id in another repository is a different event."""
    answers = [
        server.send([_LEFT], repository),
        server.send([{**_LEFT, "pull_request": 2}], f"{repository}-2"),
    ]

    assert [{"stored": 1, "duplicates": 0}] * 2 == [answer.json() for answer in answers]
