"""Rows of CI runs and of executions of checks, with texts as numbers."""

from collections.abc import Collection, Mapping

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import derive_ci_run, has_verdict, placed_at, run_time, wait_time
from mergecast.queues.model.histogram import bucket_of
from mergecast.queues.store.ci.rows import CiCheckRow, CiRunRow

Texts = Mapping[str | None, int]


def run_row(
    repository_id: int, run: int, key: tuple[int, int], reports: Collection[CiCheckReport], texts: Texts
) -> CiRunRow:
    """The row of a run with these executions."""
    latest = max(reports, key=lambda report: (placed_at(report), report.check_id))
    figures = derive_ci_run(reports)
    failed, critical = figures.failed, figures.critical
    return CiRunRow(
        repository_id,
        run,
        *key,
        latest.attempt,
        len(reports),
        texts[latest.base_ref],
        texts[latest.queue_name],
        figures.placed_at,
        None if failed is None else texts[failed.name],
        None if failed is None else texts[failed.runner],
        None if failed is None else placed_at(failed),
        None if critical is None else texts[critical.name],
        None if critical is None else texts[critical.runner],
        None if critical is None else bucket_of(figures.critical_gap),
        figures.seconds,
        figures.waited,
        ",".join(sorted(f"{texts[label]}:{time}" for label, time in figures.seconds_by_runner.items())),
        ",".join(sorted(str(texts[name]) for name in figures.recovered)),
        latest.batch_id,
    )


def check_row(
    repository_id: int, run: int, report: CiCheckReport, thread: int | None, texts: Texts
) -> CiCheckRow:
    """The row of an execution; `thread` is what the report was translated from, if anything."""
    seconds, waited = (
        None if duration is None or not has_verdict(report) else bucket_of(duration)
        for duration in (run_time(report), wait_time(report))
    )
    return CiCheckRow(
        repository_id,
        texts[report.name],
        texts[report.base_ref],
        texts[report.queue_name],
        texts[report.runner],
        seconds,
        waited,
        run,
        report.happened_at,
        report.queued_at,
        report.started_at,
        report.ended_at,
        placed_at(report),
        thread,
        report.is_required,
        report.conclusion,
        report.check_id,
        report.id,
        report.source,
        report.url,
    )


def report_of(row: CiCheckRow, run: CiRunRow, texts: Mapping[int, str | None]) -> CiCheckReport:
    """The report that `check_row` has made a row of."""
    return CiCheckReport(
        row.id,
        row.happened_at,
        texts[row.base_ref] or "",
        texts[row.queue_name] or "",
        run.batch_id,
        row.check_id,
        texts[row.name] or "",
        row.conclusion,
        run.attempt,
        row.queued_at,
        row.started_at,
        row.ended_at,
        row.url,
        texts[row.runner],
        row.is_required,
        row.source,
    )
