"""The CI checks of a merge group: one report for each execution, from everything that was said about it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.ci_check_parts import (
    Instants,
    conclusion_of,
    digest_of,
    in_order,
    name_of,
    why_changed,
    why_left_out,
)
from mergecast.incoming.sources.github.branch_standing import RequiredChecks
from mergecast.incoming.sources.github.checks import Attempt, order
from mergecast.incoming.sources.github.groups import MergeGroup
from mergecast.incoming.sources.github.observation import CheckRunName, Observation, Seen
from mergecast.incoming.sources.translation import Untranslated
from mergecast.queues.model.ci_check import CiCheckReport

_LONGEST_NUMBER = 40


class CiOfBranch(NamedTuple):
    """What is known about CI besides the check runs and statuses of groups."""

    jobs: Mapping[str, Sequence[Observation]] = {}  # by commit
    required: Sequence[RequiredChecks] = ()

    def required_at(self, instant: int) -> tuple[str, ...] | None:
        """The checks that were required then: by the last rules read before, otherwise by the first.

        None if no rules were read.
        """
        before = [rules.names for rules in self.required if rules.since <= instant]
        known = before[-1:] or [rules.names for rules in self.required[:1]]
        return known[0] if known else None


class _Execution(NamedTuple):
    """One execution of a check. Checks of different owners can have the same name."""

    id: str
    name: str
    owner: str  # the workflow, or else the app that reports it; empty for a commit status
    says: Sequence[Observation]  # what counts most comes first


def ci_checks(
    shared: CiCheckReport, group: MergeGroup, attempts: Sequence[Attempt], ci: CiOfBranch
) -> Iterator[CiCheckReport | Untranslated]:
    """The report about each execution on a group; `shared` has the fields that are the same in all."""
    jobs, required = ci.jobs.get(group.head_sha, ()), ci.required_at(group.built_at)
    executions = [*_check_runs(group.checks, jobs), *_statuses(group.checks)]
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for execution in executions:
        owners[execution.name].add(execution.owner)
    for execution in executions:
        conclusion, instants = _result(execution.says)
        happened_at = _last_known(instants, group.built_at)
        is_ambiguous = execution.owner != "" and len(owners[execution.name]) > 1
        name = f"{execution.owner} / {execution.name}" if is_ambiguous else execution.name
        reason = why_left_out(name, execution.says[0].conclusion)
        if reason is not None:
            yield Untranslated(reason, happened_at)
            continue
        url = next((said.url for said in execution.says if said.url is not None), None)
        yield from (Untranslated(why, happened_at) for why in why_changed(name, url))
        # Every webhook of a check makes all reports of its group: `_replace` would take three times as long.
        yield CiCheckReport(
            f"{shared.id}/{execution.id}",
            happened_at,
            shared.base_ref,
            shared.queue_name,
            shared.batch_id,
            execution.id,
            name_of(name),
            conclusion,
            _attempt(attempts, instants),
            *instants,
            url or None,
            next((said.runner for said in execution.says if said.runner is not None), None),
            None if required is None else execution.name in required,
            shared.source,
        )


def _check_runs(checks: Iterable[Observation], jobs: Iterable[Observation]) -> Iterator[_Execution]:
    """Check runs, and jobs whose check runs were not reported."""
    own = [check for check in checks if check.is_check_run]
    workflows = {str(check.suite): check.workflow for check in checks if check.workflow is not None}
    by_id: defaultdict[str, list[Observation]] = defaultdict(list)
    for report in (*own, *jobs):
        by_id[report.check_id or ""].append(report)
    for id, reports in by_id.items():
        says = sorted(reports, key=_weight, reverse=True)
        workflow = next((said.workflow for said in says if said.workflow is not None), None)
        named = next((said.check for said in says if said.seen is Seen.CHECK), None)
        app, name, suite = CheckRunName.read(named) if named else ("", says[0].check or "", "")
        workflow = workflow or workflows.get(suite)
        yield _Execution(_execution_id(id), name, workflow or app, says)


def _statuses(checks: Iterable[Observation]) -> Iterator[_Execution]:
    """Commit statuses: from pending to its result. One that is set again with the same result did not run."""
    runs: defaultdict[str, list[list[Observation]]] = defaultdict(list)
    for status in sorted((check for check in checks if check.status_context is not None), key=order):
        own = runs[status.status_context or ""]
        if own and own[-1][-1].conclusion in (None, status.conclusion):
            own[-1].append(status)
        else:
            own.append([status])
    for context, own in runs.items():
        for number, reports in enumerate(own, 1):
            says = sorted(reports, key=_first_result)
            yield _Execution(f"status-{digest_of(context)}-{number}", context, "", says)


def _first_result(status: Observation) -> tuple[bool, int, str]:
    return status.conclusion is None, status.ended_at or status.started_at or 0, status.id


def _weight(report: Observation) -> tuple[bool, int, bool, int, str]:
    """A result counts more than a start, then what happened later, then what the check run says."""
    is_result, is_check_run = report.conclusion is not None, report.seen is Seen.CHECK
    return is_result, report.ended_at or 0, is_check_run, report.started_at or 0, report.id


def _execution_id(id: str) -> str:
    """The id of a check run, which is a number unless someone else has written the webhook."""
    return id if id.isdecimal() and id.isascii() and len(id) <= _LONGEST_NUMBER else f"run-{digest_of(id)}"


def _result(says: Sequence[Observation]) -> tuple[str | None, Instants]:
    """The conclusion and the instants."""
    conclusion = conclusion_of(says[0].conclusion)
    begun = [said.started_at for said in says if not said.is_waiting and said.started_at is not None]
    queued = [said.queued_at for said in says if said.queued_at is not None]
    queued += [said.started_at for said in says if said.is_waiting and said.started_at is not None]
    ended_at = says[0].ended_at if conclusion else None
    return conclusion, in_order(min(queued, default=None), begun[0] if begun else None, ended_at)


def _last_known(instants: Instants, built_at: int) -> int:
    return next((instant for instant in reversed(instants) if instant is not None), built_at)


def _attempt(attempts: Sequence[Attempt], instants: Instants) -> int:
    """The attempt in which an execution began; the first if that is not known."""
    begun_at = instants.started_at or instants.queued_at
    if begun_at is None:
        return 1
    return max((attempt.number for attempt in attempts if attempt.started_at <= begun_at), default=1)


def by_commit(jobs: Iterable[Observation]) -> Mapping[str, Sequence[Observation]]:
    found: defaultdict[str, list[Observation]] = defaultdict(list)
    for job in jobs:
        found[job.head_sha or ""].append(job)
    return dict(found)
