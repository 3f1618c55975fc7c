"""What happened in one queue, in the order in which verdicts look at it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from mergecast.queues.model.batches_ahead import LAG

PASSED: Final = "SUCCESS"
_MOST_NAMES: Final = 40  # of one failure
FAILED: Final = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})


class RunId(NamedTuple):
    batch_id: str
    attempt: int


_NO_RUN: Final = RunId("", 0)


class Stay(NamedTuple):
    """A stay as it is stored. The commits are those that the events of entering and leaving name."""

    session_id: str
    pull_request: int
    entered_at: int | None
    left_at: int | None = None
    reason: str | None = None
    entered_sha: str | None = None
    left_sha: str | None = None
    priority_rule_name: str | None = None


class Check(NamedTuple):
    """One run of CI for one stay, as it is stored; `pull_requests` are all that the batch lists, in order."""

    session_id: str
    pull_request: int
    run: RunId
    started_at: int | None
    ended_at: int | None = None
    outcome: str | None = None
    pull_requests: tuple[int, ...] = ()


class Report(NamedTuple):
    """One execution of a required check that ended with success or failure."""

    run: RunId
    name: str
    ended_at: int
    has_failed: bool


class Split(NamedTuple):
    """A failed batch is split."""

    at: int
    batch_id: str
    pull_requests: tuple[int, ...]


class Entered(NamedTuple):
    at: int
    session_id: str
    pull_request: int
    head_sha: str | None
    priority_rule_name: str | None


class CheckStarted(NamedTuple):
    at: int
    session_id: str
    pull_request: int
    run: RunId
    pull_requests: tuple[int, ...]


class CheckEnded(NamedTuple):
    """`names` are the required checks that failed in this run and did not pass; None without any report."""

    at: int
    session_id: str
    run: RunId
    outcome: str
    names: tuple[str, ...] | None


class Left(NamedTuple):
    at: int
    session_id: str
    pull_request: int
    head_sha: str | None
    reason: str


Happening: TypeAlias = CheckEnded | Split | Left | Entered | CheckStarted
# At one instant checks end, then pull requests leave, then others enter and start.
_ORDER: Final[dict[type, int]] = {CheckEnded: 0, Split: 1, Left: 2, Entered: 3, CheckStarted: 4}


def happenings(
    stays: Iterable[Stay],
    checks: Iterable[Check],
    reports: Iterable[Report] = (),
    splits: Iterable[Split] = (),
) -> list[Happening]:
    """What happened, in order; the order of what is given does not matter.

    The two ends of a stay or of a check may also be given as two values.

    To continue from a checkpoint, give the stays and checks that began or ended after it, and take what
    happened after `Engine.at`.
    """
    reported, found = _by_run(reports), list[Happening](splits)
    for stay in stays:
        found += _of_stay(stay)
    for check in checks:
        found += _of_check(check, reported.get(check.run, ()))
    return sorted(found, key=_place)


def _place(happening: Happening) -> tuple[int, int, str, RunId]:
    kind = _ORDER[type(happening)]
    if isinstance(happening, Split):
        return happening.at, kind, happening.batch_id, _NO_RUN
    run = happening.run if isinstance(happening, CheckStarted | CheckEnded) else _NO_RUN
    return happening.at, kind, happening.session_id, run


def _by_run(reports: Iterable[Report]) -> dict[RunId, list[Report]]:
    found: defaultdict[RunId, list[Report]] = defaultdict(list)
    for report in reports:
        found[report.run].append(report)
    return found


def _of_stay(stay: Stay) -> Iterator[Happening]:
    if stay.entered_at is not None:
        rule = stay.priority_rule_name
        yield Entered(stay.entered_at, stay.session_id, stay.pull_request, stay.entered_sha, rule)
    if stay.left_at is not None:
        reason = stay.reason or "UNKNOWN"
        yield Left(stay.left_at, stay.session_id, stay.pull_request, stay.left_sha, reason)


def _of_check(check: Check, reports: Iterable[Report]) -> Iterator[Happening]:
    if check.started_at is not None:
        pull, listed = check.pull_request, check.pull_requests
        yield CheckStarted(check.started_at, check.session_id, pull, check.run, listed)
    if check.ended_at is not None and check.outcome is not None:
        names = _failed_names(reports, check.ended_at)
        yield CheckEnded(check.ended_at, check.session_id, check.run, check.outcome, names)


def _failed_names(reports: Iterable[Report], ended_at: int) -> tuple[str, ...] | None:
    """Checks that go on after their run has ended say nothing about why it ended."""
    counting = [report for report in reports if report.ended_at <= ended_at + LAG]
    passed = {report.name for report in counting if not report.has_failed}
    failed = {report.name for report in counting if report.has_failed}
    return tuple(sorted(failed - passed)[:_MOST_NAMES]) if counting else None
