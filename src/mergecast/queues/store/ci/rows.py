"""The tables of CI checks. A row type is the only list of a table's columns.

Names, runners, base branches and queues repeat in every run, so they are kept once, as numbered texts.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import derive_ci_run, has_verdict, placed_at, run_time, wait_time
from mergecast.queues.model.histogram import bucket_of

# A year has 26 blocks, and at most 26 days at its edges that are not in a whole block.
DAYS_PER_BLOCK = 14


def first_day_of_block(day: int) -> int:
    return day - day % DAYS_PER_BLOCK


class CiTextRow(NamedTuple):
    repository_id: int
    number: int
    text: str


class CiRunRow(NamedTuple):
    """A CI run with reports, and what they say about it; the key is that of the run among the subjects."""

    repository_id: int
    run: int
    key_high: int
    key_low: int
    attempt: int
    executions: int
    base_ref: int
    queue_name: int
    placed_at: int
    failed_name: int | None
    failed_runner: int | None
    failed_at: int | None
    critical_name: int | None
    critical_runner: int | None
    critical_bucket: int | None  # how much earlier the run would have ended without that check
    seconds: int
    waited: int
    seconds_by_runner: str  # the number of each label and microseconds, such as `3:120000000,0:5000000`
    recovered: str  # the numbers of checks that failed and passed in the same run, joined by commas
    batch_id: str


class CiCheckRow(NamedTuple):
    """One execution of a check, as the report that counts says."""

    repository_id: int
    name: int
    base_ref: int
    queue_name: int
    runner: int  # 0 if its label is not known
    seconds_bucket: int | None  # of executions with a verdict
    waited_bucket: int | None
    run: int
    happened_at: int
    queued_at: int | None
    started_at: int | None
    ended_at: int | None
    placed_at: int
    thread: int | None  # what it was translated from; None for a report that a client sent
    is_required: bool | None
    conclusion: str | None
    check_id: str
    id: str
    source: str
    url: str | None


class CiDayRow(NamedTuple):
    """A day with executions; its sums hold until one of its executions changes."""

    repository_id: int
    day: int  # days since the epoch
    is_summed: bool
    changed_at: int


class CiDaySumRow(NamedTuple):
    """The executions of one check on one kind of machine in one queue on one day.

    Buckets and their counts are lists joined by commas.
    """

    repository_id: int
    day: int
    base_ref: int
    queue_name: int
    name: int
    runner: int  # 0 if its label is not known
    runs: int
    failed: int
    seconds: int
    waited: int
    seconds_buckets: str
    seconds_counts: str
    waited_buckets: str
    waited_counts: str


class CiBlockSumRow(NamedTuple):
    """The days of a block, added up. Days share most of their buckets, so its lists are not much longer."""

    repository_id: int
    first_day: int  # days since the epoch, a multiple of `DAYS_PER_BLOCK`
    days_changed_at: int  # the sum of `changed_at` of its days; if it differs now, a day has changed since
    base_ref: int
    queue_name: int
    name: int
    runner: int  # 0 if its label is not known
    runs: int
    failed: int
    seconds: int
    waited: int
    seconds_buckets: str
    seconds_counts: str
    waited_buckets: str
    waited_counts: str


class CiPriceRow(NamedTuple):
    """What a minute of CI costs, as JSON."""

    repository_id: int
    document: str


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
