"""Replay a train: from arrivals, a policy and an oracle to a record.

The loop takes what happens next from the agenda and applies what follows from it. Everything that happens at
one instant is applied first: changes around the train, departures, results, arrivals. Then newcomers
interrupt, batches settle, and free slots are filled, once.
"""

from collections.abc import Iterable
from heapq import heappop

from mergecast.forecasting.replay.codes import NEVER, UNFINISHED
from mergecast.forecasting.replay.event_handlers import change_surroundings, depart, finish, interrupt, stand
from mergecast.forecasting.replay.forming import fill_lanes, fill_line
from mergecast.forecasting.replay.layout import (
    BATCH_WIDTH,
    BISECTION_WIDTH,
    CHANGE,
    DEPARTURE,
    P_ENTERED_AT,
    P_STANDS,
    PARKED,
    R_OUTCOME,
    RESULT,
    RETURN,
    RUN_WIDTH,
    S_LEFT_AT,
    S_PULL,
    S_TURN,
    SPLIT_WIDTH,
    STAY_WIDTH,
    STOP,
    T_SIZE,
    Queue,
)
from mergecast.forecasting.replay.oracle_calls import enter, schedule_returns
from mergecast.forecasting.replay.prepare import prepare
from mergecast.forecasting.replay.record import Batches, Bisections, Column, Record, Runs, Splits, Stays
from mergecast.forecasting.replay.settling import settle
from mergecast.forecasting.replay.values import Arrivals, Oracle, Policy, Surroundings
from mergecast.process.garbage import no_garbage_collection

_NOTHING_AROUND = Surroundings()


def _play(queue: Queue) -> None:  # noqa: C901, PLR0912 - a call per step would cost a quarter of the time
    """Run the replay to its end."""
    entered_at, stands = queue.pulls[P_ENTERED_AT], queue.pulls[P_STANDS]
    agenda, by_state = queue.agenda, queue.by_state
    fill = fill_line if queue.rules.is_serial else fill_lanes
    _set_up(queue)
    pull = 0
    arrives_at = entered_at[pull]
    while True:
        at = agenda[0][0]
        is_quiet = arrives_at < at  # arrivals alone decide nothing
        if is_quiet:
            at = arrives_at
        elif agenda[0][1] == STOP:
            return
        if at > queue.now:
            queue.now = at
            queue.landed = 0
        else:
            at = queue.now
        if not is_quiet and not _take_due(queue) and arrives_at > at:
            continue
        while arrives_at <= at:
            if not stands[pull]:
                enter(queue, pull, 0, arrives_at)
            pull += 1
            arrives_at = entered_at[pull]
        if agenda[0][0] <= at:  # a pull request may leave in the instant of entering
            is_quiet = False
            _take_due(queue)
        if queue.urgent:
            is_quiet = False
            interrupt(queue)
        if not is_quiet:
            settle(queue)
        elif queue.waiting < queue.enough:
            continue
        queue.enough = 0
        if queue.free > 0 and (queue.waiting or by_state[PARKED]):
            fill(queue)
        if queue.left:
            schedule_returns(queue)


def _set_up(queue: Queue) -> None:
    """Put the standing batches into the train."""
    offset = 0
    for row in range(len(queue.standing[T_SIZE])):
        for place in range(offset, offset + queue.standing[T_SIZE][row]):
            pull = queue.standing_members[place]
            enter(queue, pull, 0, queue.pulls[P_ENTERED_AT][pull])
        offset += queue.standing[T_SIZE][row]
        stand(queue, row)
    queue.urgent.clear()  # they do not interrupt now


def _take_due(queue: Queue) -> bool:
    """Apply everything on the agenda that is due, and say whether anything happened.

    A run may have been stopped before its result, and a pull request may have left before a person would
    take it out.
    """
    agenda, at, happened = queue.agenda, queue.now, False
    while agenda[0][0] <= at:
        _, what, subject, detail = heappop(agenda)
        if what == RESULT:
            if queue.runs[detail + R_OUTCOME] != UNFINISHED:
                continue
            finish(queue, subject, detail)
        elif what == DEPARTURE:
            if queue.stays[detail + S_LEFT_AT] != NEVER:
                continue
            depart(queue, detail)
        elif what == RETURN:
            pull, turn = queue.stays[detail + S_PULL], queue.stays[detail + S_TURN]
            enter(queue, pull, turn + 1, at)
        elif what == CHANGE:
            change_surroundings(queue, subject)
        else:
            queue.wake_ups.discard(at)
        happened = True
    return happened


def replay(
    arrivals: Arrivals, policy: Policy, oracle: Oracle, around: Surroundings = _NOTHING_AROUND
) -> Record:
    """Replay these pull requests under this policy."""
    with no_garbage_collection():  # which would slow a year down by 6 to 10 %
        queue = prepare(arrivals, policy, oracle, around)
        _play(queue)
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
