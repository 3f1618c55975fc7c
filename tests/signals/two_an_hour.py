"""A queue with two merges an hour, for comparing one week with another."""

from typing import Any

from builders import ended, entered, left, started
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant


def merges(start: int, days: int, minutes: int = 10) -> list[dict[str, Any]]:
    """Each pull request stays for so many minutes, or a little longer."""
    events = []
    for number in range(days * 48):
        at = start + number * HOUR // 2
        stay, pull = f"{start}-{number}", number + 1
        begun, done = (format_instant(at + MINUTE), format_instant(at + (minutes + number % 5) * MINUTE))
        events += [
            entered(format_instant(at), stay, pull),
            started(begun, stay, pull, stay, [pull]),
            ended(done, stay, pull, stay),
            left(done, stay, pull),
        ]
    return events
