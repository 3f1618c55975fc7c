"""What the stored rows of CI checks should be, by the reports that they hold."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.store.ci.rows import CiCheckRow, CiRunRow, CiTextRow, check_row, report_of, run_row
from mergecast.queues.store.held_repository import subject_keys, subject_name
from mergecast.queues.store.keys import halves
from mergecast.queues.store.stored_rows import ReadRows, stored_rows


class DerivedRun(NamedTuple):
    """A CI run and its executions, as they are stored and as they should be; None for a run to delete."""

    stored: CiRunRow
    run: CiRunRow | None
    executions: Sequence[tuple[CiCheckRow, CiCheckRow]]  # each as it is stored, and as it should be


class DerivedRuns(NamedTuple):
    runs: Sequence[DerivedRun]
    wrong: Sequence[str]  # what cannot be derived from anything


def derive_ci_rows(read: ReadRows, runs: Collection[int]) -> DerivedRuns:
    """Derive the rows of these runs from those of all their executions."""
    texts = {row.number: row.text for row in stored_rows(read, CiTextRow)}
    of_run: defaultdict[int, list[CiCheckRow]] = defaultdict(list)
    for row in stored_rows(read, CiCheckRow, run=runs):
        of_run[row.run].append(row)
    known: Mapping[int, str | None] = {**texts, 0: None}
    derived: list[DerivedRun] = []
    wrong: list[str] = []
    for stored in stored_rows(read, CiRunRow, run=runs):
        own = of_run.pop(stored.run, [])
        unknown = sorted({number for row in own for number in _texts(row) if number not in known})
        if unknown:
            wrong += [f"ci_texts: text {number} of run {stored.run} is missing" for number in unknown]
        else:
            derived.append(_derived(stored, own, known))
    wrong += [f"ci_runs: run {run}, which has executions, is missing" for run in sorted(of_run)]
    wrong += [text for run in derived for text in _wrong_keys(run)]
    return DerivedRuns(derived, wrong)


def _texts(row: CiCheckRow) -> tuple[int, ...]:
    return row.base_ref, row.queue_name, row.name, row.runner


def _derived(stored: CiRunRow, own: Sequence[CiCheckRow], texts: Mapping[int, str | None]) -> DerivedRun:
    numbers = {text: number for number, text in texts.items()}
    reports = [report_of(row, stored, texts) for row in own]
    executions = [
        check_row(row.repository_id, row.run, report, row.thread, numbers)
        for row, report in zip(own, reports, strict=True)
    ]
    key = (stored.key_high, stored.key_low)
    run = run_row(stored.repository_id, stored.run, key, reports, numbers) if reports else None
    return DerivedRun(stored, run, list(zip(own, executions, strict=True)))


def _wrong_keys(derived: DerivedRun) -> list[str]:
    run = derived.run
    if run is None:
        return []
    name = subject_name("run", run.batch_id, run.attempt)
    (key,) = subject_keys(run.repository_id, [name]).values()
    is_right = halves(key) == (run.key_high, run.key_low)
    return [] if is_right else [f"ci_runs: the key of run {run.run} does not follow from its batch"]
