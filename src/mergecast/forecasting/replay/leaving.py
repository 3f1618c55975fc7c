"""Ends runs and stays, and dissolves batches."""

from mergecast.forecasting.replay.codes import NEVER
from mergecast.forecasting.replay.state import RUNNING, Batch, Queue, Stay, join_from_ahead, join_last
from mergecast.forecasting.replay.train import append, close_gaps, count_part, forget, is_related


def end_run(queue: Queue, batch: Batch, outcome: int) -> None:
    run = batch.run
    if run is None:
        return
    run.ended_at = queue.now
    run.outcome = outcome
    run.started_at = min(run.started_at, queue.now)  # it may be stopped before its checks begin


def leave(queue: Queue, stay: Stay, reason: int, batch: Batch | None) -> None:
    """End a stay that is in no lane, unmerged; the oracle is asked later whether it comes back."""
    stay.left_at = queue.now
    stay.reason = reason
    stay.batch = batch
    queue.left.append(stay)


def mark(queue: Queue, place: int, beginning: int) -> None:
    """Mark, from a start position on, what is built on the batch at a position, and that batch if reached."""
    batch = queue.train[place]
    mask, bisection = batch.kind.mask, batch.bisection
    for other in queue.train[beginning:]:
        if other is batch or is_related(other, mask, bisection):
            mask |= other.kind.mask
            other.is_marked = True


def stop_marked(queue: Queue, code: int, last: Batch | None = None) -> None:
    """Dissolve the marked batches: their runs end, and their members wait again with their old queue time.

    The members of the one that is to wait last go to the end of the line.
    """
    for batch in reversed(queue.train[queue.front :]):
        if batch.is_marked:
            if batch.state == RUNNING:
                end_run(queue, batch, code)
            if batch is last and batch.bisection is None:
                join_last(queue, [stay for stay in queue.members_of(batch) if stay.left_at == NEVER])
            else:
                _send_back(queue, batch)
            forget(queue, batch)
    close_gaps(queue)


def _send_back(queue: Queue, batch: Batch) -> None:
    if batch.bisection is not None and queue.variants.keeps_parts:
        queue.kept.append(batch)
        batch.bisection.parts += 1  # the search continues until the part is parked again
        return
    for stay in reversed(queue.members_of(batch)):
        if stay.left_at == NEVER:
            join_from_ahead(queue, stay)


def park_kept(queue: Queue) -> None:
    """Put stopped parts at the end of the train as new batches, the front one first."""
    while queue.kept:
        part = queue.kept.pop()
        staying = [stay for stay in queue.members_of(part) if stay.left_at == NEVER]
        offset = len(queue.members)
        queue.members += staying
        if staying:
            append(queue, offset, len(staying), part.bisection)
        if part.bisection is not None:
            count_part(queue, part.bisection, -1)
