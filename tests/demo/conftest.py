"""One invented history that many tests share."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from mergecast.demo.history import demo_events


@pytest.fixture(scope="session")
def events() -> list[dict[str, Any]]:
    """Ninety days of the default history."""
    return list(demo_events(date(2026, 3, 2), datetime(2026, 5, 31, tzinfo=UTC)))


@pytest.fixture(scope="session")
def month(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first thirty days of it."""
    return [event for event in events if event["at"] < "2026-04-01"]
