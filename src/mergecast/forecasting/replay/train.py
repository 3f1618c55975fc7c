"""The train: batches under test, the front one first, and what each of them is built on.

Batch numbers increase along the train. Two batches are related if their masks share a bit
(serial: always; parallel: a scope; isolated: never) or if they are parts of one bisection.
"""

from bisect import bisect_left
from operator import attrgetter

from mergecast.forecasting.replay.codes import BROKEN, EVERY_SCOPE
from mergecast.forecasting.replay.state import (
    GREEN,
    KNOWN,
    PARKED,
    RED,
    RUNNING,
    Batch,
    Bisection,
    Kind,
    Queue,
)

_NUMBER = attrgetter("number")


def append(queue: Queue, offset: int, size: int, bisection: Bisection | None) -> Batch:
    """Add a parked batch to the end of the train; its members are already stored."""
    members = queue.members[offset : offset + size]
    broken = sum(stay.flaws & BROKEN for stay in members)
    kind = members[0].pull.kind
    batch = Batch(len(queue.batches), offset, size, kind, bisection, PARKED, broken)
    for stay in members:
        stay.batch = batch
    queue.batches.append(batch)
    queue.train.append(batch)
    queue.by_state[PARKED] += 1
    _count(queue, batch, 1)
    return batch


def _count(queue: Queue, batch: Batch, step: int) -> None:
    """Count a batch that joins or leaves the train."""
    queue.embarked += step * batch.size
    queue.embarked_broken += step * batch.broken
    if batch.bisection is not None:
        queue.parts += step
        count_part(queue, batch.bisection, step)
    if not queue.is_serial and batch.kind.scopes == EVERY_SCOPE:
        queue.barriers += step


def count_part(queue: Queue, bisection: Bisection, step: int) -> None:
    """Count a part that is to be decided or has been; the bisection ends with its last part."""
    bisection.parts += step
    if bisection.parts == 0:
        bisection.ended_at = queue.now


def set_state(queue: Queue, batch: Batch, state: int) -> None:
    before, takes_slot = batch.state, queue.takes_slot
    queue.by_state[before] -= 1
    queue.by_state[state] += 1
    queue.free += takes_slot[before] - takes_slot[state]
    batch.state = state


def forget(queue: Queue, batch: Batch) -> None:
    """Stop counting a batch that leaves the train; `close_gaps` then removes it."""
    state = batch.state
    queue.by_state[state] -= 1
    queue.free += queue.takes_slot[state]
    if batch.hold >= 0:
        queue.held -= 1
    batch.is_gone = True
    if batch.bisection is None and queue.is_serial:
        queue.embarked -= batch.size
        queue.embarked_broken -= batch.broken
    else:
        _count(queue, batch, -1)


def close_gaps(queue: Queue) -> None:
    """Remove batches that have left the train; in a serial train they are at its ends."""
    train = queue.train
    while queue.front < len(train) and train[queue.front].is_gone:
        queue.front += 1
    while queue.front < len(train) and train[-1].is_gone:
        train.pop()
    if not queue.is_serial:
        close_gaps_between(queue)


def close_gaps_between(queue: Queue) -> None:
    """Remove batches that have left, anywhere in the train."""
    queue.train[queue.front :] = [batch for batch in queue.train[queue.front :] if not batch.is_gone]


def position_of(queue: Queue, batch: Batch) -> int:
    """The position of a batch in the train."""
    return bisect_left(queue.train, batch.number, queue.front, key=_NUMBER)


def is_related(batch: Batch, mask: int, bisection: Bisection | None) -> bool:
    """Whether a batch shares a bit with the mask, or belongs to the bisection."""
    if mask & batch.kind.mask:
        return True
    return bisection is not None and batch.bisection is bisection


def has_ancestors(queue: Queue, place: int) -> bool:
    """Whether the batch at this position is built on another one."""
    if queue.is_serial:
        return place > queue.front
    batch = queue.train[place]
    mask, bisection = batch.kind.mask, batch.bisection
    return any(is_related(queue.train[ahead], mask, bisection) for ahead in range(queue.front, place))


def worst_ancestor(queue: Queue, place: int) -> int:
    """GREEN if everything that the batch is built on has passed, otherwise the state of one that has not.

    A failed or parked one takes precedence over a running one.
    """
    train = queue.train
    mask, bisection = train[place].kind.mask, train[place].bisection
    worst = GREEN
    for ahead in range(place - 1, queue.front - 1, -1):
        batch = train[ahead]
        if is_related(batch, mask, bisection):
            mask |= batch.kind.mask
            if batch.state in (RED, KNOWN, PARKED):
                return batch.state
            if batch.state == RUNNING:
                worst = RUNNING
    return worst


def measure_tree(queue: Queue, place: int) -> None:
    """Store how many pull requests, and how many broken ones, a batch is built on."""
    batch = queue.train[place]
    batch.ahead, batch.broken_ahead = tree_ahead(queue, batch.kind, batch.bisection, place)


def tree_ahead(
    queue: Queue, kind: Kind, bisection: Bisection | None = None, place: int | None = None
) -> tuple[int, int]:
    """How many pull requests, and how many broken ones, a batch at a position of the train is built on.

    Without a position: at its end.
    """
    train, mask = queue.train, kind.mask
    members = broken = 0
    for ahead in range((len(train) if place is None else place) - 1, queue.front - 1, -1):
        other = train[ahead]
        if is_related(other, mask, bisection):
            mask |= other.kind.mask
            members += other.size
            broken += other.broken
    return members, broken
