"""Problems of queues over HTTP: they begin, are listed and end, and thresholds change when."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import ended, entered, left, reported, started
from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant
from mergecast.signals.diagnosis.diagnosis import Diagnosis
from signals.steady import steady_events

NOW = parse_instant("2026-11-02T12:00:00Z")
PATH = "/v1/repos/acme/widgets"


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture(autouse=True)
def measured_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queues are measured when a test asks for them, and not between two of its steps."""
    monkeypatch.setattr(Diagnosis, "look_seconds", 3600.0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Iterator[LiveServer]:
    """A server that knows three weeks of a steady queue, the last pull request of which waits."""
    with live_server(tmp_path, now=clock) as running:
        running.send([*steady_events(NOW, weeks=3)])
        running.send([entered(format_instant(NOW - MINUTE), "waiting", 9001)])
        yield running


def _problems(server: LiveServer, clock: Clock, minutes: int) -> list[dict[str, Any]]:
    clock.now += minutes * MINUTE
    answer = server.http.get(f"{PATH}/queue")
    assert 200 == answer.status_code
    found: list[dict[str, Any]] = answer.json()["queue_problems"]
    return found


def test_a_problem_is_shown_while_it_holds_and_listed_afterwards(server: LiveServer, clock: Clock) -> None:
    """No run starts for half an hour; then one does."""
    assert [] == _problems(server, clock, 0)

    (problem,) = _problems(server, clock, 12)
    assert {
        "name": "no_run_started",
        "base_ref": "main",
        "queue_name": "default",
        "since": "2026-11-02T11:59:00Z",
        "found_at": "2026-11-02T12:12:00Z",
        "ended_at": None,
        "sentence": "no CI run has started, although #9001 waits and a slot is "
        "free; normally one starts within 10m",
        "advice": "Look at the CI provider's runners and status page, and whether the queue is paused.",
        "evidence": {
            "value": 780.0,
            "pull_requests": [9001],
            "runs": [],
            "source": None,
            "check": None,
            "unlisted": 0,
        },
        "level": {"value": 600.0, "unit": "seconds", "is_set": False},
    } == problem

    start, end = (format_instant(NOW + minutes * MINUTE) for minutes in (20, 30))
    clock.now = NOW + 31 * MINUTE
    run = [started(start, "waiting", 9001, "b9001", [9001]), ended(end, "waiting", 9001, "b9001")]
    server.send([*run, left(end, "waiting", 9001)])
    still = [problem["name"] for problem in _problems(server, clock, 1)]
    assert "no_run_started" in still
    assert [] == [p for p in _problems(server, clock, 11) if p["name"] == "no_run_started"]
    listed = server.http.get(f"{PATH}/queue-problems", params={"start_at": "2026-11-02T00:00:00Z"}).json()
    assert "2026-11-02T12:32:00Z" == next(
        problem["ended_at"] for problem in listed["queue_problems"] if problem["name"] == "no_run_started"
    )


def test_an_event_from_the_future_is_no_sign_of_life(server: LiveServer, clock: Clock) -> None:
    """The clock was two days ahead when an event arrived; since it was set right, the source is silent."""
    clock.now = NOW + 2 * DAY
    server.send([entered(format_instant(clock.now), "ahead", 9002)]).raise_for_status()
    clock.now = NOW

    (problem,) = [one for one in _problems(server, clock, 13 * 60) if one["name"] == "source_silent"]

    assert "2026-11-02T11:59:00Z" == problem["since"]


def _runs(server: LiveServer, clock: Clock, problem: str) -> list[str]:
    """The batches in the evidence of a problem that holds 50 minutes later."""
    (found,) = [found for found in _problems(server, clock, 50) if found["name"] == problem]
    runs: list[str] = found["evidence"]["runs"]
    return runs


def test_the_run_that_hangs_is_named(server: LiveServer, clock: Clock) -> None:
    server.send([started(format_instant(NOW), "waiting", 9001, "hangs", [9001])])

    assert ["hangs"] == _runs(server, clock, "run_too_long")


def _fail_four_times(server: LiveServer, clock: Clock, checks: dict[int, str]) -> None:
    """Four batches fail one after the other, some of them because of a check that is reported."""
    assert [] == _problems(server, clock, 0)
    for number in range(1, 5):
        stay, pull, batch = f"bad-{number}", 9100 + number, f"red-{number}"
        begun, done = (format_instant(NOW + (number + more) * 10 * MINUTE) for more in (-1, 0))
        clock.now = NOW + number * 10 * MINUTE
        failed = left(done, stay, pull, reason="CHECKS_FAILED")
        run = [started(begun, stay, pull, batch, [pull]), ended(done, stay, pull, batch, "CHECKS_FAILED")]
        reports = [reported(done, batch, "lint")]
        if number in checks:
            url = f"https://ci.example.com/{number}"
            reports.append(reported(done, batch, checks[number], "failure", url=url))
        server.send([entered(begun, stay, pull), *run, failed, *reports]).raise_for_status()


def test_the_runs_that_fail_are_named(server: LiveServer, clock: Clock) -> None:
    """In the order in which they ended, with the check that failed in all of them."""
    _fail_four_times(server, clock, dict.fromkeys(range(1, 5), "build"))
    (problem,) = [one for one in _problems(server, clock, 1) if one["name"] == "everyone_fails"]

    assert ["red-1", "red-2", "red-3", "red-4"] == problem["evidence"]["runs"]
    assert {"name": "build", "url": "https://ci.example.com/4"} == problem["evidence"]["check"]
    assert problem["sentence"].startswith("the check build failed in the last 4 CI runs that have no ")


@pytest.mark.parametrize("checks", [{1: "build", 2: "build"}, {1: "a", 2: "b", 3: "a", 4: "a"}])
def test_no_check_is_named_unless_it_failed_in_all_runs(
    server: LiveServer, clock: Clock, checks: dict[int, str]
) -> None:
    _fail_four_times(server, clock, checks)
    (problem,) = [one for one in _problems(server, clock, 1) if one["name"] == "everyone_fails"]

    assert problem["evidence"]["check"] is None
    assert problem["sentence"].startswith("checks failed in the last 4 CI runs that have no ")


def test_an_import_of_an_old_history_raises_no_alarm(tmp_path: Path, clock: Clock) -> None:
    """What ended before now may be incomplete: its next events may be on their way."""
    with live_server(tmp_path, now=clock) as server:
        server.send([*steady_events(NOW - 5 * HOUR, weeks=3)])
        server.send([entered(format_instant(NOW - 5 * HOUR), "waiting", 9001)])

        assert [] == _problems(server, clock, 0)
        assert [] == _problems(server, clock, 1)
        # Nothing more comes: it is complete.
        assert _problems(server, clock, 2)


def test_thresholds_can_be_set_while_a_history_is_imported(tmp_path: Path, clock: Clock) -> None:
    """The queues are known at once; what is normal is learned when nothing more comes."""
    with live_server(tmp_path, now=clock) as server:
        server.send([*steady_events(NOW - 5 * HOUR, weeks=3)])
        (queue,) = server.http.get(f"{PATH}/thresholds").json()["queues"]
        clock.now += 3 * MINUTE
        (later,) = server.http.get(f"{PATH}/thresholds").json()["queues"]

    waits = "the history is examined once no old events have arrived for two minutes"
    assert ("main", "default", waits) == (queue["base_ref"], queue["queue_name"], queue["sentence"])
    assert {None} == {threshold["learned"] for threshold in queue["thresholds"]}
    assert (None, 600.0) == (later["sentence"], later["thresholds"][0]["learned"])


def test_a_threshold_is_set_shown_and_deleted(server: LiveServer, clock: Clock) -> None:
    queue = {"base_ref": "main", "queue_name": "default"}
    answer = server.http.put(f"{PATH}/thresholds", json={**queue, "levels": {"no_run_started": 1800}})

    (shown,) = answer.json()["queues"]
    assert ("main", "default", None) == (shown["base_ref"], shown["queue_name"], shown["sentence"])
    assert {
        "name": "no_run_started",
        "unit": "seconds",
        "learned": 600.0,
        "set": 1800.0,
        "when": "when a pull request waits, the only slot is free, and no CI run starts for 30m",
    } == shown["thresholds"][0]
    assert [] == _problems(server, clock, 12)

    deleted = [server.http.delete(f"{PATH}/thresholds", params=queue).json() for _ in range(2)]
    assert [{"deleted": 1}, {"deleted": 0}] == deleted
    assert ["no_run_started"] == [problem["name"] for problem in _problems(server, clock, 2)]


def test_only_administrators_set_thresholds(server: LiveServer) -> None:
    body = {"base_ref": "main", "queue_name": "default", "levels": {"no_run_started": 1800}}
    statuses = {}
    for scope in ("ingest", "admin"):
        token = server.key(scopes=["read", scope])["key"]
        statuses[scope] = server.ask(token, f"{PATH}/thresholds", "PUT", json=body).status_code

    assert {"ingest": 403, "admin": 200} == statuses


_NAMES = (
    "no_run_started, run_too_long, everyone_fails, going_round, nothing_merges, source_silent, runs_slow, "
    "forgotten"
)
_WRONG: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "negative": (
        {"levels": {"run_too_long": -5, "everyone_fails": 0}},
        [
            ("/levels/run_too_long", "must be a number of seconds from 1 to 10,000,000"),
            ("/levels/everyone_fails", "must be a number of runs from 1 to 10,000,000"),
        ],
    ),
    "too high": (
        {"levels": {"run_too_long": 1e300}},
        [("/levels/run_too_long", "must be a number of seconds from 1 to 10,000,000")],
    ),
    "not a number": (
        {"levels": {"run_too_long": True, "going_round": "3"}},
        [
            ("/levels/run_too_long", "must be a number of seconds from 1 to 10,000,000"),
            ("/levels/going_round", "must be a number of entries from 1 to 10,000,000"),
        ],
    ),
    "unknown problem": (
        {"levels": {"run_to_long": 5}},
        [
            (
                "/levels/run_to_long",
                f"is not a problem of queues; did you mean run_too_long? There are {_NAMES}",
            )
        ],
    ),
    "no levels": ({"levels": {}}, [("/levels", f"must be an object with a level for any of {_NAMES}")]),
    "a list": ({"levels": [1]}, [("/levels", f"must be an object with a level for any of {_NAMES}")]),
    "unknown queue": (
        {"queue_name": "slow"},
        [("/queue_name", "acme/widgets has no queue slow on main; it has default on main")],
    ),
    "empty name": ({"base_ref": ""}, [("/base_ref", "must be a string of 1 to 255 characters")]),
}


def test_a_wrong_threshold_is_refused_and_changes_nothing(server: LiveServer) -> None:
    valid = {"base_ref": "main", "queue_name": "default", "levels": {"run_too_long": 60}}
    found = {}
    for case, (wrong, _) in _WRONG.items():
        answer = server.http.put(f"{PATH}/thresholds", json={**valid, **wrong})
        assert 422 == answer.status_code, case
        found[case] = answer.json()

    expected = {
        case: invalid(*(error("body", name, message) for name, message in errors))
        for case, (_, errors) in _WRONG.items()
    }
    assert expected == found
    (queue,) = server.http.get(f"{PATH}/thresholds").json()["queues"]
    assert {None} == {threshold["set"] for threshold in queue["thresholds"]}


def test_a_wrong_period_is_refused(server: LiveServer) -> None:
    wrong = {"start_at": "2026-11-02T09:00:00Z", "end_at": "2026-11-01T09:00:00Z"}
    answer = server.http.get(f"{PATH}/queue-problems", params=wrong)

    assert invalid(error("query", "start_at", "must be before end_at")) == answer.json()


def test_the_command_exits_with_1_while_a_queue_has_a_problem(tmp_path: Path, clock: Clock) -> None:
    """Only with --check; the problem is printed first. A level that was set needs no history."""
    body = {"base_ref": "main", "queue_name": "default", "levels": {"no_run_started": 300}}
    with live_server(tmp_path, now=clock) as server:
        server.send([entered(format_instant(NOW - MINUTE), "waiting", 9001)])
        server.http.put(f"{PATH}/thresholds", json=body)
        arguments = ("queue", "acme/widgets", "--url", str(server.http.base_url), "--token", TOKEN)
        calm = mergecast(*arguments, "--check", data=tmp_path)
        _problems(server, clock, 7)
        stuck, unchecked = (mergecast(*arguments, *more, data=tmp_path) for more in (("--check",), ()))

    assert [0, 1, 0] == [calm.code, stuck.code, unchecked.code]
    assert (
        "main · default: no_run_started since 2026-11-02 11:59: no CI run has started, although #9001 "
        "waits and a slot is free; the limit set for this queue is that one starts within 5m\n"
        "  Look at the CI provider's runners and status page, and whether the queue is paused.\n"
        "main · default: too little history for a diagnosis: 0 CI runs in the last 8 weeks, 200 are needed\n"
    ) == stuck.out[: stuck.out.index("main · default\n")]


def test_a_threshold_that_is_not_utf_8(server: LiveServer) -> None:
    body = b'{"base_ref": "\xed\xa0\x80", "queue_name": "default", "levels": "\xed\xbf\xbf"}'

    answer = server.http.put(f"{PATH}/thresholds", content=body, headers={"Content-Type": "application/json"})

    assert 422 == answer.status_code
    assert answer.json() == invalid(
        error("body", "/base_ref", "must be a string of 1 to 255 characters"),
        error("body", "/levels", f"must be an object with a level for any of {_NAMES}"),
    )
