"""The stays that last at an instant, with their CI runs. No statement joins tables: see `stays_at`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.event import Group
from mergecast.queues.model.facts import VERDICTS, Check, Run
from mergecast.queues.store.failed_checks import RunName
from mergecast.queues.store.present_stays import PresentStay, stays_at
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import read_rows

_PASSED = "SUCCESS"


class Waiting(NamedTuple):
    """A pull request in a queue."""

    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    stay: int
    session_id: str
    pull_request: int
    entered_at: int


class RunOfStay(NamedTuple):
    """A CI run that tests a stay; `at` is when it started if it is in progress, and else when it ended."""

    at: int
    run: int
    stay: int
    happened_at: int  # the event about its start
    id: str
    batch_id: str
    attempt: int
    pull_requests: str

    @property
    def name(self) -> RunName:
        return self.batch_id, self.attempt


class WaitingStays(NamedTuple):
    stays: Sequence[Waiting]  # by queue, in order of entering
    running: Sequence[RunOfStay]  # in order of their starts
    failed: Sequence[RunOfStay]  # the run of each stay that ended last, if it failed, by run
    tested: frozenset[int]  # pull requests of which a CI run has ended
    passed: frozenset[str]  # session ids of stays whose CI run that started last has passed


class _Start(NamedTuple):
    """A row of `starts_of_stays`: what began a stay, or a CI run of it."""

    stay: int
    run: int | None
    happened_at: int
    id: str
    session_id: str
    batch_id: str | None
    attempt: int | None
    batch_pull_requests: str | None


def waiting_stays(reader: Reader, repository_id: int, at: int) -> WaitingStays:
    present = stays_at(reader, repository_id, at)
    numbers = [stay.number for stay in present]
    rows = reader.rows("starts_of_stays", [repository_id, numbers]) if numbers else []
    starts = [_Start(*row) for row in rows]
    checks = read_rows(reader, repository_id, Check, stay=numbers)
    runs = {start.run for start in starts if start.run is not None}
    begun = _in_progress(read_rows(reader, repository_id, Run, run=runs), at)
    stays = _named(present, starts, reader.groups(repository_id))
    return WaitingStays(
        stays,
        running=sorted(_runs_of_stays(starts, lambda start: begun.get(start.run))),
        failed=_failed(starts, checks, at),
        tested=_tested(stays, checks),
        passed=_passed(stays, checks),
    )


def _named(
    present: Iterable[PresentStay], starts: Iterable[_Start], groups: Mapping[int, Group]
) -> list[Waiting]:
    sessions: dict[tuple[int, int], str] = {}
    for start in starts:
        if start.run is None:
            key = start.stay, start.happened_at
            sessions[key] = min(start.session_id, sessions.get(key, start.session_id))
    found = [
        Waiting(
            *groups[stay.group],
            stay.number,
            sessions[stay.number, stay.entered_at],
            stay.pull_request,
            stay.entered_at,
        )
        for stay in present
    ]
    return sorted(found, key=lambda row: (row.base_ref, row.queue_name, row.entered_at, row.session_id))


def _in_progress(runs: Iterable[Run], at: int) -> dict[int | None, int]:
    """When each CI run started that has not ended."""
    return {
        run.run: run.started_at
        for run in runs
        if run.has_start
        and run.started_at is not None
        and run.started_at <= at
        and (run.ended_at is None or run.ended_at > at)
    }


def _failed(starts: Iterable[_Start], checks: Iterable[Check], at: int) -> list[RunOfStay]:
    last: dict[int, Check] = {}
    for check in sorted(checks, key=lambda check: (check.ended_at or 0, check.run)):
        if check.ended_at is not None and check.ended_at <= at and check.outcome in VERDICTS:
            last[check.stay] = check
    failed: dict[tuple[int, int | None], int | None] = {
        (check.stay, check.run): check.ended_at for check in last.values() if check.outcome != _PASSED
    }
    found = _runs_of_stays(starts, lambda start: failed.get((start.stay, start.run)))
    return sorted(found, key=lambda run: run[1:])


def _runs_of_stays(starts: Iterable[_Start], instant: Callable[[_Start], int | None]) -> Iterator[RunOfStay]:
    """The CI runs of which an instant is known."""
    for start in starts:
        if start.run is not None and (at := instant(start)) is not None:
            batch = start.batch_id or "", start.attempt or 0, start.batch_pull_requests or ""
            yield RunOfStay(at, start.run, start.stay, start.happened_at, start.id, *batch)


def _tested(stays: Iterable[Waiting], checks: Iterable[Check]) -> frozenset[int]:
    ended = {check.stay for check in checks if check.ended_at is not None}
    return frozenset(stay.pull_request for stay in stays if stay.stay in ended)


def _passed(stays: Iterable[Waiting], checks: Sequence[Check]) -> frozenset[str]:
    in_order = sorted(checks, key=lambda check: (check.started_at or check.ended_at or 0, check.run))
    last = {check.stay: check.outcome for check in in_order}
    return frozenset(stay.session_id for stay in stays if last.get(stay.stay) == _PASSED)
