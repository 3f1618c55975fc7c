"""Invented histories that many tests share: making one takes seconds."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any

from mergecast.demo.event_log import wire_time
from mergecast.demo.history import demo_events

# How long a history is needed from each start. `test_history` checks that a longer one begins with a shorter.
_DAYS = {date(2025, 11, 3): 91, date(2026, 3, 2): 140, date(2026, 8, 17): 97}


def history(start: date, days: int) -> list[dict[str, Any]]:
    """The default history of so many days."""
    until = wire_time(_midnight(start) + timedelta(days=days))
    return [event for event in _longest(start) if event["at"] <= until]


@cache
def _longest(start: date) -> list[dict[str, Any]]:
    return list(demo_events(start, _midnight(start) + timedelta(days=_DAYS[start])))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
