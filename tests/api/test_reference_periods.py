"""Reference periods: pinned over HTTP, compared every hour, with alerts that begin and end."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from api.changed_settings import put_settings
from api.problem_documents import error, invalid, problem, unknown_repository
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, format_instant, parse_instant
from mergecast.queues.model.reference_period import MOST_PERIODS
from prompt_alerts import prompt_alerts
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
    """A server that looks at its reference periods all the time."""
    with (
        prompt_alerts(),
        live_server(tmp_path_factory.mktemp("periods"), now=lambda: moved_clock.now) as live,
    ):
        live.send([*merges(MONDAY, 7), *merges(MONDAY + WEEK, 7, 40)]).raise_for_status()
        yield live


def _put(server: LiveServer, name: str = "march", /, **fields: Any) -> httpx.Response:
    body = {key: value for key, value in {"name": name, **FIRST_WEEK, **fields}.items() if value is not None}
    return put_settings(server, reference_periods=[body])


def _pin(server: LiveServer, repository: str, name: str = "march", **fields: Any) -> Any:
    """Pin a period, and show it."""
    put_settings(
        server, repository, reference_periods=[{"name": name, **FIRST_WEEK, **fields}]
    ).raise_for_status()
    return _get(server, f"reference-periods/{quote(name)}", repository)


def _get(server: LiveServer, path: str, repository: str = "acme/widgets") -> Any:
    return server.http.get(f"/v1/repos/{repository}/{path}").json()


def _referred(server: LiveServer, query: str = "") -> Any:
    """The alerts of the slow queue against reference periods; its last CI run is slow too."""
    found = _get(server, f"alerts?{query}", SLOW)["alerts"]
    return [alert for alert in found if alert["origin"] == "reference"]


def _compared(server: LiveServer, end_at: str) -> Any:
    """The reference period of the slow queue, once it was compared up to this hour."""

    def found() -> Any:
        shown = _get(server, "reference-periods/march", SLOW)
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
    document = _pin(server, SLOW)
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
        "id": alert["id"],
        "figure": "time_to_merge_p95",
        "origin": "reference",
        "base_ref": "main",
        "queue_name": "default",
        "since": "2026-03-16T00:00:00Z",
        "found_at": "2026-03-16T00:00:00Z",
        "ended_at": None,
        "end_reason": None,
        "value": 2640.0,
        "threshold": 1260.0,
        "unit": "seconds",
        "sentence": "one in 20 pull requests stays longer than 44m in the queue default of main, "
        "3.1 times as long as in the reference period march (14m)",
        "advice": "Look at what pull requests waited for most: CI, capacity, a schedule or a freeze.",
        "evidence": {
            "pull_requests": [],
            "runs": [],
            "source": None,
            "check": None,
            "unlisted": 0,
            "queues": [],
        },
        "reference": {"name": "march", "value": 840.0, "ratio": p95["ratio"], "limit": 1.5},
    } == alert
    assert [{**alert, "change": None}] == _referred(server)

    _six_normal_days(server, clock, MONDAY + 2 * WEEK)
    clock.now = MONDAY + 3 * WEEK + MINUTE
    assert [alert] == _compared(server, "2026-03-23T00:00:00Z")["alerts"]
    _six_normal_days(server, clock, MONDAY + 3 * WEEK)
    clock.now = MONDAY + 4 * WEEK + MINUTE
    assert [] == _compared(server, "2026-03-30T00:00:00Z")["alerts"]
    over = {**alert, "ended_at": "2026-03-30T00:00:00Z", "end_reason": "recovered", "change": None}
    assert [over] == _referred(server, "state=all&start_at=2026-03-20T00:00:00Z")
    assert [over] == _referred(server, "state=ended")
    assert [] == _referred(server)
    assert [] == _referred(server, "state=all&end_at=2026-03-16T00:00:00Z")


def test_what_an_alert_would_find_is_told_before_pinning(server: LiveServer) -> None:
    """By the weeks before the period; pinning stores the same, and asking stores nothing."""
    earlier = [event for week in range(1, 6) for event in merges(MONDAY - week * WEEK, 7, 10 + week)]
    server.send([*earlier, *merges(MONDAY, 7)], "acme/steady").raise_for_status()
    path = "/v1/repos/acme/steady"
    limits = {"time_to_merge_p95": 1.5, "failure_rate": 1.5, "ci_runs_per_merge": 1.3}

    told = server.http.post(f"{path}/reference-periods/preview", json=FIRST_WEEK).json()
    few = server.http.post("/v1/repos/acme/widgets/reference-periods/preview", json=FIRST_WEEK).json()
    strict = {**FIRST_WEEK, "limits": {"time_to_merge_p95": 3}}
    less = server.http.post(f"{path}/reference-periods/preview", json=strict).json()

    change, days = told["finds"]["change"], told["finds"]["days"]
    sentence = (
        f"If pull requests take {round(100 * change)} % longer to merge, an alert begins "
        f"within {days // 7} weeks in 8 of 10 cases, judging by the 5 weeks before the period."
    )
    assert {"change": change, "days": days, "weeks": 5, "sentence": sentence} == told["finds"]
    assert (336, limits) == (told["merges"], told["limits"])
    assert 0.05 <= change < less["finds"]["change"]
    assert {"reference_periods": []} == _get(server, "reference-periods", "acme/steady")
    pinned = _pin(server, "acme/steady")
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

    answer = server.http.post("/v1/repos/acme/widgets/reference-periods/preview", json=short)

    (refused,) = _put(server, "bad", **short).json()["errors"]
    (found,) = answer.json()["errors"]
    assert {**refused, "name": "/start_at"} == found


def test_a_period_does_not_move(server: LiveServer) -> None:
    """Not even if the events behind it are deleted."""
    repository = "/v1/repos/acme/deleted"
    server.send(merges(MONDAY, 7), "acme/deleted").raise_for_status()
    pinned = _pin(server, "acme/deleted")
    server.http.delete(f"{repository}/events?end_at=2026-03-20T00:00:00Z").raise_for_status()

    shown = server.http.get(f"{repository}/reference-periods/march").json()

    assert (pinned["figures"], pinned["finds"]) == (shown["figures"], shown["finds"])


@pytest.mark.parametrize(
    ("fields", "name", "message"),
    [
        (
            {"start_at": "2026-03-04T00:00:00Z", "end_at": "2026-03-09T12:00:00Z"},
            "/start_at",
            (
                "the period has 5.5 days, and a reference period needs at least 7: "
                "start at 2026-03-02T12:00:00Z or earlier"
            ),
        ),
        (
            {"start_at": "2025-11-01T00:00:00Z"},
            "/start_at",
            (
                "the period has 128 days, and a reference period has at most 92: "
                "start at 2025-12-07T00:00:00Z or later"
            ),
        ),
        ({"start_at": "2026-03-09T00:00:00Z"}, "/start_at", "must be before end_at"),
        (
            {"start_at": "0001-01-01T00:00:00Z", "end_at": "0001-01-02T00:00:00Z"},
            "/start_at",
            (
                "the period has 1 days, and a reference period needs at least 7: "
                "start at 0001-01-01T00:00:00Z or earlier"
            ),
        ),
        (
            {"end_at": "2026-04-01T00:00:00Z"},
            "/end_at",
            "is in the future; a reference period is one that is over, at 2026-03-16T00:05:00Z at the latest",
        ),
        (
            {"start_at": "2026-02-20T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"},
            "/start_at",
            (
                "the period has 48 merges, and a reference period needs at least 200; "
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
            "must be a number from 1.05 to 100: 1.5 allows 50 % more than in the period",
        ),
        (
            {"limits": {"time_to_merge_p95": True}},
            "/limits/time_to_merge_p95",
            "must be a number from 1.05 to 100: 1.5 allows 50 % more than in the period",
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
            (
                "is not a field of a reference period; "
                "it takes name, start_at, end_at, base_ref, queue_name or limits"
            ),
        ),
    ],
)
def test_bad_input(server: LiveServer, fields: dict[str, Any], name: str, message: str) -> None:
    """The answer says what is there and what would be right, and nothing is pinned."""
    answer = _put(server, "bad", **fields)

    place = f"/reference_periods/0{name}"
    assert (422, invalid(error("body", place, message))) == (answer.status_code, answer.json())
    assert "bad" not in str(_get(server, "reference-periods"))


def test_a_period_with_too_few_merges_that_could_be_longer(server: LiveServer) -> None:
    """The answer says from when on there are enough."""
    server.send(merges(MONDAY, 5), "acme/holidays").raise_for_status()
    body = {
        "name": "march",
        **FIRST_WEEK,
        "start_at": "2026-03-04T00:00:00Z",
        "end_at": "2026-03-12T00:00:00Z",
    }
    advice = "start at 2026-03-02T20:00:00Z or earlier"

    answer = put_settings(server, "acme/holidays", reference_periods=[body])

    message = f"the period has 144 merges, and a reference period needs at least 200: {advice}"
    assert invalid(error("body", "/reference_periods/0/start_at", message)) == answer.json()
    earlier = {**body, "start_at": "2026-03-02T20:00:00Z"}
    put_settings(server, "acme/holidays", reference_periods=[earlier]).raise_for_status()


def test_limits_of_which_some_are_given(server: LiveServer) -> None:
    found = _put(server, "strict", limits={"time_to_merge_p95": 1.2}).json()["settings"]["reference_periods"]

    assert {"time_to_merge_p95": 1.2, "failure_rate": 1.5, "ci_runs_per_merge": 1.3} == found[0]["limits"]


def test_a_name_that_no_period_can_have(server: LiveServer) -> None:
    message = (
        "must be 1 to 64 letters, digits, underscores, hyphens, dots or single blanks between them, "
        "and not `.`, `..` or `preview`"
    )
    for name in (" ", " a", "a ", "a  b", "a\tb", "a\n", "a\u00a0b", "x" * 65, ".", "..", "preview"):
        assert invalid(error("body", "/reference_periods/0/name", message)) == _put(server, name).json()


def test_a_name_with_blanks(server: LiveServer) -> None:
    """As people write it: it is listed and shown under that name."""
    longest = "week 11 " + "b" * 56
    for name in ("before the move", longest):
        assert name == _pin(server, "acme/widgets", name)["name"]
        assert [name] == [one["name"] for one in _get(server, "reference-periods")["reference_periods"]]


def test_too_many_periods(server: LiveServer) -> None:
    many = [{"name": f"p{number}", **FIRST_WEEK} for number in range(MOST_PERIODS + 1)]

    answer = put_settings(server, reference_periods=many)

    message = "has 21 reference periods, more than 20"
    assert invalid(error("body", "/reference_periods", message)) == answer.json()


def test_what_is_not_there(server: LiveServer) -> None:
    assert problem(404, "acme/widgets has no reference period april") == _get(
        server, "reference-periods/april"
    )
    unknown = unknown_repository("acme/nothing")
    for path in ("reference-periods", "alerts", "thresholds", "settings"):
        assert unknown == _get(server, path, "acme/nothing")
    assert unknown == put_settings(server, "acme/nothing", prices=None).json()


def test_a_period_of_alerts_that_is_none(server: LiveServer) -> None:
    answer = _get(server, "alerts?start_at=2026-03-02T00:00:00Z&end_at=2026-03-02T00:00:00Z")

    assert invalid(error("query", "start_at", "must be before end_at")) == answer


def test_who_may_see_periods(server: LiveServer) -> None:
    reader = server.key(scopes=["read"])["key"]
    path = "/v1/repos/acme/widgets"

    assert 200 == server.ask(reader, f"{path}/reference-periods/preview", "POST", json=FIRST_WEEK).status_code
    assert 200 == server.ask(reader, f"{path}/reference-periods").status_code
    assert 200 == server.ask(reader, f"{path}/alerts").status_code
