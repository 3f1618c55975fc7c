"""The train: batches under test, the front one first, and what each of them is built on.

Batch numbers increase along the train. Two batches are related if their masks share a bit
(serial: always; parallel: a scope; isolated: never) or when they are parts of one bisection.
"""

from mergecast.forecasting.replay.codes import BROKEN, EVERY_SCOPE
from mergecast.forecasting.replay.layout import (
    B_AHEAD,
    B_BISECTION,
    B_BROKEN,
    B_BROKEN_AHEAD,
    B_GONE,
    B_HOLD,
    B_KIND,
    B_SIZE,
    B_STATE,
    GREEN,
    I_ENDED_AT,
    I_PARTS,
    K_MASK,
    K_RULE,
    K_SCOPES,
    KNOWN,
    P_KIND,
    PARKED,
    RED,
    RUNNING,
    S_BATCH,
    S_FLAWS,
    S_PULL,
    Queue,
)


def append(queue: Queue, offset: int, size: int, bisection: int) -> int:
    """Add a parked batch to the end of the train; its members are already stored."""
    stays, members = queue.stays, queue.members
    batch = len(queue.batches)
    broken = 0
    for place in range(offset, offset + size):
        stay = members[place]
        stays[stay + S_BATCH] = batch
        broken += stays[stay + S_FLAWS] & BROKEN
    kind = queue.pulls[P_KIND][stays[members[offset] + S_PULL]]
    rule = queue.kinds[K_RULE][kind]
    queue.batches += (offset, size, bisection, rule, PARKED, 1, -1, -1, kind, 0, 0, broken, 0)
    queue.train.append(batch)
    queue.by_state[PARKED] += 1
    _count(queue, batch, 1)
    return batch


def _count(queue: Queue, batch: int, step: int) -> None:
    """Count a batch that joins or leaves the train."""
    batches = queue.batches
    queue.embarked += step * batches[batch + B_SIZE]
    queue.embarked_broken += step * batches[batch + B_BROKEN]
    bisection = batches[batch + B_BISECTION]
    if bisection >= 0:
        queue.parts += step
        queue.bisections[bisection + I_PARTS] += step
        if queue.bisections[bisection + I_PARTS] == 0:
            queue.bisections[bisection + I_ENDED_AT] = queue.now
    if not queue.rules.is_serial and queue.kinds[K_SCOPES][batches[batch + B_KIND]] == EVERY_SCOPE:
        queue.barriers += step


def set_state(queue: Queue, batch: int, state: int) -> None:
    at, takes_slot = batch + B_STATE, queue.takes_slot
    before = queue.batches[at]
    queue.by_state[before] -= 1
    queue.by_state[state] += 1
    queue.free += takes_slot[before] - takes_slot[state]
    queue.batches[at] = state


def forget(queue: Queue, batch: int) -> None:
    """Stop counting a batch that leaves the train; `close_gaps` then removes it."""
    batches = queue.batches
    state = batches[batch + B_STATE]
    queue.by_state[state] -= 1
    queue.free += queue.takes_slot[state]
    if batches[batch + B_HOLD] >= 0:
        queue.held -= 1
    batches[batch + B_GONE] = 1
    if batches[batch + B_BISECTION] < 0 and queue.rules.is_serial:
        queue.embarked -= batches[batch + B_SIZE]
        queue.embarked_broken -= batches[batch + B_BROKEN]
    else:
        _count(queue, batch, -1)


def close_gaps(queue: Queue) -> None:
    """Remove batches that have left the train; in a serial train they are at its ends."""
    train, batches = queue.train, queue.batches
    while queue.front < len(queue.train) and batches[train[queue.front] + B_GONE]:
        queue.front += 1
    while queue.front < len(queue.train) and batches[train[len(queue.train) - 1] + B_GONE]:
        train.pop()
    if not queue.rules.is_serial:
        close_gaps_between(queue)


def close_gaps_between(queue: Queue) -> None:
    """Remove batches that have left, anywhere in the train."""
    train, batches = queue.train, queue.batches
    kept = queue.front
    for place in range(queue.front, len(queue.train)):
        batch = train[place]
        if not batches[batch + B_GONE]:
            train[kept] = batch
            kept += 1
    del train[kept:]


def position_of(queue: Queue, batch: int) -> int:
    """The position of a batch in the train."""
    low, high = queue.front, len(queue.train) - 1
    while low < high:
        middle = (low + high) // 2
        if queue.train[middle] < batch:
            low = middle + 1
        else:
            high = middle
    return low


def mask_of(queue: Queue, batch: int) -> int:
    return queue.kinds[K_MASK][queue.batches[batch + B_KIND]]


def is_related(queue: Queue, batch: int, mask: int, bisection: int) -> bool:
    """Whether a batch shares a bit with the mask, or belongs to the bisection."""
    if mask & mask_of(queue, batch):
        return True
    return bisection >= 0 and queue.batches[batch + B_BISECTION] == bisection


def has_ancestors(queue: Queue, place: int) -> bool:
    """Whether the batch at this position is built on another one."""
    if queue.rules.is_serial:
        return place > queue.front
    batch = queue.train[place]
    mask, bisection = mask_of(queue, batch), queue.batches[batch + B_BISECTION]
    return any(is_related(queue, queue.train[ahead], mask, bisection) for ahead in range(queue.front, place))


def worst_ancestor(queue: Queue, place: int) -> int:
    """GREEN if everything that the batch is built on has passed, otherwise the state of one that has not.

    A failed or parked one takes precedence over a running one.
    """
    batches, train = queue.batches, queue.train
    mask, bisection = mask_of(queue, train[place]), batches[train[place] + B_BISECTION]
    worst = GREEN
    for ahead in range(place - 1, queue.front - 1, -1):
        batch = train[ahead]
        if is_related(queue, batch, mask, bisection):
            mask |= mask_of(queue, batch)
            state = batches[batch + B_STATE]
            if state in (RED, KNOWN, PARKED):
                return state
            if state == RUNNING:
                worst = RUNNING
    return worst


def measure_tree(queue: Queue, place: int) -> None:
    """Store how many pull requests, and how many broken ones, a batch is built on."""
    batches, batch = queue.batches, queue.train[place]
    bisection = batches[batch + B_BISECTION]
    tree = tree_ahead(queue, batches[batch + B_KIND], bisection, place)
    batches[batch + B_AHEAD], batches[batch + B_BROKEN_AHEAD] = tree


def tree_ahead(queue: Queue, kind: int, bisection: int = -1, place: int | None = None) -> tuple[int, int]:
    """How many pull requests, and how many broken ones, a batch at a position of the train is built on.

    Without a position: at its end.
    """
    batches, train, mask = queue.batches, queue.train, queue.kinds[K_MASK][kind]
    members = broken = 0
    for ahead in range((len(train) if place is None else place) - 1, queue.front - 1, -1):
        other = train[ahead]
        if is_related(queue, other, mask, bisection):
            mask |= mask_of(queue, other)
            members += batches[other + B_SIZE]
            broken += batches[other + B_BROKEN]
    return members, broken
