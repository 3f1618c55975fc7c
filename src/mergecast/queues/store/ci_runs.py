"""The CI runs with reports that a transaction changes: their executions before and after."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import placed_at
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.store.ci_row_making import check_row, run_row, text_numbers
from mergecast.queues.store.ci_rows import CiDayRow, CiRunRow
from mergecast.queues.store.held_repository import HeldRepository, SubjectName, subject_keys, subject_name
from mergecast.queues.store.keys import halves, joined

# What one report costs grows with the executions of its run.
MOST_EXECUTIONS = 10_000
_CHANGE_IS_NEW = 5 * MINUTE


class Execution(NamedTuple):
    """The report about an execution that counts, and the thread that it was translated from."""

    report: CiCheckReport
    thread: int | None = None


@dataclass(slots=True)
class LoadedRun:
    """A CI run with its executions by id, as they are stored and as they will be."""

    row: CiRunRow | None
    stored: Mapping[str, Execution]
    executions: dict[str, Execution] = field(init=False)

    def __post_init__(self) -> None:
        self.executions = dict(self.stored)

    def reports(self) -> list[CiCheckReport]:
        """What counts about each execution."""
        return [execution.report for execution in self.executions.values()]

    def changed(self) -> list[str]:
        """The ids of the executions that are new, different or gone."""
        ids = {**self.stored, **self.executions}
        return [id for id in ids if self.stored.get(id) != self.executions.get(id)]


def run_name(report: CiCheckReport) -> SubjectName:
    """The name that the run of a report has among the subjects of events."""
    return subject_name("run", report.batch_id, report.attempt)


def execution_of(row: Sequence[Any]) -> tuple[int, Execution]:
    """The run of an execution, and the execution, from the columns that statements share."""
    thread, run, *report = row
    return run, Execution(CiCheckReport(*report), thread)


class LoadedRuns:
    def __init__(self, held: HeldRepository, names: Collection[SubjectName]) -> None:
        self._held = held
        self._keys = subject_keys(held.state.id, names)
        rows = {joined(row.key_high, row.key_low): row for row in self._stored_rows()}
        executions: dict[int, dict[str, Execution]] = {row.run: {} for row in rows.values()}
        for row in held.rows("ci_checks_of_runs", list(executions)) if executions else ():
            run, execution = execution_of(row)
            executions[run][execution.report.check_id] = execution
        self._runs = {
            name: LoadedRun(row, executions[row.run] if row is not None else {})
            for name, key in self._keys.items()
            for row in [rows.get(key)]
        }

    def __getitem__(self, name: SubjectName) -> LoadedRun:
        return self._runs[name]

    def _stored_rows(self) -> list[CiRunRow]:
        """Runs with one of the keys. A run with halves of two of them is all but impossible, and harmless."""
        if not self._keys:
            return []
        high, low = zip(*map(halves, self._keys.values()), strict=True)
        return [CiRunRow(*row) for row in self._held.rows("ci_runs_by_key", list(high), list(low))]

    def write(self) -> None:
        """Write the executions that changed, and what their runs and days come to."""
        changed = {name: ids for name, run in self._runs.items() if (ids := run.changed())}
        if not changed:
            return
        held = self._held
        touched = [self._runs[name] for name in changed]
        texts = text_numbers(held, [report for run in touched for report in run.reports()])
        self._delete(changed)
        held.give_way()
        numbers = self._run_numbers(changed)
        kept = [name for name in changed if self._runs[name].executions]
        held.insert(
            run_row(held.state.id, numbers[name], halves(self._keys[name]), self._runs[name].reports(), texts)
            for name in kept
        )
        held.insert(
            check_row(held.state.id, numbers[name], *execution, texts)
            for name, ids in changed.items()
            for id in ids
            if (execution := self._runs[name].executions.get(id)) is not None
        )
        touch_days(held, _days(touched))
        grown = sum(len(run.executions) - len(run.stored) for run in touched)
        state = held.state
        held.save(replace(state, ci_version=state.ci_version + 1, ci_checks=state.ci_checks + grown))

    def _delete(self, changed: Mapping[SubjectName, Sequence[str]]) -> None:
        gone = [
            (run.row.run, id)
            for name, ids in changed.items()
            for run in [self._runs[name]]
            for id in ids
            if run.row is not None and id in run.stored
        ]
        if gone:
            runs, ids = zip(*gone, strict=True)
            self._held.change_rows("delete_ci_checks", list(runs), list(ids))
        if rows := [run.row.run for name in changed if (run := self._runs[name]).row is not None]:
            self._held.change_rows("delete_ci_runs", rows)

    def _run_numbers(self, names: Iterable[SubjectName]) -> dict[SubjectName, int]:
        held = self._held
        known = {name: run.row.run for name in names if (run := self._runs[name]).row is not None}
        new = [name for name in names if name not in known]
        last = held.state.last_ci_run
        held.save(replace(held.state, last_ci_run=last + len(new)))
        return known | {name: number for number, name in enumerate(new, start=last + 1)}


def _days(runs: Iterable[LoadedRun]) -> set[int]:
    """The days on which executions changed."""
    return {
        placed_at(execution.report) // DAY
        for run in runs
        for id in run.changed()
        for execution in (run.stored.get(id), run.executions.get(id))
        if execution is not None
    }


def touch_days(held: HeldRepository, days: Collection[int]) -> None:
    """Note that executions of these days changed; their sums no longer hold."""
    if not days:
        return
    known = {row.day: row for row in (CiDayRow(*row) for row in held.rows("ci_days_among", sorted(days)))}
    summed = [day for day, row in known.items() if row.is_summed]
    old = [day for day, row in known.items() if row.is_summed or held.now - row.changed_at > _CHANGE_IS_NEW]
    if summed:
        held.change_rows("delete_ci_day_sums", summed)
    if old:
        held.change_rows("delete_ci_days", old)
    fresh = sorted({*old, *days} - (known.keys() - set(old)))
    held.insert([CiDayRow(held.state.id, day, is_summed=False, changed_at=held.now) for day in fresh])


def rewrite_runs(held: HeldRepository, runs: Sequence[int]) -> None:
    """Derive what is known about these runs from the executions that are left; a run without any goes."""
    stored = [CiRunRow(*row) for row in held.rows("ci_runs_numbered", runs)]
    reports: dict[int, list[CiCheckReport]] = {}
    for row in held.rows("ci_checks_of_runs", runs):
        run, execution = execution_of(row)
        reports.setdefault(run, []).append(execution.report)
    held.change_rows("delete_ci_runs", runs)
    texts = text_numbers(held, [report for own in reports.values() for report in own])
    held.insert(
        run_row(held.state.id, row.run, (row.key_high, row.key_low), reports[row.run], texts)
        for row in stored
        if row.run in reports
    )
