"""What the executions of one CI run say about it: which check stopped it, and which one it waited for."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from mergecast.queues.model.ci_check import FAILURES, SUCCESS, VERDICTS, CiCheckReport


class CiRunFigures(NamedTuple):
    """Durations are in microseconds; `None` as a runner means that its label is not known."""

    placed_at: int  # the latest of its executions
    failed: CiCheckReport | None  # the first required execution to fail whose check did not pass later
    critical: CiCheckReport | None  # the required execution that ended last
    critical_gap: int  # how much earlier the run would have ended without that check
    seconds: int
    waited: int
    seconds_by_runner: dict[str | None, int]
    recovered: frozenset[str]  # the names of checks that failed in one execution and passed in another


def counts_before(report: CiCheckReport) -> tuple[bool, int, str, str]:
    """Of several reports about an execution, the one with the greatest of these counts."""
    return report.conclusion is not None, report.happened_at, report.id, repr(report)


def placed_at(report: CiCheckReport) -> int:
    """The instant that places an execution in a window: its end, or that of its last report."""
    ended_at = report.ended_at if report.conclusion is not None else None
    return report.happened_at if ended_at is None else ended_at


def run_time(report: CiCheckReport) -> int | None:
    """How long an execution ran; None while it runs, or if its start or end is not known."""
    if report.conclusion is None or report.started_at is None or report.ended_at is None:
        return None
    return max(report.ended_at - report.started_at, 0)


def wait_time(report: CiCheckReport) -> int | None:
    """How long an execution waited for a machine; None if that is not known, or if it never ran."""
    if run_time(report) is None or report.queued_at is None or report.started_at is None:
        return None
    return max(report.started_at - report.queued_at, 0)


def has_verdict(report: CiCheckReport) -> bool:
    return report.conclusion in VERDICTS


def is_required(report: CiCheckReport) -> bool:
    """A check counts as required unless it is known not to be."""
    return report.is_required is not False


def derive_ci_run(executions: Collection[CiCheckReport]) -> CiRunFigures:
    """The figures of a run; there is at least one execution."""
    by_runner: dict[str | None, int] = {}
    for report in executions:
        if seconds := run_time(report):
            by_runner[report.runner] = by_runner.get(report.runner, 0) + seconds
    critical = _critical(executions)
    return CiRunFigures(
        max(map(placed_at, executions)),
        _first_failed(executions),
        critical,
        0 if critical is None else _gap(critical, executions),
        sum(by_runner.values()),
        sum(wait_time(report) or 0 for report in executions),
        by_runner,
        _names(executions, FAILURES) & _names(executions, (SUCCESS,)),
    )


def _names(executions: Iterable[CiCheckReport], conclusions: Collection[str]) -> frozenset[str]:
    return frozenset(report.name for report in executions if report.conclusion in conclusions)


def _first_failed(executions: Iterable[CiCheckReport]) -> CiCheckReport | None:
    passed = _names(executions, (SUCCESS,))
    failed = [
        report
        for report in executions
        if report.conclusion in FAILURES and is_required(report) and report.name not in passed
    ]
    return min(failed, key=lambda report: (placed_at(report), report.name, report.check_id), default=None)


def _critical(executions: Iterable[CiCheckReport]) -> CiCheckReport | None:
    ended = [report for report in executions if is_required(report) and run_time(report) is not None]
    return max(ended, key=lambda report: (report.ended_at, report.name, report.check_id), default=None)


def _gap(critical: CiCheckReport, executions: Iterable[CiCheckReport]) -> int:
    """From the end of the other required checks; if there are none, all of its waiting and running."""
    others = [
        report.ended_at
        for report in executions
        if is_required(report) and report.name != critical.name and run_time(report) is not None
    ]
    end = critical.ended_at or 0
    begun = critical.started_at if critical.queued_at is None else critical.queued_at
    return end - max((at for at in others if at is not None), default=begun or 0)
