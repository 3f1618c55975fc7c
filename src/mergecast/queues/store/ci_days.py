"""Sums of the executions of each day, so that a year can be read quickly.

A day is summed once it is over and nothing has arrived about it for a while. Until then, and again when one
of its executions changes, its executions are read one by one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci_rows import CiDayRow, CiDaySumRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import repositories_listed
from mergecast.queues.store.store import Store

QUIET = 10 * MINUTE
_DAYS_AT_ONCE = 10


@dataclass(slots=True)
class _Sum:
    """What the statements count; buckets of running and of waiting."""

    totals: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    running: Counter[int] = field(default_factory=Counter)
    waiting: Counter[int] = field(default_factory=Counter)


def sum_days(held: HeldRepository, quiet: int = QUIET) -> bool:
    """Sum some days that are over and quiet; returns whether there may be more."""
    days = [day for (day,) in held.rows("ci_days_to_sum", held.now // DAY, held.now - quiet, _DAYS_AT_ONCE)]
    for day in days:
        _sum_day(held, day)
        held.give_way()
    if days:
        held.change_rows("delete_ci_days", days)
        held.insert([CiDayRow(held.state.id, day, is_summed=True, changed_at=held.now) for day in days])
        held.save(held.state)
    return len(days) == _DAYS_AT_ONCE


async def repositories_to_sum(store: Store, now: int) -> list[Repository]:
    """The repositories with days that can be summed."""
    statement, parameters = "repositories_with_ci_days", [now // DAY, now - QUIET]
    return await store.read(None, partial(repositories_listed, statement=statement, parameters=parameters))


def _sum_day(held: HeldRepository, day: int) -> None:
    sums: defaultdict[tuple[int, int, int, int], _Sum] = defaultdict(_Sum)
    asked = (day * DAY, (day + 1) * DAY, None, DAY, 0)
    for *key, _, runs, failed, seconds, waited in held.rows("ci_totals", *asked):
        sums[_key(key)].totals = [int(total) for total in (runs, failed, seconds, waited)]
    for *key, _, is_waiting, bucket, count in held.rows("ci_buckets", *asked):
        found = sums[_key(key)]
        (found.waiting if is_waiting else found.running)[bucket] = count
    held.insert(
        CiDaySumRow._make(
            (held.state.id, day, *key, *found.totals, *_lists(found.running), *_lists(found.waiting))
        )
        for key, found in sorted(sums.items())
    )


def _key(columns: Sequence[int]) -> tuple[int, int, int, int]:
    base_ref, queue_name, name, runner = columns
    return base_ref, queue_name, name, runner


def _lists(counts: Mapping[int, int]) -> tuple[str, str]:
    """The buckets, and how many are in each."""
    buckets = sorted(counts)
    return ",".join(map(str, buckets)), ",".join(str(counts[bucket]) for bucket in buckets)
