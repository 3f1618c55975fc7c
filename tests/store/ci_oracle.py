"""The figures of CI checks, computed from events and reports by their definition: slow and obvious."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import MINUTE, SECOND
from store.flake_oracle import Oracle, tests_of

_FAILED = ("failure", "timed_out")
_VERDICTS = ("success", *_FAILED)
_RunName = tuple[str, int]


class _Check(NamedTuple):
    """One run as one stay saw it."""

    stay: str
    pull: int
    run: _RunName
    base_ref: str
    start: int
    end: int
    outcome: str


def figures(
    events: Sequence[Event], reports: Sequence[CiCheckReport], start: int, end: int
) -> dict[str, dict[str, Any]]:
    """By name; percentiles are lists of what they are percentiles of. Every check has a start and an end."""
    checks, left = (
        _checks(events),
        {event.session_id: event for event in events if event.type == "queue_left"},
    )
    executions = _with_cancelled(list(_counting(reports).values()), checks)
    found: defaultdict[str, dict[str, Any]] = defaultdict(
        lambda: {"runs": 0, "failed": 0, "removals": 0, "blocked": 0,
                 "seconds": [], "waited": [], "sum": 0, "waited_sum": 0, "gaps": []}
    )  # fmt: skip
    for one in executions:
        if one.conclusion is None or not start <= _at(one) < end:
            continue
        own = found[one.name]
        own["runs"] += one.conclusion in _VERDICTS
        if one.started_at is not None and one.ended_at is not None:
            own["sum"] += one.ended_at - one.started_at
            own["seconds"] += [one.ended_at - one.started_at] * (one.conclusion in _VERDICTS)
            if one.queued_at is not None:
                own["waited_sum"] += one.started_at - one.queued_at
                own["waited"] += [one.started_at - one.queued_at] * (one.conclusion in _VERDICTS)
        if one.conclusion in _FAILED:
            own["failed"] += 1
    _add_consequences(found, executions, checks, left, (start, end))
    _add_critical(found, executions, checks, start, end)
    tests = tests_of(events)
    for name, own in found.items():
        own["flakes"] = Oracle(tests, executions, name, (start, end)).answer()
    return dict(found)


def reports_placed(reports: Sequence[CiCheckReport], since: int) -> list[CiCheckReport]:
    """The reports that count, of executions that ended since an instant."""
    return [report for report in _counting(reports).values() if _at(report) >= since]


def _counting(reports: Sequence[CiCheckReport]) -> dict[tuple[str, int, str], CiCheckReport]:
    best: dict[tuple[str, int, str], CiCheckReport] = {}
    for report in reports:
        key = (report.batch_id, report.attempt, report.check_id)
        rival = best.get(key)
        order = (report.conclusion is not None, report.happened_at, report.id)
        if rival is None or order > (rival.conclusion is not None, rival.happened_at, rival.id):
            best[key] = report
    return best


def _at(report: CiCheckReport) -> int:
    return report.happened_at if report.conclusion is None or report.ended_at is None else report.ended_at


def _checks(events: Sequence[Event]) -> list[_Check]:
    ends = {(e.session_id, e.batch_id, e.attempt): e for e in events if e.type == "checks_ended"}
    found = []
    for begun in events:
        if begun.type == "checks_started":
            over = ends[begun.session_id, begun.batch_id, begun.attempt]
            run = (begun.batch_id or "", begun.attempt or 0)
            found.append(_Check(begun.session_id or "", begun.pull_request or 0, run, begun.base_ref,
                                begun.happened_at, over.happened_at, over.outcome or ""))  # fmt: skip
    return found


def _first_failed(run: _RunName, executions: Sequence[CiCheckReport]) -> str | None:
    own = [one for one in executions if (one.batch_id, one.attempt) == run]
    passed = {one.name for one in own if one.conclusion == "success"}
    failed = [
        one
        for one in own
        if one.conclusion in _FAILED and one.is_required is not False and one.name not in passed
    ]
    return min(failed, key=lambda one: (_at(one), one.name, one.check_id)).name if failed else None


def _with_cancelled(executions: list[CiCheckReport], checks: Sequence[_Check]) -> list[CiCheckReport]:
    """A required check that was cancelled in a run that was removed, and in which none failed, has failed."""
    removed = {
        check.run: check.end for check in checks if check.outcome in ("CHECKS_FAILED", "CHECKS_TIMEOUT")
    }
    passed = {(one.batch_id, one.attempt, one.name) for one in executions if one.conclusion == "success"}
    nameless = {run for run in removed if _first_failed(run, executions) is None}
    return [
        one._replace(conclusion="failure")
        if one.conclusion == "cancelled"
        and one.is_required is not False
        and (one.batch_id, one.attempt) in nameless
        and (one.batch_id, one.attempt, one.name) not in passed
        and _at(one) <= removed[one.batch_id, one.attempt] + SECOND
        else one
        for one in executions
    ]


def _add_consequences(
    found: dict[str, dict[str, Any]],
    executions: Sequence[CiCheckReport],
    checks: Sequence[_Check],
    left: dict[str | None, Event],
    window: tuple[int, int],
) -> None:
    start, end = window
    failed = [one for one in checks if one.outcome in ("CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED")]
    decisions = [(one.end, one) for one in failed]
    for one in failed:
        name, left_at = _first_failed(one.run, executions), _removed_at(one, failed, left)
        if left_at is not None:
            decisions.append((left_at, one))
        if name is None:
            continue
        if left_at is not None and start <= left_at < end:
            found[name]["removals"] += 1
        if left_at is None and start <= one.end < end:
            found[name]["blocked"] += one.end - one.start
    for one in checks:
        if one.outcome in ("BATCH_AHEAD_FAILED", "PR_AHEAD_DEQUEUED"):
            causes = [
                (abs(at - one.end), cause)
                for at, cause in decisions
                if cause.base_ref == one.base_ref and -10 * MINUTE <= at - one.end <= MINUTE
            ]
            if causes:
                cause = min(causes, key=lambda pair: pair[0])[1]
                name = _first_failed(cause.run, executions)
                if name is not None and start <= cause.end < end:
                    found[name]["blocked"] += one.end - one.start


def _removed_at(one: _Check, failed: Sequence[_Check], left: dict[str | None, Event]) -> int | None:
    """When a stay left because of a failed run; None if it did not."""
    exit = left.get(one.stay)
    if exit is None or exit.reason not in ("CHECKS_FAILED", "CHECKS_TIMEOUT"):
        return None
    final = [check for check in failed if check.stay == one.stay and check.outcome != "CHECKS_RETRIED"]
    return exit.happened_at if final and one == max(final, key=lambda check: check.end) else None


def _add_critical(
    found: dict[str, dict[str, Any]],
    executions: Sequence[CiCheckReport],
    checks: Sequence[_Check],
    start: int,
    end: int,
) -> None:
    for run in {check.run for check in checks if check.outcome == "SUCCESS"}:
        own = [one for one in executions if (one.batch_id, one.attempt) == run]
        if not own or not start <= max(map(_at, own)) < end:
            continue
        timed = [
            (one.ended_at, one.name, one.check_id, one)
            for one in own
            if one.conclusion is not None and one.is_required is not False
            and one.started_at is not None and one.ended_at is not None
        ]  # fmt: skip
        if timed:
            last = max(timed)[3]
            others = [other for other, name, _, _ in timed if name != last.name]
            begun = last.started_at if last.queued_at is None else last.queued_at
            found[last.name]["gaps"].append((last.ended_at or 0) - max(others, default=begun or 0))


def middle(values: Sequence[int]) -> float | None:
    return median(values) if values else None
