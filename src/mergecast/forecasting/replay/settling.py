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
from mergecast.forecasting.replay.layout import (
    B_BISECTION,
    B_GONE,
    B_HOLD,
    B_KIND,
    B_OFFSET,
    B_RULE,
    B_RUN,
    B_SIZE,
    B_STATE,
    GREEN,
    I_CULPRIT_FOUND,
    I_LIMIT_REACHED,
    I_SPLITS,
    K_MASK,
    KNOWN,
    Q_CLOSED,
    Q_LIMIT,
    R_OUTCOME,
    RED,
    RUNNING,
    S_ENTERED_AT,
    S_FLAWS,
    S_LEFT_AT,
    S_PLACE,
    Queue,
)
from mergecast.forecasting.replay.leaving import end_run, leave, mark, park_kept, stop_marked
from mergecast.forecasting.replay.oracle_calls import check_again_at
from mergecast.forecasting.replay.train import (
    append,
    close_gaps,
    close_gaps_between,
    forget,
    has_ancestors,
    is_related,
    mask_of,
    position_of,
    set_state,
    worst_ancestor,
)


def settle(queue: Queue) -> None:
    """Repeat until nothing changes."""
    by_state, rules = queue.by_state, queue.rules
    while True:
        if by_state[GREEN] and not queue.paused_by:
            if rules.skips and _promote(queue):
                continue
            if rules.merges_in_line:
                _merge_from_front(queue)
            elif _merge_next(queue):
                continue
        if not (by_state[RED] or by_state[KNOWN]) or not _resolve_next(queue):
            return


def is_open(queue: Queue, rule: int) -> bool:
    """Whether neither the queue rule nor the train is closed."""
    if queue.closed == 0:
        return True
    closed = queue.queue_rules[Q_CLOSED]
    return closed[rule] == 0 and closed[len(closed) - 1] == 0


def _may_merge(queue: Queue, batch: int) -> bool:
    return bool(queue.rules.closed_stops_starts) or is_open(queue, queue.batches[batch + B_RULE])


def _promote(queue: Queue) -> bool:
    """Let the last batch that passed vouch for everything it is built on."""
    train, batches = queue.train, queue.batches
    is_serial, always_open = queue.rules.is_serial, queue.closed == 0
    first = queue.front + 1 if is_serial else queue.front
    if queue.by_state[GREEN] == 1 and batches[train[queue.front] + B_STATE] == GREEN:
        return False  # the front one is built on nothing
    for place in range(len(queue.train) - 1, first - 1, -1):
        batch = train[place]
        if (
            batches[batch + B_STATE] == GREEN
            and (is_serial or has_ancestors(queue, place))
            and (always_open or _all_may_merge(queue, place))
        ):
            _merge_up_to(queue, batch)
            return True
    return False


def _all_may_merge(queue: Queue, place: int) -> bool:
    if queue.rules.closed_stops_starts:
        return True
    train = queue.train
    mask, bisection = mask_of(queue, train[place]), queue.batches[train[place] + B_BISECTION]
    for at in range(place, queue.front - 1, -1):
        batch = train[at]
        if at == place or is_related(queue, batch, mask, bisection):
            mask |= mask_of(queue, batch)
            if not is_open(queue, queue.batches[batch + B_RULE]):
                return False
    return True


def _merge_up_to(queue: Queue, batch: int) -> None:
    """Merge what a batch is built on, the front one first, and then the batch, unless a merge is refused."""
    batches = queue.batches
    while not batches[batch + B_GONE]:
        first = queue.front
        if not queue.rules.is_serial:
            first = _first_ancestor(queue, position_of(queue, batch))
        _merge(queue, first)


def _first_ancestor(queue: Queue, place: int) -> int:
    """The position of the first batch that this one is built on, or its own position if there is none."""
    train, first = queue.train, place
    mask, bisection = mask_of(queue, train[place]), queue.batches[train[place] + B_BISECTION]
    for at in range(place - 1, queue.front - 1, -1):
        if is_related(queue, train[at], mask, bisection):
            mask |= mask_of(queue, train[at])
            first = at
    return first


def _merge_next(queue: Queue) -> bool:
    if queue.rules.lands_groups:
        return _land_group(queue)
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        is_next = queue.batches[batch + B_STATE] == GREEN and not has_ancestors(queue, place)
        if is_next and _may_merge(queue, batch):
            _merge(queue, place)
            return True
    return False


def _merge_from_front(queue: Queue) -> None:
    """Merge the first batches of a serial train that have passed."""
    train, batches = queue.train, queue.batches
    while queue.front < len(train):
        front = train[queue.front]
        if batches[front + B_STATE] != GREEN or (queue.closed and not _may_merge(queue, front)):
            return
        _merge(queue, queue.front)


def _land_group(queue: Queue) -> bool:
    """Push green entries to the base branch, as GitHub does."""
    rules = queue.rules
    group = _green_group(queue)
    if group == 0:
        return False
    front = queue.members[queue.batches[queue.train[queue.front] + B_OFFSET]]
    waits_until = queue.stays[front + S_ENTERED_AT] + rules.entries_wait
    if group < rules.min_entries and queue.now < waits_until:
        check_again_at(queue, waits_until)
        return False
    last = queue.train[queue.front + min(group, rules.max_entries) - 1]
    _merge_up_to(queue, last)
    return True


def _green_group(queue: Queue) -> int:
    """How many entries at the front may be pushed together."""
    length = len(queue.train) - queue.front
    green = 0
    for entry in range(length):
        is_green = queue.batches[queue.train[queue.front + entry] + B_STATE] == GREEN
        if is_green:
            green = entry + 1
        elif not queue.rules.is_head_green:
            break
        if queue.rules.is_head_green and entry + 1 == queue.rules.max_entries:
            break
    return green


def _merge(queue: Queue, place: int) -> None:
    batches, stays, batch = queue.batches, queue.stays, queue.train[place]
    offset, size, state = batches[batch + B_OFFSET], batches[batch + B_SIZE], batches[batch + B_STATE]
    if state == RUNNING:
        end_run(queue, batch, SKIPPED)
    reason, has_refused = MERGED if state == GREEN else VOUCHED, False
    now, landed = queue.now, queue.landed
    for stay in queue.members[offset : offset + size]:
        if stays[stay + S_FLAWS] & REFUSED:
            has_refused = True
            leave(queue, stay, MERGE_REFUSED, batch)
        else:
            stays[stay + S_LEFT_AT : stay + S_PLACE + 1] = (now, reason, batch, landed)
            landed += 1
    queue.landed = landed
    if has_refused:
        _stop_behind(queue, place)
    elif queue.rules.is_serial:
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
    batches = queue.batches
    stops_early = queue.rules.is_serial and queue.rules.waits_for_ahead
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        state = batches[batch + B_STATE]
        if state in (RED, KNOWN) and _is_decidable(queue, place) and not _is_held(queue, place):
            _resolve(queue, place)
            return True
        if stops_early and state != GREEN:
            return False
    return False


def _is_decidable(queue: Queue, place: int) -> bool:
    rules = queue.rules
    if rules.lands_groups and rules.is_head_green:
        return _is_hopeless(queue, place)
    if not rules.waits_for_ahead:
        return True
    if rules.is_serial:
        return True  # the caller stops at the first batch that has not passed
    return worst_ancestor(queue, place) == GREEN


def _is_hopeless(queue: Queue, place: int) -> bool:
    """Whether all entries that could land with the front one are red."""
    rules = queue.rules
    length = len(queue.train) - queue.front
    if place != queue.front or (length < rules.max_entries and queue.waiting > 0):
        return False
    for at in range(queue.front, queue.front + min(length, rules.max_entries)):
        if queue.batches[queue.train[at] + B_STATE] != RED:
            return False
    return True


def _is_held(queue: Queue, place: int) -> bool:
    """Whether a batch that ran when the failure became decidable still runs and may vouch for it."""
    batches = queue.batches
    batch = queue.train[place]
    if batches[batch + B_HOLD] < 0:
        batches[batch + B_HOLD] = queue.train[-1] if queue.rules.holds else batch
        queue.held += 1
    mask, bisection = mask_of(queue, batch), queue.batches[batch + B_BISECTION]
    is_serial = queue.rules.is_serial
    for at in range(place + 1, len(queue.train)):
        other = queue.train[at]
        if other > batches[batch + B_HOLD]:
            return False
        if is_serial or is_related(queue, other, mask, bisection):
            if batches[other + B_STATE] == RUNNING:
                return True
            mask |= queue.kinds[K_MASK][batches[other + B_KIND]]
    return False


def _resolve(queue: Queue, place: int) -> None:
    batches, batch = queue.batches, queue.train[place]
    mark(queue, place, place + 1)
    stop_marked(queue, AHEAD_FAILED)
    bisection, is_known = batches[batch + B_BISECTION], batches[batch + B_STATE] == KNOWN
    verdict = FAIL if is_known else queue.runs[batches[batch + B_RUN] + R_OUTCOME]
    limit = queue.queue_rules[Q_LIMIT][batches[batch + B_RULE]]
    splits = queue.bisections[bisection + I_SPLITS] if bisection >= 0 else 0
    if verdict == CANCELLED:
        _expel(queue, batch, INTERRUPTED)
    elif batches[batch + B_SIZE] == 1:
        if bisection >= 0:
            queue.bisections[bisection + I_CULPRIT_FOUND] = 1
        blamed = TIMED_OUT if verdict == TIMEOUT else FAILED
        _expel(queue, batch, DROPPED if is_known else blamed)
    elif verdict == TIMEOUT and not queue.rules.splits_timeouts:
        _expel(queue, batch, TIMED_OUT)
    elif 0 <= limit <= splits:
        if bisection >= 0:
            queue.bisections[bisection + I_LIMIT_REACHED] = 1
        _expel(queue, batch, SPLIT_LIMIT)
    else:
        split(queue, batch)
    park_kept(queue)


def _expel(queue: Queue, batch: int, reason: int) -> None:
    """Remove all members of a batch without merging them."""
    offset = queue.batches[batch + B_OFFSET]
    for member in range(offset, offset + queue.batches[batch + B_SIZE]):
        leave(queue, queue.members[member], reason, batch)
    forget(queue, batch)
    close_gaps(queue)


def split(queue: Queue, batch: int) -> None:
    """Replace a failed batch by its parts, each on top of the one before.

    The last member is not tested unless the policy says so: the base with all members is the run that failed.
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
    forget(queue, batch)
    close_gaps_between(queue)


def _write_down(queue: Queue, batch: int) -> int:
    """Record a split; returns its bisection."""
    splits, bisections = queue.splits, queue.bisections
    bisection = queue.batches[batch + B_BISECTION]
    if bisection < 0:
        bisection = len(bisections)
        bisections += (batch, -1, 0, 0, 0, 0)
    splits += (bisection, bisections[bisection + I_SPLITS], queue.now, batch)
    bisections[bisection + I_SPLITS] += 1
    return bisection
