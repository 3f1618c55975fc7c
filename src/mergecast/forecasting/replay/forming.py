"""Forms batches: which pull requests are tested next, and which together."""

from mergecast.forecasting.replay.codes import (
    BROKEN,
    CONFLICT_AHEAD,
    CONFLICT_WITH_BASE,
    CONFLICTING,
    EVERY_SCOPE,
)
from mergecast.forecasting.replay.leaving import leave
from mergecast.forecasting.replay.oracle_calls import check_again_at, start_run
from mergecast.forecasting.replay.settling import is_open
from mergecast.forecasting.replay.state import (
    KNOWN,
    PARKED,
    RED,
    RUNNING,
    Batch,
    Kind,
    Queue,
    Stay,
    is_before,
)
from mergecast.forecasting.replay.train import measure_tree, set_state, tree_ahead, worst_ancestor


def fill_line(queue: Queue) -> None:
    """Start what may start in a serial train: parts of bisections, otherwise new batches in order."""
    by_state, kinds = queue.by_state, queue.kinds
    if queue.paused_by or queue.stalled_by:
        return
    if by_state[PARKED]:
        _start_parts(queue)
    failures = queue.held if queue.skips else by_state[RED] + by_state[KNOWN]
    if (queue.parts or failures) and not queue.variants.forms_behind_failure:
        return
    while queue.free > 0 and queue.waiting > 0:
        kind = kinds[0] if len(kinds) == 1 else _first_kind(queue)
        if kind is None:
            return
        wanted = 1 if kind.settings.batch_size_max == 1 else _ready_members(queue, kind)
        if wanted == 0 or (queue.closed and not _may_start(queue, kind)):
            return
        _start_batch(queue, kind, wanted)


def fill_lanes(queue: Queue) -> None:
    """Start what may start in other trains: first parts of bisections, then new batches."""
    if queue.paused_by or queue.stalled_by:
        return
    if queue.by_state[PARKED]:
        _start_parts(queue)
    if not queue.barriers:
        _form(queue)


def _start_parts(queue: Queue) -> None:
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        is_blocked = batch.state != PARKED or not _may_start(queue, batch.kind)
        if not is_blocked and worst_ancestor(queue, place) not in (RED, KNOWN, PARKED):
            measure_tree(queue, place)
            set_state(queue, batch, RUNNING)
            start_run(queue, batch, queue.now)


def _may_start(queue: Queue, kind: Kind) -> bool:
    """Whether a slot, and one of each scope with a capacity, is free for a batch of this kind."""
    if queue.closed and queue.variants.closed_stops_starts and not is_open(queue, kind.rule):
        return False
    if queue.free <= 0:
        return False
    if kind.scopes == EVERY_SCOPE:
        return True
    return all(
        _runs_for(queue, scope) < most for scope, most in queue.policy.capacities if kind.scopes & scope
    )


def _runs_for(queue: Queue, scope: int) -> int:
    under_test = queue.train[queue.front :]
    return sum(batch.state == RUNNING and batch.kind.scopes & scope != 0 for batch in under_test)


def _form(queue: Queue) -> None:
    """Form batches while a slot is free, in any order that scopes and capacities allow."""
    blocked = _blocked_scopes(queue)
    for kind in queue.kinds:
        kind.is_set_aside = False
    while queue.free > 0 and queue.waiting > 0:
        first = _first_kind(queue)
        if first is None:
            return
        is_barrier = first.scopes == EVERY_SCOPE
        if is_barrier and queue.front < len(queue.train):
            return
        wanted = 0 if first.mask & blocked else _ready_members(queue, first)
        if wanted > 0 and _may_start(queue, first):
            _start_batch(queue, first, wanted)
            if queue.barriers > 0:
                return
        elif is_barrier:
            return
        else:
            blocked |= first.mask
            first.is_set_aside = True


def _blocked_scopes(queue: Queue) -> int:
    """The scopes behind a failure or a bisection, where nothing may form."""
    blocked = 0
    if queue.variants.forms_behind_failure:
        return blocked
    for batch in queue.train[queue.front :]:
        has_failed = batch.state in (RED, KNOWN)
        may_be_saved = queue.skips and batch.hold < 0
        if batch.bisection is not None or (has_failed and not may_be_saved):
            blocked |= batch.kind.mask
    return blocked


def _first_kind(queue: Queue) -> Kind | None:
    """The kind of the most urgent, then oldest, waiting pull request that is not set aside."""
    kinds = [kind for kind in queue.kinds if not kind.is_set_aside]
    for level in range(len(queue.kinds[0].lanes)):
        best = None
        for kind in kinds:
            lane = kind.lanes[level]
            if lane and (best is None or is_before(lane[0], best.lanes[level][0])):
                best = kind
        if best is not None:
            return best
    return None


def _seed(kind: Kind) -> Stay:
    """The waiting stay of this kind that is tested first."""
    return next(lane[0] for lane in kind.lanes if lane)


def _candidates(queue: Queue, kind: Kind) -> int:
    """How many waiting pull requests could be tested together with the first of their kind."""
    if queue.variants.one_priority:
        return len(_seed(kind).pull.lane)
    if len(queue.kinds) == 1:
        return queue.waiting
    return sum(len(lane) for lane in kind.lanes)


def _first_group(queue: Queue, kind: Kind) -> list[Stay]:
    """The waiting pull requests that may be tested with the first, where some begin a batch of their own."""
    lanes = [_seed(kind).pull.lane] if queue.variants.one_priority else kind.lanes
    group: list[Stay] = []
    for lane in lanes:
        for stay in lane:
            if group and stay.begins_batch:
                return group
            group.append(stay)
    return group


def _ready_members(queue: Queue, kind: Kind) -> int:
    """How many pull requests may start together now, 0 while their batch waits to be filled."""
    settings, variants = kind.settings, queue.variants
    target, largest = settings.batch_size_min, settings.batch_size_max
    if largest == 1 or kind.scopes == EVERY_SCOPE:
        return 1
    candidates = len(_first_group(queue, kind)) if queue.has_groups else _candidates(queue, kind)
    if target < largest:
        target = min(max(-(-candidates // queue.free), target), largest)
    if candidates >= target:
        return target
    if variants.urgent_starts_at_once and _seed(kind).pull.interrupts:
        return candidates
    deadline = _waits_since(queue, kind) + settings.batch_max_wait_time
    if queue.now >= deadline:
        return candidates
    check_again_at(queue, deadline)
    if len(queue.kinds) == 1 and not variants.one_priority:
        queue.enough = settings.batch_size_min
    return 0


def _waits_since(queue: Queue, kind: Kind) -> int:
    """When a batch of all candidates began to wait to be filled."""
    if queue.variants.wait_from_seed:
        return _seed(kind).entered_at
    if queue.has_groups:
        return min(stay.entered_at for stay in _first_group(queue, kind))
    if queue.variants.one_priority:
        return _seed(kind).entered_at
    return min(lane[0].entered_at for lane in kind.lanes if lane)


def _start_batch(queue: Queue, kind: Kind, wanted: int) -> None:
    """Start a batch of the first pull requests in line; one with a conflict leaves instead."""
    members, lanes = queue.members, iter(kind.lanes)
    offset, broken, lane = len(members), 0, next(lanes)
    queue.waiting -= wanted
    for _ in range(wanted):
        while not lane:
            lane = next(lanes)
        stay = lane.popleft()
        stay.begins_batch = False
        if stay.flaws & CONFLICTING:
            is_first = queue.front == len(queue.train)
            leave(queue, stay, CONFLICT_WITH_BASE if is_first else CONFLICT_AHEAD, None)
        else:
            broken += stay.flaws & BROKEN
            members.append(stay)
    if len(members) > offset:
        _add_batch(queue, offset, broken, kind)


def _add_batch(queue: Queue, offset: int, broken: int, kind: Kind) -> None:
    """Add a batch to the end of the train, with the members from `offset` on, and start its run."""
    members, batches = queue.members, queue.batches
    size = len(members) - offset
    if queue.is_serial:
        ahead, broken_ahead = queue.embarked, queue.embarked_broken
        queue.embarked = ahead + size
        queue.embarked_broken = broken_ahead + broken
    else:
        ahead, broken_ahead = tree_ahead(queue, kind)
        queue.barriers += kind.scopes == EVERY_SCOPE
    batch = Batch(len(batches), offset, size, kind, None, RUNNING, broken, ahead, broken_ahead)
    for stay in members[offset:]:
        stay.batch = batch
    batches.append(batch)
    queue.train.append(batch)
    queue.free -= 1
    queue.by_state[RUNNING] += 1
    start_run(queue, batch, queue.now)
