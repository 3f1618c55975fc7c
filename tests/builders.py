"""Events as sent over HTTP, with sensible defaults that keywords override."""

from itertools import count
from typing import Any

_NUMBERS = count(1)

Wire = dict[str, Any]


def event(type: str, at: str, **fields: Any) -> Wire:
    """An event of the queue `default` on `main`, with a new id unless given."""
    return {
        "id": f"event-{next(_NUMBERS)}",
        "type": type,
        "at": at,
        "base_ref": "main",
        "queue_name": "default",
        **fields,
    }


def entered(at: str, session: str, pull_request: int, **fields: Any) -> Wire:
    return event("queue_entered", at, session_id=session, pull_request=pull_request, **fields)


def left(at: str, session: str, pull_request: int, reason: str = "PR_MERGED", **fields: Any) -> Wire:
    return event("queue_left", at, session_id=session, pull_request=pull_request, reason=reason, **fields)


def started(at: str, session: str, pull_request: int, batch: str, members: list[int], **fields: Any) -> Wire:
    return event(
        "checks_started",
        at,
        session_id=session,
        pull_request=pull_request,
        batch_id=batch,
        batch_pull_requests=members,
        **fields,
    )


def ended(
    at: str, session: str, pull_request: int, batch: str, outcome: str = "SUCCESS", **fields: Any
) -> Wire:
    return event(
        "checks_ended",
        at,
        session_id=session,
        pull_request=pull_request,
        batch_id=batch,
        outcome=outcome,
        **fields,
    )


def reported(at: str, batch: str, name: str, conclusion: str | None = "success", **fields: Any) -> Wire:
    """A report about an execution of a CI check, which has the name of the check as its id unless given."""
    content = {"batch_id": batch, "check_id": name, "name": name, "conclusion": conclusion}
    return event("ci_check_reported", at, **content | fields)


def worked_example() -> list[Wire]:
    """The day of docs/statistics.md: two pull requests, one batch, one retry."""
    day = "2026-03-02T"
    return [
        entered(f"{day}10:00:00Z", "a", 1),
        entered(f"{day}10:05:00Z", "b", 2),
        started(f"{day}10:10:00Z", "a", 1, "X", [1, 2]),
        started(f"{day}10:10:00Z", "b", 2, "X", [1, 2]),
        ended(f"{day}10:40:00Z", "a", 1, "X", "CHECKS_RETRIED"),
        ended(f"{day}10:40:00Z", "b", 2, "X", "CHECKS_RETRIED"),
        started(f"{day}10:41:00Z", "a", 1, "X", [1, 2], attempt=2),
        started(f"{day}10:41:00Z", "b", 2, "X", [1, 2], attempt=2),
        ended(f"{day}11:01:00Z", "a", 1, "X", attempt=2),
        ended(f"{day}11:01:00Z", "b", 2, "X", attempt=2),
        left(f"{day}11:02:00Z", "a", 1),
        left(f"{day}11:03:00Z", "b", 2),
    ]
