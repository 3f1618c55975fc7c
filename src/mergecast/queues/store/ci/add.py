"""Stores reports about CI checks: one row for each execution, with the report that counts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mergecast.errors import FieldError
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import counts_before
from mergecast.queues.store.add_events import contradiction
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory, Execution, run_name
from mergecast.queues.store.ci.runs import MOST_EXECUTIONS, LoadedRuns
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.values import Receipt


class CiRecording:
    """Reports of clients that are about to be written to a held repository."""

    def __init__(self, held: HeldRepository, reports: Sequence[CiCheckReport]) -> None:
        self._runs = LoadedRuns(held, reports)

    def errors(self, delivery: Sequence[tuple[int, CiCheckReport]]) -> list[FieldError]:
        """Why a delivery cannot be stored; each report comes with its place in the delivery."""
        errors: list[FieldError] = []
        ids: dict[tuple[str, str], CiCheckReport] = {}
        sizes: dict[str, set[str]] = {}
        for place, report in delivery:
            name = run_name(report)
            run = self._runs[name]
            stored = run.executions.get(report.check_id)
            same = ids.setdefault((name, report.id), report)
            if stored is not None and stored.report.id == report.id:
                same = stored.report
            if same != report and same.check_id == report.check_id:
                errors.append(contradiction("a report", place, same, report))
            known = sizes.setdefault(name, set(run.executions))
            if report.check_id not in known and len(known) == MOST_EXECUTIONS:
                errors.append(_too_many(place))
                known.add(report.check_id)  # one error for each run
            elif len(known) < MOST_EXECUTIONS:
                known.add(report.check_id)
        return errors

    def add(self, delivery: Sequence[tuple[int, CiCheckReport]]) -> Receipt:
        """Take over a delivery without errors; a report that counts less than a known one is a duplicate."""
        stored = 0
        for _, report in delivery:
            executions = self._runs[run_name(report)].executions
            known = executions.get(report.check_id)
            if known is None or counts_before(report) > counts_before(known.report):
                executions[report.check_id] = Execution(report)
                stored += 1
        return Receipt(stored, len(delivery) - stored)

    def write(self) -> None:
        self._runs.write()


class ReplacedChecks(NamedTuple):
    """How many reports of each thread exceed the limit of their run, and what to remember once committed."""

    refused: Mapping[int, int]
    memory: CiMemory


def replace_derived_checks(
    held: HeldRepository,
    wanted: Mapping[int, Sequence[CiCheckReport]],
    new: Iterable[int] = (),
    memory: CiMemory = NO_MEMORY,
) -> ReplacedChecks:
    """Make these the only reports about CI checks of these threads.

    Threads that are `new` have none yet. A report of someone else about the same execution counts by the same
    rule as any two reports.
    """
    known = sorted(set(wanted) - set(new)) if held.state.ci_checks else []
    reports = [report for own in wanted.values() for report in own]
    if not known and not reports:
        return ReplacedChecks({}, memory)
    runs = LoadedRuns(held, reports, known, memory)
    runs.remove_threads(set(known))
    refused: Counter[int] = Counter()
    for thread, own in wanted.items():
        for report in own:
            executions = runs[run_name(report)].executions
            rival = executions.get(report.check_id)
            if rival is None and len(executions) >= MOST_EXECUTIONS:
                refused[thread] += 1
            elif rival is None or counts_before(report) > counts_before(rival.report):
                executions[report.check_id] = Execution(report, thread)
    runs.write()
    return ReplacedChecks(refused, runs.memory_of(wanted))


def _too_many(place: int) -> FieldError:
    return FieldError(
        "body",
        f"/{place}/check_id",
        f"this CI run would have more than {MOST_EXECUTIONS:,} executions of checks, which is the limit",
    )
