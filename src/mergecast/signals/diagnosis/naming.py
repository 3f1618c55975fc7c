"""Adds to the evidence of a problem what its CI runs are called, and which check failed in them."""

from dataclasses import replace

from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.store.failed_checks import failed_checks_of_runs
from mergecast.queues.store.reader import Reader
from mergecast.signals.detection.queue_problem import EVERYONE_FAILS
from mergecast.signals.detection.readings import Reading


def named(reader: Reader, repository_id: int, reading: Reading) -> Reading:
    """The reading with the ids of its batches, in the order of its runs.

    Names are read when a problem begins, and not with every measurement.
    """
    if not reading.runs:
        return reading
    batches = dict(reader.rows("batches_of_runs", [repository_id, list(reading.runs)]))
    # Attempts of one batch are several runs.
    ids = tuple(dict.fromkeys(batches[run] for run in reading.runs if run in batches))
    check = _common_check(reader, repository_id, reading) if reading.name == EVERYONE_FAILS else None
    return replace(reading, evidence=replace(reading.evidence, runs=ids, check=check))


def _common_check(reader: Reader, repository_id: int, reading: Reading) -> FailedCheck | None:
    """The check that failed in every run, with the link of the last; None if one is unknown or differs."""
    checks = failed_checks_of_runs(reader, repository_id, reading.runs)
    is_common = len(checks) == len(reading.runs) and len({check.name for check in checks.values()}) == 1
    return checks[reading.runs[-1]] if is_common else None
