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
_URL = "must be a URL that begins with https:// or http://"
_CONCLUSION = "must be one of success, failure, timed_out, cancelled, skipped, neutral"


def _text(longest: int) -> str:
    return f"must be a string of 1 to {longest} characters"


_WRONG: list[tuple[str, Any, str]] = [
    *((name, value, _text(longest)) for name, longest in [("check_id", 200), ("name", 255), ("runner", 100)]
      for value in ("", "x" * (longest + 1), "x" * 10_000, 7, ["a"])),
    *((name, value, _CONTROL) for name in ("check_id", "name", "runner")
      for value in ("a\0b", "a\nb", "\x1b[31mred", "a\x7f", "a\x85b", "a\u2028b")),
    ("name", None, _text(255)),
    ("check_id", None, _text(200)),
    *(("conclusion", value, _CONCLUSION) for value in ("", "SUCCESS", "passed", "action_required", 1, True)),
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


@pytest.mark.parametrize(
    ("name", "value", "message"), _WRONG, ids=[f"{name}-{place}" for place, (name, _, _) in enumerate(_WRONG)]
)
def test_an_invalid_value(server: LiveServer, repository: str, name: str, value: Any, message: str) -> None:
    """The error states the rule of the field and points to it, and nothing is stored."""
    answer = server.send([{**reported(_AT, "b", "unit"), name: value}], repository)

    assert (422, invalid(error("body", f"/0/{name}", message))) == (answer.status_code, answer.json())


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


@pytest.mark.parametrize("name", ["queued_at", "started_at", "ended_at"])
def test_an_instant_out_of_range(server: LiveServer, repository: str, name: str) -> None:
    """Steps of an execution have the same limits as the event itself."""
    ahead = (datetime.now(UTC) + timedelta(minutes=11)).isoformat()
    for wrong in (ahead, "1969-12-31T23:59:59.999999Z"):
        (only,) = server.send([reported(_AT, "b", "unit", **{name: wrong})], repository).json()["errors"]

        assert f"/0/{name}" == only["name"]
        assert only["message"].startswith("must be between 1970 and 10 minutes after now (20")
