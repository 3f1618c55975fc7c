"""Rows of CI runs and of executions of checks, with texts as numbers."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import derive_ci_run, has_verdict, placed_at, run_time, wait_time
from mergecast.queues.model.histogram import bucket_of
from mergecast.queues.store.ci_rows import CiCheckRow, CiRunRow, CiTextRow
from mergecast.queues.store.held_repository import HeldRepository

Texts = Mapping[str | None, int]


def text_numbers(held: HeldRepository, reports: Collection[CiCheckReport]) -> Texts:
    """The numbers of all texts in these reports; new texts are added. None, an unknown runner, is 0."""
    wanted = {
        text: None
        for report in reports
        for text in (report.base_ref, report.queue_name, report.name, report.runner)
        if text is not None
    }
    rows = held.rows("ci_texts_among", list(wanted)) if wanted else []
    known: dict[str | None, int] = dict((text, number) for text, number in rows)  # noqa: C402 - its type
    new = [text for text in wanted if text not in known]
    last = held.state.last_ci_text
    added: dict[str | None, int] = {text: number for number, text in enumerate(new, start=last + 1)}
    held.insert([CiTextRow(held.state.id, number, text) for number, text in enumerate(new, start=last + 1)])
    if new:
        held.save(replace(held.state, last_ci_text=last + len(new)))
    return {None: 0, **known, **added}


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
