"""Which CI check fails, is flaky, waits for machines, and how long do runs wait for it?"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.answers.ci_checks import (
    ByRunner,
    CheckInterval,
    CiCheck,
    CiChecks,
    Critical,
    Durations,
    Failure,
    FlakeEvidence,
    RateInterval,
)
from mergecast.queues.answers.summary import Span
from mergecast.queues.model.ci_check import CANCELLED
from mergecast.queues.model.flake_rate import estimate
from mergecast.queues.model.histogram import percentile
from mergecast.queues.model.instant import duration, format_instant
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.stats.answer import Calendar, Question
from mergecast.queues.stats.ci_check_cells import WHOLE, Asked, Cell, Cells, Key, count_executions
from mergecast.queues.stats.ci_check_failures import (
    Consequences,
    count_consequences,
    count_critical,
    read_consequences,
)
from mergecast.queues.stats.ci_check_flakes import MOST_LINKS, Failures, count_flaky, read_failures
from mergecast.queues.stats.ci_check_suspects import Tried
from mergecast.queues.stats.statistic import WINDOW, Statistic
from mergecast.queues.store.reader import Reader

_STANDS_OUT: Final = 2.0  # times the cost of the next
_FEW_RUNS: Final = 20  # say little about a check
_WITHOUT_DECIMALS: Final = 9.95
T = TypeVar("T")
MOST_NAMES = 10_000
_MOST_FAILURES = 20


class CheckCost(NamedTuple):
    """What a check cost in a period: the time of machines, and of other pull requests."""

    name: str
    runs: int
    ran_seconds: float
    blocked_seconds: float

    @property
    def seconds(self) -> float:
        return self.ran_seconds + self.blocked_seconds


def sentence(costs: Sequence[CheckCost]) -> str | None:
    """The most expensive check comes first; None if it does not stand out, or if it ran only a few times."""
    if len(costs) < 2:  # noqa: PLR2004 - there is nothing to compare it with
        return None
    first, second = costs[:2]
    if first.runs < _FEW_RUNS or not first.seconds or first.seconds < _STANDS_OUT * second.seconds:
        return None
    held_up = f" and held up other pull requests for {duration(first.blocked_seconds)}"
    spent = f"it ran for {duration(first.ran_seconds)}{held_up if first.blocked_seconds else ''}"
    return f"{_code(first.name)} cost most: {spent}{_compared(first, second)}"


def _compared(first: CheckCost, second: CheckCost) -> str:
    if not second.seconds:
        return ""
    ratio = first.seconds / second.seconds
    times = f"{ratio:.1f}" if ratio < _WITHOUT_DECIMALS else f"{ratio:,.0f}"
    return f", {times.removesuffix('.0')} times as much as the next, {_code(second.name)}"


def _code(name: str) -> str:
    """A name between backquotes, which it must not contain."""
    inner = name.replace("`", "'")
    return f"`{inner}`"


def answer(reader: Reader, question: Question) -> object:
    texts = dict(reader.rows("ci_texts", [question.repository_id]))
    asked = Asked.of(question, WHOLE, texts)
    read = _read(reader, asked)
    checks = _checks(_count(reader, asked, read), texts)
    window = Span(*(format_instant(at) for at in question.window))
    covered = _covered(reader, question)
    if question.name is None:
        return CiChecks(window, covered, checks, sentence([_cost(check) for check in checks]))
    series = _series(question, _count(reader, Asked.of(question, question.grid, texts), read))
    failures = _failures(reader, asked, read)
    return CiChecks(window, covered, checks, None, series, failures)


def ci_checks(reader: Reader, question: Question) -> list[CiCheck]:
    """The checks of the window, without reports none."""
    texts = dict(reader.rows("ci_texts", [question.repository_id]))
    asked = Asked.of(question, WHOLE, texts)
    return _checks(_count(reader, asked, _read(reader, asked)), texts) if texts else []


def _cost(check: CiCheck) -> CheckCost:
    return CheckCost(check.name, check.runs, check.seconds.sum, check.blocked_seconds)


class _Read(NamedTuple):
    """What is read once, however it is divided into intervals."""

    consequences: Consequences
    failures: Failures


def _read(reader: Reader, asked: Asked) -> _Read:
    consequences = read_consequences(reader, asked, reader.groups(asked.repository_id))
    built_on, cancelled = consequences.built_on(), consequences.cancelled
    return _Read(consequences, read_failures(reader, asked, built_on, cancelled))


def _count(reader: Reader, asked: Asked, read: _Read) -> Cells:
    cells = Cells()
    if not asked.texts:
        return cells
    count_executions(reader, asked, cells)
    count_flaky(reader, asked, read.failures, cells)
    count_consequences(asked, read.consequences, cells)
    count_critical(reader, asked, cells)
    return cells


def _covered(reader: Reader, question: Question) -> float | None:
    """The share of CI runs that ended in the window and have reports."""
    ((runs, covered),) = reader.rows("ci_covered", question.by_window())
    return covered / runs if runs else None


def _checks(cells: Cells, texts: Mapping[int, str]) -> list[CiCheck]:
    """One entry per check; the most expensive first, in time of machines and of other pull requests."""
    by_name: defaultdict[int, dict[Key, Cell]] = defaultdict(dict)
    for key, cell in cells.by_interval[0].items():
        by_name[key.name][key] = cell
    _check_length(len(by_name))
    passed = cells.passed[0]
    found = []
    for name, parts in by_name.items():
        whole = Cell()
        for part in parts.values():
            whole.add(part)
        runners = [
            _figures(partial(ByRunner, runner=texts.get(key.runner)), part, passed)
            for key, part in sorted(
                parts.items(), key=lambda pair: (-pair[1].seconds, texts.get(pair[0].runner, ""))
            )
        ]
        make = partial(CiCheck, name=texts[name], by_runner=runners)
        found.append((-(whole.seconds + whole.blocked), texts[name], _figures(make, whole, passed)))
    return [entry for _, _, entry in sorted(found, key=lambda one: one[:2])]


def _check_length(names: int) -> None:
    if names > MOST_NAMES:
        message = (
            f"the answer has {names:,} checks, more than {MOST_NAMES:,}; filter by name, base_ref or "
            "queue_name, or choose a shorter period. The name of a check should be the same in every run"
        )
        raise InvalidInput([FieldError("query", "", message)])


def _figures(make: Callable[..., T], cell: Cell, passed: int) -> T:
    critical, rate = cell.critical.total(), estimate(cell.runs - cell.failed, cell.groups)
    links = [url for _, url in sorted(cell.links, reverse=True)[:MOST_LINKS]]
    return make(
        runs=cell.runs,
        failed=cell.failed,
        failure_rate=_ratio(cell.failed, cell.runs),
        removals=cell.removals,
        blocked_seconds=in_seconds(cell.blocked),
        flaky=sum(many for tried, many in cell.tried.items() if tried.is_flaky),
        flake_rate=None if rate is None else rate.rate,
        flake_interval=None if rate is None else RateInterval(rate.low, rate.high),
        evidence=FlakeEvidence(**{tried.value: cell.tried[tried] for tried in Tried}, links=links),
        seconds=_durations(cell.running, cell.seconds),
        waited_seconds=_durations(cell.waiting, cell.waited),
        critical=Critical(critical, _ratio(critical, passed), _percentile(cell.critical, 0.5)),
    )


def _durations(counts: Mapping[int, int], total: int) -> Durations:
    return Durations(_percentile(counts, 0.5), _percentile(counts, 0.95), in_seconds(total))


def _percentile(counts: Mapping[int, int], share: float) -> float | None:
    found = percentile(counts, share)
    return None if found is None else in_seconds(round(found))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _series(question: Question, cells: Cells) -> list[CheckInterval]:
    """The check in each interval in which anything is known about it."""
    calendar = Calendar(question.grid)
    found = []
    for number in sorted(cells.by_interval):
        whole = Cell()
        for part in cells.by_interval[number].values():
            whole.add(part)
        make = partial(CheckInterval, **calendar[number]._asdict())
        found.append(_figures(make, whole, cells.passed[number]))
    return found


class _FailureRow(NamedTuple):
    """A row of the statement `ci_last_failures`."""

    at: int
    conclusion: str
    check_id: str
    url: str | None
    runner: int
    base_ref: int
    queue_name: int
    run: int
    batch_id: str
    attempt: int
    number: int | None  # of the run among the subjects of events


def _failures(reader: Reader, asked: Asked, read: _Read) -> list[Failure]:
    """The last failures of the check, the newest first."""
    given = [asked.repository_id, *asked.window, asked.name]
    base_refs, queues = (asked.numbers(kept) for kept in (asked.filters.base_refs, asked.filters.queue_names))
    asked_for = [*given, base_refs, queues, _MOST_FAILURES]
    found = [_FailureRow(*row) for row in reader.rows("ci_last_failures", asked_for)]
    found += [
        _FailureRow(
            one.placed_at,
            CANCELLED,
            one.check_id,
            one.url,
            one.runner,
            one.base_ref,
            one.queue_name,
            one.run,
            one.batch_id,
            one.attempt,
            one.number,
        )
        for one in read.consequences.cancelled
    ]
    rows = sorted(found, key=lambda row: (-row.at, -row.run, row.check_id))[:_MOST_FAILURES]
    if not rows:
        return []
    tested: defaultdict[int | None, list[int]] = defaultdict(list)
    runs = sorted({row.number for row in rows if row.number is not None})
    for run, pull_request in reader.rows("ci_pull_requests", [asked.repository_id, runs]):
        tested[run].append(pull_request)
    name = asked.name or 0
    return [
        Failure(
            at=format_instant(row.at),
            conclusion=row.conclusion,
            pull_requests=tested[row.number],
            batch_id=row.batch_id,
            attempt=row.attempt,
            check_id=row.check_id,
            url=row.url,
            runner=asked.texts.get(row.runner),
            base_ref=asked.texts[row.base_ref],
            queue_name=asked.texts[row.queue_name],
            is_flaky=read.failures.judged.tried[row.run, name].is_flaky,
        )
        for row in rows
    ]


CI_CHECKS = Statistic(
    name="ci_checks",
    summary="CI checks: how often each failed, was flaky and stopped others, and how long it ran and waited",
    parameters=("base_ref", "queue_name", *WINDOW, "name"),
    answer=answer,
    answer_type=CiChecks,
    sees_ci_checks=True,
)
