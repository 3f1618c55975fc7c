"""Asks the oracle: about a pull request that enters, a run that starts, a pull request that left."""

from heapq import heappush

from mergecast.forecasting.replay.codes import NEVER, TIMEOUT, UNFINISHED
from mergecast.forecasting.replay.layout import (
    B_RUN,
    BATCH_WIDTH,
    DEPARTURE,
    P_NUMBER,
    Q_TIMEOUT,
    RESULT,
    RETURN,
    RUN_WIDTH,
    RUNNING,
    S_LEFT_AT,
    S_ORDER,
    S_PULL,
    S_REASON,
    S_TURN,
    WAKE_UP,
    Queue,
    join_from_behind,
)
from mergecast.forecasting.replay.values import Leaving, ReplayTooLong, RunStartFields


def enter(queue: Queue, pull: int, turn: int, at: int) -> None:
    """Begin a stay."""
    stays = queue.stays
    flaws, leaves_at, reason = queue.fate(queue.tables, (pull, turn, at))
    stay, order, lane = len(stays), at, queue.lane_of[pull]
    if queue.interrupts[pull]:
        queue.urgent.append(stay)
        if queue.rules.lands_groups:  # on GitHub, the last one that jumped is the first in line
            order = -at
    stays += (pull, turn, at, NEVER, NEVER, -1, 0, order, flaws, lane, reason)
    line = queue.lanes[lane]
    if not line or stays[line[-1] + S_ORDER] < order:  # the youngest, as nearly always
        line.append(stay)
        queue.waiting += 1
    else:
        join_from_behind(queue, stay)
    if leaves_at != NEVER:
        leaves_at = max(leaves_at, queue.now)
        heappush(queue.agenda, (leaves_at, DEPARTURE, queue.pulls[P_NUMBER][pull], stay))


def start_again(queue: Queue, batch: int, formed_at: int) -> None:
    """Start another run of a batch that is already in the train and holds a slot."""
    # One slice is read in half the time of its numbers one by one.
    offset, size, bisection, rule, _, attempt, _, _, _, ahead, broken_ahead, broken, _ = queue.batches[
        batch : batch + BATCH_WIDTH
    ]
    leader = queue.stays[queue.members[offset] + S_PULL]
    led, in_flight, elapsed = queue.led[leader], queue.by_state[RUNNING], queue.now - formed_at
    tree, is_part = broken + broken_ahead, bisection >= 0
    queue.batches[batch + B_RUN] = len(queue.runs)
    known = (leader, led, size, ahead, tree, attempt, is_part, in_flight, formed_at, elapsed, rule)
    start_run(queue, batch, known)


def start_run(queue: Queue, batch: int, known: RunStartFields) -> None:
    """Record a run and schedule its result."""
    runs = queue.runs
    run = len(runs)
    if run > queue.rules.most_runs:
        raise ReplayTooLong(
            f"more than {run // RUN_WIDTH} runs for {len(queue.pulls[P_NUMBER])} pull requests"
        )
    delay, length, verdict = queue.outcome(queue.tables, known)
    leader, led, _, ahead, _, attempt, _, in_flight, formed_at, _, rule = known
    queue.led[leader] = led + 1
    timeout = queue.queue_rules[Q_TIMEOUT][rule]
    if 0 <= timeout < length:
        length, verdict = timeout, TIMEOUT
    starts_at = formed_at + delay
    runs += (batch, attempt, formed_at, starts_at, NEVER, UNFINISHED, ahead, in_flight, verdict)
    ends_at = starts_at + length
    if ends_at < queue.now:  # it should have ended before the replay began
        ends_at = queue.now
    heappush(queue.agenda, (ends_at, RESULT, batch, run))


def schedule_returns(queue: Queue) -> None:
    """Schedule the return of pull requests that have left unmerged since the last call."""
    stays = queue.stays
    for stay in queue.left:
        pull, turn = stays[stay + S_PULL], stays[stay + S_TURN]
        leaving = Leaving(pull, turn, stays[stay + S_REASON], stays[stay + S_LEFT_AT])
        gap = queue.comes_back(queue.tables, leaving)
        if gap != NEVER:
            heappush(queue.agenda, (queue.now + max(gap, 1), RETURN, queue.pulls[P_NUMBER][pull], stay))
    queue.left.clear()


def check_again_at(queue: Queue, at: int) -> None:
    """Check the train again at an instant, even if nothing happens then."""
    if at not in queue.wake_ups:
        queue.wake_ups.add(at)
        heappush(queue.agenda, (at, WAKE_UP, 0, 0))
