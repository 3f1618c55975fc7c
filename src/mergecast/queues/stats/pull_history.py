"""Every stay of one pull request, with its CI runs and their CI checks, and the bisections of its batches."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from msgspec import Struct

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.pulls import Bisection, ListedStay, Step
from mergecast.queues.answers.verdicts import RemovalVerdict
from mergecast.queues.model.ci_check import CANCELLED, REMOVING, SUCCESS
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import SECOND, format_instant, format_optional, parse_instant
from mergecast.queues.model.verdict import NO_VERDICT
from mergecast.queues.stats.stays import stay
from mergecast.queues.stats.verdicts import MOST_STAYS, read_verdicts
from mergecast.queues.store.keys import halves, key_of
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository

MOST_PER_RUN = 100
# Twice the largest number of runs: there is room for the first failure and the longest execution of each.
_MOST_IN_ALL = 20_000


class CiExecution(Struct, frozen=True):
    """One execution of a CI check; what no report says is null, and so is the conclusion while it runs."""

    name: str
    check_id: str
    conclusion: str | None
    queued_at: DateTime | None
    started_at: DateTime | None
    ended_at: DateTime | None
    url: str | None
    runner: str | None
    is_required: bool | None


class RunKey(NamedTuple):
    batch_id: str
    attempt: int


class CiChecksOfRun(NamedTuple):
    """The longest executions of a run, how many it has, and the first required one that failed."""

    longest: tuple[CiExecution, ...] = ()
    total: int = 0
    failed: CiExecution | None = None


NOT_REPORTED = CiChecksOfRun()


def read_ci_checks(
    reader: Reader, repository_id: int, runs: Mapping[RunKey, int]
) -> dict[RunKey, CiChecksOfRun]:
    """The checks of runs with reports. Each run has the instant until which its unfinished checks ran."""
    if not runs:
        return {}
    keys = [halves(key_of(repository_id, "run", *run)) for run in runs]
    high, low = zip(*keys, strict=True)
    given = [repository_id, list(high), list(low), list(runs.values()), MOST_PER_RUN, _MOST_IN_ALL]
    longest: defaultdict[RunKey, dict[int, CiExecution]] = defaultdict(dict)
    totals: dict[RunKey, int] = {}
    failed: dict[RunKey, CiExecution] = {}
    for batch_id, attempt, total, place, is_first_failure, *columns in reader.rows(
        "history_ci_checks", given
    ):
        run, found = RunKey(batch_id, attempt), _execution(columns)
        totals[run] = total
        if place <= MOST_PER_RUN:
            longest[run][place] = found
        if is_first_failure:
            failed[run] = found
    return {
        run: CiChecksOfRun(tuple(one for _, one in sorted(longest[run].items())), total, failed.get(run))
        for run, total in totals.items()
    }


def _execution(columns: Sequence[Any]) -> CiExecution:
    name, check_id, conclusion, queued_at, started_at, ended_at, *rest = columns
    queued, started, ended = (format_optional(at) for at in (queued_at, started_at, ended_at))
    return CiExecution(name, check_id, conclusion, queued, started, ended, *rest)


MOST_CHECKS = 10_000

Row = Sequence[Any]


class Check(Struct, frozen=True):
    """One CI run and its CI checks; what no event says is null, and a list is then empty."""

    batch_id: str
    attempt: int
    pull_requests: tuple[int, ...]
    started_at: DateTime | None
    ended_at: DateTime | None
    outcome: str | None
    ci_checks: tuple[CiExecution, ...]  # the longest first, at most 100
    ci_checks_total: int
    failed_ci_check: CiExecution | None  # the first required one that failed, or was cancelled if none did


class _CheckRow(NamedTuple):
    """A row of the statement `history_checks`."""

    stay: int
    batch_id: str
    attempt: int
    pull_requests: str | None
    started_at: int | None
    ended_at: int | None
    outcome: str | None


class StayInDetail(ListedStay, frozen=True, kw_only=True):
    """`verdict` is null if it was not removed, and while `is_being_judged`, a moment after the removal."""

    verdict: RemovalVerdict | None
    is_being_judged: bool
    checks: tuple[Check, ...]
    bisections: tuple[Bisection, ...]


def pull_history(reader: Reader, known: KnownRepository, number: int, now: int) -> list[StayInDetail]:
    """The stays of a pull request, the newest first."""
    repository_id = known.id
    rows = reader.rows("history_stays", [repository_id, number, MOST_STAYS + 1])
    _refuse_more(rows, MOST_STAYS, "stays")
    stays = [row[0] for row in rows]
    rows_of_checks = reader.rows("history_checks", [repository_id, stays, MOST_CHECKS + 1]) if stays else []
    found = [_CheckRow(*row) for row in rows_of_checks]
    _refuse_more(found, MOST_CHECKS, "CI runs")
    reported = read_ci_checks(reader, repository_id, _until(found, now))
    checks = {
        stay: [_check(row, reported) for row in members]
        for stay, members in groupby(found, key=attrgetter("stay"))
    }
    batches = {check.batch_id for members in checks.values() for check in members}
    bisections = _bisections(reader, repository_id, sorted(batches))
    verdicts = read_verdicts(reader, repository_id, rows, now)
    return [_in_detail(row, checks.get(row[0], ()), bisections, verdicts.get(row[0]), known) for row in rows]


def _refuse_more(rows: Sequence[Row], most: int, what: str) -> None:
    if len(rows) > most:
        message = f"this pull request has more than {most:,} {what}; GET …/stays lists them by period"
        raise InvalidInput([FieldError("path", "number", message)])


def _in_detail(
    row: Row,
    checks: Sequence[Check],
    bisections: Mapping[str, Bisection],
    verdict: RemovalVerdict | None,
    known: KnownRepository,
) -> StayInDetail:
    _, base_ref, queue_name, rule, _, _, _, left_at, reason, *_ = row
    columns = row[4:]
    is_removed = left_at is not None and reason not in NO_VERDICT
    of_stay = stay(Group(base_ref, queue_name, rule), columns)
    batches = dict.fromkeys(check.batch_id for check in checks)
    return StayInDetail(
        *(getattr(of_stay, name) for name in ListedStay.__struct_fields__),
        verdict=verdict,
        is_being_judged=is_removed and verdict is None and known.is_being_judged(left_at),
        checks=tuple(checks),
        bisections=tuple(bisections[batch] for batch in batches if batch in bisections),
    )


def _until(rows: Iterable[_CheckRow], now: int) -> dict[RunKey, int]:
    """When each run ended; now, if it has not."""
    return {RunKey(row.batch_id, row.attempt): now if row.ended_at is None else row.ended_at for row in rows}


def _check(row: _CheckRow, reported: Mapping[RunKey, CiChecksOfRun]) -> Check:
    of_run = reported.get(RunKey(row.batch_id, row.attempt), NOT_REPORTED)
    if of_run.failed is None and row.outcome in REMOVING and row.ended_at is not None:
        of_run = of_run._replace(failed=_first_cancelled(of_run.longest, row.ended_at))
    return Check(
        row.batch_id,
        row.attempt,
        _numbers(row.pull_requests),
        format_optional(row.started_at),
        format_optional(row.ended_at),
        row.outcome,
        *of_run,
    )


def _first_cancelled(executions: Iterable[CiExecution], ended_at: int) -> CiExecution | None:
    """The first required check that was cancelled before its run ended, and did not pass."""
    passed = {one.name for one in executions if one.conclusion == SUCCESS}
    found = [
        (parse_instant(one.ended_at), one.name, one.check_id, one)
        for one in executions
        if one.conclusion == CANCELLED
        and one.is_required is not False
        and one.name not in passed
        and one.ended_at is not None
    ]
    cancelled = [one for one in found if one[0] <= ended_at + SECOND]
    return min(cancelled, key=itemgetter(0, 1, 2), default=(None,))[-1]


def _bisections(reader: Reader, repository_id: int, batches: Sequence[str]) -> dict[str, Bisection]:
    if not batches:
        return {}
    keys = [halves(key_of(repository_id, "bisection", batch, None)) for batch in batches]
    high, low = zip(*keys, strict=True)
    rows = reader.rows("history_bisections", [repository_id, list(high), list(low), MOST_CHECKS + 1])
    _refuse_more(rows, MOST_CHECKS, "bisections")
    return {batch: _bisection(batch, list(members)) for batch, members in groupby(rows, key=itemgetter(0))}


def _bisection(batch: str, rows: Iterable[Row]) -> Bisection:
    """A bisection of several steps; the row without a depth is its end."""
    steps, end = [], (None, None, None)
    for _, depth, members, happened_at, *result in rows:
        if depth is None:
            end = (format_instant(happened_at), *result)
        else:
            steps.append(Step(depth, format_instant(happened_at), _numbers(members)))
    return Bisection(batch, tuple(steps), *end)


def _numbers(members: str | None) -> tuple[int, ...]:
    return tuple(int(number) for number in members.split(",")) if members else ()
