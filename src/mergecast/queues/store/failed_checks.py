"""Which check failed: the first required one of a CI run, from the reports about CI checks."""

from collections.abc import Collection

from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.store.ci.rows import CiRunRow, CiTextRow
from mergecast.queues.store.held_repository import subject_keys, subject_name
from mergecast.queues.store.keys import halves
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import read_rows

RunName = tuple[str, int]  # its batch and its attempt


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
    return {run: FailedCheck(name, url) for run, name, url in rows}


def failed_checks_of_stays(
    reader: Reader, repository_id: int, stays: Collection[int]
) -> dict[int, FailedCheck]:
    """By the number of the stay: the check of the last of its runs that failed."""
    rows = reader.rows("failed_runs_of_stays", [repository_id, list(stays)]) if stays else []
    last = {stay: run for stay, run, _ in rows}  # in the order of their ends
    checks = failed_checks_of_runs(reader, repository_id, sorted(set(last.values())))
    return {stay: checks[run] for stay, run in last.items() if run in checks}
