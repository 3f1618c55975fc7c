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
from mergecast.forecasting.replay.leaving import leave, mark, park_kept, stop_marked
from mergecast.forecasting.replay.oracle_calls import enter, start_run
from mergecast.forecasting.replay.state import (
    GATE,
    GREEN,
    OUTAGE,
    PAUSE,
    RED,
    RUNNING,
    Batch,
    Change,
    Queue,
    Run,
    Stay,
    take_out,
)
from mergecast.forecasting.replay.train import append, measure_tree, position_of, set_state
from mergecast.forecasting.replay.values import InitialBatch


def finish(queue: Queue, batch: Batch, run: Run) -> None:
    """A run has its verdict."""
    run.ended_at = queue.now
    verdict = run.verdict
    if verdict == PASS:
        run.outcome = PASS
        set_state(queue, batch, GREEN)
        return
    may_retry = verdict != TIMEOUT or queue.variants.retries_timeouts
    if may_retry and batch.attempt <= batch.kind.settings.max_checks_retries:
        run.outcome = RETRIED
        batch.attempt += 1
        start_run(queue, batch, queue.now)
        return
    run.outcome = verdict
    set_state(queue, batch, RED)


def depart(queue: Queue, stay: Stay) -> None:
    """A person removes a pull request."""
    if stay.batch is None:
        take_out(queue, stay)
    else:
        stay.left_at = queue.now  # so that it is not sent back to wait with the others
        place = position_of(queue, stay.batch)
        mark(queue, place, place)
        stop_marked(queue, AHEAD_LEFT, stay.batch if queue.variants.stopped_wait else None)
        park_kept(queue)
    leave(queue, stay, stay.removal_reason, None)


def apply_change(queue: Queue, change: Change) -> None:
    """Something opens or closes, or someone pushes to the base branch."""
    if change.action == GATE:
        queue.closed_by[change.rule] += change.step
        queue.closed += change.step
    elif change.action == OUTAGE:
        queue.stalled_by += change.step
    elif change.action == PAUSE:
        queue.paused_by += change.step
        if change.step > 0 and queue.paused_by == 1:
            _stop_runs(queue)
    elif queue.policy.reset_on_external_merge:
        _start_over(queue)


def _stop_runs(queue: Queue) -> None:
    """Dissolve every batch that runs, and what is built on it."""
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        if batch.state == RUNNING and not batch.is_marked:
            mark(queue, place, place)
    stop_marked(queue, PAUSED)
    park_kept(queue)


def _start_over(queue: Queue) -> None:
    """Dissolve the whole train."""
    for batch in queue.train[queue.front :]:
        batch.is_marked = True
    stop_marked(queue, RESET)
    park_kept(queue)


def add_initial_batch(queue: Queue, initial: InitialBatch) -> None:
    """Put a batch that was under test when the replay begins into the train."""
    offset = len(queue.members)
    for row in initial.members:
        pull = queue.pulls[row]
        enter(queue, pull, 0, pull.entered_at)
        stay = queue.stays[-1]
        take_out(queue, stay)
        queue.members.append(stay)
    batch = append(queue, offset, len(initial.members), None)
    measure_tree(queue, len(queue.train) - 1)
    batch.attempt = initial.attempt
    if initial.has_passed:
        set_state(queue, batch, GREEN)
    else:
        set_state(queue, batch, RUNNING)
        start_run(queue, batch, initial.started_at)


def interrupt(queue: Queue) -> None:
    """Let the pull requests that entered at this instant interrupt, the most urgent first."""
    newcomers = [stay for stay in queue.urgent if stay.left_at == NEVER]
    queue.urgent.clear()
    for newcomer in sorted(newcomers, key=_place_in_line):
        if queue.policy.landing is not None:
            _mark_all(queue)
        elif queue.is_isolated:
            _mark_youngest(queue, newcomer)
        else:
            _mark_lower(queue, newcomer)
        stop_marked(queue, OVERTAKEN)
        park_kept(queue)


def _place_in_line(stay: Stay) -> tuple[int, int, int]:
    return -stay.pull.priority, stay.order, stay.pull.number


def _mark_all(queue: Queue) -> None:
    if queue.front < len(queue.train):
        mark(queue, queue.front, queue.front)


def _mark_youngest(queue: Queue, newcomer: Stay) -> None:
    """In isolated mode, mark the youngest running batch of lower priority, if no slot is free."""
    if queue.free > 0:
        return
    for place in range(len(queue.train) - 1, queue.front - 1, -1):
        batch = queue.train[place]
        is_free = batch.state == RUNNING and batch.bisection is None
        if is_free and _lower_members(queue, batch, newcomer) == batch.size:
            mark(queue, place, place)
            return


def _mark_lower(queue: Queue, newcomer: Stay) -> None:
    """Mark the first running batch behind all bisections with a lower priority, and all built on it."""
    mask = newcomer.pull.kind.mask
    first = _behind_bisections(queue, mask)
    if first > queue.front and not queue.variants.forms_behind_failure:
        return
    for place in range(first, len(queue.train)):
        batch = queue.train[place]
        is_spared = queue.variants.spares_head and place == queue.front
        may_stop = batch.state == RUNNING and not is_spared and mask & batch.kind.mask
        if may_stop and _lower_members(queue, batch, newcomer) > 0:
            mark(queue, place, place)
            return


def _behind_bisections(queue: Queue, mask: int) -> int:
    """The first position behind all parts of bisections that share a bit with the mask."""
    for place in range(len(queue.train) - 1, queue.front - 1, -1):
        batch = queue.train[place]
        if batch.bisection is not None and mask & batch.kind.mask:
            return place + 1
    return queue.front


def _lower_members(queue: Queue, batch: Batch, newcomer: Stay) -> int:
    """How many members of a batch have a lower priority."""
    priority = newcomer.pull.priority
    return sum(stay.pull.priority < priority for stay in queue.members_of(batch))
