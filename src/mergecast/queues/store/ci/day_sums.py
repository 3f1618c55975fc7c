"""Sums of the executions of each day and of each block of days, so that a year can be read quickly.

A day has one row for each check on one kind of machine in one queue; the sums of a block are those of its
days, added up. A day is summed once it is over and nothing has arrived about it for a while. Until then, and
again when one of its executions changes, its executions are read one by one. A block is summed once all its
days are, and its days are read one by one until then.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.store.ci.rows import (
    DAYS_PER_BLOCK,
    CiBlockSumRow,
    CiDayRow,
    CiDaySumRow,
    first_day_of_block,
)
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.stored_rows import ReadRows, delete_rows

_ONE_INTERVAL = (2**62, 0)  # its width, and its shift


@dataclass(slots=True)
class _Sum:
    """What the statements count; buckets of running and of waiting."""

    totals: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    running: Counter[int] = field(default_factory=Counter)
    waiting: Counter[int] = field(default_factory=Counter)

    def columns(self) -> tuple[Any, ...]:
        return *self.totals, *_lists(self.running), *_lists(self.waiting)


_Key = tuple[int, int, int, int]  # base branch, queue, check and runner


def day_sums(read: ReadRows, repository_id: int, day: int) -> list[CiDaySumRow]:
    """The sums of the executions of a day."""
    asked = (day * DAY, (day + 1) * DAY, None, *_ONE_INTERVAL)
    sums = _sums(read("ci_totals", *asked))
    for *key, _, is_waiting, bucket, count in read("ci_buckets", *asked):
        found = sums[_key(key)]
        (found.waiting if is_waiting else found.running)[bucket] = int(count)
    return [CiDaySumRow._make((repository_id, day, *key, *sums[key].columns())) for key in sorted(sums)]


def block_sums(
    read: ReadRows, repository_id: int, first_day: int, days_changed_at: int
) -> list[CiBlockSumRow]:
    """The sums of a block, from those of its days."""
    days, no_blocks = list(range(first_day, first_day + DAYS_PER_BLOCK)), list[int]()
    asked = (days, no_blocks, None, *_ONE_INTERVAL)
    sums = _sums(read("ci_day_totals", *asked))
    for *key, _, seconds_buckets, seconds_counts, waited_buckets, waited_counts in read(
        "ci_day_buckets", *asked
    ):
        found = sums[_key(key)]
        add_buckets(found.running, seconds_buckets, seconds_counts)
        add_buckets(found.waiting, waited_buckets, waited_counts)
    common = (repository_id, first_day, days_changed_at)
    return [CiBlockSumRow._make((*common, *key, *sums[key].columns())) for key in sorted(sums)]


def _sums(totals: Iterable[Sequence[Any]]) -> defaultdict[_Key, _Sum]:
    """What a statement has counted in one interval; the buckets are still to come."""
    sums: defaultdict[_Key, _Sum] = defaultdict(_Sum)
    for *key, _, runs, failed, seconds, waited in totals:
        sums[_key(key)].totals = [int(total) for total in (runs, failed, seconds, waited)]
    return sums


def _key(columns: Sequence[int]) -> _Key:
    base_ref, queue_name, name, runner = columns
    return base_ref, queue_name, name, runner


def _lists(counts: Mapping[int, int]) -> tuple[str, str]:
    """The buckets, and how many are in each."""
    buckets = sorted(counts)
    return ",".join(map(str, buckets)), ",".join(str(counts[bucket]) for bucket in buckets)


def add_buckets(counts: Counter[int], buckets: str, many: str) -> None:
    """Add the buckets of a sum, and how many are in each.

    >>> counts = Counter({3: 1})
    >>> add_buckets(counts, "3,4", "2,5")
    >>> counts
    Counter({4: 5, 3: 3})
    """
    if buckets:
        for bucket, count in zip(map(int, buckets.split(",")), map(int, many.split(",")), strict=True):
            counts[bucket] += count


QUIET = 10 * MINUTE
_DAYS_AT_ONCE = 10


def sum_days(held: HeldRepository, quiet: int = QUIET) -> bool:
    """Sum some days that are over and quiet, or else a block; returns whether there may be more."""
    days = [day for (day,) in held.rows("ci_days_to_sum", held.now // DAY, held.now - quiet, _DAYS_AT_ONCE)]
    if not days:
        return _sum_block(held)
    for day in days:
        held.insert(day_sums(held.rows, held.state.id, day))
        held.give_way()
    delete_rows(held, CiDayRow, day=days)
    held.insert([CiDayRow(held.state.id, day, is_summed=True, changed_at=held.now) for day in days])
    held.save(held.state)
    return True


def _sum_block(held: HeldRepository) -> bool:
    """Sum the first block that can be summed; returns whether there was one."""
    present = first_day_of_block(held.now // DAY)
    found = held.rows("ci_block_to_sum", present, DAYS_PER_BLOCK)
    for first_day, changed_at in found:
        delete_rows(held, CiBlockSumRow, first_day=[first_day])
        held.insert(block_sums(held.rows, held.state.id, first_day, changed_at))
        held.save(held.state)
    return bool(found)
