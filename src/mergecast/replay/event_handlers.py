"""What can happen to a train, apart from arrivals: results, departures, closed time, pushes."""

from mergecast.replay.codes import (
    AHEAD_LEFT,
    PASS,
    PAUSED,
    RESET,
    RETRIED,
    TIMEOUT,
)
from mergecast.replay.layout import (
    B_ATTEMPT,
    B_GONE,
    B_RULE,
    B_STATE,
    C_ACTION,
    C_RULE,
    C_STEP,
    GATE,
    GREEN,
    PAUSE,
    Q_CLOSED,
    Q_RETRIES,
    R_ENDED_AT,
    R_OUTCOME,
    R_VERDICT,
    RED,
    RUNNING,
    S_BATCH,
    S_LEFT_AT,
    S_WHY,
    STAY_WIDTH,
    T_ATTEMPT,
    T_HAS_PASSED,
    T_SIZE,
    T_STARTED_AT,
    Queue,
    take_out,
)
from mergecast.replay.leaving import leave, mark, park_kept, stop_marked
from mergecast.replay.oracle_calls import start_again
from mergecast.replay.train import append, measure_tree, position_of, set_state


def finish(queue: Queue, batch: int, run: int) -> None:
    """A run has its verdict."""
    batches, runs, by_state = queue.batches, queue.runs, queue.by_state
    runs[run + R_ENDED_AT] = queue.now
    verdict = runs[run + R_VERDICT]
    if verdict == PASS:
        runs[run + R_OUTCOME] = PASS
        batches[batch + B_STATE] = GREEN
        by_state[RUNNING] -= 1
        by_state[GREEN] += 1
        if not queue.rules.slot_until_merged:
            queue.free += 1
        return
    attempt = batches[batch + B_ATTEMPT]
    may_retry = verdict != TIMEOUT or queue.rules.retries_timeouts
    if may_retry and attempt <= queue.queue_rules[Q_RETRIES][batches[batch + B_RULE]]:
        runs[run + R_OUTCOME] = RETRIED
        batches[batch + B_ATTEMPT] = attempt + 1
        start_again(queue, batch, queue.now)
        return
    runs[run + R_OUTCOME] = verdict
    set_state(queue, batch, RED)


def depart(queue: Queue, stay: int) -> None:
    """A person removes a pull request."""
    stays = queue.stays
    batch = stays[stay + S_BATCH]
    if batch < 0:
        take_out(queue, stay)
    else:
        stays[stay + S_LEFT_AT] = queue.now  # so that it is not sent back to wait with the others
        place = position_of(queue, batch)
        mark(queue, place, place)
        stop_marked(queue, AHEAD_LEFT)
        park_kept(queue)
    leave(queue, stay, stays[stay + S_WHY], -1)


def change_surroundings(queue: Queue, change: int) -> None:
    """Something opens or closes, or someone pushes to the base branch."""
    changes = queue.changes
    action, step = changes[C_ACTION][change], changes[C_STEP][change]
    if action == GATE:
        queue.queue_rules[Q_CLOSED][changes[C_RULE][change]] += step
        queue.closed += step
    elif action == PAUSE:
        queue.paused_by += step
        if step > 0 and queue.paused_by == 1:
            _stop_runs(queue)
    elif queue.rules.resets:
        _start_over(queue)


def _stop_runs(queue: Queue) -> None:
    """Dissolve every batch that runs, and what is built on it."""
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        if queue.batches[batch + B_STATE] == RUNNING and not queue.batches[batch + B_GONE]:
            mark(queue, place, place)
    stop_marked(queue, PAUSED)
    park_kept(queue)


def _start_over(queue: Queue) -> None:
    """Dissolve the whole train."""
    for place in range(queue.front, len(queue.train)):
        mark(queue, place, place)
    stop_marked(queue, RESET)
    park_kept(queue)


def stand(queue: Queue, row: int) -> None:
    """Put a standing batch into the train; its members are the last pull requests that entered."""
    standing = queue.standing
    offset, size = len(queue.members), standing[T_SIZE][row]
    end = len(queue.stays)
    for stay in range(end - size * STAY_WIDTH, end, STAY_WIDTH):
        take_out(queue, stay)
        queue.members.append(stay)
    batch = append(queue, offset, size, -1)
    measure_tree(queue, len(queue.train) - 1)
    queue.batches[batch + B_ATTEMPT] = standing[T_ATTEMPT][row]
    if standing[T_HAS_PASSED][row]:
        set_state(queue, batch, GREEN)
    else:
        set_state(queue, batch, RUNNING)
        start_again(queue, batch, standing[T_STARTED_AT][row])
