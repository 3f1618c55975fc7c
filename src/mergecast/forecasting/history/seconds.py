"""Lengths of time in seconds, the unit of histories and estimates. Replays use whole microseconds."""

from typing import Final

from mergecast.queues.model.instant import (
    SECOND,
    SECONDS_PER_DAY,
    SECONDS_PER_HOUR,
    SECONDS_PER_MINUTE,
    SECONDS_PER_WEEK,
)

MICROSECONDS: Final = SECOND  # in one second
MINUTE: Final = float(SECONDS_PER_MINUTE)
HOUR: Final = float(SECONDS_PER_HOUR)
DAY: Final = float(SECONDS_PER_DAY)
WEEK: Final = float(SECONDS_PER_WEEK)


def microseconds(seconds: float) -> int:
    return round(seconds * MICROSECONDS)


def in_seconds(duration: int) -> float:
    """A duration in microseconds as seconds."""
    return duration / MICROSECONDS
