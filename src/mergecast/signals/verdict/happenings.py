"""What happened in one queue, in the order in which verdicts look at it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from mergecast.queues.model.batches_ahead import LAG
from mergecast.queues.model.ci_check import CANCELLED, FAILURES, REMOVING, SUCCESS
from mergecast.queues.model.instant import SECOND

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
    """One execution of a required check that ended: its conclusion, and how long it ran if that is known."""

    run: RunId
    name: str
    ended_at: int
    conclusion: str
    length: int | None = None


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


class Stop(NamedTuple):
    """A required check that was cancelled in a run that was then removed for failed checks."""

    name: str
    at: int
    length: int | None


class CheckEnded(NamedTuple):
    """`names` are required checks that failed in this run and did not pass; else those that stopped it."""

    at: int
    session_id: str
    run: RunId
    outcome: str
    names: tuple[str, ...] = ()
    stops: tuple[Stop, ...] = ()
    passes: tuple[tuple[str, int], ...] = ()  # how long checks took that passed, as far as that is asked for


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
        yield _ended(check, check.ended_at, check.outcome, reports)


def _place_of_report(report: Report) -> tuple[int, str, str, int]:
    return report.ended_at, report.name, report.conclusion, report.length or 0


def _ended(check: Check, at: int, outcome: str, reports: Iterable[Report]) -> CheckEnded:
    """Checks that go on after their run has ended say nothing about why it ended."""
    counting = sorted((one for one in reports if one.ended_at <= at + LAG), key=_place_of_report)
    passes = [report for report in counting if report.conclusion == SUCCESS]
    passed = {report.name for report in passes}
    failed = {one.name for one in counting if one.conclusion in FAILURES and one.name not in passed}
    lengths = tuple((one.name, one.length) for one in passes if one.length is not None)
    names = tuple(sorted(failed)[:_MOST_NAMES])
    stops = {
        one.name: Stop(one.name, one.ended_at, one.length)
        for one in reversed(counting)
        if one.conclusion == CANCELLED and one.name not in passed and one.ended_at <= at + SECOND
    }
    if names or outcome not in REMOVING or not stops:
        return CheckEnded(at, check.session_id, check.run, outcome, names, (), lengths)
    first = tuple(stops[name] for name in sorted(stops)[:_MOST_NAMES])
    names = tuple(stop.name for stop in first)
    return CheckEnded(at, check.session_id, check.run, outcome, names, first, lengths)
