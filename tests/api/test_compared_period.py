"""The period that a summary is compared with: the usual one, or the one that the request names."""

from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import entered, left
from live_server import LiveServer

_WEEK = {"start_at": "2026-03-09T00:00:00Z", "end_at": "2026-03-16T00:00:00Z"}
pytestmark = pytest.mark.usefixtures("steady")


@pytest.fixture(scope="module")
def steady(server: LiveServer) -> None:
    """From 1 to 30 March, pull request n enters and leaves on day n, for n minutes; one enters before."""
    events = [entered("2026-02-28T10:00:00Z", "first", 99)]
    for day in range(1, 31):
        date = f"2026-03-{day:02}T10"
        events += [
            entered(f"{date}:00:00Z", f"stay-{day}", day),
            left(f"{date}:{day:02}:00Z", f"stay-{day}", day),
        ]
    server.send(events, "acme/steady").raise_for_status()


def _ask(server: LiveServer, start: str | None = None, end: str | None = None) -> Any:
    named = {"before_start_at": start, "before_end_at": end}
    given = {name: value for name, value in named.items() if value is not None}
    return server.http.get("/v1/repos/acme/steady/summary", params={**_WEEK, **given})


def _figure(answer: Any, name: str) -> tuple[Any, ...]:
    figure = answer.json()["all"][name]
    return figure["value"], figure["before"], figure["change"]


def test_without_names_it_is_the_week_before(server: LiveServer) -> None:
    answer = _ask(server)

    expected = {"start": "2026-03-02T00:00:00Z", "end": "2026-03-09T00:00:00Z"}
    assert expected == answer.json()["window_before"]
    assert (7, 7, 0.0) == _figure(answer, "merged")
    assert (12 * 60, 5 * 60, pytest.approx(12 / 5 - 1)) == _figure(answer, "time_in_queue_p50")


def test_a_named_period(server: LiveServer) -> None:
    """Of the same length, it changes nothing but the figures of before."""
    answer = _ask(server, "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z")

    expected = {"start": "2026-03-01T00:00:00Z", "end": "2026-03-08T00:00:00Z"}
    assert expected == answer.json()["window_before"]
    assert (12 * 60, 4 * 60, 2.0) == _figure(answer, "time_in_queue_p50")
    assert (7, 7, 0.0) == _figure(answer, "merged")
    assert answer.headers["etag"] != _ask(server).headers["etag"]


def test_a_named_period_after(server: LiveServer) -> None:
    """A pinned period may be later than the one that is looked at."""
    answer = _ask(server, "2026-03-16T00:00:00Z", "2026-03-23T00:00:00Z")

    assert (12 * 60, 19 * 60, pytest.approx(12 / 19 - 1)) == _figure(answer, "time_in_queue_p50")
    assert [7, 7] == [answer.json()["queues"][0]["merged"][name] for name in ("value", "before")]


def test_counts_of_periods_of_two_lengths_have_no_change(server: LiveServer) -> None:
    """Figures per day, per merge and per stay do."""
    answer = _ask(server, "2026-03-07T00:00:00Z", "2026-03-09T00:00:00Z")

    assert (7, 2, None) == _figure(answer, "merged")
    assert (7, 2, None) == _figure(answer, "entered")
    assert (1.0, 1.0, 0.0) == _figure(answer, "merged_per_day")


def test_a_named_period_that_begins_before_the_first_event(server: LiveServer) -> None:
    answer = _ask(server, "2026-02-22T00:00:00Z", "2026-03-01T00:00:00Z")

    assert (7, 0, None) == _figure(answer, "merged")


_OVERLAPS = (
    "the period to compare with overlaps the period itself; "
    "before_end_at must not be after start_at, or before_start_at not before end_at"
)
_WRONG = {
    "no end": ("2026-03-01T00:00:00Z", None, {"before_end_at": "is required with before_start_at"}),
    "no start": (None, "2026-03-01T00:00:00Z", {"before_start_at": "is required with before_end_at"}),
    "reversed": (
        *("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z"),
        {"before_start_at": "must be before before_end_at"},
    ),
    "empty": (
        *("2026-03-02T00:00:00Z", "2026-03-02T00:00:00Z"),
        {"before_start_at": "must be before before_end_at"},
    ),
    "future": (
        *("2999-01-01T00:00:00Z", "2999-01-02T00:00:00Z"),
        dict.fromkeys(("before_start_at", "before_end_at"), "must not be in the future"),
    ),
    "overlapping": ("2026-03-08T00:00:00Z", "2026-03-09T00:00:01Z", {"before_start_at": _OVERLAPS}),
    "around it": ("2026-03-08T00:00:00Z", "2026-03-17T00:00:00Z", {"before_start_at": _OVERLAPS}),
}


@pytest.mark.parametrize(("start", "end", "errors"), _WRONG.values(), ids=_WRONG)
def test_wrong_periods(
    server: LiveServer, start: str | None, end: str | None, errors: dict[str, str]
) -> None:
    answer = _ask(server, start, end)

    expected = invalid(*(error("query", name, message) for name, message in errors.items()))
    assert (422, expected) == (answer.status_code, answer.json())


def test_other_questions_take_no_period_to_compare_with(server: LiveServer) -> None:
    named = {"before_start_at": "2026-03-01T00:00:00Z", "before_end_at": "2026-03-02T00:00:00Z"}
    assert 422 == server.http.get("/v1/repos/acme/steady/stays", params=named).status_code
