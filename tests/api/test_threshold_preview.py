"""`POST …/thresholds/preview` on a real server and its child process, on both kinds of store."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from api.problem_documents import Document, error, invalid, unknown_repository
from builders import ended, entered, left, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, format_instant, parse_instant
from mergecast.signals.thresholds.judged import JUDGED
from postgres.server import new_store
from signals.two_an_hour import merges
from waiting import wait_until

MONDAY = parse_instant("2026-03-02T00:00:00Z")
NOW = MONDAY + 4 * WEEK + HOUR // 4
LONG = MONDAY + 10 * DAY  # a run takes 3 hours
SLOW = MONDAY + 3 * WEEK  # for a day, pull requests stay for 80 minutes
PATH = "/v1/repos/acme/widgets/thresholds/preview"
MARCH = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-16T00:00:00Z", "limit": 1.5}
KINDS = "give a number or a text such as `45m` or `5%`, null for a learned one, or a reference period"


def _events() -> list[dict[str, Any]]:
    begun, done = format_instant(LONG + 1), format_instant(LONG + 3 * HOUR)
    return [
        *merges(MONDAY, 21),
        *merges(SLOW, 1, 80),
        *merges(SLOW + DAY, 6),
        entered(format_instant(LONG), "long", 9001),
        started(begun, "long", 9001, "long", [9001]),
        ended(done, "long", 9001, "long"),
        left(done, "long", 9001),
    ]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("preview"), now=lambda: NOW, **more) as live:
        live.send(_events()).raise_for_status()
        yield live


def _ask(server: LiveServer, figure: str, **fields: object) -> httpx.Response:
    body = {"figure": figure, "base_ref": "main", "queue_name": "default", **fields}
    return server.http.post(PATH, json=body)


def test_a_value_of_the_queue_as_it_is_at_each_moment(running: LiveServer) -> None:
    answer = _ask(running, "run_too_long", value="2h").json()

    (alert,) = answer.pop("alerts")
    assert answer == {
        "start_at": "2026-03-02T00:00:00Z",
        "end_at": "2026-03-30T00:00:00Z",
        "origin": "set",
        "threshold": 7200.0,
        "sentence": "It would have raised 1 alert in the last 4 weeks.",
    }
    assert alert["since"] == format_instant(LONG + 1)
    assert LONG + 2 * HOUR < parse_instant(alert["found_at"]) < LONG + 2 * HOUR + HOUR // 2
    assert parse_instant(alert["ended_at"]) == LONG + 3 * HOUR
    assert (alert["threshold"], alert["sentence"]) == (
        7200.0,
        (
            "the CI run for #9001 is still in progress; the limit set for this queue is "
            "that runs of this queue end within 2h"
        ),
    )


@pytest.mark.parametrize("figure", ["time_to_merge_p95", "time_in_queue_p95"])
def test_a_value_of_a_figure_of_the_last_hours(running: LiveServer, figure: str) -> None:
    answer = _ask(running, figure, value=3600).json()

    (alert,) = answer["alerts"]
    assert SLOW < parse_instant(alert["since"]) < parse_instant(alert["found_at"]) < SLOW + DAY
    assert parse_instant(alert["ended_at"]) > SLOW + 2 * DAY
    assert alert["sentence"].endswith(" in `default` is 1h22m, above 1h00m, over the last 24 hours")
    assert answer["sentence"] == "It would have raised 1 alert in the last 4 weeks."


def test_a_reference_period_is_compared_with_what_came_after_it(running: LiveServer) -> None:
    answer = _ask(running, "failure_rate", reference=MARCH).json()

    assert answer == {
        "start_at": "2026-03-16T00:00:00Z",
        "end_at": "2026-03-30T00:00:00Z",
        "origin": "reference",
        "threshold": None,
        "alerts": [],
        "sentence": "It would have raised no alert in the last 2 weeks.",
    }


def test_a_learned_threshold_shows_what_was_raised(running: LiveServer) -> None:
    """Here by the server that looked back into the history."""

    def answer() -> Any:
        return _ask(running, "run_too_long", value=None).json()

    wait_until(lambda: answer()["alerts"], "the server has looked back")

    found = answer()
    assert [LONG + 1, SLOW + MINUTE] == [parse_instant(alert["since"]) for alert in found["alerts"]]
    assert (found["origin"], found["sentence"]) == (
        "learned",
        "It has raised 2 alerts in the last 4 weeks.",
    )


_WRONG: dict[str, tuple[dict[str, object], Document]] = {
    "unknown figure": (
        {"figure": "failure_rat", "value": 1},
        invalid(
            error(
                "body",
                "/figure",
                f"failure_rat: is not a figure; did you mean failure_rate? There are {', '.join(JUDGED)}",
            )
        ),
    ),
    "number of 400 digits": (
        {"figure": "run_too_long", "value": 10**400},
        invalid(error("body", "/value", f"must be from 1s to 115d 17h46m40s, and `1{'0' * 39}…` is not")),
    ),
    "threshold of zero": (
        {"figure": "run_too_long", "value": 0},
        invalid(
            error(
                "body",
                "/value",
                "must be above 0: any length of a CI run would be beyond a threshold of 0",
            )
        ),
    ),
    "wrong unit": (
        {"figure": "failure_rate", "value": "1h"},
        invalid(
            error(
                "body",
                "/value",
                "`1h` is a duration, but failure_rate is a rate from 0 to 1, such as `5%` or 0.05",
            )
        ),
    ),
    "no value": ({"figure": "run_too_long"}, invalid(error("body", "/value", f"is missing; {KINDS}"))),
    "not learned": (
        {"figure": "failure_rate", "value": None},
        invalid(error("body", "/value", f"no threshold of failure_rate is learned; {KINDS}")),
    ),
    "both": (
        {"figure": "failure_rate", "value": 0.1, "reference": MARCH},
        invalid(error("body", "/reference", "cannot be combined with a value")),
    ),
    "not compared": (
        {"figure": "run_too_long", "reference": MARCH},
        invalid(
            error(
                "body",
                "/reference",
                "run_too_long is not compared with reference periods; these are: "
                "time_to_merge_p95, failure_rate, ci_runs_per_merge",
            )
        ),
    ),
    "no object": (
        {"figure": "failure_rate", "reference": "march"},
        invalid(error("body", "/reference", "must be an object with start_at, end_at and limit")),
    ),
    "short period": (
        {"figure": "failure_rate", "reference": {**MARCH, "start_at": "2026-03-14T00:00:00Z"}},
        invalid(
            error(
                "body",
                "/reference/start_at",
                "the period has 2 days, and a reference period needs at least 7: "
                "start at 2026-03-09T00:00:00Z or earlier",
            )
        ),
    ),
    "too few merges": (
        {
            "figure": "failure_rate",
            "reference": {"start_at": "2026-02-25T00:00:00Z", "end_at": "2026-03-04T12:00:00Z"},
        },
        invalid(
            error(
                "body",
                "/reference/start_at",
                "the period has 120 merges, and a reference period needs at least 200; "
                "the 92 days before its end, the longest period possible, have 120",
            )
        ),
    ),
    "unknown queue": (
        {"figure": "run_too_long", "value": 60, "queue_name": "defualt"},
        invalid(
            error(
                "body",
                "/queue_name",
                "no event names the queue 'defualt'; known queues of main: default; did you mean default?",
            )
        ),
    ),
}


@pytest.mark.parametrize("what", _WRONG)
def test_what_cannot_be_judged_is_refused_with_what_can(running: LiveServer, what: str) -> None:
    fields, expected = _WRONG[what]

    answer = _ask(running, **fields)  # type: ignore[arg-type]

    assert (answer.status_code, answer.json()) == (422, expected)


def test_a_repository_without_events(running: LiveServer) -> None:
    body = {"figure": "run_too_long", "base_ref": "main", "queue_name": "default", "value": 60}

    answer = running.http.post("/v1/repos/acme/nothing/thresholds/preview", json=body)

    assert (answer.status_code, answer.json()) == (404, unknown_repository("acme/nothing"))
