"""What is tried again every second and fails does not fill the log."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from mergecast.process.logs import log_as_json

_log = structlog.get_logger("mergecast.tests")


@pytest.fixture(autouse=True)
def _other_tests_log_as_before() -> Iterator[None]:
    yield
    log_as_json()


def _lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().err.splitlines()]


def test_the_same_warning_about_an_error_is_logged_once_a_minute(capfd: pytest.CaptureFixture[str]) -> None:
    """The next line says how many were left out."""
    seconds = 0
    log_as_json(passed=lambda: seconds * 1_000_000)
    for seconds in range(121):  # noqa: B007 - the clock reads it
        _log.warning("translating failed", error="the database cannot be reached")

    assert [None, 59, 59] == [line.get("repeated") for line in _lines(capfd)]


def test_other_lines_are_all_logged(capfd: pytest.CaptureFixture[str]) -> None:
    log_as_json(passed=lambda: 0)
    for repository in ("acme/widgets", "acme/gadgets"):
        _log.warning("translating failed", error="the store is busy", repository=repository)
    for _ in range(2):
        _log.warning("key revoked", who="admin token")
        _log.error("a child could not be started", error="no memory")

    events = ["translating failed"] * 2 + ["key revoked", "a child could not be started"] * 2
    assert events == [line["event"] for line in _lines(capfd)]
