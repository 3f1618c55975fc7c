"""Replay a train: from arrivals, a policy and an oracle to a record."""

from collections.abc import Iterable

from mergecast.garbage import no_garbage_collection
from mergecast.replay.codes import NEVER
from mergecast.replay.layout import (
    BATCH_WIDTH,
    BISECTION_WIDTH,
    RUN_WIDTH,
    SPLIT_WIDTH,
    STAY_WIDTH,
    Queue,
)
from mergecast.replay.loop import play
from mergecast.replay.prepare import prepare
from mergecast.replay.record import Batches, Bisections, Column, Record, Runs, Splits, Stays
from mergecast.replay.values import Arrivals, Oracle, Policy, Surroundings

_NOTHING_AROUND = Surroundings()


def replay(
    arrivals: Arrivals, policy: Policy, oracle: Oracle, around: Surroundings = _NOTHING_AROUND
) -> Record:
    """Replay these pull requests under this policy."""
    with no_garbage_collection():  # which would slow a year down by 6 to 10 %
        queue = prepare(arrivals, policy, oracle, around)
        play(queue)
        return _record(queue)


def _record(queue: Queue) -> Record:
    """The columns of the record, which refers to rows by number instead of by start position."""
    stays = Stays(*_columns(queue.stays, Stays, STAY_WIDTH))
    batches = Batches(*_columns(queue.batches, Batches, BATCH_WIDTH))
    runs = Runs(*_columns(queue.runs, Runs, RUN_WIDTH))
    splits = Splits(*_columns(queue.splits, Splits, SPLIT_WIDTH))
    bisections = Bisections(*_columns(queue.bisections, Bisections, BISECTION_WIDTH))
    deciding = zip(stays.batch, stays.left_at, strict=True)
    return Record(
        stays=stays._replace(
            batch=_numbers([one if at != NEVER else NEVER for one, at in deciding], BATCH_WIDTH)
        ),
        batches=batches._replace(bisection=_numbers(batches.bisection, BISECTION_WIDTH)),
        members=_numbers(queue.members, STAY_WIDTH),
        runs=runs._replace(batch=_numbers(runs.batch, BATCH_WIDTH)),
        splits=splits._replace(
            bisection=_numbers(splits.bisection, BISECTION_WIDTH), batch=_numbers(splits.batch, BATCH_WIDTH)
        ),
        bisections=bisections._replace(batch=_numbers(bisections.batch, BATCH_WIDTH)),
    )


def _columns(table: list[int], kind: type[tuple[Column, ...]], width: int) -> list[Column]:
    """The first columns of a table, one for each field of the record type."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return [table[column::width] for column in range(len(fields))]


def _numbers(places: Iterable[int], width: int) -> Column:
    """The numbers of the rows that begin at these positions; NEVER stays NEVER."""
    return [place // width for place in places]
