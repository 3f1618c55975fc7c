"""Compares the stored rows of CI checks with the reports that they hold, and derives them again."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from mergecast.queues.model.ci_price import format_cost
from mergecast.queues.model.instant import DAY
from mergecast.queues.store.ci.day_sums import block_sums, day_sums
from mergecast.queues.store.ci.prices import cost_of_executions, cost_of_runs, read_ci_times, read_prices
from mergecast.queues.store.ci.rows import (
    DAYS_PER_BLOCK,
    CiBlockSumRow,
    CiCheckRow,
    CiDayRow,
    CiDaySumRow,
    CiRunRow,
    CiTextRow,
    check_row,
    first_day_of_block,
    report_of,
    run_row,
)
from mergecast.queues.store.ci.runs import delete_sums, touch_days
from mergecast.queues.store.held_repository import HeldRepository, subject_keys, subject_name
from mergecast.queues.store.keys import halves
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import ReadRows, delete_rows, of_repository, stored_rows
from mergecast.queues.store.verify import Verification


class DerivedRun(NamedTuple):
    """A CI run and its executions, as they are stored and as they should be; None for a run to delete."""

    stored: CiRunRow
    run: CiRunRow | None
    executions: Sequence[tuple[CiCheckRow, CiCheckRow]]  # each as it is stored, and as it should be


class DerivedRuns(NamedTuple):
    runs: Sequence[DerivedRun]
    wrong: Sequence[str]  # what cannot be derived from anything


def derive_ci_rows(read: ReadRows, runs: Collection[int]) -> DerivedRuns:
    """Derive the rows of these runs from those of all their executions."""
    texts = {row.number: row.text for row in stored_rows(read, CiTextRow)}
    of_run: defaultdict[int, list[CiCheckRow]] = defaultdict(list)
    for row in stored_rows(read, CiCheckRow, run=runs):
        of_run[row.run].append(row)
    known: Mapping[int, str | None] = {**texts, 0: None}
    derived: list[DerivedRun] = []
    wrong: list[str] = []
    for stored in stored_rows(read, CiRunRow, run=runs):
        own = of_run.pop(stored.run, [])
        unknown = sorted({number for row in own for number in _texts(row) if number not in known})
        if unknown:
            wrong += [f"ci_texts: text {number} of run {stored.run} is missing" for number in unknown]
        else:
            derived.append(_derived(stored, own, known))
    wrong += [f"ci_runs: run {run}, which has executions, is missing" for run in sorted(of_run)]
    wrong += [text for run in derived for text in _wrong_keys(run)]
    return DerivedRuns(derived, wrong)


def _texts(row: CiCheckRow) -> tuple[int, ...]:
    return row.base_ref, row.queue_name, row.name, row.runner


def _derived(stored: CiRunRow, own: Sequence[CiCheckRow], texts: Mapping[int, str | None]) -> DerivedRun:
    numbers = {text: number for number, text in texts.items()}
    reports = [report_of(row, stored, texts) for row in own]
    executions = [
        check_row(row.repository_id, row.run, report, row.thread, numbers)
        for row, report in zip(own, reports, strict=True)
    ]
    key = (stored.key_high, stored.key_low)
    run = run_row(stored.repository_id, stored.run, key, reports, numbers) if reports else None
    return DerivedRun(stored, run, list(zip(own, executions, strict=True)))


def _wrong_keys(derived: DerivedRun) -> list[str]:
    run = derived.run
    if run is None:
        return []
    name = subject_name("run", run.batch_id, run.attempt)
    (key,) = subject_keys(run.repository_id, [name]).values()
    is_right = halves(key) == (run.key_high, run.key_low)
    return [] if is_right else [f"ci_runs: the key of run {run.run} does not follow from its batch"]


T = TypeVar("T")

_EXECUTIONS_AT_ONCE = 20_000
_DAYS_AT_ONCE = 10


class CiParts(NamedTuple):
    """All CI runs and all days with CI checks, in parts that are read at once, and the blocks of days."""

    runs: list[list[int]]
    days: list[list[int]]
    blocks: list[int]


def ci_parts_of(reader: Reader, repository_id: int) -> CiParts:
    parts: list[list[int]] = []
    room = 0
    for run, executions in reader.rows("ci_run_sizes", [repository_id]):
        if executions + 1 > room:
            parts.append([])
            room = _EXECUTIONS_AT_ONCE
        parts[-1].append(run)
        room -= executions + 1
    days = reader.column("ci_all_days", [repository_id])
    return CiParts(
        parts,
        [days[start : start + _DAYS_AT_ONCE] for start in range(0, len(days), _DAYS_AT_ONCE)],
        _blocks(reader, repository_id, days),
    )


def _blocks(reader: Reader, repository_id: int, days: Sequence[int]) -> list[int]:
    if not days:
        return []
    span = first_day_of_block(days[0]), first_day_of_block(days[-1]) + DAYS_PER_BLOCK
    return reader.column("ci_summed_blocks", [repository_id, *span, DAYS_PER_BLOCK])


class Read(Protocol):
    """Reads from the store, in its turn."""

    def __call__(self, work: Callable[[Reader], T], /) -> Awaitable[T]: ...


async def verify_ci_checks(read: Read, repository_id: int) -> Verification:
    """Read all reports about CI checks once, and compare what the store keeps besides them."""
    runs, days, blocks = await read(partial(ci_parts_of, repository_id=repository_id))
    found = await read(partial(_verify_count, repository_id=repository_id))
    for part in runs:
        found = found.plus(await read(partial(_verify_runs, repository_id=repository_id, runs=part)))
    for part in days:
        found = found.plus(await read(partial(_verify_days, repository_id=repository_id, days=part)))
        found = found.plus(await read(partial(_verify_cost, repository_id=repository_id, days=part)))
    for block in blocks:
        found = found.plus(await read(partial(_verify_block, repository_id=repository_id, first_day=block)))
    return found


def _verify_runs(reader: Reader, repository_id: int, runs: Sequence[int]) -> Verification:
    """Derive these runs and what is stored about each execution from the reports."""
    found = derive_ci_rows(of_repository(reader, repository_id), runs)
    differences = [
        f"ci_runs: run {one.stored.run} does not follow from its reports"
        for one in found.runs
        if one.run != one.stored
    ]
    differences += [
        f"ci_checks: execution {stored.check_id!r} of run {stored.run} does not follow from its report"
        for one in found.runs
        for stored, derived in one.executions
        if stored != derived
    ]
    return Verification.of(differences, found.wrong)


def _verify_days(reader: Reader, repository_id: int, days: Sequence[int]) -> Verification:
    """Compare the sums of these days with those of their executions."""
    read = of_repository(reader, repository_id)
    noted = {row.day: row.is_summed for row in stored_rows(read, CiDayRow, day=days)}
    stored = set(stored_rows(read, CiDaySumRow, day=days))
    differences = [f"ci_days: day {day} is missing" for day in days if day not in noted]
    for day in days:
        own = {row for row in stored if row.day == day}
        expected = set(day_sums(read, repository_id, day)) if noted.get(day) else set()
        if own != expected:
            differences.append(f"ci_day_sums: the sums of day {day} do not follow from its executions")
    return Verification.of(differences)


def _verify_cost(reader: Reader, repository_id: int, days: Sequence[int]) -> Verification:
    """Compare what the CI runs of each day cost with the time of their executions and its price."""
    prices = read_prices(reader, repository_id)
    if prices is None:
        return Verification()
    texts = dict(reader.rows("ci_texts", [repository_id]))
    differences = []
    for day in days:
        asked: list[object] = [repository_id, day * DAY, (day + 1) * DAY]
        found = cost_of_runs(prices, read_ci_times(reader, [*asked, None, None, True]), texts)
        expected = cost_of_executions(prices, reader.rows("ci_time_by_runner", asked), texts)
        if found != expected:
            cost = f"{format_cost(found)} {prices.currency}"
            differences.append(f"cost: CI runs of day {day} cost {cost}, {format_cost(expected)} is right")
    return Verification.of(differences)


def _verify_block(reader: Reader, repository_id: int, first_day: int) -> Verification:
    """Compare the sums of a block with those of its days."""
    read = of_repository(reader, repository_id)
    stored = stored_rows(read, CiBlockSumRow, first_day=[first_day])
    changed_at = max((row.days_changed_at for row in stored), default=0)
    if set(stored) == set(block_sums(read, repository_id, first_day, changed_at)):
        return Verification()
    return Verification.of(
        [f"ci_block_sums: the sums of the {DAYS_PER_BLOCK} days from {first_day} on do not follow from them"]
    )


def _verify_count(reader: Reader, repository_id: int) -> Verification:
    """Compare the number of executions with the one that the state of the repository has."""
    stored = sum(count for (count,) in reader.rows("ci_state", [repository_id]))
    executions = sum(count for _, count in reader.rows("ci_run_sizes", [repository_id]))
    if stored == executions:
        return Verification()
    return Verification.of(wrong=[f"repository_state: ci_checks is {stored}, {executions} is right"])


def rebuilding_ci_checks(reader: Reader, repository_id: int) -> list[Callable[[HeldRepository], None]]:
    """What to do in transactions of their own, one after the other."""
    runs, days, _ = ci_parts_of(reader, repository_id)
    return [
        *(partial(_rebuild_runs, runs=part, of=repository_id) for part in runs),
        *(partial(_rebuild_days, days=part, of=repository_id) for part in days),
    ]


def _rebuild_runs(held: HeldRepository, runs: Sequence[int], of: int) -> None:
    """Write what follows from the reports of these runs, where it differs.

    A repository that was deleted and created again has another id, and other runs.
    """
    if held.state.id != of:
        return
    found = derive_ci_rows(held.rows, runs)
    changed = [one for one in found.runs if one.run != one.stored]
    executions = [pair for one in found.runs for pair in one.executions if pair[0] != pair[1]]
    if changed:
        delete_rows(held, CiRunRow, run=[one.stored.run for one in changed])
        held.insert(one.run for one in changed if one.run is not None)
    if executions:
        gone, ids = zip(*((stored.run, stored.check_id) for stored, _ in executions), strict=True)
        held.change_rows("delete_ci_checks", list(gone), list(ids))
        held.insert(derived for _, derived in executions)
        touch_days(held, {derived.placed_at // DAY for _, derived in executions})
    if changed or executions:
        held.save(replace(held.state, ci_version=held.state.ci_version + 1))


def _rebuild_days(held: HeldRepository, days: Sequence[int], of: int) -> None:
    """Drop the sums of these days; they are summed again once they have been quiet for a while."""
    if held.state.id == of:
        delete_sums(held, days)
        touch_days(held, days)
        held.save(replace(held.state, ci_version=held.state.ci_version + 1))
