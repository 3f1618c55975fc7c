"""Adds to the evidence of a problem what its CI runs are called."""

from dataclasses import replace

from mergecast.queues.store.reader import Reader
from mergecast.signals.readings import Reading


def named(reader: Reader, repository_id: int, reading: Reading) -> Reading:
    """The reading with the ids of its batches, in the order of its runs.

    Names are read when a problem begins, and not with every measurement.
    """
    if not reading.runs:
        return reading
    batches = dict(reader.rows("batches_of_runs", [repository_id, list(reading.runs)]))
    # Attempts of one batch are several runs.
    ids = tuple(dict.fromkeys(batches[run] for run in reading.runs if run in batches))
    return replace(reading, evidence=replace(reading.evidence, runs=ids))
