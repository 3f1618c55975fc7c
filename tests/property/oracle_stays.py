"""Stays one by one and the history of a pull request, straight from the events and as simply as possible."""

from typing import Any

from property.oracle_facts import Facts, Said, Subject, microseconds
from property.oracle_numbers import Asked, seconds, spell


def stays(facts: Facts, asked: Asked) -> list[dict[str, Any]]:
    """Every stay that ended in the window and that the filters keep, in no particular order."""
    return [
        _stay(facts, session)
        for session, leave in facts.left.items()
        if asked.covers(leave.at) and asked.keeps(leave.group)
    ]


def history(facts: Facts, number: int) -> list[dict[str, Any]]:
    """Every stay of a pull request, the newest first."""
    found = [_stay(facts, session) for session in facts.entered | facts.left]
    chosen = sorted(
        (one for one in found if one["pull_request"] == number), key=lambda one: one["session_id"]
    )
    in_order = sorted(chosen, key=lambda one: microseconds(one["entered_at"] or one["left_at"]), reverse=True)
    return [{**one, **_details(facts, (one["session_id"],))} for one in in_order]


def _stay(facts: Facts, session: Subject) -> dict[str, Any]:
    entry, leave = facts.entered.get(session), facts.left.get(session)
    some = entry or leave
    assert some is not None
    base_ref, queue_name, rule = (leave or some).group
    return {
        "session_id": session[0],
        "pull_request": some.fields["pull_request"],
        "base_ref": base_ref,
        "queue_name": queue_name,
        "priority_rule_name": rule,
        "entered_at": _at(entry),
        "left_at": _at(leave),
        "reason": leave.fields["reason"] if leave else None,
        "seconds": seconds(facts.stay_seconds(session)) if entry and leave else None,
        "waiting": _waiting(facts, session, leave) if entry and leave else None,
        "retries": facts.retries(session),
        "head_sha": _commit(entry, leave),
    }


def _commit(entry: Said | None, leave: Said | None) -> str | None:
    entering = entry.fields.get("head_sha") if entry else None
    leaving = leave.fields.get("head_sha") if leave else None
    return None if entering and leaving and entering != leaving else entering or leaving


def _waiting(facts: Facts, session: Subject, leave: Said) -> dict[str, float]:
    schedule, freeze = (
        round(leave.fields.get(f"seconds_waiting_for_{what}", 0) * 1_000_000)
        for what in ("schedule", "freeze")
    )
    runtime = facts.ci_runtime(session)
    capacity = max(0, facts.stay_seconds(session) - runtime - schedule - freeze)
    parts = {"ci": runtime, "capacity": capacity, "schedule": schedule, "freeze": freeze}
    return {name: seconds(part) for name, part in parts.items()}


def _details(facts: Facts, session: Subject) -> dict[str, Any]:
    names = sorted({check for check in [*facts.started, *facts.ended] if check[:1] == session}, key=str)
    checks = [_check(facts.started.get(name), facts.ended.get(name)) for name in names]
    checks.sort(
        key=lambda one: (microseconds(one["started_at"] or one["ended_at"]), one["batch_id"], one["attempt"])
    )
    batches = dict.fromkeys(one["batch_id"] for one in checks)
    bisections = [_bisection(facts, batch) for batch in batches]
    return {"checks": checks, "bisections": [one for one in bisections if one is not None]}


def _check(start: Said | None, end: Said | None) -> dict[str, Any]:
    some = start or end
    assert some is not None
    return {
        "batch_id": some.fields["batch_id"],
        "attempt": some.fields.get("attempt", 1),
        "pull_requests": start.fields["batch_pull_requests"] if start else [],
        "started_at": _at(start),
        "ended_at": _at(end),
        "outcome": end.fields["outcome"] if end else None,
        "ci_checks": [],
        "ci_checks_total": 0,
        "failed_ci_check": None,
    }


def _bisection(facts: Facts, batch: str) -> dict[str, Any] | None:
    starts = {key[1]: one for key, one in facts.bisection_started.items() if key[0] == batch}
    end = facts.bisection_ended.get((batch,))
    if not starts and end is None:
        return None
    return {
        "batch_id": batch,
        "steps": [
            {"depth": depth, "started_at": _at(one), "pull_requests": one.fields["batch_pull_requests"]}
            for depth, one in sorted(starts.items(), key=lambda item: int(str(item[0])))
        ],
        "ended_at": _at(end),
        "culprit_found": end.fields["culprit_found"] if end else None,
        "max_failures_reached": end.fields["max_failures_reached"] if end else None,
    }


def _at(said: Said | None) -> str | None:
    return spell(said.at) if said else None
