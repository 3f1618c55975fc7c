"""A required check that was cancelled counts as failed if its group was then removed for failed checks."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from builders import Wire, ended, entered, left, reported, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, format_instant, parse_instant
from postgres.server import new_store
from waiting import wait_until

_START = parse_instant("2026-03-02T00:00:00Z")
_NOW = parse_instant("2026-03-08T00:00:00Z")
_WINDOW = "start_at=2026-03-02T00:00:00Z&end_at=2026-03-08T00:00:00Z"


@pytest.fixture
def clock() -> list[int]:
    return [_NOW]


@pytest.fixture(params=["sqlite", "postgres"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, clock: list[int]
) -> Iterator[LiveServer]:
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("cancelled"), now=lambda: clock[0], **more) as live:
        yield live


def _stay(
    pull: int,
    at: int,
    conclusion: str,
    *,
    seconds: int = 19 * 60,
    outcome: str = "SUCCESS",
    reason: str = "PR_MERGED",
    reported_later: int = 0,
) -> list[Wire]:
    """A pull request is tested alone; `test` ends so after so many seconds, and with it the run."""
    session, batch, end = f"s{pull}", f"b{pull}", at + seconds * SECOND
    times = {"started_at": format_instant(at), "ended_at": format_instant(end + reported_later)}
    return [
        entered(format_instant(at), session, pull, head_sha="a1" * 20),
        started(format_instant(at), session, pull, batch, [pull]),
        reported(format_instant(end), batch, "lint", **times),
        reported(format_instant(end), batch, "test", conclusion, **times),
        ended(format_instant(end), session, pull, batch, outcome),
        left(format_instant(end + SECOND), session, pull, reason, head_sha="a1" * 20),
    ]


_REMOVED: Any = {"outcome": "CHECKS_FAILED", "reason": "CHECKS_FAILED"}


def _history() -> list[Wire]:
    """Of 131 stays, 11 are removed because `test` was cancelled after 20:03."""
    events: list[Wire] = []
    for pull in range(1, 132):
        at = _START + pull * HOUR
        if pull % 12 == 6:
            events += _stay(pull, at, "cancelled", seconds=20 * 60 + 3, **_REMOVED)
        else:
            events += _stay(pull, at, "success", seconds=1182 - pull % 7)
    return events


def _checks(server: LiveServer, **asked: str) -> Any:
    answer = server.http.get(f"/v1/repos/acme/widgets/ci-checks?{_WINDOW}", params=asked or None)
    return answer.raise_for_status().json()


def _verdict(server: LiveServer, pull: int) -> Any:
    def ask() -> httpx.Response | None:
        answer = server.http.get(f"/v1/repos/acme/widgets/pulls/{pull}/verdict")
        return None if answer.status_code == 503 else answer

    return wait_until(ask, "a verdict").raise_for_status().json()


def test_what_a_time_limit_has_stopped_counts_and_has_its_own_words(
    server: LiveServer, clock: list[int]
) -> None:
    server.send(_history()).raise_for_status()
    clock[0] += 5 * MINUTE  # a history is judged once it has arrived

    found = {check["name"]: check for check in _checks(server)["checks"]}
    assert (131, 11, 11) == tuple(found["test"][name] for name in ("runs", "failed", "removals"))
    assert (131, 0, 0) == tuple(found["lint"][name] for name in ("runs", "failed", "removals"))
    failures = server.http.get(f"/v1/repos/acme/widgets/ci-checks?{_WINDOW}&name=test").json()["failures"]
    assert [("cancelled", [126]), ("cancelled", [114])] == [
        (one["conclusion"], one["pull_requests"]) for one in failures[:2]
    ]
    assert 11 == len(failures)

    said = [_verdict(server, pull) for pull in range(6, 132, 12)]
    assert ["test"] == said[0]["checks"]
    assert ["queue_again"] * 9 == [one["act"] for one in said[2:]]
    assert said[-1]["sentence"].startswith(
        "`test` was stopped by its limit of 20 minutes; passes take up to 19.7. "
        "That says nothing about this change. Queue it again"
    )
    history = server.http.get("/v1/repos/acme/widgets/pulls/126/history").json()
    assert "test" == history["stays"][0]["checks"][0]["failed_ci_check"]["name"]


def test_what_was_cancelled_because_its_group_was_gone_is_no_failure(
    server: LiveServer, clock: list[int]
) -> None:
    interrupted: Any = {"outcome": "PR_AHEAD_DEQUEUED", "reason": "PR_AHEAD_DEQUEUED"}
    events = [
        *_stay(1, _START + HOUR, "success"),
        *_stay(2, _START + 2 * HOUR, "cancelled", **interrupted),
        # It was cancelled after its group had been removed because of a check that is not reported.
        *_stay(3, _START + 3 * HOUR, "cancelled", **_REMOVED, reported_later=MINUTE),
    ]
    server.send(events).raise_for_status()
    clock[0] += 5 * MINUTE

    found = {check["name"]: check for check in _checks(server)["checks"]}
    assert (1, 0, 0) == tuple(found["test"][name] for name in ("runs", "failed", "removals"))
    history = server.http.get("/v1/repos/acme/widgets/pulls/3/history").json()
    assert history["stays"][0]["checks"][0]["failed_ci_check"] is None
    assert [] == _verdict(server, 3)["checks"]
