"""Query parameters and the message for every error."""

import pytest

from api.problem_documents import error, invalid
from api.raw_http import AUTHORIZED, exchange, head_of, status_of
from live_server import DAY, LiveServer
from mergecast.queues.stats.published import STATISTICS

_SIZE = "/v1/repos/acme/widgets/stats/queue_size"
_EXAMPLE = "2026-01-31T09:00:00Z"
_NO_DATE = f"this date does not exist; a date-time is written like {_EXAMPLE}"
_NO_TIME = f"this time of day does not exist; a date-time is written like {_EXAMPLE}"
_NO_OFFSET = f"this UTC offset does not exist; a date-time is written like {_EXAMPLE}"
_NOT_ONE = f"this is not a date-time; write it like {_EXAMPLE} or 2026-01-31T10:00:00.5+01:00"
_TIMESTAMP = f"a Unix timestamp is not accepted; write a date-time such as {_EXAMPLE}"
_WITHOUT_OFFSET = f"a date-time needs a UTC offset, such as {_EXAMPLE}"
_BLANK = "the `+` of the UTC offset arrived as a blank; write it as %2B in a URL, or use Z"
_DATE_ALONE = f"a date without a time is not accepted; write a date-time such as {_EXAMPLE}"
_BLANK_FOR_T = f"a blank between date and time is not accepted; write T, as in {_EXAMPLE}"
_MIXED = (
    "date and time must both have separators, or both have none; "
    f"write a date-time like {_EXAMPLE} or 20260131T090000Z"
)
_YEAR = f"a year has four digits and no sign; a date-time is written like {_EXAMPLE}"
_MINUS = "the minus sign U+2212 is not accepted; write `-`, as in 2026-01-31T08:00:00-01:00"
_DIGITS = f"only the digits 0 to 9 are accepted; a date-time is written like {_EXAMPLE}"
_SECONDS = "a UTC offset has no seconds; write hours and minutes, as in 2026-01-31T10:00:00+01:00"
_LEAP_SECOND = "a leap second is not accepted; write second 59, or second 0 of the next minute"
_YEARS = "a date-time must be in the years 1 to 9999 (UTC)"
_FUTURE = "must not be in the future"

_BAD_INSTANTS = {
    "1767225600": _TIMESTAMP,
    "1767225600.5": _TIMESTAMP,
    "-1": _TIMESTAMP,
    "0": _TIMESTAMP,
    "2026-01-01T00:00:00": _WITHOUT_OFFSET,
    "2026-01-01T00:00": _WITHOUT_OFFSET,
    "20260101T00,5": _WITHOUT_OFFSET,
    "2026-W01": _DATE_ALONE,
    "2026-01-01": _DATE_ALONE,
    "2026-001Z": _DATE_ALONE,
    "20260101": _TIMESTAMP,
    "2026-01-01 00:00:00": _BLANK_FOR_T,
    "2026-01-01 00:00Z": _BLANK_FOR_T,
    "2026-01-01 00:00:00 +01:00": _BLANK_FOR_T,
    "2026-01-01T00:00:00 01:00": _BLANK,
    "2026-01-01T00:00:00.5 01:00": _BLANK,
    "2026-01-01T14:26 0530": _BLANK,
    "2026-001T14 05": _BLANK,
    "2026W014T1426 0530": _BLANK,
    "2026-01-01T0000Z": _MIXED,
    "20260101T00:00Z": _MIXED,
    "2026-0101T00Z": _MIXED,
    "2026-W014T00:00:00Z": _MIXED,
    "2026-01-01T00:0000+01:00": _MIXED,
    "2026-01-01T0000": _MIXED,
    "2026-02-30T00:00:00Z": _NO_DATE,
    "2026-W54-1T00:00Z": _NO_DATE,
    "2026-W01-0T00:00Z": _NO_DATE,
    "2026-W01-8T00:00Z": _NO_DATE,
    "2026-000T00:00Z": _NO_DATE,
    "2026-366T00:00Z": _NO_DATE,
    "2025-02-29T00:00:00Z": _NO_DATE,
    "2026-13-01T00:00:00Z": _NO_DATE,
    "2026-00-01T00:00:00Z": _NO_DATE,
    "0000-01-01T00:00:00Z": _NO_DATE,
    "2026-01-01T24:00:01Z": _NO_TIME,
    "2026-01-01T24:01Z": _NO_TIME,
    "2026-01-01T24:00:00.0000001Z": _NO_TIME,
    "2026-01-01T25Z": _NO_TIME,
    "2026-01-01T00:60:00Z": _NO_TIME,
    "2026-01-01T00:00:61Z": _NO_TIME,
    "2026-01-01T00:00:60Z": _LEAP_SECOND,
    "20161231T235960Z": _LEAP_SECOND,
    "2026-01-01T00:00:00+24:00": _NO_OFFSET,
    "2026-01-01T00:00:00+01:60": _NO_OFFSET,
    "20260101T000000-2400": _NO_OFFSET,
    "2026-01-01T00:00:00+01:00:00": _SECONDS,
    "20260101T000000+010000": _SECONDS,
    "2026-01-01T00:00:00\u221201:00": _MINUS,
    "0001-01-01T00:00:00+00:01": _YEARS,
    "9999-12-31T24:00Z": _YEARS,
    "9999-W52-6T00:00Z": _YEARS,
    "9999-12-31T23:59:59-00:01": _YEARS,
    "": _NOT_ONE,
    "now": _NOT_ONE,
    "10000-01-01T00:00:00Z": _YEAR,
    "+002026-01-01T00:00:00Z": _YEAR,
    "-0001-01-01T00:00:00Z": _YEAR,
    "+0020260101T00Z": _YEAR,
    "2026-w01-4T00:00Z": _NOT_ONE,
    "2026-01T00:00Z": _NOT_ONE,
    "2026-01-01T:00Z": _NOT_ONE,
    "2026-01-01T00:00:00+1:00": _NOT_ONE,
    "2026-01-01T00:00:00Z\n": _NOT_ONE,
    " 2026-01-01T00:00:00Z": _NOT_ONE,
    "2026-1-1T00:00:00Z": _NOT_ONE,
    "2026-01-01T00:00:00.Z": _NOT_ONE,
    "\u0662\u0660\u0662\u0666-01-01T00:00:00Z": _DIGITS,
    "2026-01-01T00:00:00\x00Z": _NOT_ONE,
}


@pytest.mark.parametrize(
    ("statistic", "name"), [("queue_size", "start_at"), ("branches", "end_at"), ("time_to_merge", "at")]
)
def test_invalid_date_times(server: LiveServer, statistic: str, name: str) -> None:
    """The message says what a valid value looks like."""
    path = f"/v1/repos/acme/widgets/stats/{statistic}"
    answers = {text: server.http.get(path, params={name: text}) for text in _BAD_INSTANTS}

    assert {
        text: (422, invalid(error("query", name, message))) for text, message in _BAD_INSTANTS.items()
    } == {text: (answer.status_code, answer.json()) for text, answer in answers.items()}


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-31T09:00:00Z",
        "2026-01-31t09:00:00z",
        "2026-01-31T10:00:00.5+01:00",
        "2024-02-29T00:00:00-23:59",
        "2026-01-31T09:00:00.1234567891234Z",
        "0001-01-01T00:00:00Z",
        "2026-01-31T09:00:00-00:00",
        "2026-01-31T14:30:00+0530",
        "2026-01-31T14:30+05:30",
        "2026-01-31T10+01",
        "20260131T090000Z",
        "20260131T1430+05:30",
        "2026-W05-6T09:00Z",
        "2026W056T09Z",
        "2026-031T09,5Z",
        "2026031T0900.25Z",
        "2026-01-31T24:00Z",
    ],
)
def test_valid_date_times(server: LiveServer, text: str) -> None:
    """Every spelling of RFC 3339 and every date-time of ISO 8601 with a UTC offset is accepted."""
    assert 200 == server.http.get(_SIZE, params={"start_at": text}).status_code


@pytest.mark.parametrize("text", ["a", "a" * 255, "\u00e9" * 255, "a b", "a+b&c=d", "\U0001f600", "%", "\n"])
@pytest.mark.parametrize("name", ["base_ref", "queue_name", "priority_rule_name"])
def test_valid_filter_values(server: LiveServer, name: str, text: str) -> None:
    """Any text of 1 to 255 characters is accepted."""
    assert 200 == server.http.get(_SIZE, params={**DAY, name: text}).status_code


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must have 1 to 255 characters"),
        ("a" * 256, "must have 1 to 255 characters"),
        ("a\0", "must not contain the character NUL"),
    ],
    ids=["empty", "256 characters", "NUL"],
)
@pytest.mark.parametrize("name", ["base_ref", "queue_name", "priority_rule_name"])
def test_invalid_filter_values(server: LiveServer, name: str, text: str, message: str) -> None:
    """Any other text is rejected."""
    answer = server.http.get(_SIZE, params={name: text})

    assert (422, invalid(error("query", name, message))) == (answer.status_code, answer.json())


def test_255_values_and_one_more(server: LiveServer) -> None:
    """A filter takes at most 255 values."""
    most = server.http.get(_SIZE, params={"base_ref": [str(number) for number in range(255)]})
    more = server.http.get(_SIZE, params={"base_ref": [str(number) for number in range(260)]})

    assert 200 == most.status_code
    assert (422, invalid(error("query", "base_ref", "takes at most 255 values"))) == (
        more.status_code,
        more.json(),
    )


@pytest.mark.parametrize("name", ["start_at", "end_at"])
def test_repeated_parameters(server: LiveServer, name: str) -> None:
    """A parameter that is not repeatable is rejected if repeated, even with the same value."""
    answer = server.http.get(_SIZE, params={name: ["2026-03-02T00:00:00Z"] * 2})

    expected = invalid(error("query", name, "is given twice but takes one value"))

    assert (422, expected) == (answer.status_code, answer.json())


def test_an_unknown_parameter(server: LiveServer) -> None:
    """The message lists the known parameters."""
    answer = server.http.get("/v1/repos", params={"x": "1"})

    message = "is not a parameter of this endpoint; it takes limit, after, order, search, owner, figures"
    expected = invalid(error("query", "x", message))

    assert (422, expected) == (answer.status_code, answer.json())


def test_a_misspelt_parameter(server: LiveServer) -> None:
    """The message names the nearest known parameter, so different mistakes get different messages."""
    first, second = (
        server.http.get(_SIZE, params={name: "x"}).json()["errors"][0]["message"]
        for name in ("star_at", "base_rev")
    )

    assert "start_at" in first
    assert "base_ref" in second
    assert first != second


@pytest.mark.parametrize("name", STATISTICS)
def test_parameters_of_other_statistics(server: LiveServer, name: str) -> None:
    """A parameter that a statistic does not have is rejected, not ignored."""
    every = ("at", "branch", "base_ref", "queue_name", "priority_rule_name", "start_at", "end_at")
    others = {*every, "source", "BASE_REF", "base_ref[]"} - set(STATISTICS[name].parameters)
    path = f"/v1/repos/acme/widgets/stats/{name}"
    answers = {other: server.http.get(path, params={other: DAY["start_at"]}) for other in others}

    assert {other: (422, other) for other in others} == {
        other: (answer.status_code, answer.json()["errors"][0]["name"]) for other, answer in answers.items()
    }


def test_several_errors_at_once(server: LiveServer) -> None:
    """Each has its own line and entry."""
    answer = server.http.get(_SIZE, params={"start_at": "1", "end_at": "2026-01-01", "queue_name": ""})

    expected = invalid(
        error("query", "start_at", _TIMESTAMP),
        error("query", "end_at", _DATE_ALONE),
        error("query", "queue_name", "must have 1 to 255 characters"),
    )

    assert (422, expected) == (answer.status_code, answer.json())
    assert answer.json()["detail"].startswith("* start_at: a Unix timestamp")


@pytest.mark.parametrize("query", ["base_ref=%FF", "base_ref=%C3", "%FF=1", "base_ref=%ED%A0%80"])
def test_a_query_that_is_not_utf8(server: LiveServer, query: str) -> None:
    """Bytes that are not valid text are rejected."""
    answer = exchange(server, head_of("GET", f"{_SIZE}?{query}", AUTHORIZED))

    assert 422 == status_of(answer)
    assert b"the query string is not UTF-8 in percent encoding" in answer


def test_a_thousand_values(server: LiveServer) -> None:
    """A query with too many values is rejected as a whole."""
    answer = exchange(server, head_of("GET", f"{_SIZE}?{'a&' * 1001}", AUTHORIZED))

    assert 422 == status_of(answer)
    assert b"a query holds at most 1000 values" in answer


@pytest.mark.parametrize("query", ["?", "?&", "?&&&"])
def test_an_empty_query(server: LiveServer, query: str) -> None:
    """All parameters are optional."""
    assert 200 == status_of(exchange(server, head_of("GET", f"{_SIZE}{query}", AUTHORIZED)))


@pytest.mark.parametrize("name", ["start_at", "at"])
def test_the_future(server: LiveServer, name: str) -> None:
    """A window that has not started yet has no data."""
    statistic = "time_to_merge" if name == "at" else "queue_size"
    answer = server.http.get(
        f"/v1/repos/acme/widgets/stats/{statistic}", params={name: "9999-12-31T23:59:59Z"}
    )

    assert (422, invalid(error("query", name, _FUTURE))) == (answer.status_code, answer.json())


@pytest.mark.parametrize(
    "end", ["2026-03-02T00:00:00Z", "2026-03-01T23:59:59.999999Z", "2026-03-02T01:00:00+01:00"]
)
def test_a_start_that_is_not_before_the_end(server: LiveServer, end: str) -> None:
    """An empty or reversed window is rejected, whatever the spelling."""
    answer = server.http.get(_SIZE, params={"start_at": "2026-03-02T00:00:00Z", "end_at": end})

    assert (422, invalid(error("query", "start_at", "must be before end_at"))) == (
        answer.status_code,
        answer.json(),
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("since", "; it takes"),
        ("base_rf", ", did you mean base_ref? It takes"),
    ],
)
def test_an_unknown_parameter_with_its_nearest_name(server: LiveServer, name: str, hint: str) -> None:
    """A name that is far from all others gets no suggestion."""
    answer = server.http.get(_SIZE, params={name: "7d"})

    known = "base_ref, queue_name, priority_rule_name, start_at, end_at"
    message = f"is not a parameter of this endpoint{hint} {known}"
    assert (422, invalid(error("query", name, message))) == (answer.status_code, answer.json())
