"""How a failed batch is split into parts."""

from mergecast.replay.codes import FAIL
from mergecast.replay.columns import write
from mergecast.replay.layout import (
    B_BISECTION,
    B_OFFSET,
    B_SIZE,
    B_VERDICT,
    BISECTION_WIDTH,
    END_BISECTIONS,
    END_SPLITS,
    I_SPLITS,
    IS_FULL,
    KNOWN,
    NOW,
    SPLIT_WIDTH,
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
    if not rules.tests_last_member and not queue.now[IS_FULL]:
        known = append(queue, offset + size - 1, 1, bisection)
        set_state(queue, known, KNOWN)
        batches[known + B_VERDICT] = FAIL
    forget(queue, batch)
    close_gaps_between(queue)


def _write_down(queue: Queue, batch: int) -> int:
    """Record a split; the bisection that it belongs to."""
    now, splits, bisections = queue.now, queue.splits, queue.bisections
    bisection = queue.batches[batch + B_BISECTION]
    if now[END_SPLITS] + 2 * SPLIT_WIDTH > len(splits):
        now[IS_FULL] = 1
        return int(bisection)
    if bisection < 0:
        bisection = now[END_BISECTIONS]
        now[END_BISECTIONS] += BISECTION_WIDTH
        write(bisections, bisection, (batch, -1, 0, 0, 0, 0))
    row = now[END_SPLITS]
    now[END_SPLITS] += SPLIT_WIDTH
    write(splits, row, (bisection, bisections[bisection + I_SPLITS], now[NOW], batch))
    bisections[bisection + I_SPLITS] += 1
    return int(bisection)
