"""Forms batches: which pull requests are tested next, and which together."""

from collections import deque

from mergecast.forecasting.replay.codes import (
    BROKEN,
    CONFLICT_AHEAD,
    CONFLICT_WITH_BASE,
    CONFLICTING,
    EVERY_SCOPE,
)
from mergecast.forecasting.replay.layout import (
    B_BISECTION,
    B_HOLD,
    B_KIND,
    B_STATE,
    K_ASIDE,
    K_MASK,
    K_RULE,
    K_SCOPES,
    KNOWN,
    PARKED,
    Q_MAX,
    Q_MIN,
    Q_WAIT,
    RED,
    RUNNING,
    S_BATCH,
    S_ENTERED_AT,
    S_FLAWS,
    S_PULL,
    Y_RUNS,
    Y_SCOPE,
    Queue,
    is_before,
)
from mergecast.forecasting.replay.leaving import leave
from mergecast.forecasting.replay.oracle_calls import check_again_at, start_again, start_run
from mergecast.forecasting.replay.settling import is_open
from mergecast.forecasting.replay.train import measure_tree, set_state, tree_ahead, worst_ancestor


def fill_line(queue: Queue) -> None:
    """Start what may start in a serial train: parts of bisections, otherwise new batches in order."""
    by_state, rules = queue.by_state, queue.rules
    if queue.paused_by:
        return
    if by_state[PARKED]:
        _start_parts(queue)
    failures = queue.held if rules.skips else by_state[RED] + by_state[KNOWN]
    if (queue.parts or failures) and not rules.forms_behind_failure:
        return
    lanes, rule_of, largest = queue.lanes, queue.kinds[K_RULE], queue.queue_rules[Q_MAX]
    lane = kind = 0
    has_one_kind = len(rule_of) == 1
    while queue.free > 0 and queue.waiting > 0:
        if has_one_kind:
            while not lanes[lane]:
                lane += 1
        else:
            lane = _first_lane(queue)
            kind = lane // rules.lanes_per_kind
        wanted = 1 if largest[rule_of[kind]] == 1 else _ready_members(queue, lane, kind)
        if wanted == 0 or (queue.closed and not _may_start(queue, kind)):
            return
        _start_batch(queue, lane, wanted, kind)


def fill_lanes(queue: Queue) -> None:
    """Start what may start in other trains: first parts of bisections, then new batches."""
    if queue.paused_by:
        return
    if queue.by_state[PARKED]:
        _start_parts(queue)
    if not queue.barriers:
        _form(queue)


def _start_parts(queue: Queue) -> None:
    batches = queue.batches
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        is_blocked = batches[batch + B_STATE] != PARKED or not _may_start(queue, batches[batch + B_KIND])
        if not is_blocked and worst_ancestor(queue, place) not in (RED, KNOWN, PARKED):
            measure_tree(queue, place)
            set_state(queue, batch, RUNNING)
            start_again(queue, batch, queue.now)


def _may_start(queue: Queue, kind: int) -> bool:
    """Whether a slot, and one of each scope with a capacity, is free for a batch of this kind."""
    if queue.closed and queue.rules.closed_stops_starts and not is_open(queue, queue.kinds[K_RULE][kind]):
        return False
    if queue.free <= 0:
        return False
    scopes = queue.kinds[K_SCOPES][kind]
    for row in range(len(queue.capacities[Y_SCOPE])):
        scope = queue.capacities[Y_SCOPE][row]
        is_capped = scopes & scope and scopes != EVERY_SCOPE
        if is_capped and _runs_for(queue, scope) >= queue.capacities[Y_RUNS][row]:
            return False
    return True


def _runs_for(queue: Queue, scope: int) -> int:
    running = 0
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        scopes = queue.kinds[K_SCOPES][queue.batches[batch + B_KIND]]
        if queue.batches[batch + B_STATE] == RUNNING and scopes & scope:
            running += 1
    return running


def _form(queue: Queue) -> None:
    """Form batches while a slot is free, in any order that scopes and capacities allow."""
    kinds = queue.kinds
    blocked = _blocked_scopes(queue)
    kinds[K_ASIDE][:] = [0] * len(kinds[K_ASIDE])
    while queue.free > 0 and queue.waiting > 0:
        lane = _first_lane(queue)
        if lane < 0:
            return
        kind = lane // queue.rules.lanes_per_kind
        is_barrier = kinds[K_SCOPES][kind] == EVERY_SCOPE
        if is_barrier and queue.front < len(queue.train):
            return
        wanted = 0 if kinds[K_MASK][kind] & blocked else _ready_members(queue, lane, kind)
        if wanted > 0 and _may_start(queue, kind):
            _start_batch(queue, lane, wanted, kind)
            if queue.barriers > 0:
                return
        elif is_barrier:
            return
        else:
            blocked |= kinds[K_MASK][kind]
            kinds[K_ASIDE][kind] = 1


def _blocked_scopes(queue: Queue) -> int:
    """The scopes behind a failure or a bisection, where nothing may form."""
    blocked = 0
    if queue.rules.forms_behind_failure:
        return blocked
    batches = queue.batches
    for place in range(queue.front, len(queue.train)):
        batch = queue.train[place]
        has_failed = batches[batch + B_STATE] in (RED, KNOWN)
        may_be_saved = queue.rules.skips and batches[batch + B_HOLD] < 0
        if batches[batch + B_BISECTION] >= 0 or (has_failed and not may_be_saved):
            blocked |= queue.kinds[K_MASK][batches[batch + B_KIND]]
    return blocked


def _first_lane(queue: Queue) -> int:
    """The lane of the most urgent, then oldest, waiting pull request that is not set aside, or -1."""
    lanes, aside, levels = queue.lanes, queue.kinds[K_ASIDE], queue.rules.lanes_per_kind
    for level in range(levels):
        best = -1
        for kind in range(len(aside)):
            lane = kind * levels + level
            is_free = lanes[lane] and not aside[kind]
            if is_free and (best < 0 or is_before(queue, lanes[lane][0], lanes[best][0])):
                best = lane
        if best >= 0:
            return best
    return -1


def _lanes_of(queue: Queue, kind: int) -> list[deque[int]]:
    levels = queue.rules.lanes_per_kind
    return queue.lanes[kind * levels : (kind + 1) * levels]


def _candidates(queue: Queue, lane: int, kind: int) -> int:
    """How many waiting pull requests could be tested together with the first of a lane."""
    if queue.rules.one_priority:
        return len(queue.lanes[lane])
    if len(queue.kinds[K_RULE]) == 1:
        return queue.waiting
    return sum(len(line) for line in _lanes_of(queue, kind))


def _ready_members(queue: Queue, lane: int, kind: int) -> int:
    """How many pull requests may start together now, 0 while their batch waits to be filled."""
    rules = queue.rules
    rule = queue.kinds[K_RULE][kind]
    target, largest = queue.queue_rules[Q_MIN][rule], queue.queue_rules[Q_MAX][rule]
    if largest == 1 or queue.kinds[K_SCOPES][kind] == EVERY_SCOPE:
        return 1
    candidates = _candidates(queue, lane, kind)
    if target < largest:
        target = min(max(-(-candidates // queue.free), target), largest)
    if candidates >= target:
        return target
    seed = queue.lanes[lane][0]
    if rules.urgent_starts_at_once and queue.interrupts[queue.stays[seed + S_PULL]]:
        return candidates
    deadline = _oldest(queue, seed, kind) + queue.queue_rules[Q_WAIT][rule]
    if queue.now >= deadline:
        return candidates
    check_again_at(queue, deadline)
    if len(queue.kinds[K_RULE]) == 1 and not rules.one_priority:
        queue.enough = queue.queue_rules[Q_MIN][rule]
    return 0


def _oldest(queue: Queue, seed: int, kind: int) -> int:
    """When a batch of all candidates began to wait to be filled."""
    stays = queue.stays
    rules = queue.rules
    if rules.wait_from_seed or rules.one_priority or rules.lanes_per_kind == 1:
        return stays[seed + S_ENTERED_AT]
    return min(stays[line[0] + S_ENTERED_AT] for line in _lanes_of(queue, kind) if line)


def _start_batch(queue: Queue, lane: int, wanted: int, kind: int) -> None:
    """Start a batch of the first pull requests in line; one with a conflict leaves instead."""
    members, stays, line = queue.members, queue.stays, queue.lanes[lane]
    offset, batch, broken = len(members), len(queue.batches), 0
    queue.waiting -= wanted
    for _ in range(wanted):
        while not line:
            lane += 1
            line = queue.lanes[lane]
        stay = line.popleft()
        flaws = stays[stay + S_FLAWS]
        if flaws & CONFLICTING:
            is_first = queue.front == len(queue.train)
            leave(queue, stay, CONFLICT_WITH_BASE if is_first else CONFLICT_AHEAD, -1)
        else:
            stays[stay + S_BATCH] = batch
            broken += flaws & BROKEN
            members.append(stay)
    if len(members) > offset:
        _add_batch(queue, offset, broken, kind)


def _add_batch(queue: Queue, offset: int, broken: int, kind: int) -> None:
    """Add a batch to the end of the train, with the members from `offset` on, and start its run."""
    members, batches, by_state = queue.members, queue.batches, queue.by_state
    batch, size = len(batches), len(members) - offset
    rule = queue.kinds[K_RULE][kind]
    if queue.rules.is_serial:
        ahead, broken_ahead = queue.embarked, queue.embarked_broken
        queue.embarked = ahead + size
        queue.embarked_broken = tree = broken_ahead + broken
    else:
        ahead, broken_ahead = tree_ahead(queue, kind)
        tree = broken_ahead + broken
        queue.barriers += queue.kinds[K_SCOPES][kind] == EVERY_SCOPE
    run = len(queue.runs)
    batches += (offset, size, -1, rule, RUNNING, 1, run, -1, kind, ahead, broken_ahead, broken, 0)
    queue.train.append(batch)
    queue.free -= 1
    in_flight = by_state[RUNNING] = by_state[RUNNING] + 1
    leader = queue.stays[members[offset] + S_PULL]
    known = (leader, queue.led[leader], size, ahead, tree, 1, False, in_flight, queue.now, 0, rule)
    start_run(queue, batch, known)
