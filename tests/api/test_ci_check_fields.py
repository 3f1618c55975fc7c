"""The validation of every field of a report about a CI check."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import reported
from live_server import LiveServer

_AT = "2026-03-02T10:00:00Z"
_EARLIER = "2026-03-02T09:59:59.999999Z"
_CONTROL = "must not contain control characters"
_UNSHOWABLE = "must not contain control, bidirectional or tag characters"
_URL = "must be a URL that begins with https:// or http:// and a host, without a user or marks of direction"
_CONCLUSION = "must be one of success, failure, timed_out, cancelled, skipped, neutral"


def _text(longest: int) -> str:
    return f"must be a string of 1 to {longest} characters"


_WRONG: list[tuple[str, Any, str]] = [
    *((name, value, _text(longest)) for name, longest in [("check_id", 200), ("name", 255), ("runner", 100)]
      for value in ("", "x" * (longest + 1), "x" * 10_000, 7, ["a"])),
    *(("check_id", value, _CONTROL)
      for value in ("a\0b", "a\nb", "\x1b[31mred", "a\x7f", "a\x85b", "a\u2028b")),
    *((name, value, _UNSHOWABLE) for name in ("name", "runner", "queue_name", "source")
      for value in ("a\0b", "a\nb", "\x1b[31mred", "a\x7f", "a\x85b", "a\u2028b", "a\u202eb", "\u2066a",
                    "a\u200fb", "a\u061cb", "a\U000e0041b")),
    *((name, value, "must not be blank") for name in ("name", "runner", "queue_name", "source")
      for value in (" ", "\u00a0\u2003", "\u200b", "\u3164", "\ufe0f", "\ufeff \u2800")),
    ("name", None, _text(255)),
    ("check_id", None, _text(200)),
    *(("conclusion", value, _CONCLUSION) for value in ("", "passed", "action_required", 1, True)),
    ("conclusion", "SUCCESS", f"{_CONCLUSION}; did you mean success?"),
    *(("url", value, _URL) for value in (
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//example.com/x", "example.com",
        "https://", "https:///x", "http://?x", "https://example.com/a b", "https://example.com/\nx", " https://e.com",
        "ftp://example.com")),
    ("url", f"https://example.com/{'x' * 2000}", _text(2000)),
    ("url", 7, _text(2000)),
    *(("is_required", value, "must be true or false") for value in (1, "true")),
    *(("attempt", value, "must be an integer from 1 to 1000") for value in (0, 1001, None, "1")),
    *((name, 1767225600, "must be a date-time with a UTC offset, such as 2026-01-31T09:00:00Z")
      for name in ("queued_at", "started_at", "ended_at")),
    ("priority_rule_name", None, "is not a field of ci_check_reported"),
    ("session_id", "s", "is not a field of ci_check_reported"),
]  # fmt: skip


def test_an_invalid_value(server: LiveServer, repository: str) -> None:
    """The error states the rule of the field and points to it, and nothing is stored."""
    for name, value, message in _WRONG:
        answer = server.send([{**reported(_AT, "b", "unit"), name: value}], repository)
        expected = invalid(error("body", f"/0/{name}", message))
        assert (422, expected) == (answer.status_code, answer.json()), (name, value)


@pytest.mark.parametrize(
    "name", ["id", "at", "base_ref", "queue_name", "batch_id", "check_id", "name", "conclusion"]
)
def test_a_missing_field(server: LiveServer, repository: str, name: str) -> None:
    """A field without a default is required; so is the conclusion, which may be null."""
    report = reported(_AT, "b", "unit")
    del report[name]

    answer = server.send([report], repository)

    assert (422, invalid(error("body", f"/0/{name}", "is missing"))) == (answer.status_code, answer.json())


@pytest.mark.parametrize(
    ("earlier", "later"), [("started_at", "ended_at"), ("queued_at", "started_at"), ("queued_at", "ended_at")]
)
def test_steps_in_the_wrong_order(server: LiveServer, repository: str, earlier: str, later: str) -> None:
    """An execution cannot end before it starts, or start before it is queued."""
    answer = server.send([reported(_AT, "b", "unit", **{earlier: _AT, later: _EARLIER})], repository)

    expected = invalid(error("body", f"/0/{later}", f"must not be before {earlier}"))
    assert (422, expected) == (answer.status_code, answer.json())


@pytest.mark.parametrize(
    "name",
    ["d\u00e9ploiement", "\u05d1\u05d3\u05d9\u05e7\u05d4", "\U0001f469\u200d\U0001f680", "a b", "ta\u200bb"],
)
def test_names_in_any_script_are_accepted(server: LiveServer, repository: str, name: str) -> None:
    """Only characters that hide or reorder others are refused."""
    report = reported(_AT, "b", name, queue_name=name, runner=name, base_ref=f"{name}\u202e")

    assert 200 == server.send([report], repository).status_code


@pytest.mark.parametrize(("microseconds", "status"), [(0, 200), (1, 422)])
def test_a_check_of_more_than_35_days(
    server: LiveServer, repository: str, microseconds: int, status: int
) -> None:
    """No CI system runs one for so long: a clock was wrong."""
    ended_at = datetime.fromisoformat(_AT) + timedelta(days=35, microseconds=microseconds)
    report = reported(_AT, "b", "unit", started_at=_AT, ended_at=ended_at.isoformat())

    answer = server.send([report], repository)

    message = "must not be more than 35 days after started_at"
    assert status == answer.status_code
    if status == 422:
        assert invalid(error("body", "/0/ended_at", message)) == answer.json()


@pytest.mark.parametrize("name", ["queued_at", "started_at", "ended_at"])
def test_an_instant_out_of_range(server: LiveServer, repository: str, name: str) -> None:
    """Steps of an execution have the same limits as the event itself."""
    ahead = (datetime.now(UTC) + timedelta(minutes=11)).isoformat()
    for wrong in (ahead, "1969-12-31T23:59:59.999999Z"):
        (only,) = server.send([reported(_AT, "b", "unit", **{name: wrong})], repository).json()["errors"]

        assert f"/0/{name}" == only["name"]
        assert only["message"].startswith("must be between 1970 and 10 minutes after now (20")
