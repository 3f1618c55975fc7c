"""Replay a train: from arrivals, a policy and an oracle to a record."""

from mergecast.replay.codes import NEVER
from mergecast.replay.columns import Table, column, table
from mergecast.replay.layout import (
    BATCH_COLUMNS,
    BISECTION_COLUMNS,
    FAR,
    FILL_AT,
    LAND_AT,
    LEFT,
    N_BATCHES,
    N_BISECTIONS,
    N_MEMBERS,
    N_RUNS,
    N_SPLITS,
    N_STAYS,
    NOW,
    NOW_LENGTH,
    RUN_COLUMNS,
    S_BATCH,
    S_LEFT_AT,
    SPLIT_COLUMNS,
    STAY_COLUMNS,
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
    room = 2 * pulls + 1000
    while room < _MOST_RUNS_PER_PULL * pulls + _SPARE_RUNS:
        queue = _queue(prepare(arrivals, policy, around), room)
        if play(queue, oracle):
            return _record(queue)
        room *= 2
    raise ReplayTooLong(f"more than {room // 2} runs for {pulls} pull requests")


def _queue(prepared: Prepared, room: int) -> Queue:
    """An empty train with room for so many runs."""
    now = [0] * NOW_LENGTH
    now[NOW], now[FILL_AT], now[LEFT] = prepared.begins_at, FAR, -1
    now[LAND_AT] = prepared.begins_at  # look at what stands in the train before anything happens
    lanes = len(prepared.kinds[0]) * prepared.rules.lanes_per_kind
    return Queue(
        rules=prepared.rules,
        now=now,
        pulls=prepared.pulls,
        stays=table(STAY_COLUMNS, room),
        members=column(2 * room),
        batches=table(BATCH_COLUMNS, room),
        runs=table(RUN_COLUMNS, room),
        splits=table(SPLIT_COLUMNS, room),
        bisections=table(BISECTION_COLUMNS, room),
        train=column(room),
        kept=column(room),
        lanes=[[-1] * lanes, [-1] * lanes, [0] * lanes],
        kinds=prepared.kinds,
        queue_rules=prepared.queue_rules,
        changes=prepared.changes,
        standing=prepared.standing,
        standing_members=prepared.standing_members,
        capacities=prepared.capacities,
    )


def _record(queue: Queue) -> Record:
    now = queue.now
    for stay in range(now[N_STAYS]):
        if queue.stays[S_LEFT_AT][stay] < 0:
            queue.stays[S_BATCH][stay] = NEVER
    return Record(
        stays=Stays(*_cut(queue.stays, len(Stays._fields), now[N_STAYS])),
        batches=Batches(*_cut(queue.batches, len(Batches._fields), now[N_BATCHES])),
        members=queue.members[: now[N_MEMBERS]],
        runs=Runs(*_cut(queue.runs, len(Runs._fields), now[N_RUNS])),
        splits=Splits(*_cut(queue.splits, len(Splits._fields), now[N_SPLITS])),
        bisections=Bisections(*_cut(queue.bisections, len(Bisections._fields), now[N_BISECTIONS])),
    )


def _cut(columns: Table, width: int, rows: int) -> Table:
    return [column[:rows] for column in columns[:width]]
