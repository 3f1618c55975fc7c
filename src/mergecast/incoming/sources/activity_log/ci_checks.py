"""The CI checks that entries of the activity log list: their names and results, without times."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.activity_log import NAME
from mergecast.incoming.sources.activity_log.entry import LEAVE, LogCheck, LogEntry
from mergecast.incoming.sources.ci_check_parts import (
    conclusion_of,
    digest_of,
    name_of,
    why_changed,
    why_left_out,
)
from mergecast.incoming.sources.translation import Untranslated
from mergecast.queues.model.ci_check import CiCheckReport

_LEFT_OUT = "an entry lists more CI checks than can be stored; the others are left out"


class LogRun(NamedTuple):
    """A run of CI for one pull request, and the entries about its start and its end."""

    batch: str
    attempt: int
    start: LogEntry | None
    end: LogEntry | None


def ci_checks(stay: Sequence[LogEntry], runs: Iterable[LogRun]) -> Iterator[CiCheckReport | Untranslated]:
    """The reports about the runs of a stay."""
    for entry in stay:
        if entry.checks_left_out:
            yield Untranslated(_LEFT_OUT, entry.received_at)
    for run, entry, check in _listed(stay, runs).values():
        yield from _report(run, entry, check)


def _listed(
    stay: Sequence[LogEntry], runs: Iterable[LogRun]
) -> dict[tuple[str, int, str], tuple[LogRun, LogEntry, LogCheck]]:
    """The checks by batch, attempt and name, each with its run and the entry that lists it.

    The end of a run lists those that did not pass; the exit lists all of the last run.
    """
    listing: list[tuple[LogRun, LogEntry]] = []
    last: dict[str | None, LogRun] = {}
    for run in runs:
        last[run.batch] = run
        if run.end is not None:
            listing.append((run, run.end))
    for leave in [entry for entry in stay if entry.type == LEAVE][:1]:
        if (tested := last.get(leave.batch_id)) is not None:
            listing.insert(0, (tested, leave))
    return {
        (run.batch, run.attempt, check.name): (run, entry, check)
        for run, entry in listing
        for check in entry.checks
    }


def _report(run: LogRun, entry: LogEntry, check: LogCheck) -> Iterator[CiCheckReport | Untranslated]:
    at = entry.checks_ended_at or entry.received_at
    reason = why_left_out(check.name, check.state)
    if reason is not None:
        yield Untranslated(reason, at)
        return
    conclusion = conclusion_of(check.state)
    if conclusion is None:
        return  # it had not ended, and what became of it is not listed
    yield from (Untranslated(why, at) for why in why_changed(check.name, check.url))
    id = digest_of(check.name)
    yield CiCheckReport(
        id=f"{NAME}:{entry.session}/{digest_of(run.batch)}/{run.attempt}/{id}",
        happened_at=at,
        base_ref=entry.base_ref,
        queue_name=entry.queue_name,
        batch_id=run.batch,
        check_id=id,
        name=name_of(check.name),
        conclusion=conclusion,
        attempt=run.attempt,
        url=check.url or None,
        source=NAME,
    )
