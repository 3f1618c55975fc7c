"""Invented histories that many tests share: making one takes seconds."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any

from mergecast.demo.event_log import wire_time
from mergecast.demo.history import demo_events

_YEAR = timedelta(days=365)


class _Begun:
    """A history as far as it was needed. `test_history` checks that a longer one begins with a shorter."""

    def __init__(self, start: date) -> None:
        self._made: list[dict[str, Any]] = []
        self._rest = demo_events(start, _midnight(start) + _YEAR)

    def until(self, last: str) -> list[dict[str, Any]]:
        while not self._made or self._made[-1]["at"] <= last:
            self._made.append(next(self._rest))
        return [event for event in self._made if event["at"] <= last]


_begun = cache(_Begun)


def history(start: date, days: int) -> list[dict[str, Any]]:
    """The default history of so many days."""
    return _begun(start).until(wire_time(_midnight(start) + timedelta(days=days)))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
