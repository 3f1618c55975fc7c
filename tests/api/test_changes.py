"""`GET …/changes` on a real server and its child process, on both kinds of store."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from builders import reported, worked_example
from changes.history import END, SLOWER_FROM, slower_from
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, format_instant
from postgres.server import new_store

REPOSITORY = "acme/slower"
PATH = f"/v1/repos/{REPOSITORY}/changes"
UNTIL = {"end_at": format_instant(END)}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("changes"), **more) as live:
        live.send(slower_from(), REPOSITORY).raise_for_status()
        yield live


def _ask(server: LiveServer, **query: str) -> httpx.Response:
    return server.http.get(PATH, params=UNTIL | query)


def test_slower_ci_is_answered_with_its_date_and_levels(running: LiveServer) -> None:
    answer = _ask(running).json()
    found = {one["figure"]: one for one in answer["changes"]}
    assert sorted(found) == ["passed_run_p50", "time_to_merge_p50", "time_to_merge_p95"]
    assert found["passed_run_p50"] == {
        "figure": "passed_run_p50",
        "began_on": "2026-07-15",
        "earliest": "2026-07-15",
        "latest": "2026-07-15",
        "before": pytest.approx(900, rel=0.02),
        "after": pytest.approx(1440, rel=0.03),
        "ratio": pytest.approx(1.57, rel=0.03),
        "first_reported_on": "2026-07-26",
        "sentence": "length of passed CI runs, p50: 15m → 23m, began on 2026-07-15",
    }
    assert (answer["looked_at"], answer["sentence"]) == (UNTIL["end_at"], "3 changes began in this period.")
    assert answer["first_day"] == "2026-05-04"


def test_every_figure_says_how_many_days_are_known(running: LiveServer) -> None:
    assert _ask(running).json()["figures"] == [
        {"figure": figure, "days": days, "missing_days": missing}
        for figure, days, missing in (
            ("time_to_merge_p50", 90, 0),
            ("time_to_merge_p95", 90, 0),
            ("failure_rate", 90, 0),
            ("passed_run_p50", 90, 0),
            ("ci_runs_per_merge", 90, 0),
            ("entered_per_day", 90, 0),
            ("waiting_machines", 0, 14),
        )
    ]


def test_waiting_for_machines_is_known_from_reports_about_checks(running: LiveServer) -> None:
    """On days with reports about five CI runs, of which there are two here."""
    events = slower_from(weeks=1)
    ended = [event for event in events if event["type"] == "checks_ended" and event["at"] < "2026-05-06"]
    waited = {"queued_at": "2026-05-04T00:00:00Z", "started_at": "2026-05-04T00:01:00Z"}
    reports = [reported(event["at"], event["batch_id"], "unit", **waited) for event in ended]
    running.send(events + reports, "acme/reported").raise_for_status()
    answer = running.http.get("/v1/repos/acme/reported/changes", params=UNTIL)
    assert answer.json()["figures"][-1] == {"figure": "waiting_machines", "days": 2, "missing_days": 0}


def test_an_earlier_end_answers_what_was_known_then(running: LiveServer) -> None:
    before = _ask(running, end_at=format_instant(SLOWER_FROM + 10 * DAY)).json()
    assert before["changes"] == []
    assert before["sentence"] == (
        "No change is known to have begun in this period; one since 2026-07-16 may not show yet."
    )
    assert before["looked_at"] == "2026-07-25T00:00:00Z"


def test_a_period_lists_only_what_began_in_it(running: LiveServer) -> None:
    answer = _ask(running, start_at=format_instant(SLOWER_FROM + DAY)).json()
    assert answer["changes"] == []
    assert answer["start_at"] == "2026-07-16T00:00:00Z"


def test_too_little_history_says_how_many_days_are_missing(running: LiveServer) -> None:
    running.send(worked_example(), "acme/young").raise_for_status()
    answer = running.http.get("/v1/repos/acme/young/changes", params={"end_at": "2026-03-10T00:00:00Z"})
    assert answer.json()["sentence"] == (
        "There is too little history to find changes: it takes 14 more days. "
        "On no day so far did enough pull requests merge."
    )
    assert {one["missing_days"] for one in answer.json()["figures"]} == {14}


def test_a_queue_that_is_not_known_has_no_days(running: LiveServer) -> None:
    answer = _ask(running, queue_name="other").json()
    assert answer["changes"] == []
    assert {one["days"] for one in answer["figures"]} == {0}
    assert _ask(running, queue_name="default", base_ref="main").json()["changes"] != []


def test_the_same_data_is_not_sent_twice(running: LiveServer) -> None:
    etag = _ask(running).headers["etag"]
    again = running.http.get(PATH, params=UNTIL, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert _ask(running, queue_name="default").headers["etag"] != etag


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"start_at": "2026-09-07T00:00:00Z"}, "must be before end_at"),
        ({"start_at": "2999-01-01T00:00:00Z", "end_at": "2999-02-01T00:00:00Z"}, "must not be in the future"),
        ({"start_at": "July"}, "this is not a date-time"),
        ({"priority_rule_name": "x"}, "is not a parameter of this endpoint"),
    ],
)
def test_invalid_input_is_refused(running: LiveServer, query: dict[str, str], message: str) -> None:
    answer = _ask(running, **query)
    assert answer.status_code == 422
    assert message in answer.text


def test_an_unknown_repository_is_not_found(running: LiveServer) -> None:
    assert running.http.get("/v1/repos/acme/nothing/changes").status_code == 404
