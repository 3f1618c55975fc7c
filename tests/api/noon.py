"""The instant at which the clock of some servers stands still."""

from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant

NOON = parse_instant("2026-11-02T12:00:00Z")


def ago(minutes: float) -> str:
    return format_instant(NOON - round(minutes * MINUTE))
