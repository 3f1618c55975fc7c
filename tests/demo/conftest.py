"""One invented history that many tests share."""

from datetime import date
from typing import Any

import pytest

from demo.histories import history


@pytest.fixture(scope="session")
def events() -> list[dict[str, Any]]:
    """Ninety days of the default history."""
    return history(date(2026, 3, 2), days=90)


@pytest.fixture(scope="session")
def month(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first thirty days of it."""
    return [event for event in events if event["at"] < "2026-04-01"]
