"""`GET …/stays` and `GET …/pulls/{number}/history`: what clients see, and what they may not ask."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.recorded_pulls import scenario
from builders import ended, entered, event, left, started
from live_server import DAY, LiveServer

_STAYS = "/v1/repos/acme/widgets/stays"


def test_the_stays_of_the_worked_example(server: LiveServer) -> None:
    """The slowest comes first; what it waited for adds up to its duration."""
    answer = server.http.get(_STAYS, params={**DAY, "limit": "1"}).json()

    assert {
        "total": 2,
        "stays": [
            {
                "session_id": "a",
                "pull_request": 1,
                "base_ref": "main",
                "queue_name": "default",
                "priority_rule_name": None,
                "entered_at": "2026-03-02T10:00:00Z",
                "left_at": "2026-03-02T11:02:00Z",
                "reason": "PR_MERGED",
                "seconds": 3720.0,
                "waiting": {"ci": 3000.0, "capacity": 720.0, "schedule": 0.0, "freeze": 0.0},
                "retries": 1,
                "head_sha": None,
            }
        ],
    } == answer


def test_the_commits_of_stays(server: LiveServer, repository: str) -> None:
    """A stay has the commit of its entry, or else of its exit, unless the two differ."""
    reported = [("1a", "1a"), ("1a", None), (None, "1a"), ("1a", "2b"), (None, None)]
    server.send(
        [
            event
            for number, (entering, leaving) in enumerate(reported)
            for event in (
                entered("2026-03-02T10:00:00Z", f"s{number}", 7, head_sha=entering and entering * 20),
                left(f"2026-03-02T11:00:0{number}Z", f"s{number}", 7, head_sha=leaving and leaving * 20),
            )
        ],
        repository,
    ).raise_for_status()

    listed = server.http.get(f"/v1/repos/{repository}/stays", params={**DAY, "order": "at"}).json()["stays"]
    told = server.http.get(f"/v1/repos/{repository}/pulls/7/history").json()["stays"]

    assert ["1a" * 20, "1a" * 20, "1a" * 20, None, None] == [stay["head_sha"] for stay in listed]
    assert {stay["session_id"]: stay["head_sha"] for stay in listed} == {
        stay["session_id"]: stay["head_sha"] for stay in told
    }


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"order": "left_at"}, "order: must be one of -seconds, seconds, -at, at"),
        ({"limit": "0"}, "limit: must be a number from 1 to 1000, in plain decimal digits"),
        ({"limit": "1001"}, "limit: must be a number from 1 to 1000, in plain decimal digits"),
        ({"limit": "\u0661"}, "limit: must be a number from 1 to 1000, in plain decimal digits"),
        ({"limit": "9" * 5000}, "limit: must be a number from 1 to 1000, in plain decimal digits"),
    ],
)
def test_wrong_parameters_are_refused(server: LiveServer, query: dict[str, str], message: str) -> None:
    """The message says what would be right."""
    answer = server.http.get(_STAYS, params=query)

    assert (422, message) == (answer.status_code, answer.json()["detail"])


def test_the_answer_is_cached_by_all_its_parameters(server: LiveServer) -> None:
    """Another order or limit is another answer."""
    queries = [{}, {"order": "at"}, {"order": "-at"}, {"limit": "1"}, {"limit": "2"}]

    tags = [server.http.get(_STAYS, params={**DAY, **query}).headers["ETag"] for query in queries]

    assert len(queries) == len(set(tags))
    assert 304 == server.http.get(_STAYS, params=DAY, headers={"If-None-Match": tags[0]}).status_code


def _history(server: LiveServer, repository: str, number: int) -> Any:
    answer = server.http.get(f"/v1/repos/{repository}/pulls/{number}/history")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_waiting_pull_request_says_what_it_waits_for(server: LiveServer, repository: str) -> None:
    """Without enough history for rules, only what the queue shows. The answer is not kept in any cache."""
    now = datetime.now(UTC).replace(microsecond=0)
    begun, entry = now - timedelta(minutes=5), now - timedelta(minutes=9)
    server.send(
        [
            entered(entry.isoformat(), "a", 1),
            entered(entry.isoformat(), "b", 2),
            started(begun.isoformat(), "a", 1, "X", [1]),
            entered(entry.isoformat(), "c", 3),
            left(begun.isoformat(), "c", 3),
        ],
        repository,
    )

    answers = [server.http.get(f"/v1/repos/{repository}/pulls/{number}/history") for number in (1, 2, 3)]

    running, waiting, gone = (answer.json()["waiting_for"] for answer in answers)
    assert {
        "reason": "ci",
        "sentence": "First in `default`; CI has run for 5m",
        "until": None,
        "evidence": {
            "base_ref": "main",
            "queue_name": "default",
            "position": 1,
            "position_is_estimated": False,
            "newest_event_at": begun.isoformat().replace("+00:00", "Z"),
            "busy_slots": None,
            "slots": None,
            "missing": None,
            "ahead": None,
            "ci_started_at": begun.isoformat().replace("+00:00", "Z"),
            "usual_ci_seconds": None,
            "failed": None,
            "closed_stops": None,
            "closed_since": None,
            "alert": None,
            "expected_merge": None,
            "expected_merges": "too_little_history",
        },
    } == running
    assert "Second in `default`; its CI has not started" == waiting["sentence"]
    assert None is gone
    assert {("no-store", None)} == {
        (answer.headers["Cache-Control"], answer.headers.get("ETag")) for answer in answers
    }


def test_nothing_is_known_about_a_stay_in_a_feed_that_ended_long_ago(
    server: LiveServer, repository: str
) -> None:
    server.send([entered("2026-03-02T09:00:00Z", "a", 1)], repository)

    assert (
        "No event has arrived since 2026-03-02T09:00:00Z; what it waits for is not known"
        == _history(server, repository, 1)["waiting_for"]["sentence"]
    )


def test_a_second_try_after_a_bisection(server: LiveServer, repository: str) -> None:
    """The stay in progress comes first; the bisection belongs to the stay whose batch failed."""
    day, batch = "2026-03-02T", {"batch_id": "X", "depth": 0, "batch_pull_requests": [7, 8]}
    server.send(
        [
            entered(f"{day}09:00:00Z", "first", 7),
            started(f"{day}09:01:00Z", "first", 7, "X", [7, 8]),
            ended(f"{day}09:31:00Z", "first", 7, "X", "CHECKS_FAILED"),
            event("bisection_started", f"{day}09:32:00Z", **batch),
            event(
                "bisection_ended",
                f"{day}09:50:00Z",
                batch_id="X",
                culprit_found=True,
                max_failures_reached=False,
            ),
            left(f"{day}09:51:00Z", "first", 7, "CHECKS_FAILED"),
            entered(f"{day}10:00:00Z", "second", 7),
            started(f"{day}10:05:00Z", "second", 7, "Y", [7]),
        ],
        repository,
    )

    found = _history(server, repository, 7)

    second, first = found["stays"]
    assert (7, None) == (found["pull_request"], found["pull"])
    assert ("second", None, None, None) == (
        second["session_id"], second["left_at"], second["seconds"], second["waiting"],
    )  # fmt: skip
    assert [
        {
            "batch_id": "Y",
            "attempt": 1,
            "pull_requests": [7],
            "started_at": f"{day}10:05:00Z",
            "ended_at": None,
            "outcome": None,
            "ci_checks": [],
            "ci_checks_total": 0,
            "failed_ci_check": None,
        }
    ] == second["checks"]
    assert ([], "CHECKS_FAILED") == (second["bisections"], first["reason"])
    assert [
        {
            "batch_id": "X",
            "steps": [{"depth": 0, "started_at": f"{day}09:32:00Z", "pull_requests": [7, 8]}],
            "ended_at": f"{day}09:50:00Z",
            "culprit_found": True,
            "max_failures_reached": False,
        }
    ] == first["bisections"]


def test_a_snapshot_provides_title_and_author(server: LiveServer, repository: str) -> None:
    """A pull request that has not been in a queue has no stays."""
    _, record = scenario("draft")
    number = record["pull"]["number"]
    server.http.put(f"/v1/repos/{repository}/pulls/{number}/snapshot", json=record).raise_for_status()

    found = _history(server, repository, number)

    pull = record["pull"]
    described = {"title": pull["title"], "author": pull["user"]["login"], "url": pull.get("html_url")}
    assert {"pull_request": number, "pull": described, "waiting_for": None, "stays": []} == found


@pytest.mark.parametrize("number", ["4242", str(2**63), "9223372036854776000"])
def test_an_unknown_pull_request(server: LiveServer, number: str) -> None:
    """The number is valid, but no event names it."""
    answer = server.http.get(f"/v1/repos/acme/widgets/pulls/{number}/history")

    message = (
        "is not known here: it has not been in a queue, and neither a source nor a snapshot describes it"
    )
    assert (404, f"pull request {number} of acme/widgets {message}") == (
        answer.status_code, answer.json()["detail"],
    )  # fmt: skip
