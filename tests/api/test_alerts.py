"""Alerts over HTTP: they begin, are listed and end, and thresholds change when."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.changed_settings import put_settings
from api.problem_documents import error, invalid
from builders import ended, entered, left, reported, started
from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant
from mergecast.signals.alerts.watcher import AlertWatch
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
    monkeypatch.setattr(AlertWatch, "look_seconds", 3600.0)


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


def _alerts(server: LiveServer, clock: Clock, minutes: int) -> list[dict[str, Any]]:
    clock.now += minutes * MINUTE
    answer = server.http.get(f"{PATH}/queue")
    assert 200 == answer.status_code
    found: list[dict[str, Any]] = answer.json()["alerts"]
    return found


def test_a_problem_is_shown_while_it_holds_and_listed_afterwards(server: LiveServer, clock: Clock) -> None:
    """No run starts for an hour; then one does."""
    assert [] == _alerts(server, clock, 0)

    (alert,) = _alerts(server, clock, 46)
    assert {
        "id": alert["id"],
        "figure": "no_run_started",
        "origin": "learned",
        "base_ref": "main",
        "queue_name": "default",
        "since": "2026-11-02T12:00:00Z",
        "found_at": "2026-11-02T12:46:00Z",
        "ended_at": None,
        "end_reason": None,
        "value": 2760.0,
        "threshold": 2700.0,
        "unit": "seconds",
        "sentence": "nothing has run on `main` for 46m, although #9001 waits (queue `default`)",
        "advice": "Look at the CI provider's runners and status page, and whether the queue is paused.",
        "evidence": {
            "pull_requests": [9001],
            "runs": [],
            "source": None,
            "check": None,
            "unlisted": 0,
            "queues": ["default"],
        },
        "reference": None,
    } == alert
    assert {
        "start_at": "2025-09-28T12:46:00Z",
        "end_at": "2026-11-02T12:46:00Z",
        "alerts": [{**alert, "change": None}],
        "incidents": [
            {
                "id": alert["id"],
                "base_ref": "main",
                "queue_name": "default",
                "since": "2026-11-02T12:00:00Z",
                "ended_at": None,
                "sentence": "`default` is stuck: nothing has run on `main` for 46m; 1 waits",
                "alerts": [alert["id"]],
                "notified": [],
            }
        ],
        "silence": None,
    } == server.http.get(f"{PATH}/alerts").json()
    assert 1 == server.http.get(f"{PATH}/freshness").json()["alerts"]

    start, end = (format_instant(NOW + minutes * MINUTE) for minutes in (50, 60))
    clock.now = NOW + 61 * MINUTE
    run = [started(start, "waiting", 9001, "b9001", [9001]), ended(end, "waiting", 9001, "b9001")]
    server.send([*run, left(end, "waiting", 9001)])
    assert [] == [p for p in _alerts(server, clock, 1) if p["figure"] == "no_run_started"]
    past = {"state": "ended", "figure": "no_run_started"}
    (over,) = server.http.get(f"{PATH}/alerts", params=past).json()["alerts"]
    ending = {"ended_at": "2026-11-02T12:50:00Z", "end_reason": "recovered"}
    assert {**alert, **ending, "change": None} == over
    for other in ({"figure": "forgotten"}, {"queue_name": "hotfix"}, {"start_at": "2026-11-02T12:51:00Z"}):
        found = server.http.get(f"{PATH}/alerts", params={"state": "ended", **other}).json()["alerts"]
        assert over not in found


def test_an_event_from_the_future_is_no_sign_of_life(server: LiveServer, clock: Clock) -> None:
    """The clock was two days ahead when an event arrived; since it was set right, the source is silent."""
    clock.now = NOW + 2 * DAY
    server.send([entered(format_instant(clock.now), "ahead", 9002)]).raise_for_status()
    clock.now = NOW

    (problem,) = [one for one in _alerts(server, clock, 13 * 60) if one["figure"] == "source_silent"]

    assert "2026-11-02T11:59:00Z" == problem["since"]


def _runs(server: LiveServer, clock: Clock, problem: str) -> list[str]:
    """The batches in the evidence of a problem that holds 50 minutes later."""
    (found,) = [found for found in _alerts(server, clock, 50) if found["figure"] == problem]
    runs: list[str] = found["evidence"]["runs"]
    return runs


def test_the_run_that_hangs_is_named(server: LiveServer, clock: Clock) -> None:
    server.send([started(format_instant(NOW), "waiting", 9001, "hangs", [9001])])

    assert ["hangs"] == _runs(server, clock, "run_too_long")


def _fail_four_times(server: LiveServer, clock: Clock, checks: dict[int, str]) -> None:
    """Four batches fail one after the other, some of them because of a check that is reported."""
    assert [] == _alerts(server, clock, 0)
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
    (problem,) = [one for one in _alerts(server, clock, 1) if one["figure"] == "everyone_fails"]

    assert ["red-1", "red-2", "red-3", "red-4"] == problem["evidence"]["runs"]
    assert {"name": "build", "url": "https://ci.example.com/4"} == problem["evidence"]["check"]
    assert problem["sentence"].startswith("the check build failed in the last 4 CI runs that have no ")


@pytest.mark.parametrize("checks", [{1: "build", 2: "build"}, {1: "a", 2: "b", 3: "a", 4: "a"}])
def test_no_check_is_named_unless_it_failed_in_all_runs(
    server: LiveServer, clock: Clock, checks: dict[int, str]
) -> None:
    _fail_four_times(server, clock, checks)
    (problem,) = [one for one in _alerts(server, clock, 1) if one["figure"] == "everyone_fails"]

    assert problem["evidence"]["check"] is None
    assert problem["sentence"].startswith("checks failed in the last 4 CI runs that have no ")


def test_an_import_of_an_old_history_raises_no_alarm(tmp_path: Path, clock: Clock) -> None:
    """What ended before now may be incomplete: its next events may be on their way."""
    with live_server(tmp_path, now=clock) as server:
        server.send([*steady_events(NOW - 5 * HOUR, weeks=3)])
        server.send([entered(format_instant(NOW - 5 * HOUR), "waiting", 9001)])

        assert [] == _alerts(server, clock, 0)
        assert [] == _alerts(server, clock, 1)
        # Nothing more comes: it is complete.
        assert _alerts(server, clock, 2)


def test_thresholds_can_be_set_while_a_history_is_imported(tmp_path: Path, clock: Clock) -> None:
    """The queues are known at once; what is normal is learned when nothing more comes."""
    with live_server(tmp_path, now=clock) as server:
        server.send([*steady_events(NOW - 5 * HOUR, weeks=3)])
        (queue,) = server.http.get(f"{PATH}/thresholds").json()["queues"]
        clock.now += 3 * MINUTE
        (later,) = server.http.get(f"{PATH}/thresholds").json()["queues"]

    waits = "the history is examined once no old events have arrived for two minutes"
    assert ("main", "default", waits) == (queue["base_ref"], queue["queue_name"], queue["missing"])
    assert {None, 2700.0} == {threshold["learned"] for threshold in queue["thresholds"]}
    assert (None, 2700.0) == (later["missing"], later["thresholds"][0]["learned"])


def test_a_threshold_is_set_shown_and_deleted(server: LiveServer, clock: Clock) -> None:
    wanted = {"figure": "no_run_started", "value": "1h"}
    put_settings(server, thresholds=[wanted]).raise_for_status()

    found = server.http.get(f"{PATH}/thresholds").json()
    (shown,) = found["queues"]
    assert ("main", "default", None) == (shown["base_ref"], shown["queue_name"], shown["missing"])
    assert {
        "figure": "no_run_started",
        "words": "time without a CI run",
        "unit": "seconds",
        "origin": "set",
        "value": 3600.0,
        "learned": 2700.0,
        "set": 3600.0,
        "alert": True,
        "when": "when nothing runs on the branch for 1h, although a pull request waits",
        "reference": None,
    } == shown["thresholds"][0]
    stored = {
        "figure": "no_run_started",
        "base_ref": None,
        "queue_name": None,
        "value": 3600.0,
        "alert": True,
    }
    assert [stored] == found["set"]
    assert [] == _alerts(server, clock, 46)

    put_settings(server, thresholds=None).raise_for_status()
    assert ["no_run_started"] == [alert["figure"] for alert in _alerts(server, clock, 2)]


def test_every_origin_is_shown(server: LiveServer) -> None:
    """One row for each threshold in force; what is switched off says nothing."""
    thresholds: list[dict[str, Any]] = [
        {"figure": "run_too_long", "queue_name": "default", "value": None},
        {"figure": "failure_rate", "value": 0.05},
        {"figure": "time_in_queue_p95", "value": "1h", "alert": False},
        {"figure": "nothing_merges", "value": None},
        {"figure": "ci_runs_per_merge", "value": None},
    ]
    week = {"start_at": "2026-10-19T00:00:00Z", "end_at": "2026-10-26T00:00:00Z"}
    period = {"name": "october", "base_ref": "main", "queue_name": "default", **week}
    put_settings(server, thresholds=thresholds, reference_periods=[period]).raise_for_status()

    (shown,) = server.http.get(f"{PATH}/thresholds").json()["queues"]

    rows = {(row["figure"], row["origin"]): row for row in shown["thresholds"]}
    assert {
        *((figure, "learned") for figure in ("no_run_started", "everyone_fails", "going_round", "splits")),
        *((figure, "learned") for figure in ("source_silent", "runs_slow", "forgotten")),
        *((one["figure"], "set") for one in thresholds),
        *((figure, "built_in") for figure in ("nothing_merges", "source_silent", "failure_rate")),
        *((figure, "reference") for figure in ("failure_rate", "time_to_merge_p95", "ci_runs_per_merge")),
    } == rows.keys()
    off = rows["run_too_long", "set"]
    assert (None, None, False) == (off["value"], off["when"], off["alert"])
    assert not rows["nothing_merges", "built_in"]["alert"]
    assert (7.0, "days", "when no event arrives for 7 days") == tuple(
        rows["source_silent", "built_in"][name] for name in ("value", "unit", "when")
    )
    assert (
        "when failure rate is above 5% for an hour, over 24 hours, or over 7 days if fewer than 20 left"
        == rows["failure_rate", "set"]["when"]
    )
    quiet = rows["time_in_queue_p95", "set"]
    assert (3600.0, False, None) == (quiet["value"], quiet["alert"], quiet["when"])
    referred = rows["time_to_merge_p95", "reference"]
    assert {"name": "october", "limit": 1.5, "value": referred["value"] / 1.5} == referred["reference"]
    assert referred["alert"]
    not_referred = rows["ci_runs_per_merge", "reference"]
    assert (False, None) == (not_referred["alert"], not_referred["when"])


def test_a_wrong_period_is_refused(server: LiveServer) -> None:
    wrong = {"start_at": "2026-11-02T09:00:00Z", "end_at": "2026-11-01T09:00:00Z"}
    answer = server.http.get(f"{PATH}/alerts", params=wrong)

    assert invalid(error("query", "start_at", "must be before end_at")) == answer.json()


def test_the_command_exits_with_1_while_an_alert_is_open(tmp_path: Path, clock: Clock) -> None:
    """Only with --check; the alert is printed first. A threshold that was set needs no history."""
    with live_server(tmp_path, now=clock) as server:
        server.send([entered(format_instant(NOW - MINUTE), "waiting", 9001)])
        put_settings(server, thresholds=[{"figure": "no_run_started", "value": "5m"}]).raise_for_status()
        arguments = ("queue", "acme/widgets", "--url", str(server.http.base_url), "--token", TOKEN)
        calm = mergecast(*arguments, "--check", data=tmp_path)
        _alerts(server, clock, 7)
        stuck, unchecked = (mergecast(*arguments, *more, data=tmp_path) for more in (("--check",), ()))

    assert [0, 1, 0] == [calm.code, stuck.code, unchecked.code]
    assert (
        "since 2026-11-02 11:59, main: `default` is stuck: nothing has run on `main` for 8m; 1 waits\n"
        "  Look at the CI provider's runners and status page, and whether the queue is paused.\n"
        "main · default: too little history to learn from: 0 CI runs in the last 8 weeks, 200 are needed\n"
    ) == stuck.out[: stuck.out.index("main · default\n")]


def test_an_unknown_figure_is_refused(server: LiveServer) -> None:
    answer = server.http.get(f"{PATH}/alerts", params={"figure": "run_to_long"}).json()

    (found,) = answer["errors"]
    assert ("query", "figure") == (found["in"], found["name"])
    assert found["message"].startswith("run_to_long: is not a figure; did you mean run_too_long? There are ")
