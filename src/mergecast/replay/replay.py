"""Replay a train: from arrivals, a policy and an oracle to a record."""

from array import array
from collections.abc import Iterable

from mergecast.replay.codes import NEVER
from mergecast.replay.columns import Column
from mergecast.replay.layout import (
    BATCH_WIDTH,
    BISECTION_WIDTH,
    RUN_WIDTH,
    SPLIT_WIDTH,
    STAY_WIDTH,
    Queue,
)
from mergecast.replay.loop import play
from mergecast.replay.prepare import Prepared, prepare
from mergecast.replay.record import Batches, Bisections, Record, Runs, Splits, Stays
from mergecast.replay.values import Arrivals, Oracle, Policy, Surroundings

_NOTHING_AROUND = Surroundings()
_MOST_RUNS_PER_PULL = 16
_SPARE_RUNS = 50_000


class ReplayTooLong(Exception):
    """The queue does not come to rest: it starts many more runs than any real one would."""


def replay(
    arrivals: Arrivals, policy: Policy, oracle: Oracle, around: Surroundings = _NOTHING_AROUND
) -> Record:
    """What happens when these pull requests meet this policy."""
    pulls = len(arrivals.number)
    smallest = min(rule.batch_size_min for rule in policy.rules)
    room = pulls // 2 + pulls // smallest + 1000  # enough unless much fails
    while room < _MOST_RUNS_PER_PULL * pulls + _SPARE_RUNS:
        queue = _queue(prepare(arrivals, policy, around), room)
        if play(queue, oracle):
            return _record(queue)
        room *= 2
    raise ReplayTooLong(f"more than {room // 2} runs for {pulls} pull requests")


def _queue(prepared: Prepared, room: int) -> Queue:
    """An empty train with room for so many runs."""
    lanes = len(prepared.kinds[0]) * prepared.rules.lanes_per_kind
    return Queue(
        rules=prepared.rules,
        now=prepared.begins_at,
        free=prepared.rules.slots,
        land_at=prepared.begins_at,  # look at what stands in the train before anything happens
        pulls=prepared.pulls,
        stays=[0] * ((len(prepared.pulls[0]) + room // 4) * STAY_WIDTH),
        members=[0] * (len(prepared.pulls[0]) + room),
        batches=[0] * (room * BATCH_WIDTH),
        runs=[0] * (room * RUN_WIDTH),
        splits=[0] * (room // 4 * SPLIT_WIDTH),
        bisections=[0] * (room // 4 * BISECTION_WIDTH),
        takes_slot=[0, 1, prepared.rules.slot_until_merged, 0, 0],
        train=[0] * room,
        kept=[0] * room,
        lanes=[-1, -1, 0] * lanes,
        kinds=prepared.kinds,
        queue_rules=prepared.queue_rules,
        changes=prepared.changes,
        standing=prepared.standing,
        standing_members=prepared.standing_members,
        capacities=prepared.capacities,
    )


def _record(queue: Queue) -> Record:
    """The columns of the record; rows are known by their number there, not by where they begin."""
    stays = Stays(*_columns(queue.stays, Stays, STAY_WIDTH, queue.end_stays))
    batches = Batches(*_columns(queue.batches, Batches, BATCH_WIDTH, queue.end_batches))
    runs = Runs(*_columns(queue.runs, Runs, RUN_WIDTH, queue.end_runs))
    splits = Splits(*_columns(queue.splits, Splits, SPLIT_WIDTH, queue.end_splits))
    bisections = Bisections(*_columns(queue.bisections, Bisections, BISECTION_WIDTH, queue.end_bisections))
    deciding = zip(stays.batch, stays.left_at, strict=True)
    return Record(
        stays=stays._replace(
            batch=_numbers([one if at != NEVER else NEVER for one, at in deciding], BATCH_WIDTH)
        ),
        batches=batches._replace(bisection=_numbers(batches.bisection, BISECTION_WIDTH)),
        members=_numbers(queue.members[: queue.end_members], STAY_WIDTH),
        runs=runs._replace(batch=_numbers(runs.batch, BATCH_WIDTH)),
        splits=splits._replace(
            bisection=_numbers(splits.bisection, BISECTION_WIDTH), batch=_numbers(splits.batch, BATCH_WIDTH)
        ),
        bisections=bisections._replace(batch=_numbers(bisections.batch, BATCH_WIDTH)),
    )


def _columns(table: list[int], kind: type[tuple[Column, ...]], width: int, end: int) -> list[Column]:
    """The first columns of a table, one for each field of the kind."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return [array("q", table[column:end:width]) for column in range(len(fields))]


def _numbers(places: Iterable[int], width: int) -> Column:
    """Which rows begin at these places; NEVER stays NEVER."""
    return array("q", [place // width for place in places])
