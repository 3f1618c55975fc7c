"""Which check failed: the first required one of a CI run, from the reports about CI checks.

If none failed in a run that was removed for failed checks, the first one that was cancelled before counts.
"""

from collections.abc import Collection
from typing import NamedTuple

from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.store.ci.rows import CiRunRow, CiTextRow
from mergecast.queues.store.held_repository import subject_keys, subject_name
from mergecast.queues.store.keys import halves
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import read_rows

RunName = tuple[str, int]  # its batch and its attempt


class CancelledCheck(NamedTuple):
    """A required check that was cancelled, so that its run was removed; texts are given by their numbers."""

    number: int  # of the run among the subjects
    base_ref: int
    queue_name: int
    name: int
    runner: int
    placed_at: int
    run: int
    recovered: str
    queued_at: int | None
    started_at: int | None
    ended_at: int | None
    check_id: str
    url: str | None
    batch_id: str
    attempt: int
    text: str  # its name


def cancelled_checks(reader: Reader, repository_id: int, runs: Collection[int]) -> list[CancelledCheck]:
    """By the numbers of the runs among the subjects; the earliest first."""
    rows = reader.rows("ci_cancelled", [repository_id, sorted(runs)]) if runs else []
    return [CancelledCheck(*row) for row in rows]


def failed_names_of_runs(reader: Reader, repository_id: int, runs: Collection[RunName]) -> dict[RunName, str]:
    """The names alone; runs without a report of a failure are left out.

    No statement joins tables: an embedded store plans a join for longer than it reads one table.
    """
    keys = subject_keys(repository_id, [subject_name("run", *run) for run in runs])
    rows = read_rows(reader, repository_id, CiRunRow, key_high={halves(key)[0] for key in keys.values()})
    failed = {(row.batch_id, row.attempt): row.failed_name for row in rows if row.failed_name is not None}
    texts = read_rows(reader, repository_id, CiTextRow, number=set(failed.values()))
    names = {text.number: text.text for text in texts}
    return {run: names[number] for run, number in failed.items() if run in runs}


def failed_checks_of_runs(
    reader: Reader, repository_id: int, runs: Collection[int]
) -> dict[int, FailedCheck]:
    """By the number of the run; runs without reports are left out."""
    if not runs:
        return {}
    rows = reader.rows("failed_checks_of_runs", [repository_id, list(runs)])
    found = {run: FailedCheck(name, url) for run, name, url in rows}
    cancelled = cancelled_checks(reader, repository_id, set(runs) - found.keys())
    return {one.number: FailedCheck(one.text, one.url) for one in reversed(cancelled)} | found


def failed_checks_of_stays(
    reader: Reader, repository_id: int, stays: Collection[int]
) -> dict[int, FailedCheck]:
    """By the number of the stay: the check of the last of its runs that failed."""
    rows = reader.rows("failed_runs_of_stays", [repository_id, list(stays)]) if stays else []
    last = {stay: run for stay, run, _ in rows}  # in the order of their ends
    checks = failed_checks_of_runs(reader, repository_id, sorted(set(last.values())))
    return {stay: checks[run] for stay, run in last.items() if run in checks}
