"""How a failed batch is split into parts."""

from mergecast.replay.codes import FAIL
from mergecast.replay.layout import (
    B_BISECTION,
    B_OFFSET,
    B_SIZE,
    B_VERDICT,
    I_BATCH,
    I_CULPRIT_FOUND,
    I_ENDED_AT,
    I_LIMIT_REACHED,
    I_PARTS,
    I_SPLITS,
    IS_FULL,
    KNOWN,
    N_BISECTIONS,
    N_SPLITS,
    NOW,
    X_AT,
    X_BATCH,
    X_BISECTION,
    X_DEPTH,
    Queue,
)
from mergecast.replay.train import append, close_gaps_between, forget, set_state


def split(queue: Queue, batch: int) -> None:
    """Replace a failed batch by its parts, each on top of the one before.

    The last member is not tested unless the policy says so: base and all members is the run that failed.
    """
    batches, rules = queue.batches, queue.rules
    bisection = _write_down(queue, batch)
    offset, size = batches[B_OFFSET][batch], batches[B_SIZE][batch]
    tested = size if rules.tests_last_member else size - 1
    step = 1 if rules.parts == 0 else -(-tested // rules.parts)
    for first in range(0, tested, step):
        append(queue, offset + first, min(step, tested - first), bisection)
    if not rules.tests_last_member and not queue.now[IS_FULL]:
        known = append(queue, offset + size - 1, 1, bisection)
        set_state(queue, known, KNOWN)
        batches[B_VERDICT][known] = FAIL
    forget(queue, batch)
    close_gaps_between(queue)


def _write_down(queue: Queue, batch: int) -> int:
    """Record a split; the bisection that it belongs to."""
    now, splits, bisections = queue.now, queue.splits, queue.bisections
    bisection = queue.batches[B_BISECTION][batch]
    if now[N_SPLITS] + 1 >= len(splits[X_AT]):
        now[IS_FULL] = 1
        return int(bisection)
    if bisection < 0:
        bisection = now[N_BISECTIONS]
        now[N_BISECTIONS] += 1
        bisections[I_BATCH][bisection] = batch
        bisections[I_ENDED_AT][bisection] = -1
        bisections[I_CULPRIT_FOUND][bisection] = 0
        bisections[I_LIMIT_REACHED][bisection] = 0
        bisections[I_SPLITS][bisection] = 0
        bisections[I_PARTS][bisection] = 0
    row = now[N_SPLITS]
    now[N_SPLITS] += 1
    splits[X_BISECTION][row] = bisection
    splits[X_DEPTH][row] = bisections[I_SPLITS][bisection]
    splits[X_AT][row] = now[NOW]
    splits[X_BATCH][row] = batch
    bisections[I_SPLITS][bisection] += 1
    return int(bisection)
