"""The train: batches under test, the front one first, and what each of them is built on.

The numbers of batches grow along the train. Two batches are related when a bit of their masks is the same
(serial: always; parallel: a scope; isolated: never) or when they are parts of one bisection.
"""

from mergecast.replay.codes import BROKEN, EVERY_SCOPE
from mergecast.replay.layout import (
    B_AHEAD,
    B_ATTEMPT,
    B_BISECTION,
    B_BROKEN,
    B_BROKEN_AHEAD,
    B_GONE,
    B_HOLD,
    B_KIND,
    B_OFFSET,
    B_RULE,
    B_RUN,
    B_SIZE,
    B_STATE,
    BACK,
    FRONT,
    GREEN,
    I_ENDED_AT,
    I_PARTS,
    IS_FULL,
    K_MASK,
    K_RULE,
    K_SCOPES,
    KNOWN,
    N_BARRIERS,
    N_BATCHES,
    N_EMBARKED,
    N_EMBARKED_BROKEN,
    N_FAILED,
    N_HELD,
    N_PARKED,
    N_PARTS,
    N_PASSED,
    N_RUNNING,
    NOW,
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
    """A new parked batch at the end of the train; its members are already written down."""
    now, batches, stays, members = queue.now, queue.batches, queue.stays, queue.members
    batch = now[N_BATCHES]
    if batch + 1 >= len(queue.train):
        now[IS_FULL] = 1
        return int(batch)
    kind = queue.pulls[P_KIND][stays[S_PULL][members[offset]]]
    broken = 0
    for place in range(offset, offset + size):
        stay = members[place]
        stays[S_BATCH][stay] = batch
        broken += stays[S_FLAWS][stay] & BROKEN
    now[N_BATCHES] = batch + 1
    batches[B_OFFSET][batch] = offset
    batches[B_SIZE][batch] = size
    batches[B_BISECTION][batch] = bisection
    batches[B_RULE][batch] = queue.kinds[K_RULE][kind]
    batches[B_KIND][batch] = kind
    batches[B_STATE][batch] = PARKED
    batches[B_ATTEMPT][batch] = 1
    batches[B_RUN][batch] = -1
    batches[B_HOLD][batch] = -1
    batches[B_BROKEN][batch] = broken
    batches[B_AHEAD][batch] = now[N_EMBARKED]
    batches[B_BROKEN_AHEAD][batch] = now[N_EMBARKED_BROKEN]
    queue.train[now[BACK]] = batch
    now[BACK] += 1
    now[N_PARKED] += 1
    _count(queue, batch, 1)
    return int(batch)


def _count(queue: Queue, batch: int, step: int) -> None:
    """Count a batch that joins or leaves the train."""
    now, batches = queue.now, queue.batches
    now[N_EMBARKED] += step * batches[B_SIZE][batch]
    now[N_EMBARKED_BROKEN] += step * batches[B_BROKEN][batch]
    if queue.kinds[K_SCOPES][batches[B_KIND][batch]] == EVERY_SCOPE:
        now[N_BARRIERS] += step
    bisection = batches[B_BISECTION][batch]
    if bisection >= 0:
        now[N_PARTS] += step
        parts = queue.bisections[I_PARTS]
        parts[bisection] += step
        if parts[bisection] == 0:
            queue.bisections[I_ENDED_AT][bisection] = now[NOW]


def count_state(queue: Queue, state: int, step: int) -> None:
    """Count batches of the train by state."""
    if state == RUNNING:
        queue.now[N_RUNNING] += step
    elif state == GREEN:
        queue.now[N_PASSED] += step
    elif state == PARKED:
        queue.now[N_PARKED] += step
    else:
        queue.now[N_FAILED] += step


def set_state(queue: Queue, batch: int, state: int) -> None:
    states = queue.batches[B_STATE]
    count_state(queue, states[batch], -1)
    count_state(queue, state, 1)
    states[batch] = state


def forget(queue: Queue, batch: int) -> None:
    """Uncount a batch that leaves the train; `close_gaps` then removes it."""
    batches = queue.batches
    count_state(queue, batches[B_STATE][batch], -1)
    if batches[B_HOLD][batch] >= 0:
        queue.now[N_HELD] -= 1
    batches[B_GONE][batch] = 1
    _count(queue, batch, -1)


def close_gaps(queue: Queue) -> None:
    """Remove batches that are gone from the train; in a serial train they stand at its ends."""
    now, train, gone = queue.now, queue.train, queue.batches[B_GONE]
    while now[FRONT] < now[BACK] and gone[train[now[FRONT]]]:
        now[FRONT] += 1
    while now[FRONT] < now[BACK] and gone[train[now[BACK] - 1]]:
        now[BACK] -= 1
    if not queue.rules.is_serial:
        close_gaps_between(queue)


def close_gaps_between(queue: Queue) -> None:
    """Remove batches that are gone from anywhere in the train."""
    now, train, gone = queue.now, queue.train, queue.batches[B_GONE]
    kept = now[FRONT]
    for place in range(now[FRONT], now[BACK]):
        batch = train[place]
        if not gone[batch]:
            train[kept] = batch
            kept += 1
    now[BACK] = kept


def place_of(queue: Queue, batch: int) -> int:
    """Where in the train a batch stands."""
    low, high = queue.now[FRONT], queue.now[BACK] - 1
    while low < high:
        middle = (low + high) // 2
        if queue.train[middle] < batch:
            low = middle + 1
        else:
            high = middle
    return int(low)


def mask_of(queue: Queue, batch: int) -> int:
    return int(queue.kinds[K_MASK][queue.batches[B_KIND][batch]])


def is_related(queue: Queue, batch: int, mask: int, bisection: int) -> bool:
    """Whether a batch shares a bit with the mask, or belongs to the bisection."""
    if mask & mask_of(queue, batch):
        return True
    return bisection >= 0 and bool(queue.batches[B_BISECTION][batch] == bisection)


def has_ancestors(queue: Queue, place: int) -> bool:
    """Whether the batch at this place is built on another one."""
    if queue.rules.is_serial:
        return bool(place > queue.now[FRONT])
    batch = queue.train[place]
    mask, bisection = mask_of(queue, batch), queue.batches[B_BISECTION][batch]
    for ahead in range(queue.now[FRONT], place):
        if is_related(queue, queue.train[ahead], mask, bisection):
            return True
    return False


def worst_ancestor(queue: Queue, place: int) -> int:
    """GREEN when all that the batch is built on have passed, else the state of one that has not.

    A failed or parked one counts for more than a running one.
    """
    batches, train = queue.batches, queue.train
    mask, bisection = mask_of(queue, train[place]), batches[B_BISECTION][train[place]]
    worst = GREEN
    for ahead in range(place - 1, queue.now[FRONT] - 1, -1):
        batch = train[ahead]
        if is_related(queue, batch, mask, bisection):
            mask |= mask_of(queue, batch)
            state = batches[B_STATE][batch]
            if state in (RED, KNOWN, PARKED):
                return int(state)
            if state == RUNNING:
                worst = RUNNING
    return worst


def measure_tree(queue: Queue, place: int) -> None:
    """Note how many pull requests, and how many broken ones, a batch is built on."""
    batches, train = queue.batches, queue.train
    batch = train[place]
    if queue.rules.is_serial and place == queue.now[BACK] - 1:
        batches[B_AHEAD][batch] = queue.now[N_EMBARKED] - batches[B_SIZE][batch]
        batches[B_BROKEN_AHEAD][batch] = queue.now[N_EMBARKED_BROKEN] - batches[B_BROKEN][batch]
        return
    mask, bisection = mask_of(queue, batch), batches[B_BISECTION][batch]
    members = broken = 0
    for ahead in range(place - 1, queue.now[FRONT] - 1, -1):
        other = train[ahead]
        if is_related(queue, other, mask, bisection):
            mask |= mask_of(queue, other)
            members += batches[B_SIZE][other]
            broken += batches[B_BROKEN][other]
    batches[B_AHEAD][batch] = members
    batches[B_BROKEN_AHEAD][batch] = broken
