"""Two small repositories with different histories of 100 days, for figures that depend on every filter.

Nothing happens close to a full hour, so that a window that ends a minute later has the same figures.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from builders import Wire, ended, entered, left, started

_DAYS = 100


@dataclass(frozen=True)
class History:
    repository: str
    hours_between: int
    minutes_of_ci: int


QUICK = History("acme/quick", 7, 6)
SLOW = History("acme/slow", 11, 14)


def events_of(history: History, now: datetime) -> list[Wire]:
    hour = now.replace(minute=0, second=0, microsecond=0)
    found = _waiting(history, hour)
    for number in range(1, _DAYS * 24 // history.hours_between):
        found += _stay(history, number, hour - timedelta(hours=number * history.hours_between))
    return found


def renamed(events: list[Wire]) -> list[Wire]:
    """The same in addition to what a repository has."""
    return [event | {name: f"more-{event[name]}" for name in ("id", "session_id")} for event in events]


def _stay(history: History, number: int, at: datetime) -> list[Wire]:
    """Where, how long and with which outcome follows from the number: each filter has other figures."""
    ci = timedelta(minutes=history.minutes_of_ci, seconds=number % 100)
    times = [at + timedelta(minutes=5), at + timedelta(minutes=6 + number % 9)]
    times += [times[-1] + ci, times[-1] + ci + timedelta(minutes=1)]
    entry, begin, end, leaving = (time.isoformat() for time in times)
    where = _where(number)
    has_failed = number % 5 == 2
    session, batch = f"stay-{number}", f"batch-{number}"
    return [
        entered(entry, session, number, **where),
        started(begin, session, number, batch, [number], **where),
        ended(end, session, number, batch, "CHECKS_FAILED" if has_failed else "SUCCESS", **where),
        left(leaving, session, number, "CHECKS_FAILED" if has_failed else "PR_MERGED", **where),
    ]


def _waiting(history: History, hour: datetime) -> list[Wire]:
    numbers = range(9001, 9002 + history.hours_between % 3)
    return [entered((hour - timedelta(minutes=20)).isoformat(), f"stay-{one}", one) for one in numbers]


def _where(number: int) -> dict[str, str]:
    where = {"base_ref": "next" if number % 3 == 0 else "main", "queue_name": "default"}
    if number % 4 == 1:
        where["queue_name"] = "hotfix"
    if number % 7 == 3:
        where["priority_rule_name"] = "urgent"
    return where
