"""Applies results: batches vouch for others, merge, leave or are split."""

from mergecast.forecasting.replay.codes import (
    AHEAD_FAILED,
    AHEAD_LEFT,
    CANCELLED,
    DROPPED,
    FAIL,
    FAILED,
    INTERRUPTED,
    MERGE_REFUSED,
    MERGED,
    REFUSED,
    SKIPPED,
    SPLIT_LIMIT,
    TIMED_OUT,
    TIMEOUT,
    VOUCHED,
)
from mergecast.forecasting.replay.leaving import end_run, leave, mark, park_kept, stop_marked
from mergecast.forecasting.replay.oracle_calls import check_again_at
from mergecast.forecasting.replay.state import (
    GREEN,
    KNOWN,
    RED,
    RUNNING,
    Batch,
    Bisection,
    Queue,
    SplitBatch,
    join_last,
)
from mergecast.forecasting.replay.train import (
    append,
    close_gaps,
    close_gaps_between,
    forget,
    has_ancestors,
    is_related,
    position_of,
    set_state,
    worst_ancestor,
)
from mergecast.forecasting.replay.values import Landing, Split


def settle(queue: Queue) -> None:
    """Merge and resolve all batches that can be decided."""
    by_state = queue.by_state
    merges_in_line = queue.is_serial and queue.policy.landing is None
    while True:
        if by_state[GREEN] and not queue.paused_by:
            if queue.skips and _promote(queue):
                continue
            if merges_in_line:
                _merge_from_front(queue)
            elif _merge_next(queue):
                continue
        if not (by_state[RED] or by_state[KNOWN]) or not _resolve_next(queue):
            return


def is_open(queue: Queue, rule: int) -> bool:
    """Whether neither the queue rule nor the train is closed."""
    if queue.closed == 0:
        return True
    return queue.closed_by[rule] == 0 and queue.closed_by[-1] == 0


def _may_merge(queue: Queue, batch: Batch) -> bool:
    return queue.variants.closed_stops_starts or is_open(queue, batch.kind.rule)


def _promote(queue: Queue) -> bool:
    """Let the last batch that passed vouch for everything it is built on."""
    train, is_serial, always_open = queue.train, queue.is_serial, queue.closed == 0
    first = queue.front + 1 if is_serial else queue.front
    if queue.by_state[GREEN] == 1 and train[queue.front].state == GREEN:
        return False  # the front one is built on nothing
    for place in range(len(train) - 1, first - 1, -1):
        batch = train[place]
        if (
            batch.state == GREEN
            and (is_serial or has_ancestors(queue, place))
            and (always_open or _all_may_merge(queue, place))
        ):
            _merge_up_to(queue, batch)
            return True
    return False


def _all_may_merge(queue: Queue, place: int) -> bool:
    return all(_may_merge(queue, queue.train[at]) for at in (place, *_ancestors(queue, place)))


def _ancestors(queue: Queue, place: int) -> list[int]:
    """The positions of the batches that this one is built on, the last one first."""
    batch, found = queue.train[place], []
    mask, bisection = batch.kind.mask, batch.bisection
    for at in range(place - 1, queue.front - 1, -1):
        other = queue.train[at]
        if is_related(other, mask, bisection):
            mask |= other.kind.mask
            found.append(at)
    return found


def _merge_up_to(queue: Queue, batch: Batch) -> None:
    """Merge what a batch is built on, the front one first, and then the batch, unless a merge is refused."""
    while not batch.is_gone:
        first = queue.front
        if not queue.is_serial:
            place = position_of(queue, batch)
            first = (place, *_ancestors(queue, place))[-1]
        _merge(queue, first)


def _merge_next(queue: Queue) -> bool:
    if queue.policy.landing is not None:
        return _land_group(queue, queue.policy.landing)
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        is_next = batch.state == GREEN and not has_ancestors(queue, place)
        if is_next and _may_merge(queue, batch):
            _merge(queue, place)
            return True
    return False


def _merge_from_front(queue: Queue) -> None:
    """Merge the first batches of a serial train that have passed."""
    train = queue.train
    while queue.front < len(train):
        front = train[queue.front]
        if front.state != GREEN or (queue.closed and not _may_merge(queue, front)):
            return
        _merge(queue, queue.front)


def _land_group(queue: Queue, landing: Landing) -> bool:
    """Push green entries to the base branch, as GitHub does."""
    group = _green_group(queue, landing)
    if group == 0:
        return False
    front = queue.members[queue.train[queue.front].offset]
    waits_until = front.entered_at + landing.wait
    if group < landing.min_entries and queue.now < waits_until:
        check_again_at(queue, waits_until)
        return False
    last = queue.train[queue.front + min(group, landing.max_entries) - 1]
    _merge_up_to(queue, last)
    return True


def _green_group(queue: Queue, landing: Landing) -> int:
    """How many entries at the front may be pushed together."""
    green = 0
    for entries, batch in enumerate(queue.train[queue.front :], start=1):
        if batch.state == GREEN:
            green = entries
        elif not landing.head_green:
            break
        if landing.head_green and entries == landing.max_entries:
            break
    return green


def _merge(queue: Queue, place: int) -> None:
    batch = queue.train[place]
    if batch.state == RUNNING:
        end_run(queue, batch, SKIPPED)
    reason, has_refused = MERGED if batch.state == GREEN else VOUCHED, False
    now, landed = queue.now, queue.landed
    for stay in queue.members_of(batch):
        if stay.flaws & REFUSED:
            has_refused = True
            leave(queue, stay, MERGE_REFUSED, batch)
        else:
            stay.left_at = now
            stay.reason = reason
            stay.batch = batch
            stay.place = landed
            landed += 1
    queue.landed = landed
    if has_refused:
        _stop_behind(queue, place)
    elif queue.is_serial:
        forget(queue, batch)
        queue.front += 1
    else:
        forget(queue, batch)
        close_gaps(queue)


def _stop_behind(queue: Queue, place: int) -> None:
    """A merge was refused: what is built on the batch starts over without the one that left."""
    mark(queue, place, place + 1)
    forget(queue, queue.train[place])
    stop_marked(queue, AHEAD_LEFT)
    park_kept(queue)


def _resolve_next(queue: Queue) -> bool:
    """Resolve the first failed batch that can be decided; a batch that is held for vouchers waits."""
    stops_early = queue.is_serial and queue.variants.waits_for_ahead
    for place in range(queue.front, len(queue.train)):
        state = queue.train[place].state
        if state in (RED, KNOWN) and _is_decidable(queue, place) and not _is_held(queue, place):
            _resolve(queue, place)
            return True
        if stops_early and state != GREEN:
            return False
    return False


def _is_decidable(queue: Queue, place: int) -> bool:
    landing = queue.policy.landing
    if landing is not None and landing.head_green:
        return _is_hopeless(queue, place, landing.max_entries)
    if not queue.variants.waits_for_ahead:
        return True
    if queue.is_serial:
        return True  # the caller stops at the first batch that has not passed
    return worst_ancestor(queue, place) == GREEN


def _is_hopeless(queue: Queue, place: int, max_entries: int) -> bool:
    """Whether all entries that could land with the front one are red."""
    length = len(queue.train) - queue.front
    if place != queue.front or (length < max_entries and queue.waiting > 0):
        return False
    return all(batch.state == RED for batch in queue.train[queue.front : queue.front + max_entries])


def _is_held(queue: Queue, place: int) -> bool:
    """Whether a batch that ran when the failure became decidable still runs and may vouch for it."""
    batch = queue.train[place]
    if batch.hold < 0:
        waits = queue.skips and queue.variants.holds_for_vouchers
        batch.hold = queue.train[-1].number if waits else batch.number
        queue.held += 1
    mask, bisection = batch.kind.mask, batch.bisection
    for at in range(place + 1, len(queue.train)):
        other = queue.train[at]
        if other.number > batch.hold:
            return False
        if queue.is_serial or is_related(other, mask, bisection):
            if other.state == RUNNING:
                return True
            mask |= other.kind.mask
    return False


def _resolve(queue: Queue, place: int) -> None:
    batch = queue.train[place]
    mark(queue, place, place + 1)
    stop_marked(queue, AHEAD_FAILED)
    bisection, is_known = batch.bisection, batch.state == KNOWN
    verdict = FAIL if is_known or batch.run is None else batch.run.outcome
    limit = batch.kind.settings.batch_max_failure_resolution_attempts
    if verdict == CANCELLED:
        _expel(queue, batch, INTERRUPTED)
    elif batch.size == 1:
        if bisection is not None:
            bisection.culprit_found = True
        blamed = TIMED_OUT if verdict == TIMEOUT else FAILED
        _expel(queue, batch, DROPPED if is_known else blamed)
    elif verdict == TIMEOUT and not queue.variants.splits_timeouts:
        _expel(queue, batch, TIMED_OUT)
    elif limit is not None and limit <= (bisection.splits if bisection is not None else 0):
        if bisection is not None:
            bisection.limit_reached = True
        _expel(queue, batch, SPLIT_LIMIT)
    else:
        _split(queue, batch)
    park_kept(queue)


def _expel(queue: Queue, batch: Batch, reason: int) -> None:
    """Remove all members of a batch without merging them."""
    for stay in queue.members_of(batch):
        leave(queue, stay, reason, batch)
    forget(queue, batch)
    close_gaps(queue)


def _split(queue: Queue, batch: Batch) -> None:
    """Replace a failed batch by its parts, each on top of the one before.

    The last member is not tested unless the policy says so: the base with all members is the run that failed.
    """
    bisection = _record_split(queue, batch)
    if queue.variants.parts_wait:
        _send_parts_to_wait(queue, batch, bisection)
        return
    offset, tests_last = batch.offset, queue.variants.tests_last_member
    tested = batch.size if tests_last else batch.size - 1
    step = _part_size(queue, tested)
    for first in range(0, tested, step):
        append(queue, offset + first, min(step, tested - first), bisection)
    if not tests_last:
        known = append(queue, offset + tested, 1, bisection)
        set_state(queue, known, KNOWN)
    forget(queue, batch)
    close_gaps_between(queue)


def _send_parts_to_wait(queue: Queue, batch: Batch, bisection: Bisection) -> None:
    """Let each part of a failed batch wait at the end of the line; what becomes of it is its own matter."""
    bisection.ended_at = queue.now
    forget(queue, batch)
    close_gaps_between(queue)
    members, step = queue.members_of(batch), _part_size(queue, batch.size)
    for first in range(0, batch.size, step):
        join_last(queue, members[first : first + step])


def _part_size(queue: Queue, tested: int) -> int:
    """How many of the tested members of a failed batch each part gets; the last may get fewer."""
    if queue.variants.split is Split.SINGLES:
        return 1
    parts = 2 if queue.variants.split is Split.HALVES else max(2, queue.policy.max_parallel_checks)
    return -(-tested // parts)


def _record_split(queue: Queue, batch: Batch) -> Bisection:
    """Record that a batch is split, and return its bisection."""
    bisection = batch.bisection
    if bisection is None:
        bisection = Bisection(len(queue.bisections), batch.number)
        queue.bisections.append(bisection)
    queue.splits.append(SplitBatch(bisection.number, bisection.splits, queue.now, batch.number))
    bisection.splits += 1
    return bisection
