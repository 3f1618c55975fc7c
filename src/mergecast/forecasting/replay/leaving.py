"""Ends runs and stays, and dissolves batches."""

from mergecast.forecasting.replay.codes import NEVER
from mergecast.forecasting.replay.layout import (
    B_BISECTION,
    B_GONE,
    B_OFFSET,
    B_RUN,
    B_SIZE,
    B_STATE,
    I_ENDED_AT,
    I_PARTS,
    R_ENDED_AT,
    R_OUTCOME,
    R_STARTED_AT,
    RUNNING,
    S_BATCH,
    S_LEFT_AT,
    S_REASON,
    Queue,
    join_from_ahead,
)
from mergecast.forecasting.replay.train import append, close_gaps, forget, is_related, mask_of

_MARKED = 2


def end_run(queue: Queue, batch: int, outcome: int) -> None:
    now, runs = queue.now, queue.runs
    run = queue.batches[batch + B_RUN]
    runs[run + R_ENDED_AT] = now
    runs[run + R_OUTCOME] = outcome
    if runs[run + R_STARTED_AT] > now:  # it was stopped before its checks began
        runs[run + R_STARTED_AT] = now


def leave(queue: Queue, stay: int, reason: int, batch: int) -> None:
    """End a stay that is in no lane, unmerged; the oracle is asked later whether it comes back."""
    stays = queue.stays
    stays[stay + S_LEFT_AT] = queue.now
    stays[stay + S_REASON] = reason
    stays[stay + S_BATCH] = batch
    queue.left.append(stay)


def mark(queue: Queue, place: int, beginning: int) -> None:
    """Mark, from a start position on, what is built on the batch at a position, and that batch if reached."""
    batch = queue.train[place]
    mask, bisection = mask_of(queue, batch), queue.batches[batch + B_BISECTION]
    for at in range(beginning, len(queue.train)):
        other = queue.train[at]
        if at == place or is_related(queue, other, mask, bisection):
            mask |= mask_of(queue, other)
            queue.batches[other + B_GONE] = _MARKED


def stop_marked(queue: Queue, code: int) -> None:
    """Dissolve the marked batches: their runs end, and their members wait again with their old queue time."""
    for at in range(len(queue.train) - 1, queue.front - 1, -1):
        batch = queue.train[at]
        if queue.batches[batch + B_GONE] == _MARKED:
            if queue.batches[batch + B_STATE] == RUNNING:
                end_run(queue, batch, code)
            _send_back(queue, batch)
            forget(queue, batch)
    close_gaps(queue)


def _send_back(queue: Queue, batch: int) -> None:
    bisection = queue.batches[batch + B_BISECTION]
    if bisection >= 0 and queue.rules.keeps_parts:
        queue.kept.append(batch)
        queue.bisections[bisection + I_PARTS] += 1  # the search continues until the part is parked again
        return
    offset = queue.batches[batch + B_OFFSET]
    for place in range(offset + queue.batches[batch + B_SIZE] - 1, offset - 1, -1):
        stay = queue.members[place]
        if queue.stays[stay + S_LEFT_AT] == NEVER:
            join_from_ahead(queue, stay)


def park_kept(queue: Queue) -> None:
    """Put stopped parts at the end of the train as new batches, the front one first."""
    batches, bisections = queue.batches, queue.bisections
    while queue.kept:
        batch = queue.kept.pop()
        bisection = batches[batch + B_BISECTION]
        offset = len(queue.members)
        size = _copy_members(queue, batch)
        if size > 0:
            append(queue, offset, size, bisection)
        bisections[bisection + I_PARTS] -= 1
        if bisections[bisection + I_PARTS] == 0:
            bisections[bisection + I_ENDED_AT] = queue.now


def _copy_members(queue: Queue, batch: int) -> int:
    """Copy the members of a batch that have not left; returns their number."""
    offset, members = queue.batches[batch + B_OFFSET], queue.members
    of_batch = members[offset : offset + queue.batches[batch + B_SIZE]]
    staying = [stay for stay in of_batch if queue.stays[stay + S_LEFT_AT] == NEVER]
    members += staying
    return len(staying)
