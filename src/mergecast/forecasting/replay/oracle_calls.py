"""Asks the oracle: about a pull request that enters, a run that starts, a pull request that left."""

from heapq import heappush

from mergecast.forecasting.replay.codes import NEVER, TIMEOUT
from mergecast.forecasting.replay.state import (
    DEPARTURE,
    RESULT,
    RETURN,
    RUNNING,
    WAKE_UP,
    Batch,
    Pull,
    Queue,
    Run,
    Stay,
    join_from_behind,
)
from mergecast.forecasting.replay.values import Leaving, ReplayTooLong


def enter(queue: Queue, pull: Pull, turn: int, at: int) -> None:
    """Begin a stay."""
    stays, lane = queue.stays, pull.lane
    flaws, leaves_at, reason = queue.fate(queue.tables, (pull.row, turn, at))
    stay = Stay(len(stays), pull, turn, at, at, flaws, reason)
    stays.append(stay)
    if pull.interrupts:
        queue.urgent.append(stay)
        if queue.policy.landing is not None:  # on GitHub, the last one that jumped is the first in line
            stay.order = -at
    if not lane or lane[-1].order < stay.order:  # the youngest, as nearly always
        lane.append(stay)
        queue.waiting += 1
    else:
        join_from_behind(queue, stay)
    if leaves_at != NEVER:
        heappush(queue.agenda, (max(leaves_at, queue.now), DEPARTURE, pull.number, stay.number))


def start_run(queue: Queue, batch: Batch, formed_at: int) -> None:
    """Start a run of a batch that is in the train and holds a slot, and schedule its result."""
    runs, kind, attempt, ahead = queue.runs, batch.kind, batch.attempt, batch.ahead
    number = len(runs)
    if number > queue.most_runs:
        raise ReplayTooLong(f"more than {number} runs for {len(queue.pulls)} pull requests")
    leader = queue.members[batch.offset].pull
    led, in_flight = leader.led, queue.by_state[RUNNING]
    leader.led = led + 1
    tree, is_part = batch.broken + batch.broken_ahead, batch.bisection is not None
    elapsed, rule = queue.now - formed_at, kind.rule
    delay, length, verdict = queue.outcome(
        queue.tables,
        (leader.row, led, batch.size, ahead, tree, attempt, is_part, in_flight, formed_at, elapsed, rule),
    )
    timeout = kind.settings.checks_timeout
    if timeout is not None and timeout < length:
        length, verdict = timeout, TIMEOUT
    starts_at = formed_at + delay
    batch.run = run = Run(batch.number, attempt, formed_at, starts_at, ahead, in_flight, verdict)
    runs.append(run)
    ends_at = starts_at + length
    if ends_at < queue.now:  # it should have ended before the replay began
        ends_at = queue.now
    heappush(queue.agenda, (ends_at, RESULT, batch.number, number))


def schedule_returns(queue: Queue) -> None:
    """Schedule the return of pull requests that have left unmerged since the last call."""
    for stay in queue.left:
        pull = stay.pull
        gap = queue.comes_back(queue.tables, Leaving(pull.row, stay.turn, stay.reason, stay.left_at))
        if gap != NEVER:
            heappush(queue.agenda, (queue.now + max(gap, 1), RETURN, pull.number, stay.number))
    queue.left.clear()


def check_again_at(queue: Queue, at: int) -> None:
    """Check the train again at an instant, even if nothing happens then."""
    if at not in queue.wake_ups:
        queue.wake_ups.add(at)
        heappush(queue.agenda, (at, WAKE_UP, 0, 0))
