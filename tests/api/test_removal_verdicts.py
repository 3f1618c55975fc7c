"""Verdicts on removals over HTTP, on both kinds of store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from builders import ended, entered, left, reported, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, format_instant, parse_instant
from mergecast.signals.removals.removals import Removals
from postgres.server import new_store
from waiting import wait_until

NOW = parse_instant("2026-11-02T12:00:00Z")
SHA, OTHER_SHA = "a1" * 20, "b2" * 20
PULLS = "/v1/repos/acme/widgets/pulls"


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgres"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, clock: Clock
) -> Iterator[LiveServer]:
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("verdicts"), now=clock, **more) as server:
        yield server


def _failed(number: int, at: int, sha: str = SHA, name: str = "unit") -> list[dict[str, Any]]:
    """A pull request is tested alone, fails, and is removed."""
    begin, end, session = format_instant(at - 20 * MINUTE), format_instant(at), f"s-{number}-{at}"
    batch = f"b-{number}-{at}"
    return [
        entered(begin, session, number, head_sha=sha),
        started(begin, session, number, batch, [number]),
        reported(end, batch, name, "failure"),
        ended(end, session, number, batch, "CHECKS_FAILED"),
        left(format_instant(at + SECOND), session, number, "CHECKS_FAILED", head_sha=sha),
    ]


def _merged(number: int, at: int, sha: str = SHA) -> list[dict[str, Any]]:
    begin, session, batch = format_instant(at - 20 * MINUTE), f"m-{number}-{at}", f"m-{number}-{at}"
    return [
        entered(begin, session, number, head_sha=sha),
        started(begin, session, number, batch, [number]),
        ended(format_instant(at), session, number, batch),
        left(format_instant(at + SECOND), session, number, head_sha=sha),
    ]


def _verdict(server: LiveServer, number: int, **asked: str) -> Any:
    def ask() -> httpx.Response | None:
        answer = server.http.get(f"{PULLS}/{number}/verdict", params=asked)
        is_judged = answer.status_code != 503 and answer.json().get("revision") != 0
        return answer if is_judged else None

    answer = wait_until(ask, "a verdict")
    assert answer.status_code == 200, answer.text
    return answer.json()


def _problem(server: LiveServer, number: int, **asked: str) -> tuple[int, str]:
    answer = server.http.get(f"{PULLS}/{number}/verdict", params=asked)
    return answer.status_code, answer.json()["detail"]


def test_a_removal_is_judged_soon_after_it_is_stored(running: LiveServer) -> None:
    events = [event for number in range(1, 40) for event in _merged(number, NOW - DAY + number * 20 * MINUTE)]
    running.send([*events, *_failed(60, NOW - MINUTE)]).raise_for_status()
    found = _verdict(running, 60)
    assert ["unit"] == found["checks"]
    assert {"check_names": True, "head_sha": True} == {
        name: found["basis"][name] for name in ("check_names", "head_sha")
    }
    assert (1, None) == (found["revision"], found["outcome"])
    assert found["sentence"].endswith(".")
    assert {"own", "other", "flake", "everybody"} == found["probabilities"].keys()
    history = running.http.get(f"{PULLS}/60/history").json()
    assert [found] == [stay["verdict"] for stay in history["stays"]]
    assert [(None, False)] == _shown(running, 7)


def _shown(server: LiveServer, number: int) -> list[tuple[Any, bool]]:
    stays = server.http.get(f"{PULLS}/{number}/history").json()["stays"]
    return [(stay["verdict"], stay["is_being_judged"]) for stay in stays]


def test_a_history_says_that_a_removal_is_being_judged(
    running: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        """Nothing is judged."""

    monkeypatch.setattr(Removals, "_judge", never)
    events = [*_merged(7, NOW - 60 * MINUTE), *_failed(9, NOW - MINUTE)]
    running.send([*events, entered(format_instant(NOW), "again", 9)]).raise_for_status()
    assert [(None, False), (None, True)] == _shown(running, 9)
    assert [(None, False)] == _shown(running, 7)
    monkeypatch.undo()
    found = _verdict(running, 9)
    assert [(None, False), (found, False)] == _shown(running, 9)


def test_who_was_not_removed_has_no_verdict(running: LiveServer) -> None:
    waiting = entered(format_instant(NOW - MINUTE), "waiting", 8)
    events = [*_merged(7, NOW - 60 * MINUTE), *_failed(9, NOW - 30 * MINUTE), waiting]
    running.send(events).raise_for_status()
    never = "was never removed from a queue, as far as is known here"
    assert (404, f"pull request 7 of acme/widgets {never}") == _problem(running, 7)
    assert (404, f"pull request 8 of acme/widgets {never}") == _problem(running, 8)
    assert (404, f"pull request 1234 of acme/widgets {never}") == _problem(running, 1234)
    merged = events[0]["session_id"]
    expected = "session_id: this stay was merged; only a removal has a verdict"
    assert (422, expected) == _problem(running, 7, session_id=merged)
    expected = "session_id: this stay is still in the queue; only a removal has a verdict"
    assert (422, expected) == _problem(running, 8, session_id="waiting")
    expected = "session_id: is not a stay of pull request 9; GET …/pulls/9/history lists them"
    assert (422, expected) == _problem(running, 9, session_id=merged)


def test_a_removal_is_judged_although_no_event_says_when_it_entered(running: LiveServer) -> None:
    running.send(_failed(9, NOW - 30 * MINUTE)[-1:]).raise_for_status()
    assert ("unknown", "look") == tuple(_verdict(running, 9)[name] for name in ("cause", "act"))


def test_names_that_arrive_later_revise_a_verdict(running: LiveServer, clock: Clock) -> None:
    *events, report, end, exit = _failed(60, NOW - MINUTE)
    running.send([*events, end, exit]).raise_for_status()
    first = _verdict(running, 60)
    assert ([], False, 1) == (first["checks"], first["basis"]["check_names"], first["revision"])
    clock.now += 20 * SECOND
    running.send([report]).raise_for_status()

    def revised() -> Any:
        found = _verdict(running, 60)
        return found if found["revision"] > 1 else None

    assert ["unit"] == wait_until(revised)["checks"]


def test_without_reports_of_checks_a_verdict_knows_no_names(tmp_path: Path) -> None:
    """MERGECAST_CHECKS_KEEP=0."""
    with live_server(tmp_path, now=lambda: NOW, checks_keep=0) as server:
        server.send(_failed(60, NOW - MINUTE)).raise_for_status()
        found = _verdict(server, 60)
    assert ([], False) == (found["checks"], found["basis"]["check_names"])


def test_what_came_of_a_removal_is_its_outcome(running: LiveServer, clock: Clock) -> None:
    """Returns within 14 days count; the second removal of one pull request has an outcome of its own."""
    at = NOW - 10 * DAY
    returns = {1: _merged(1, at + DAY), 2: _failed(2, at + DAY), 3: _merged(3, at + DAY, OTHER_SHA)}
    removed = {number: _failed(number, at + number * MINUTE) for number in (1, 2, 3, 4)}
    running.send([event for events in (*removed.values(), *returns.values()) for event in events])
    clock.now += 3 * MINUTE  # no old events arrive any more

    def outcome(number: int) -> str | None:
        found: str | None = _verdict(running, number, session_id=removed[number][0]["session_id"])["outcome"]
        return found

    assert ["merged", "failed_again", "changed", None] == [outcome(number) for number in (1, 2, 3, 4)]
    clock.now += 5 * DAY
    assert "never_returned" == outcome(4)
    period = {"start_at": format_instant(at - DAY), "end_at": format_instant(NOW)}
    (queue,) = running.http.get("/v1/repos/acme/widgets/verdicts", params=period).json()["queues"]
    assert (5, 2, 1) == (queue["removals"], queue["unchanged_returns"], queue["unchanged_merged"])
    outcomes = {
        name: sum(act["outcomes"][name] for act in queue["acts"]) for name in queue["acts"][0]["outcomes"]
    }
    assert {"merged": 1, "failed_again": 1, "changed": 1, "never_returned": 2, "open": 0} == outcomes
    summary = running.http.get("/v1/repos/acme/widgets/summary", params=period).json()
    assert queue["removal_causes"] == summary["removal_causes"]
    assert 5 == sum(summary["removal_causes"].values())


def test_a_return_with_changes_proves_nothing(running: LiveServer, clock: Clock) -> None:
    at = NOW - 10 * DAY
    removed = [
        entered(format_instant(at), "first", 1, head_sha=SHA),
        left(format_instant(at + MINUTE), "first", 1, "CONFLICT_WITH_BASE_BRANCH", head_sha=SHA),
    ]
    running.send([*removed, *_merged(1, at + DAY, OTHER_SHA)]).raise_for_status()
    clock.now += 3 * MINUTE  # no old events arrive any more
    assert ("fix", "changed") == tuple(_verdict(running, 1)[name] for name in ("act", "outcome"))

    period = {"start_at": format_instant(at - DAY), "end_at": format_instant(NOW)}
    (queue,) = running.http.get("/v1/repos/acme/widgets/verdicts", params=period).json()["queues"]
    assert (
        "1 removal. No pull request has come back unchanged, so no advice has proved right or wrong yet. "
        "1 came back changed, which proves nothing; 0 never came back."
    ) == queue["sentence"]


def test_who_may_have_come_back_is_not_said_to_have_stayed_away(running: LiveServer, clock: Clock) -> None:
    """One came back to another queue, of one only the end is known, and one came back later than counts."""
    at = NOW - 30 * DAY
    removed = {number: _failed(number, at + number * MINUTE) for number in (1, 2, 3, 4)}
    elsewhere = [{**event, "queue_name": "hotfix"} for event in _merged(1, at + DAY)]
    without_beginning = [event for event in _merged(2, at + DAY) if event["type"] == "queue_left"]
    late = _merged(3, at + 20 * DAY)
    failed = [event for events in removed.values() for event in events]
    running.send([*failed, *elsewhere, *without_beginning, *late]).raise_for_status()
    clock.now += 3 * MINUTE  # no old events arrive any more
    sessions = {number: events[0]["session_id"] for number, events in removed.items()}

    outcomes = [
        _verdict(running, number, session_id=session)["outcome"] for number, session in sessions.items()
    ]
    assert [None, None, "never_returned", "never_returned"] == outcomes
    period = {"start_at": format_instant(at - DAY), "end_at": format_instant(NOW)}
    (queue,) = running.http.get("/v1/repos/acme/widgets/verdicts", params=period).json()["queues"]
    counts = {
        name: sum(act["outcomes"][name] for act in queue["acts"]) for name in ("open", "never_returned")
    }
    assert {"open": 2, "never_returned": 2} == counts
    assert (
        "4 removals. No pull request has come back unchanged, so no advice has proved right or wrong yet. "
        "0 came back changed, which proves nothing; 2 never came back."
    ) == queue["sentence"]


def test_what_later_runs_proved_stands_beside_the_verdict_and_counts(running: LiveServer) -> None:
    """The verdict itself stays what could be said then."""
    failed = _failed(1, NOW - 2 * DAY)
    running.send(failed).raise_for_status()
    before = _verdict(running, 1)
    assert (None, None) == (before["proven"], before["in_queue_since"])
    again = entered(format_instant(NOW - 30 * MINUTE), "again", 1, head_sha=SHA)
    running.send([again]).raise_for_status()
    assert format_instant(NOW - 30 * MINUTE) == _verdict(running, 1)["in_queue_since"]

    running.send([left(format_instant(NOW - MINUTE), "again", 1, head_sha=SHA)]).raise_for_status()

    after = _verdict(running, 1, session_id=failed[0]["session_id"])
    assert {
        "cause": "flake",
        "sentence": "It came back unchanged and merged, so it was not this change.",
    } == after["proven"]
    assert (before["cause"], before["sentence"]) == (after["cause"], after["sentence"])
    assert (format_instant(NOW - 2 * DAY + SECOND), None) == (after["removed_at"], after["in_queue_since"])
    period = {"start_at": format_instant(NOW - 3 * DAY), "end_at": format_instant(NOW)}
    (queue,) = running.http.get("/v1/repos/acme/widgets/verdicts", params=period).json()["queues"]
    assert {"flake": 1} == {cause: count for cause, count in queue["removal_causes"].items() if count}
    summary = running.http.get("/v1/repos/acme/widgets/summary", params=period).json()
    assert queue["removal_causes"] == summary["removal_causes"]
    assert "1 removal. Of all unchanged returns 100 % merged: 1 of 1 merged" in queue["sentence"]


def test_a_cause_that_follows_from_the_reason_alone_is_there_at_once(
    running: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        """Nothing is judged."""

    monkeypatch.setattr(Removals, "_judge", never)
    *_, exit = _failed(8, NOW - 2 * MINUTE)
    running.send([*_failed(9, NOW - MINUTE), {**exit, "reason": "MERGE_QUEUE_RESET"}]).raise_for_status()

    found = running.http.get(f"{PULLS}/8/verdict").raise_for_status().json()
    assert ("queue", "sure", "queue_again", 0) == tuple(
        found[name] for name in ("cause", "certainty", "act", "revision")
    )
    assert "The queue was reset; this was not about #8. Queue it again." == found["sentence"]
    assert 503 == running.http.get(f"{PULLS}/9/verdict").status_code
    assert "queue" == running.http.get(f"{PULLS}/8/state").json()["removal"]["cause"]
    period = {"start_at": format_instant(NOW - DAY), "end_at": format_instant(NOW)}
    (queue,) = running.http.get("/v1/repos/acme/widgets/verdicts", params=period).json()["queues"]
    summary = running.http.get("/v1/repos/acme/widgets/summary", params=period).json()
    assert (2, 1, 1) == (queue["removals"], queue["not_judged"], summary["removals_not_judged"])
    assert 1 == queue["removal_causes"]["queue"] == summary["removal_causes"]["queue"]
    assert queue["sentence"].startswith("2 removals, 1 not judged yet. ")


def test_a_short_history_is_judged_when_it_has_arrived(running: LiveServer) -> None:
    running.send(_failed(9, NOW - 10 * DAY)).raise_for_status()
    assert 1 == _verdict(running, 9)["revision"]


def test_of_a_long_history_the_newest_removals_are_judged_first(running: LiveServer, clock: Clock) -> None:
    """More events may arrive for two minutes, so the others wait."""
    merged = [one for number in range(100, 620) for one in _merged(number, NOW - 20 * DAY + number * MINUTE)]
    running.send([*merged, *_failed(8, NOW - 21 * DAY), *_failed(9, NOW - DAY)]).raise_for_status()

    assert ["unit"] == _verdict(running, 9)["checks"]
    assert 503 == running.http.get(f"{PULLS}/8/verdict").status_code
    clock.now += 3 * MINUTE
    assert ["unit"] == _verdict(running, 8)["checks"]


def test_the_etag_of_a_summary_follows_the_verdicts(running: LiveServer) -> None:
    """A verdict comes after the events that it is about; statistics do not know it."""
    period = {"start_at": format_instant(NOW - DAY), "end_at": format_instant(NOW)}

    def ask(path: str) -> httpx.Response:
        answer = running.http.get(f"/v1/repos/acme/widgets/{path}", params=period)
        answer.raise_for_status()
        return answer

    events = _failed(9, NOW - MINUTE)
    running.send(events[:-1]).raise_for_status()
    before = ask("summary"), ask("stats/queue_size")
    assert 0 == sum(before[0].json()["removal_causes"].values())
    running.send(events[-1:]).raise_for_status()
    _verdict(running, 9)
    judged = ask("summary")
    assert 1 == sum(judged.json()["removal_causes"].values())
    assert judged.headers["ETag"] != before[0].headers["ETag"]


def test_whoever_may_not_read_the_repository_gets_no_verdict(running: LiveServer) -> None:
    running.send(_failed(9, NOW - 30 * MINUTE)).raise_for_status()
    with running.anonymous() as client:
        assert 403 == client.get(f"{PULLS}/9/verdict").status_code
        assert 403 == client.get("/v1/repos/acme/widgets/verdicts").status_code
