"""The CI runs with reports that a transaction changes: their executions before and after."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from mergecast.queues.model.batches_ahead import LAG
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import placed_at
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory, Execution, StoredRun, run_name
from mergecast.queues.store.ci.rows import (
    CiBlockSumRow,
    CiCheckRow,
    CiDayRow,
    CiDaySumRow,
    CiRunRow,
    CiTextRow,
    check_row,
    first_day_of_block,
    report_of,
    run_row,
)
from mergecast.queues.store.held_repository import HeldRepository, SubjectName, subject_keys, subject_name
from mergecast.queues.store.keys import halves
from mergecast.queues.store.stored_rows import delete_rows, stored_rows

# What one report costs grows with the executions of its run.
MOST_EXECUTIONS = 10_000
_CHANGE_IS_NEW = 5 * MINUTE


class CiTexts:
    """Texts of a held repository and their numbers, as far as they were asked for.

    None, an unknown runner, is 0.
    """

    def __init__(self, held: HeldRepository, known: Mapping[str | None, int] = MappingProxyType({})) -> None:
        self._held = held
        self.numbers: dict[str | None, int] = {**known, None: 0}
        self.texts: dict[int, str | None] = {number: text for text, number in self.numbers.items()}

    def find(self, reports: Iterable[CiCheckReport]) -> None:
        """Look up the texts of these reports; those that are not stored still have no number."""
        wanted = [text for text in _texts(reports) if text not in self.numbers]
        if wanted and self._held.state.last_ci_text:
            self._know(stored_rows(self._held.rows, CiTextRow, text=wanted))

    def read(self, numbers: Collection[int]) -> None:
        """Look up texts by their numbers."""
        wanted = [number for number in numbers if number not in self.texts]
        self._know(stored_rows(self._held.rows, CiTextRow, number=wanted))

    def add(self, reports: Iterable[CiCheckReport]) -> None:
        """Store the texts of these reports that were looked up and have no number."""
        held = self._held
        last = held.state.last_ci_text
        new = [text for text in _texts(reports) if text not in self.numbers]
        added = [CiTextRow(held.state.id, number, text) for number, text in enumerate(new, start=last + 1)]
        if added:
            held.insert(added)
            held.save(replace(held.state, last_ci_text=last + len(added)))
            self._know(added)

    def _know(self, rows: Iterable[CiTextRow]) -> None:
        for row in rows:
            self.numbers[row.text], self.texts[row.number] = row.number, row.text


def _texts(reports: Iterable[CiCheckReport]) -> list[str]:
    found = {
        text: None
        for report in reports
        for text in (report.base_ref, report.queue_name, report.name, report.runner)
    }
    return [text for text in found if text is not None]


@dataclass(slots=True)
class LoadedRun:
    """A CI run with its executions by id, as they are stored and as they will be."""

    key: tuple[int, int]
    row: CiRunRow | None = None
    stored: Mapping[str, Execution] = field(default_factory=dict)
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


def _by_name(rows: Iterable[Sequence[Any]]) -> dict[SubjectName, CiRunRow]:
    runs = [CiRunRow(*row) for row in rows]
    return {subject_name("run", run.batch_id, run.attempt): run for run in runs}


def stored_executions(
    held: HeldRepository, runs: Collection[CiRunRow], texts: CiTexts
) -> dict[int, dict[str, Execution]]:
    """The executions of these runs by id, by the number of the run."""
    by_number = {run.run: run for run in runs}
    found: dict[int, dict[str, Execution]] = {number: {} for number in by_number}
    rows = stored_rows(held.rows, CiCheckRow, run=found)
    texts.read({number for row in rows for number in (row.base_ref, row.queue_name, row.name, row.runner)})
    for row in rows:
        found[row.run][row.check_id] = Execution(report_of(row, by_number[row.run], texts.texts), row.thread)
    return found


class LoadedRuns:
    """The runs of some reports and of some threads; only these reports may be put into them."""

    def __init__(
        self,
        held: HeldRepository,
        reports: Collection[CiCheckReport],
        threads: Collection[int] = (),
        memory: CiMemory = NO_MEMORY,
    ) -> None:
        self._held = held
        self._memory = memory.at(held.state)
        self._texts = CiTexts(held, self._memory.numbers)
        self._texts.find(reports)
        names = dict.fromkeys(map(run_name, reports))
        known = self._memory.runs_known_of(threads)
        known |= {name: run for name in names if (run := self._memory.runs.get(name)) is not None}
        rows = self._runs_of_threads([one for one in threads if one not in self._memory.runs_of_threads])
        keys = subject_keys(held.state.id, [name for name in names if name not in known and name not in rows])
        rows |= self._runs_with_keys(keys.values())
        known |= self._read({name: row for name, row in rows.items() if name not in known})
        self._runs = {name: LoadedRun(halves(key)) for name, key in keys.items()}
        for name, (row, executions) in known.items():
            self._runs[name] = LoadedRun((row.key_high, row.key_low), row, executions)

    def __getitem__(self, name: SubjectName) -> LoadedRun:
        return self._runs[name]

    def remove_threads(self, threads: Collection[int]) -> None:
        """Take out all executions that were translated from these threads."""
        for run in self._runs.values():
            for id, execution in run.stored.items():
                if execution.thread in threads:
                    del run.executions[id]

    def _runs_of_threads(self, threads: Collection[int]) -> dict[SubjectName, CiRunRow]:
        return _by_name(self._held.rows("ci_runs_of_threads", list(threads)) if threads else [])

    def _runs_with_keys(self, keys: Collection[bytes]) -> dict[SubjectName, CiRunRow]:
        """Runs with one of the keys. A run with halves of two of them is all but impossible, and harmless."""
        if not keys or not self._held.state.ci_checks:
            return {}
        high, low = zip(*map(halves, keys), strict=True)
        return _by_name(self._held.rows("ci_runs_by_key", list(high), list(low)))

    def _read(self, rows: Mapping[SubjectName, CiRunRow]) -> dict[SubjectName, StoredRun]:
        executions = stored_executions(self._held, rows.values(), self._texts)
        return {name: StoredRun(row, executions[row.run]) for name, row in rows.items()}

    def write(self) -> None:
        """Write the executions that changed, and what their runs and days come to."""
        changed = {name: ids for name, run in self._runs.items() if (ids := run.changed())}
        if not changed:
            return
        held = self._held
        touched = [self._runs[name] for name in changed]
        self._texts.add(report for run in touched for report in run.reports())
        self._delete(changed)
        held.give_way()
        grown = sum(len(run.executions) - len(run.stored) for run in touched)
        touch_days(held, _days(touched, changed.values()))
        self._insert(changed, self._run_numbers(changed))
        state = held.state
        state = replace(state, ci_version=state.ci_version + 1, ci_checks=state.ci_checks + grown)
        held.save(state.to_judge(_changed_since(touched, changed.values()), held.now))

    def _insert(
        self, changed: Mapping[SubjectName, Sequence[str]], numbers: Mapping[SubjectName, int]
    ) -> None:
        held, texts = self._held, self._texts.numbers
        for name in changed:
            run, number = self._runs[name], numbers[name]
            reports = run.reports()
            run.row = run_row(held.state.id, number, run.key, reports, texts) if reports else None
        held.insert(row for name in changed if (row := self._runs[name].row) is not None)
        held.insert(
            check_row(held.state.id, numbers[name], *execution, texts)
            for name, ids in changed.items()
            for id in ids
            if (execution := self._runs[name].executions.get(id)) is not None
        )

    def memory_of(self, threads: Mapping[int, Iterable[CiCheckReport]]) -> CiMemory:
        """What to remember once this is committed; the runs now have these reports of these threads."""
        runs = {
            name: None if run.row is None else StoredRun(run.row, run.executions)
            for name, run in self._runs.items()
        }
        names = {thread: dict.fromkeys(map(run_name, reports)) for thread, reports in threads.items()}
        return self._memory.after(self._held.state, runs, names, self._texts.numbers)

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
            delete_rows(self._held, CiRunRow, run=rows)

    def _run_numbers(self, names: Iterable[SubjectName]) -> dict[SubjectName, int]:
        held = self._held
        known = {name: run.row.run for name in names if (run := self._runs[name]).row is not None}
        new = [name for name in names if name not in known]
        last = held.state.last_ci_run
        held.save(replace(held.state, last_ci_run=last + len(new)))
        return known | {name: number for number, name in enumerate(new, start=last + 1)}


def _changed(runs: Iterable[LoadedRun], changed: Iterable[Sequence[str]]) -> Iterator[CiCheckReport]:
    """The reports that changed, before and after."""
    for run, ids in zip(runs, changed, strict=True):
        for id in ids:
            for execution in (run.stored.get(id), run.executions.get(id)):
                if execution is not None:
                    yield execution.report


def _days(runs: Iterable[LoadedRun], changed: Iterable[Sequence[str]]) -> set[int]:
    """The days on which executions changed."""
    return {placed_at(report) // DAY for report in _changed(runs, changed)}


def _changed_since(runs: Iterable[LoadedRun], changed: Iterable[Sequence[str]]) -> int:
    """A run is judged by the checks that failed until shortly after its end."""
    return min(placed_at(report) for report in _changed(runs, changed)) - LAG


def touch_days(held: HeldRepository, days: Collection[int]) -> None:
    """Note that executions of these days changed; their sums no longer hold."""
    if not days:
        return
    known = {row.day: row for row in stored_rows(held.rows, CiDayRow, day=sorted(days))}
    summed = [day for day, row in known.items() if row.is_summed]
    old = [day for day, row in known.items() if row.is_summed or held.now - row.changed_at > _CHANGE_IS_NEW]
    if summed:
        delete_sums(held, summed)
    if old:
        delete_rows(held, CiDayRow, day=old)
    fresh = sorted({*old, *days} - (known.keys() - set(old)))
    held.insert([CiDayRow(held.state.id, day, is_summed=False, changed_at=held.now) for day in fresh])


def delete_sums(held: HeldRepository, days: Sequence[int]) -> None:
    """Delete the sums of these days and of their blocks."""
    delete_rows(held, CiDaySumRow, day=days)
    delete_rows(held, CiBlockSumRow, first_day=sorted(set(map(first_day_of_block, days))))


def rewrite_runs(held: HeldRepository, runs: Sequence[int]) -> None:
    """Derive what is known about these runs from the executions that are left; a run without any goes."""
    stored = stored_rows(held.rows, CiRunRow, run=runs)
    texts = CiTexts(held)
    executions = stored_executions(held, stored, texts)
    delete_rows(held, CiRunRow, run=runs)
    held.insert(
        run_row(held.state.id, row.run, (row.key_high, row.key_low), reports, texts.numbers)
        for row in stored
        if (reports := [execution.report for execution in executions[row.run].values()])
    )
