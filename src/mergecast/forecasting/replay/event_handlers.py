"""What can happen to a train: results, departures, closed time, pushes, and newcomers that interrupt."""

from mergecast.forecasting.replay.codes import (
    AHEAD_LEFT,
    NEVER,
    OVERTAKEN,
    PASS,
    PAUSED,
    RESET,
    RETRIED,
    TIMEOUT,
)
from mergecast.forecasting.replay.layout import (
    B_ATTEMPT,
    B_BISECTION,
    B_GONE,
    B_KIND,
    B_OFFSET,
    B_RULE,
    B_SIZE,
    B_STATE,
    C_ACTION,
    C_RULE,
    C_STEP,
    GATE,
    GREEN,
    K_MASK,
    P_KIND,
    P_NUMBER,
    P_PRIORITY,
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
    S_ORDER,
    S_PULL,
    S_WHY,
    STAY_WIDTH,
    T_ATTEMPT,
    T_HAS_PASSED,
    T_SIZE,
    T_STARTED_AT,
    Queue,
    take_out,
)
from mergecast.forecasting.replay.leaving import leave, mark, park_kept, stop_marked
from mergecast.forecasting.replay.oracle_calls import start_again
from mergecast.forecasting.replay.train import append, measure_tree, position_of, set_state


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


def interrupt(queue: Queue) -> None:
    """Let the pull requests that entered at this instant interrupt, the most urgent first."""
    stays = queue.stays
    newcomers = [stay for stay in queue.urgent if stays[stay + S_LEFT_AT] == NEVER]
    queue.urgent.clear()
    for newcomer in sorted(newcomers, key=lambda stay: _place_in_line(queue, stay)):
        if queue.rules.lands_groups:
            _mark_all(queue)
        elif queue.rules.is_isolated:
            _mark_youngest(queue, newcomer)
        else:
            _mark_lower(queue, newcomer)
        stop_marked(queue, OVERTAKEN)
        park_kept(queue)


def _place_in_line(queue: Queue, stay: int) -> tuple[int, int, int]:
    pull = queue.stays[stay + S_PULL]
    return -queue.pulls[P_PRIORITY][pull], queue.stays[stay + S_ORDER], queue.pulls[P_NUMBER][pull]


def _mark_all(queue: Queue) -> None:
    if queue.front < len(queue.train):
        mark(queue, queue.front, queue.front)


def _mark_youngest(queue: Queue, newcomer: int) -> None:
    """In isolated mode, mark the youngest running batch of lower priority, if no slot is free."""
    if queue.free > 0:
        return
    for place in range(len(queue.train) - 1, queue.front - 1, -1):
        batch = queue.train[place]
        is_free = queue.batches[batch + B_STATE] == RUNNING and queue.batches[batch + B_BISECTION] < 0
        if is_free and _lower_members(queue, batch, newcomer) == queue.batches[batch + B_SIZE]:
            mark(queue, place, place)
            return


def _mark_lower(queue: Queue, newcomer: int) -> None:
    """Mark the first running batch behind all bisections with a lower priority, and all built on it."""
    mask = queue.kinds[K_MASK][queue.pulls[P_KIND][queue.stays[newcomer + S_PULL]]]
    first = _behind_bisections(queue, mask)
    if first > queue.front and not queue.rules.forms_behind_failure:
        return
    for place in range(first, len(queue.train)):
        batch = queue.train[place]
        is_spared = queue.rules.spares_head and place == queue.front
        is_running = queue.batches[batch + B_STATE] == RUNNING and not is_spared
        is_related = mask & queue.kinds[K_MASK][queue.batches[batch + B_KIND]]
        if is_running and is_related and _lower_members(queue, batch, newcomer) > 0:
            mark(queue, place, place)
            return


def _behind_bisections(queue: Queue, mask: int) -> int:
    """The first position behind all parts of bisections that share a bit with the mask."""
    for place in range(len(queue.train) - 1, queue.front - 1, -1):
        batch = queue.train[place]
        is_part = queue.batches[batch + B_BISECTION] >= 0
        if is_part and mask & queue.kinds[K_MASK][queue.batches[batch + B_KIND]]:
            return place + 1
    return queue.front


def _lower_members(queue: Queue, batch: int, newcomer: int) -> int:
    """How many members of a batch have a lower priority."""
    priority, stays = queue.pulls[P_PRIORITY], queue.stays
    offset, lower = queue.batches[batch + B_OFFSET], 0
    for member in range(offset, offset + queue.batches[batch + B_SIZE]):
        if priority[stays[queue.members[member] + S_PULL]] < priority[stays[newcomer + S_PULL]]:
            lower += 1
    return lower
