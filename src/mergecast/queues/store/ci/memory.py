"""The CI runs of threads that were translated last, so that they need not be read for the next webhook."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.store.ci.rows import CiRunRow
from mergecast.queues.store.held_repository import SubjectName, subject_name
from mergecast.queues.store.values import KnownRepository

# Together they take about 3 MB.
MOST_REMEMBERED = 5_000


class Execution(NamedTuple):
    """The report about an execution that counts, and the thread that it was translated from."""

    report: CiCheckReport
    thread: int | None = None


class StoredRun(NamedTuple):
    """A CI run as it is stored, with its executions by id."""

    row: CiRunRow
    executions: Mapping[str, Execution]


class CiMemory(NamedTuple):
    """What was stored about some threads of a repository at one version of its CI checks.

    Whoever changes CI checks raises that version, so nothing here can be out of date. A transaction can fail
    after it has raised the version: what it wrote may be remembered only once it is committed.
    """

    repository_id: int = 0
    version: int = 0
    runs: Mapping[SubjectName, StoredRun] = {}
    runs_of_threads: Mapping[int, Collection[SubjectName]] = {}  # those translated last come first
    numbers: Mapping[str | None, int] = {}  # of the texts of these runs

    def at(self, state: KnownRepository) -> "CiMemory":
        """What is remembered if it still holds, otherwise nothing."""
        holds = (self.repository_id, self.version) == (state.id, state.ci_version)
        return self if holds else CiMemory(state.id, state.ci_version)

    def has(self, report: CiCheckReport) -> bool:
        """Whether this very report is known to count about its execution."""
        run = self.runs.get(run_name(report))
        known = None if run is None else run.executions.get(report.check_id)
        return known is not None and known.report == report

    def runs_known_of(self, threads: Iterable[int]) -> dict[SubjectName, StoredRun]:
        """All runs that have executions of these threads, as far as the threads are remembered."""
        names = (name for thread in threads for name in self.runs_of_threads.get(thread, ()))
        return {name: self.runs[name] for name in names}

    def after(
        self,
        state: KnownRepository,
        changed: Mapping[SubjectName, StoredRun | None],
        threads: Mapping[int, Collection[SubjectName]],
        numbers: Mapping[str | None, int],
    ) -> "CiMemory":
        """What to remember after a change of these runs, which are now all runs of these threads."""
        present = {name: run for name, run in {**self.runs, **changed}.items() if run is not None}
        room, kept = MOST_REMEMBERED, dict[SubjectName, StoredRun]()
        of_threads: dict[int, Collection[SubjectName]] = {}
        for thread, names in {**threads, **self._others(threads)}.items():
            own = {name: present[name] for name in names if name in present}
            room -= sum(len(run.executions) for name, run in own.items() if name not in kept)
            if room < 0:
                break
            of_threads[thread] = tuple(own)
            kept |= own
        few_numbers = numbers if len(numbers) <= MOST_REMEMBERED else {}
        return CiMemory(state.id, state.ci_version, kept, of_threads, few_numbers)

    def _others(self, threads: Collection[int]) -> dict[int, Collection[SubjectName]]:
        return {thread: names for thread, names in self.runs_of_threads.items() if thread not in threads}


NO_MEMORY = CiMemory()


def run_name(report: CiCheckReport) -> SubjectName:
    """The name that the run of a report has among the subjects of events."""
    return subject_name("run", report.batch_id, report.attempt)
