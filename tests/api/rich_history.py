"""A day that contains every kind of queue event."""

from builders import Wire, ended, entered, event, left, started

_DAY = "2026-03-02T"


def rich_history() -> list[Wire]:
    """Two branches and two queues, with and without a priority rule; data for every statistic."""
    places = [
        {"base_ref": "main", "queue_name": "default"},
        {"base_ref": "main", "queue_name": "default", "priority_rule_name": "high"},
        {"base_ref": "release", "queue_name": "hotfix", "priority_rule_name": "low"},
    ]
    return [one for number, place in enumerate(places) for one in _at(number, place)]


def _at(number: int, place: dict[str, str]) -> list[Wire]:
    first, second, third, fourth = (f"{name}{number}" for name in "abcd")
    batch = f"batch{number}"
    events = [
        entered(f"{_DAY}09:00:00Z", first, 1),
        entered(f"{_DAY}09:01:00.25Z", second, 2),
        started(f"{_DAY}09:02:00Z", first, 1, batch, [1, 2]),
        started(f"{_DAY}09:02:00Z", second, 2, batch, [1, 2]),
        ended(f"{_DAY}09:30:00Z", first, 1, batch, "CHECKS_RETRIED"),
        ended(f"{_DAY}09:30:00Z", second, 2, batch, "CHECKS_RETRIED"),
        started(f"{_DAY}09:31:00Z", first, 1, batch, [1, 2], attempt=2),
        ended(f"{_DAY}09:50:00Z", first, 1, batch, "SUCCESS", attempt=2),
        ended(f"{_DAY}09:50:00Z", second, 2, batch, "CHECKS_FAILED", attempt=2),
        left(f"{_DAY}09:51:00Z", first, 1, seconds_waiting_for_schedule=2.5),
        left(f"{_DAY}09:52:00Z", second, 2, "CHECKS_FAILED", seconds_waiting_for_freeze=3),
        entered(f"{_DAY}10:00:00Z", third, 3),
        left(
            f"{_DAY}10:20:00Z", third, 3, "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED", batch_id=f"skip{number}"
        ),
        entered(f"{_DAY}11:00:00Z", fourth, 4),
        started(f"{_DAY}11:01:00Z", fourth, 4, f"open{number}", [4]),
        ended(f"{_DAY}11:30:00Z", f"nobody{number}", 5, f"lost{number}", "BATCH_SCOPES_CHANGED"),
        left(f"{_DAY}11:40:00Z", f"nobody{number}", 5, "UNKNOWN"),
        event("bisection_started", f"{_DAY}09:53:00Z", batch_id=batch, depth=1, batch_pull_requests=[1, 2]),
        event(
            "bisection_ended",
            f"{_DAY}10:10:00Z",
            batch_id=batch,
            culprit_found=True,
            max_failures_reached=False,
        ),
    ]
    return [{**one, **place} for one in events]
