"""Which check failed: the first required one of a CI run, from the reports about CI checks."""

from collections.abc import Collection

from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.store.reader import Reader


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
