"""How a failed batch is split into parts."""

from mergecast.replay.codes import FAIL
from mergecast.replay.layout import (
    B_BISECTION,
    B_OFFSET,
    B_SIZE,
    B_VERDICT,
    I_SPLITS,
    KNOWN,
    Queue,
)
from mergecast.replay.train import append, close_gaps_between, forget, set_state


def split(queue: Queue, batch: int) -> None:
    """Replace a failed batch by its parts, each on top of the one before.

    The last member is not tested unless the policy says so: base and all members is the run that failed.
    """
    batches, rules = queue.batches, queue.rules
    bisection = _write_down(queue, batch)
    offset, size = batches[batch + B_OFFSET], batches[batch + B_SIZE]
    tested = size if rules.tests_last_member else size - 1
    step = 1 if rules.parts == 0 else -(-tested // rules.parts)
    for first in range(0, tested, step):
        append(queue, offset + first, min(step, tested - first), bisection)
    if not rules.tests_last_member:
        known = append(queue, offset + size - 1, 1, bisection)
        set_state(queue, known, KNOWN)
        batches[known + B_VERDICT] = FAIL
    forget(queue, batch)
    close_gaps_between(queue)


def _write_down(queue: Queue, batch: int) -> int:
    """Record a split; the bisection that it belongs to."""
    splits, bisections = queue.splits, queue.bisections
    bisection = queue.batches[batch + B_BISECTION]
    if bisection < 0:
        bisection = len(bisections)
        bisections += (batch, -1, 0, 0, 0, 0)
    splits += (bisection, bisections[bisection + I_SPLITS], queue.now, batch)
    bisections[bisection + I_SPLITS] += 1
    return bisection
