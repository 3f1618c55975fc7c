"""Facts derived from events: stays, checks, CI runs and bisections.

Every function takes a set of events and does not depend on their order. If two events say the same kind of
thing about the same subject, the earlier one counts; at the same instant, the one with the smaller id.
"""

from collections.abc import Iterable
from typing import NamedTuple

from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
)

VERDICTS = frozenset({"SUCCESS", "CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})


class Statement(NamedTuple):
    """The part of an event that facts need. `stay` and `run` are the numbers of its subjects."""

    happened_at: int
    id: str
    type: str
    repository_id: int
    group_id: int
    stay: int | None
    run: int | None  # the CI run; for a bisection, the bisection
    pull_request: int | None
    batch_id: str | None
    batch_size: int | None
    reason: str | None
    outcome: str | None
    schedule_wait: int | None
    freeze_wait: int | None
    depth: int | None
    culprit_found: bool | None
    max_failures_reached: bool | None
    head_sha: str | None


class Stay(NamedTuple):
    """One pull request in one queue; durations are known when both ends are."""

    repository_id: int
    stay: int
    pull_request: int | None
    entered_at: int | None
    entered_group: int | None
    left_at: int | None
    left_group: int | None
    reason: str | None
    batch_id: str | None
    retries: int
    queue_time: int | None
    ci_runtime: int | None
    idle_capacity: int | None
    idle_schedule: int | None
    idle_freeze: int | None
    head_sha: str | None  # the last commit; None if it is not known, or changed during the stay


class Check(NamedTuple):
    """One run of CI for one stay as part of one batch."""

    repository_id: int
    stay: int
    run: int
    started_at: int | None
    started_group: int | None
    batch_size: int | None
    ended_at: int | None
    ended_group: int | None
    outcome: str | None


class Run(NamedTuple):
    """One CI run in one of its groups; start, end and size describe the whole run."""

    repository_id: int
    run: int
    group_id: int
    has_start: bool
    has_verdict: bool
    started_at: int | None
    ended_at: int | None
    batch_size: int | None


class BisectionStart(NamedTuple):
    repository_id: int
    bisection: int
    depth: int
    started_at: int
    group_id: int
    batch_size: int


class BisectionEnd(NamedTuple):
    repository_id: int
    bisection: int
    ended_at: int
    group_id: int
    culprit_found: bool
    max_failures_reached: bool


class Facts(NamedTuple):
    """The facts of some subjects."""

    checks: list[Check]
    stays: list[Stay]
    runs: list[Run]
    bisection_starts: list[BisectionStart]
    bisection_ends: list[BisectionEnd]


Subject = tuple[int | None, int | None, int | None]


def settle(statements: Iterable[Statement]) -> dict[str, dict[Subject, Statement]]:
    """For each type and subject, the one statement that counts."""
    settled: dict[str, dict[Subject, Statement]] = {
        QUEUE_ENTERED: {},
        QUEUE_LEFT: {},
        CHECKS_STARTED: {},
        CHECKS_ENDED: {},
        BISECTION_STARTED: {},
        BISECTION_ENDED: {},
    }
    for statement in statements:
        counting = settled[statement.type]
        subject = (statement.stay, statement.run, statement.depth)
        rival = counting.get(subject)
        if rival is None or statement[:2] < rival[:2]:
            counting[subject] = statement
    return settled


def derive_checks(settled: dict[str, dict[Subject, Statement]]) -> list[Check]:
    starts, ends = settled[CHECKS_STARTED], settled[CHECKS_ENDED]
    return [_check(starts.get(subject), ends.get(subject)) for subject in starts | ends]


def _check(start: Statement | None, end: Statement | None) -> Check:
    some = start or end
    assert some is not None  # noqa: S101 - a check is known by its start or its end
    return Check(
        some.repository_id,
        some.stay or 0,
        some.run or 0,
        start.happened_at if start else None,
        start.group_id if start else None,
        start.batch_size if start else None,
        end.happened_at if end else None,
        end.group_id if end else None,
        end.outcome if end else None,
    )


def derive_stays(settled: dict[str, dict[Subject, Statement]], checks: Iterable[Check]) -> list[Stay]:
    """The stays whose entering or leaving is known; `checks` are all checks of these stays."""
    checks_of: dict[int, list[Check]] = {}
    for check in checks:
        checks_of.setdefault(check.stay, []).append(check)
    entries, exits = settled[QUEUE_ENTERED], settled[QUEUE_LEFT]
    return [
        _stay(entries.get(subject), exits.get(subject), checks_of.get(subject[0] or 0, []))
        for subject in entries | exits
    ]


def _stay(entry: Statement | None, leave: Statement | None, checks: list[Check]) -> Stay:
    some = entry or leave
    assert some is not None  # noqa: S101 - a stay is known by its entering or its leaving
    retries = sum(check.outcome == "CHECKS_RETRIED" for check in checks)
    queue_time = ci_runtime = idle_capacity = schedule = freeze = None
    if entry and leave:
        queue_time = max(leave.happened_at - entry.happened_at, 0)
        ci_runtime = _time_covered(checks, entry.happened_at, leave.happened_at)
        schedule, freeze = leave.schedule_wait or 0, leave.freeze_wait or 0
        idle_capacity = max(queue_time - ci_runtime - schedule - freeze, 0)
    return Stay(
        some.repository_id,
        some.stay or 0,
        entry.pull_request if entry else None,
        entry.happened_at if entry else None,
        entry.group_id if entry else None,
        leave.happened_at if leave else None,
        leave.group_id if leave else None,
        leave.reason if leave else None,
        leave.batch_id if leave else None,
        retries,
        queue_time,
        ci_runtime,
        idle_capacity,
        schedule,
        freeze,
        _commit(entry, leave),
    )


def _commit(entry: Statement | None, leave: Statement | None) -> str | None:
    """The commit that is reported at entering or leaving, unless the two differ."""
    reported = {end.head_sha for end in (entry, leave) if end and end.head_sha}
    return reported.pop() if len(reported) == 1 else None


def _time_covered(checks: list[Check], entered_at: int, left_at: int) -> int:
    """Length of the union of the checks' spans inside the stay; an open check runs to its end."""
    covered, covered_to = 0, entered_at
    for start, end in sorted(
        (check.started_at, left_at if check.ended_at is None else min(check.ended_at, left_at))
        for check in checks
        if check.started_at is not None
    ):
        fresh_from = max(start, covered_to)
        if end > fresh_from:
            covered += end - fresh_from
            covered_to = end
    return covered


def derive_runs(checks: Iterable[Check]) -> list[Run]:
    """The CI runs of these checks, which are all checks of each run."""
    checks_of: dict[int, list[Check]] = {}
    for check in checks:
        checks_of.setdefault(check.run, []).append(check)
    return [run for number, members in checks_of.items() for run in _runs(number, members)]


def _runs(number: int, checks: list[Check]) -> list[Run]:
    started_at = min((c.started_at for c in checks if c.started_at is not None), default=None)
    ended_at = max((c.ended_at for c in checks if c.ended_at is not None), default=None)
    batch_size = max((c.batch_size for c in checks if c.batch_size is not None), default=None)
    starting = {c.started_group for c in checks if c.started_group is not None}
    judged = {c.ended_group for c in checks if c.ended_group is not None and c.outcome in VERDICTS}
    return [
        Run(
            checks[0].repository_id,
            number,
            group,
            group in starting,
            group in judged,
            started_at,
            ended_at,
            batch_size,
        )
        for group in sorted(starting | judged)
    ]


def derive_bisection_starts(settled: dict[str, dict[Subject, Statement]]) -> list[BisectionStart]:
    return [
        BisectionStart(
            s.repository_id, s.run or 0, s.depth or 0, s.happened_at, s.group_id, s.batch_size or 0
        )
        for s in settled[BISECTION_STARTED].values()
    ]


def derive_bisection_ends(settled: dict[str, dict[Subject, Statement]]) -> list[BisectionEnd]:
    return [
        BisectionEnd(
            s.repository_id,
            s.run or 0,
            s.happened_at,
            s.group_id,
            bool(s.culprit_found),
            bool(s.max_failures_reached),
        )
        for s in settled[BISECTION_ENDED].values()
    ]
