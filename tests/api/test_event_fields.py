"""The validation of every field of every event."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import Wire, ended, entered, event, left, started
from live_server import LiveServer

_AT = "2026-03-02T10:00:00Z"
_EVENTS: dict[str, Wire] = {
    "queue_entered": entered(_AT, "s", 1),
    "queue_left": left(_AT, "s", 1),
    "checks_started": started(_AT, "s", 1, "b", [1]),
    "checks_ended": ended(_AT, "s", 1, "b"),
    "bisection_started": event("bisection_started", _AT, batch_id="b", depth=0, batch_pull_requests=[1]),
    "bisection_ended": event(
        "bisection_ended", _AT, batch_id="b", culprit_found=True, max_failures_reached=False
    ),
}
_LARGEST = 2**63 - 1
_INTEGER = f"must be an integer from 0 to {_LARGEST}"
_LIST = "must be a list of 1 to 1000 pull request numbers"
_NUMBERS = f"must contain integers from 0 to {_LARGEST}"
_SECONDS = "must be a number of seconds from 0 to 9000000000"
_NUL = "must not contain the character NUL"
_UNSHOWABLE = "must not contain control, bidirectional or tag characters"
_COMMIT = "must be the id of a commit: 40 or 64 hexadecimal digits, not all zeros"
_DATE_TIME = "must be a date-time with a UTC offset, such as 2026-01-31T09:00:00Z"
_REQUIRED = [
    (type, name) for type, one in _EVENTS.items() for name in one if name != "type"
]  # the builders omit every field that has a default


def _text(longest: int) -> str:
    return f"must be a string of 1 to {longest} characters"


def _each(type: str, name: str, message: str, *values: Any) -> list[tuple[str, str, Any, str]]:
    return [(type, name, value, message) for value in values]


def _texts(
    type: str, name: str, longest: int, *, is_nullable: bool = False, is_name: bool = False
) -> list[tuple[str, str, Any, str]]:
    """Every value that a text field rejects."""
    kind = f"must be a string of 1 to {longest} characters, or null" if is_nullable else _text(longest)
    wrong = ["", "x" * (longest + 1), 1, True, ["a"], {}]
    return [
        *((type, name, value, kind) for value in (wrong if is_nullable else [*wrong, None])),
        (type, name, "a\0b", _UNSHOWABLE if is_name else _NUL),
        *((type, name, value, _UNSHOWABLE) for value in ("a\nb", "a\u202eb", "a\U000e0041b") if is_name),
        *((type, name, value, "must not be blank") for value in (" ", "\u200b") if is_name),
    ]


_WRONG: list[tuple[str, str, Any, str]] = [
    *_texts("queue_entered", "id", 200),
    *_texts("queue_entered", "base_ref", 255),
    *_texts("queue_entered", "queue_name", 255, is_name=True),
    *_texts("queue_entered", "priority_rule_name", 255, is_nullable=True, is_name=True),
    *_texts("queue_entered", "source", 40, is_name=True),
    *_texts("queue_entered", "session_id", 200),
    *_texts("queue_left", "batch_id", 200, is_nullable=True),
    *_texts("checks_started", "batch_id", 200),
    *_texts("bisection_ended", "batch_id", 200),
    *_each("queue_entered", "at", _DATE_TIME, 1767225600, None, 1.5, []),
    *_each("queue_entered", "pull_request", _INTEGER, -1, 2**63, 10**40, True, 1.5, 1.0, "1", None, []),
    *_each("checks_started", "attempt", "must be an integer from 1 to 1000", 0, 1001, True, 1.0, "1", None),
    *_each("bisection_started", "depth", "must be an integer from 0 to 1000", -1, 1001, False, 0.0, None),
    *_each("checks_started", "batch_pull_requests", _LIST, [], list(range(1001)), "1", 1, None, {"1": 1}),
    *_each(
        "checks_started",
        "batch_pull_requests",
        _NUMBERS,
        [1, True],
        [1, 1.5],
        [1, -1],
        [1, 2**63],
        [1, "2"],
        [1, None],
        [[1]],
    ),
    ("checks_started", "batch_pull_requests", [1, 2, 1], "must not name a pull request twice"),
    ("checks_started", "batch_pull_requests", [2, 3], "must contain the event's own pull request, 1"),
    ("bisection_started", "batch_pull_requests", [], _LIST),
    *_each(
        "queue_left",
        "seconds_waiting_for_schedule",
        _SECONDS,
        -1,
        -0.001,
        9_000_000_001,
        True,
        "1",
        None,
        1e300,
    ),
    ("queue_left", "seconds_waiting_for_freeze", -1, _SECONDS),
    *_each(
        "queue_entered",
        "head_sha",
        _COMMIT,
        *("", "a" * 39, "a" * 41, "a" * 63, "a" * 65, "g" * 40, "\u0661" * 40, "a" * 40 + "\n"),
        *("0" * 40, "0" * 64, 10**39, True, ["a" * 40], {}),
    ),
    ("queue_left", "head_sha", "main", _COMMIT),
    *_each("bisection_ended", "culprit_found", "must be true or false", 1, 0, "true", None),
    ("bisection_ended", "max_failures_reached", 1, "must be true or false"),
]


def test_an_invalid_value(server: LiveServer, repository: str) -> None:
    """The error states the rule of the field and points to it."""
    for type, name, value, message in _WRONG:
        answer = server.send([{**_EVENTS[type], name: value}], repository)
        expected = invalid(error("body", f"/0/{name}", message))
        assert (422, expected) == (answer.status_code, answer.json()), (type, name, value)


def test_a_missing_field(server: LiveServer, repository: str) -> None:
    """A field without a default is required."""
    for type, name in _REQUIRED:
        lacking = {key: value for key, value in _EVENTS[type].items() if key != name}
        answer = server.send([lacking], repository)
        expected = invalid(error("body", f"/0/{name}", "is missing"))
        assert (422, expected) == (answer.status_code, answer.json()), (type, name)


@pytest.mark.parametrize("number", ["1e3", "1E0", "1.0", "0.1e1"])
def test_integers_are_plain_digits(server: LiveServer, repository: str, number: str) -> None:
    """A number with a fraction or an exponent is not an integer, whatever its value."""
    text = json.dumps([_EVENTS["queue_entered"]]).replace('"pull_request": 1', f'"pull_request": {number}')

    answer = server.http.post(
        f"/v1/repos/{repository}/events", content=text, headers={"Content-Type": "application/json"}
    )

    assert invalid(error("body", "/0/pull_request", _INTEGER)) == answer.json()


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff", "a\\ud800b", "\\udc00\\ud800"])
def test_a_lone_surrogate(server: LiveServer, repository: str, escape: str) -> None:
    """The error about text that is not valid Unicode names the field."""
    text = json.dumps([_EVENTS["queue_entered"]]).replace('"main"', f'"{escape}"')

    answer = server.http.post(
        f"/v1/repos/{repository}/events", content=text, headers={"Content-Type": "application/json"}
    )

    assert (422, ["/0/base_ref"]) == (answer.status_code, [one["name"] for one in answer.json()["errors"]])


@pytest.mark.parametrize("type", _EVENTS)
@pytest.mark.parametrize(
    ("name", "pointer"), [("extra", "extra"), ("a/b~c", "a~1b~0c"), ("", ""), ("\u00e9", "\u00e9")]
)
def test_an_unknown_field(server: LiveServer, repository: str, type: str, name: str, pointer: str) -> None:
    """The server rejects it; the pointer is escaped according to RFC 6901."""
    answer = server.send([{**_EVENTS[type], name: 1}], repository)

    expected = invalid(error("body", f"/0/{pointer}", f"is not a field of {type}"))
    assert (422, expected) == (answer.status_code, answer.json())


@pytest.mark.parametrize("type", [type for type in _EVENTS if not type.startswith("queue_")])
def test_only_entering_and_leaving_name_a_commit(server: LiveServer, repository: str, type: str) -> None:
    """An error in one event refuses the whole body."""
    sent = [entered(_AT, "other", 2, head_sha="a" * 40), {**_EVENTS[type], "head_sha": "a" * 40}]

    answer = server.send(sent, repository)

    expected = invalid(error("body", "/1/head_sha", f"is not a field of {type}"))
    assert (422, expected) == (answer.status_code, answer.json())
    assert 404 == server.http.get(f"/v1/repos/{repository}/events").status_code


def test_commits_are_stored_in_lower_case(server: LiveServer, repository: str) -> None:
    """Both lengths of git are accepted; null means that the commit is not known."""
    sent = [
        entered(_AT, "a", 1, head_sha="AbC" + "0" * 37),
        left(_AT, "a", 1, head_sha="F0" * 32),
        entered(_AT, "b", 2, head_sha=None),
    ]

    answer = server.send(sent, repository)
    stored = server.http.get(f"/v1/repos/{repository}/events").text.splitlines()

    assert {"stored": 3, "duplicates": 0} == answer.json()
    expected = ["abc" + "0" * 37, "f0" * 32, None]
    assert expected == [json.loads(line).get("head_sha") for line in stored]


def test_a_field_of_another_event_type(server: LiveServer, repository: str) -> None:
    """A field that only another event type has is unknown."""
    answer = server.send([{**_EVENTS["queue_entered"], "reason": "PR_MERGED"}], repository)

    assert invalid(error("body", "/0/reason", "is not a field of queue_entered")) == answer.json()


@pytest.mark.parametrize("type", ["", "queue", "QUEUE_ENTERED", 1, None, ["queue_entered"], {}])
def test_an_unknown_type(server: LiveServer, repository: str, type: Any) -> None:
    """The message lists the seven types, and names one that differs only by capitals."""
    answer = server.send([{**_EVENTS["queue_entered"], "type": type}], repository)

    meant = "; did you mean queue_entered?" if type == "QUEUE_ENTERED" else ""
    message = f"must be one of {', '.join(_EVENTS)}, ci_check_reported{meant}"
    assert (422, invalid(error("body", "/0/type", message))) == (answer.status_code, answer.json())


@pytest.mark.parametrize(("type", "name"), [("queue_left", "reason"), ("checks_ended", "outcome")])
@pytest.mark.parametrize("value", ["", "NOTHING", "pr_merged", 1, None, ["SUCCESS"]])
def test_an_unknown_enum_value(server: LiveServer, repository: str, type: str, name: str, value: Any) -> None:
    """The message lists the valid values."""
    (only,) = server.send([{**_EVENTS[type], name: value}], repository).json()["errors"]

    assert f"/0/{name}" == only["name"]
    assert only["message"].startswith("must be one of ")
    assert "CHECKS_FAILED, CHECKS_INTERRUPTED" in only["message"]


@pytest.mark.parametrize(
    ("name", "written", "meant"),
    [("type", "queue_lefft", "queue_left"), ("reason", "PR_MERGD", "PR_MERGED")],
)
def test_a_misspelt_value(server: LiveServer, repository: str, name: str, written: str, meant: str) -> None:
    """The message ends with the value that was probably meant, in each event that is listed."""
    wrong = [{**_EVENTS["queue_left"], name: written}] * 101
    answer = server.send(wrong, repository).json()

    assert [f"/{place}/{name}" for place in range(100)] == [error["name"] for error in answer["errors"]]
    assert all(error["message"].endswith(f"; did you mean {meant}?") for error in answer["errors"])


@pytest.mark.parametrize(
    "at", ["1969-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "ahead", "9999-12-31T00:00:00Z"]
)
def test_an_instant_out_of_range(server: LiveServer, repository: str, at: str) -> None:
    """Valid instants start in 1970 and end 10 minutes from now."""
    ahead = (datetime.now(UTC) + timedelta(minutes=11)).isoformat()

    (only,) = server.send([entered(ahead if at == "ahead" else at, "s", 1)], repository).json()["errors"]

    assert "/0/at" == only["name"]
    assert only["message"].startswith("must be between 1970 and 10 minutes after now (20")


def test_instants_at_the_limits(server: LiveServer, repository: str) -> None:
    """The epoch, and a clock that is nine minutes fast."""
    ahead = (datetime.now(UTC) + timedelta(minutes=9)).isoformat()

    answer = server.send([entered("1970-01-01T00:00:00Z", "a", 1), entered(ahead, "b", 2)], repository)

    assert {"stored": 2, "duplicates": 0} == answer.json()


def test_values_at_the_limits(server: LiveServer, repository: str) -> None:
    """The export returns the longest texts, the largest numbers and non-ASCII text unchanged."""
    long = "\U0001f600" * 200
    sent = [
        {**started(_AT, long, _LARGEST, long, [*range(999), _LARGEST], attempt=1000, id=long),
         "source": "x" * 40, "priority_rule_name": "\u00e9" * 255},
        {**_EVENTS["bisection_started"], "depth": 1000, "priority_rule_name": None, "source": "api"},
        {**_EVENTS["queue_left"], "batch_id": "b", "seconds_waiting_for_schedule": 9_000_000_000,
         "seconds_waiting_for_freeze": 0.000001, "priority_rule_name": "'; drop table events; --",
         "source": "api"},
    ]  # fmt: skip

    answer = server.send(sent, repository)
    stored = server.http.get(f"/v1/repos/{repository}/events").text.splitlines()

    assert {"stored": 3, "duplicates": 0} == answer.json()
    assert sent == [json.loads(line) for line in stored]


@pytest.mark.parametrize("end", ["\\ud800", "\\udc00", "x\\ud83d", "\\ud83d\\ud83d"])
@pytest.mark.parametrize("type", ["application/json", "application/x-ndjson"])
def test_a_lone_surrogate_at_the_end(server: LiveServer, end: str, type: str) -> None:
    """The message names the lone surrogate, although the decoder reports truncated data."""
    event = f'{{"type": "queue_entered", "id": "{end}"}}'
    body = f"[{event}]" if type == "application/json" else event

    answer = server.http.post(
        "/v1/repos/acme/widgets/events", content=body.encode(), headers={"Content-Type": type}
    )

    assert {"in": "body", "name": "/0/id", "message": "must not contain half of a surrogate pair"} in (
        answer.json()["errors"]
    )


def test_a_truncated_body_with_an_escape(server: LiveServer) -> None:
    """The message still says that the body is truncated."""
    answer = server.http.post(
        "/v1/repos/acme/widgets/events",
        content=b'[{"id": "\\u00e4',
        headers={"Content-Type": "application/json"},
    )

    assert "the body is not valid JSON: Input data was truncated" == answer.json()["detail"]
