"""Lengths of time in seconds, the unit of histories and estimates. Replays use whole microseconds."""

from typing import Final

from mergecast.queues.model.instant import SECOND

MICROSECONDS: Final = SECOND  # in one second
MINUTE: Final = 60.0
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY


def microseconds(seconds: float) -> int:
    return round(seconds * MICROSECONDS)


def in_seconds(duration: int) -> float:
    """A duration in microseconds as seconds."""
    return duration / MICROSECONDS
