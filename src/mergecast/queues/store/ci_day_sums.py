"""The sums of the executions of one day: one row for each check on one kind of machine in one queue."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mergecast.queues.model.instant import DAY
from mergecast.queues.store.ci_rows import CiDaySumRow

# Reads rows by a statement of `queues/store/sql` and its parameters after the repository.
ReadRows = Callable[..., list[tuple[Any, ...]]]


@dataclass(slots=True)
class _Sum:
    """What the statements count; buckets of running and of waiting."""

    totals: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    running: Counter[int] = field(default_factory=Counter)
    waiting: Counter[int] = field(default_factory=Counter)


def day_sums(read: ReadRows, repository_id: int, day: int) -> list[CiDaySumRow]:
    """The sums of the executions of a day."""
    sums: defaultdict[tuple[int, int, int, int], _Sum] = defaultdict(_Sum)
    asked = (day * DAY, (day + 1) * DAY, None, DAY, 0)
    for *key, _, runs, failed, seconds, waited in read("ci_totals", *asked):
        sums[_key(key)].totals = [int(total) for total in (runs, failed, seconds, waited)]
    for *key, _, is_waiting, bucket, count in read("ci_buckets", *asked):
        found = sums[_key(key)]
        (found.waiting if is_waiting else found.running)[bucket] = count
    return [
        CiDaySumRow._make(
            (repository_id, day, *key, *found.totals, *_lists(found.running), *_lists(found.waiting))
        )
        for key, found in sorted(sums.items())
    ]


def _key(columns: Sequence[int]) -> tuple[int, int, int, int]:
    base_ref, queue_name, name, runner = columns
    return base_ref, queue_name, name, runner


def _lists(counts: Mapping[int, int]) -> tuple[str, str]:
    """The buckets, and how many are in each."""
    buckets = sorted(counts)
    return ",".join(map(str, buckets)), ",".join(str(counts[bucket]) for bucket in buckets)
