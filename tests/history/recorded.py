"""Short histories written by hand, and the demo's, as events."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Any

from demo.histories import history
from mergecast.forecasting.history.reading import read_history
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.event import (
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import Window

SECOND = 1_000_000
# The past of a question whose back-test does not matter: that takes most of the time of a forecast.
NO_PAST = read_history([], Window(0, 0))
_NUMBERS = count(1)
_START = date(2026, 3, 2)


def happened(type: str, at: float, **fields: Any) -> Event:
    """An event `at` so many seconds after the epoch, of the queue `default` on `main`."""
    place = {"base_ref": "main", "queue_name": "default", "priority_rule_name": None, "source": "api"}
    return Event(f"event-{next(_NUMBERS)}", type, round(at * SECOND), **{**place, **fields})


def enters(at: float, pull: int, **fields: Any) -> Event:
    return happened(QUEUE_ENTERED, at, session_id=f"s{pull}", pull_request=pull, **fields)


def leaves(at: float, pull: int, reason: str = "PR_MERGED", **fields: Any) -> Event:
    return happened(QUEUE_LEFT, at, session_id=f"s{pull}", pull_request=pull, reason=reason, **fields)


def runs(
    span: tuple[float, float], batch: str, pulls: Iterable[int], outcome: str = "SUCCESS", attempt: int = 1
) -> list[Event]:
    """The start and the end of one run for each of its members."""
    members = list(pulls)
    of_run = {"batch_id": batch, "attempt": attempt}
    of_start = of_run | {"batch_pull_requests": ",".join(map(str, members))}
    stays = [{"session_id": f"s{pull}", "pull_request": pull} for pull in members]
    return [
        *(happened(CHECKS_STARTED, span[0], **stay, **of_start) for stay in stays),
        *(happened(CHECKS_ENDED, span[1], **stay, **of_run, outcome=outcome) for stay in stays),
    ]


def splits(at: float, batch: str, pulls: Iterable[int], depth: int = 0) -> Event:
    members = ",".join(map(str, pulls))
    return happened(BISECTION_STARTED, at, batch_id=batch, depth=depth, batch_pull_requests=members)


def demo_history(days: int, base_ref: str = "main") -> tuple[list[Event], Window]:
    """The demo's events of one base branch, and the window that holds them all."""
    until = datetime.combine(_START, time(), UTC) + timedelta(days=days)
    now = round(until.timestamp()) * SECOND
    found = []
    for wire in history(_START, days):
        if wire["base_ref"] == base_ref:
            event = read_event(wire, "", now)
            assert isinstance(event, Event)
            found.append(event)
    return found, Window(now - days * 86_400 * SECOND, now)
