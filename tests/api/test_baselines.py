"""Baselines: pinned over HTTP, compared every hour, with alerts that begin and end."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from api.problem_documents import error, invalid, problem, unknown_repository
from live_server import LiveServer, live_server
from mergecast.queues.model.baseline import MOST_BASELINES
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, format_instant, parse_instant
from mergecast.signals.watch.alerts import AlertWatch
from signals.two_an_hour import merges
from waiting import wait_until

MONDAY = parse_instant("2026-03-02T00:00:00Z")
WEEK = 7 * DAY
NOW = MONDAY + 2 * WEEK + 5 * MINUTE + SECOND // 4
SLOW = "acme/slow"  # a queue that became slow in its second week
FIRST_WEEK = {
    "start_at": "2026-03-02T00:00:00Z",
    "end_at": "2026-03-09T00:00:00Z",
    "base_ref": "main",
    "queue_name": "default",
}


class Clock:
    now = NOW


@pytest.fixture(scope="module")
def moved_clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def clock(moved_clock: Clock) -> Clock:
    """Every test starts at the same time."""
    moved_clock.now = NOW
    return moved_clock


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, moved_clock: Clock) -> Iterator[LiveServer]:
    """A server that looks at its baselines all the time."""
    look_seconds, AlertWatch.look_seconds = AlertWatch.look_seconds, 0.05
    try:
        with live_server(tmp_path_factory.mktemp("baselines"), now=lambda: moved_clock.now) as live:
            live.send([*merges(MONDAY, 7), *merges(MONDAY + WEEK, 7, 40)]).raise_for_status()
            yield live
    finally:
        AlertWatch.look_seconds = look_seconds


def _put(server: LiveServer, name: str = "march", /, **fields: Any) -> httpx.Response:
    body = {name: value for name, value in {**FIRST_WEEK, **fields}.items() if value is not None}
    return server.http.put(f"/v1/repos/acme/widgets/baselines/{name}", json=body)


def _get(server: LiveServer, path: str, repository: str = "acme/widgets") -> Any:
    return server.http.get(f"/v1/repos/{repository}/{path}").json()


def _compared(server: LiveServer, end_at: str) -> Any:
    """The baseline of the slow queue, once it was compared up to this hour."""

    def found() -> Any:
        shown = _get(server, "baselines/march", SLOW)
        return shown if (shown["comparison"] or {}).get("end_at") == end_at else None

    return wait_until(found)


def _six_normal_days(server: LiveServer, clock: Clock, start: int) -> None:
    """Events of the future are refused, so time passes before they are sent.

    That hour is compared before they are there: otherwise it would be by chance.
    """
    clock.now = start + 6 * DAY + HOUR
    _compared(server, format_instant(clock.now))
    server.send(merges(start, 6), SLOW).raise_for_status()


def test_the_life_of_an_alert(server: LiveServer, clock: Clock) -> None:
    """It begins in the first hour, and ends when the queue was as fast as before for a whole window."""
    server.send([*merges(MONDAY, 7), *merges(MONDAY + WEEK, 7, 40)], SLOW).raise_for_status()
    pinned = server.http.put(f"/v1/repos/{SLOW}/baselines/march", json=FIRST_WEEK)
    assert 200 == pinned.status_code, pinned.text
    document = pinned.json()
    week = "start_at=2026-03-02T00:00:00Z&end_at=2026-03-09T00:00:00Z"
    summary = _get(server, f"summary?{week}", SLOW)["all"]
    assert {
        "time_to_merge_p95": summary["time_to_merge_p95"]["value"],
        "failure_rate": 0.0,
        "ci_runs_per_merge": 1.0,
    } == document["figures"]
    assert {"time_to_merge_p95": 1.5, "failure_rate": 1.5, "ci_runs_per_merge": 1.3} == document["limits"]
    assert (336, None, []) == (document["merges"], document["comparison"], document["alerts"])

    shown = _compared(server, "2026-03-16T00:00:00Z")

    p95 = shown["comparison"]["figures"]["time_to_merge_p95"]
    assert ("2026-03-09T00:00:00Z", 335) == (shown["comparison"]["start_at"], shown["comparison"]["merges"])
    assert "2026-03-09T00:00:00Z" == p95["start_at"]
    assert 1 < p95["lowest_ratio"] < 2
    (alert,) = shown["alerts"]
    assert {
        "id": "march:p95:2026-03-16T00:00:00Z",
        "baseline": "march",
        "base_ref": "main",
        "queue_name": "default",
        "measure": "time_to_merge_p95",
        "sentence": "one in 20 pull requests stays longer than 44m in the queue default of main, "
        "3.1 times as long as in the baseline march (14m)",
        "began_at": "2026-03-16T00:00:00Z",
        "ended_at": None,
        "end_reason": None,
        "value": 2640.0,
        "baseline_value": 840.0,
        "ratio": p95["ratio"],
        "limit": 1.5,
    } == alert
    assert {"alerts": [alert]} == _get(server, "alerts", SLOW)

    _six_normal_days(server, clock, MONDAY + 2 * WEEK)
    clock.now = MONDAY + 3 * WEEK + MINUTE
    assert [alert] == _compared(server, "2026-03-23T00:00:00Z")["alerts"]
    _six_normal_days(server, clock, MONDAY + 3 * WEEK)
    clock.now = MONDAY + 4 * WEEK + MINUTE
    assert [] == _compared(server, "2026-03-30T00:00:00Z")["alerts"]
    over = {**alert, "ended_at": "2026-03-30T00:00:00Z", "end_reason": "recovered"}
    assert {"alerts": [over]} == _get(server, "alerts?start_at=2026-03-20T00:00:00Z", SLOW)
    assert {"alerts": []} == _get(server, "alerts?end_at=2026-03-16T00:00:00Z", SLOW)


def test_what_an_alert_would_find_is_told_before_pinning(server: LiveServer) -> None:
    """By the weeks before the period; pinning stores the same, and asking stores nothing."""
    earlier = [event for week in range(1, 6) for event in merges(MONDAY - week * WEEK, 7, 10 + week)]
    server.send([*earlier, *merges(MONDAY, 7)], "acme/steady").raise_for_status()
    path = "/v1/repos/acme/steady"
    limits = {"time_to_merge_p95": 1.5, "failure_rate": 1.5, "ci_runs_per_merge": 1.3}

    told = server.http.post(f"{path}/baseline-preview", json=FIRST_WEEK).json()
    few = server.http.post("/v1/repos/acme/widgets/baseline-preview", json=FIRST_WEEK).json()
    strict = {**FIRST_WEEK, "limits": {"time_to_merge_p95": 3}}
    less = server.http.post(f"{path}/baseline-preview", json=strict).json()

    change, days = told["finds"]["change"], told["finds"]["days"]
    sentence = (
        f"If pull requests take {round(100 * change)} % longer to merge, an alert begins "
        f"within {days // 7} weeks in 8 of 10 cases, judging by the 5 weeks before the period."
    )
    assert {"change": change, "days": days, "weeks": 5, "sentence": sentence} == told["finds"]
    assert (336, limits) == (told["merges"], told["limits"])
    assert 0.05 <= change < less["finds"]["change"]
    assert {"baselines": []} == _get(server, "baselines", "acme/steady")
    pinned = server.http.put(f"{path}/baselines/march", json=FIRST_WEEK).json()
    assert told == {name: pinned[name] for name in told}
    assert {
        "change": None,
        "days": None,
        "weeks": 0,
        "sentence": "Which change an alert would find cannot be told yet: that takes 4 weeks "
        "with at least 20 merges each before the period, and there are 0.",
    } == few["finds"]


def test_a_preview_of_a_bad_period(server: LiveServer) -> None:
    """Refused as pinning it would be."""
    short = {**FIRST_WEEK, "start_at": "2026-03-04T00:00:00Z"}

    answer = server.http.post("/v1/repos/acme/widgets/baseline-preview", json=short)

    assert (422, _put(server, "bad", **short).json()) == (answer.status_code, answer.json())


def test_a_baseline_does_not_move(server: LiveServer) -> None:
    """Not even if the events behind it are deleted."""
    repository = "/v1/repos/acme/deleted"
    server.send(merges(MONDAY, 7), "acme/deleted").raise_for_status()
    pinned = server.http.put(f"{repository}/baselines/march", json=FIRST_WEEK).json()
    server.http.delete(f"{repository}/events?end_at=2026-03-20T00:00:00Z").raise_for_status()

    shown = server.http.get(f"{repository}/baselines/march").json()

    assert (pinned["figures"], pinned["finds"]) == (shown["figures"], shown["finds"])


@pytest.mark.parametrize(
    ("fields", "name", "message"),
    [
        (
            {"start_at": "2026-03-04T00:00:00Z", "end_at": "2026-03-09T12:00:00Z"},
            "/start_at",
            (
                "the period has 5.5 days, and a baseline needs at least 7: "
                "start at 2026-03-02T12:00:00Z or earlier"
            ),
        ),
        (
            {"start_at": "2025-11-01T00:00:00Z"},
            "/start_at",
            "the period has 128 days, and a baseline has at most 92: start at 2025-12-07T00:00:00Z or later",
        ),
        ({"start_at": "2026-03-09T00:00:00Z"}, "/start_at", "must be before end_at"),
        (
            {"end_at": "2026-04-01T00:00:00Z"},
            "/end_at",
            "is in the future; a baseline is a period that is over, at 2026-03-16T00:05:00Z at the latest",
        ),
        (
            {"start_at": "2026-02-20T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"},
            "/start_at",
            (
                "the period has 48 merges, and a baseline needs at least 200; "
                "the 92 days before its end, the longest period possible, have 48"
            ),
        ),
        (
            {"base_ref": "mian"},
            "/base_ref",
            "no event names the branch 'mian'; known branches: main; did you mean main?",
        ),
        (
            {"queue_name": "urgent"},
            "/queue_name",
            "no event names the queue 'urgent'; known queues of main: default",
        ),
        ({"queue_name": None}, "/queue_name", "is missing"),
        ({"base_ref": ""}, "/base_ref", "must be a string of 1 to 255 characters"),
        (
            {"end_at": "2026-03-09T00:00"},
            "/end_at",
            "a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z",
        ),
        ({"limits": [1.5]}, "/limits", 'must be an object such as {"time_to_merge_p95": 1.5}'),
        (
            {"limits": {"time_to_merge_p95": 0.5}},
            "/limits/time_to_merge_p95",
            "must be a number from 1.05 to 100: 1.5 allows 50 % more than in the baseline",
        ),
        (
            {"limits": {"time_to_merge_p95": True}},
            "/limits/time_to_merge_p95",
            "must be a number from 1.05 to 100: 1.5 allows 50 % more than in the baseline",
        ),
        (
            {"limits": {"failure_rates": 2}},
            "/limits/failure_rates",
            (
                "is not a field of limits, did you mean failure_rate? "
                "It takes time_to_merge_p95, failure_rate or ci_runs_per_merge"
            ),
        ),
        (
            {"branch": "main"},
            "/branch",
            "is not a field of this body; it takes start_at, end_at, base_ref, queue_name or limits",
        ),
    ],
)
def test_bad_input(server: LiveServer, fields: dict[str, Any], name: str, message: str) -> None:
    """The answer says what is there and what would be right, and nothing is pinned."""
    answer = _put(server, "bad", **fields)

    assert (422, invalid(error("body", name, message))) == (answer.status_code, answer.json())
    assert "bad" not in str(_get(server, "baselines"))


def test_a_period_with_too_few_merges_that_could_be_longer(server: LiveServer) -> None:
    """The answer says from when on there are enough."""
    server.send(merges(MONDAY, 5), "acme/holidays").raise_for_status()
    path = "/v1/repos/acme/holidays/baselines/march"
    body = {**FIRST_WEEK, "start_at": "2026-03-04T00:00:00Z", "end_at": "2026-03-12T00:00:00Z"}
    advice = "start at 2026-03-02T20:00:00Z or earlier"

    answer = server.http.put(path, json=body)

    message = f"the period has 144 merges, and a baseline needs at least 200: {advice}"
    assert invalid(error("body", "/start_at", message)) == answer.json()
    server.http.put(path, json={**body, "start_at": "2026-03-02T20:00:00Z"}).raise_for_status()


def test_limits_of_which_some_are_given(server: LiveServer) -> None:
    found = _put(server, "strict", limits={"time_to_merge_p95": 1.2})

    assert {"time_to_merge_p95": 1.2, "failure_rate": 1.5, "ci_runs_per_merge": 1.3} == found.json()["limits"]


def test_a_name_that_no_baseline_can_have(server: LiveServer) -> None:
    message = (
        "must be 1 to 64 letters, digits, underscores, hyphens, dots or single blanks between them, "
        "and not `.` or `..`"
    )
    blanks = ("%20", "%20a", "a%20", "a%20%20b", "a%09b", "a%0A", "a%C2%A0b")
    for name in (*blanks, "x" * 65, "%00", "%2E", "%2E%2E"):
        assert invalid(error("path", "name", message)) == _put(server, name).json()


def test_a_name_with_blanks(server: LiveServer) -> None:
    """As people write it: it is listed, shown and deleted under that name."""
    longest = "week 11 " + "b" * 56
    for name in ("before the move", longest):
        path = f"/v1/repos/acme/widgets/baselines/{quote(name)}"
        assert name == _put(server, quote(name)).json()["name"]
        assert name in [one["name"] for one in _get(server, "baselines")["baselines"]]
        assert name == server.http.get(path).json()["name"]
        assert {"deleted": 1} == server.http.delete(path).json()


def test_too_many_baselines(server: LiveServer) -> None:
    server.send(merges(MONDAY, 7), "acme/many").raise_for_status()
    path = "/v1/repos/acme/many/baselines"
    for number in range(MOST_BASELINES):
        server.http.put(f"{path}/b{number}", json=FIRST_WEEK).raise_for_status()

    answer = server.http.put(f"{path}/one-more", json=FIRST_WEEK)

    message = "the repository has 20 baselines, which is the most; delete one first"
    assert (422, invalid(error("path", "name", message))) == (answer.status_code, answer.json())
    assert {"deleted": 1} == server.http.delete(f"{path}/b3").json()
    assert 200 == server.http.put(f"{path}/one-more", json=FIRST_WEEK).status_code


def test_what_is_not_there(server: LiveServer) -> None:
    missing = problem(404, "acme/widgets has no baseline april")
    assert missing == _get(server, "baselines/april")
    assert missing == server.http.delete("/v1/repos/acme/widgets/baselines/april").json()
    nothing = "/v1/repos/acme/nothing"
    unknown = unknown_repository("acme/nothing")
    assert unknown == server.http.put(f"{nothing}/baselines/march", json=FIRST_WEEK).json()
    assert unknown == server.http.get(f"{nothing}/baselines").json()
    assert unknown == server.http.get(f"{nothing}/alerts").json()


def test_a_period_of_alerts_that_is_none(server: LiveServer) -> None:
    answer = _get(server, "alerts?start_at=2026-03-02T00:00:00Z&end_at=2026-03-02T00:00:00Z")

    assert invalid(error("query", "start_at", "must be before end_at")) == answer


def test_who_may_change_baselines(server: LiveServer) -> None:
    """A key needs the scope `admin` to pin or delete, and `read` to see them."""
    reader, admin = (server.key(scopes=[scope])["key"] for scope in ("read", "admin"))
    path = "/v1/repos/acme/widgets/baselines/of-a-key"

    assert 403 == server.ask(reader, path, "PUT", json=FIRST_WEEK).status_code
    preview = "/v1/repos/acme/widgets/baseline-preview"
    assert 200 == server.ask(reader, preview, "POST", json=FIRST_WEEK).status_code
    assert 200 == server.ask(admin, path, "PUT", json=FIRST_WEEK).status_code
    assert 200 == server.ask(reader, path).status_code
    assert 200 == server.ask(reader, "/v1/repos/acme/widgets/alerts").status_code
    assert 403 == server.ask(reader, path, "DELETE").status_code
    assert 200 == server.ask(admin, path, "DELETE").status_code
