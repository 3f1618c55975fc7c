"""Which pull requests are tested next, and which together."""

from mergecast.replay.codes import CONFLICT_AHEAD, CONFLICT_WITH_BASE, CONFLICTING, EVERY_SCOPE
from mergecast.replay.layout import (
    B_AHEAD,
    B_ATTEMPT,
    B_BISECTION,
    B_HOLD,
    B_KIND,
    B_OFFSET,
    B_RUN,
    B_STATE,
    K_ASIDE,
    K_MASK,
    K_RULE,
    K_SCOPES,
    KNOWN,
    L_COUNT,
    L_FIRST,
    LANE_WIDTH,
    P_INTERRUPTS,
    P_KIND,
    P_LED,
    P_NUMBER,
    PARKED,
    Q_MAX,
    Q_MIN,
    Q_WAIT,
    RED,
    RUN_WIDTH,
    RUNNING,
    S_ENTERED_AT,
    S_FLAWS,
    S_LANE,
    S_PULL,
    Y_RUNS,
    Y_SCOPE,
    Queue,
)
from mergecast.replay.leaving import leave
from mergecast.replay.line import is_before, take_out
from mergecast.replay.settling import is_open
from mergecast.replay.train import append, measure_tree, set_state, worst_ancestor
from mergecast.replay.values import ReplayTooLong


def fill(queue: Queue) -> None:
    """Start what may start: first the parts of bisections, then new batches."""
    if queue.paused_by > 0:
        return
    if queue.by_state[PARKED] > 0:
        _start_parts(queue)
    _form(queue)


def start(queue: Queue, batch: int, formed_at: int) -> None:
    """Take a slot and write down a run; the oracle is asked later how it ends."""
    batches = queue.batches
    if batches[batch + B_STATE] != RUNNING:
        set_state(queue, batch, RUNNING)
    run = len(queue.runs)
    if run > queue.rules.most_runs:
        raise ReplayTooLong(
            f"more than {run // RUN_WIDTH} runs for {len(queue.pulls[P_NUMBER])} pull requests"
        )
    leader = queue.stays[queue.members[batches[batch + B_OFFSET]] + S_PULL]
    led = queue.pulls[P_LED]
    batches[batch + B_RUN] = run
    attempt, ahead = batches[batch + B_ATTEMPT], batches[batch + B_AHEAD]
    in_flight = queue.by_state[RUNNING]
    queue.runs += (batch, attempt, formed_at, formed_at, -1, -1, ahead, in_flight, led[leader])
    led[leader] += 1


def _start_parts(queue: Queue) -> None:
    batches = queue.batches
    for place in range(queue.front, queue.back):
        batch = queue.train[place]
        is_blocked = batches[batch + B_STATE] != PARKED or not _may_start(queue, batches[batch + B_KIND])
        if not is_blocked and worst_ancestor(queue, place) not in (RED, KNOWN, PARKED):
            measure_tree(queue, place)
            start(queue, batch, queue.now)


def _may_start(queue: Queue, kind: int) -> bool:
    """Whether a slot, and one of each scope with a capacity, is free for a batch of this kind."""
    if queue.closed and queue.rules.closed_stops_starts and not is_open(queue, queue.kinds[K_RULE][kind]):
        return False
    if queue.free <= 0:
        return False
    if queue.rules.is_serial:
        return True
    scopes = queue.kinds[K_SCOPES][kind]
    for row in range(len(queue.capacities[Y_SCOPE])):
        scope = queue.capacities[Y_SCOPE][row]
        is_capped = scopes & scope and scopes != EVERY_SCOPE
        if is_capped and _runs_for(queue, scope) >= queue.capacities[Y_RUNS][row]:
            return False
    return True


def _runs_for(queue: Queue, scope: int) -> int:
    running = 0
    for place in range(queue.front, queue.back):
        batch = queue.train[place]
        scopes = queue.kinds[K_SCOPES][queue.batches[batch + B_KIND]]
        if queue.batches[batch + B_STATE] == RUNNING and scopes & scope:
            running += 1
    return running


def _form(queue: Queue) -> None:  # noqa: C901 - one decision per line of the rule
    """Form batches while a slot is free and no batch has to wait for more members."""
    rules, kinds = queue.rules, queue.kinds
    if queue.barriers > 0 or (rules.is_serial and _is_held_back(queue)):
        return
    blocked = 0
    if not rules.is_serial:
        blocked = _blocked_scopes(queue)
        for kind in range(len(kinds[K_ASIDE])):
            kinds[K_ASIDE][kind] = 0
    while queue.free > 0 and queue.waiting > 0:
        seed = _first_in_line(queue)
        if seed < 0:
            return
        kind = queue.pulls[P_KIND][queue.stays[seed + S_PULL]]
        is_barrier = not rules.is_serial and kinds[K_SCOPES][kind] == EVERY_SCOPE
        if is_barrier and queue.front < queue.back:
            return
        wanted = 0
        if not kinds[K_MASK][kind] & blocked:
            wanted = _ready_members(queue, seed, kind)
        if wanted > 0 and _may_start(queue, kind):
            _set_out(queue, seed, wanted)
            if queue.barriers > 0:
                return
        elif rules.is_serial or is_barrier:
            return
        else:
            blocked |= kinds[K_MASK][kind]
            kinds[K_ASIDE][kind] = 1


def _is_held_back(queue: Queue) -> bool:
    """Whether a failure or a bisection keeps a serial train from growing."""
    rules = queue.rules
    if rules.forms_behind_failure:
        return False
    failures = queue.held if rules.skips else queue.by_state[RED] + queue.by_state[KNOWN]
    return queue.parts > 0 or failures > 0


def _blocked_scopes(queue: Queue) -> int:
    """The scopes behind a failure or a bisection, where nothing may form."""
    blocked = 0
    if queue.rules.forms_behind_failure:
        return blocked
    batches = queue.batches
    for place in range(queue.front, queue.back):
        batch = queue.train[place]
        has_failed = batches[batch + B_STATE] in (RED, KNOWN)
        may_be_saved = queue.rules.skips and batches[batch + B_HOLD] < 0
        if batches[batch + B_BISECTION] >= 0 or (has_failed and not may_be_saved):
            blocked |= queue.kinds[K_MASK][batches[batch + B_KIND]]
    return blocked


def _first_in_line(queue: Queue) -> int:
    """The most urgent and oldest of those that wait and are not set aside, -1 without any."""
    lanes, aside = queue.lanes, queue.kinds[K_ASIDE]
    if len(aside) == 1:
        return -1 if aside[0] else _first_of_kind(queue)
    width = queue.rules.lanes_per_kind * LANE_WIDTH
    for level in range(0, width, LANE_WIDTH):
        best = -1
        for kind in range(len(aside)):
            stay = lanes[kind * width + level + L_FIRST]
            if stay >= 0 and not aside[kind] and (best < 0 or is_before(queue, stay, best)):
                best = stay
        if best >= 0:
            return best
    return -1


def _first_of_kind(queue: Queue) -> int:
    """The first in line when all are of one kind."""
    lanes = queue.lanes
    for lane in range(L_FIRST, len(lanes), LANE_WIDTH):
        if lanes[lane] >= 0:
            return lanes[lane]
    return -1


def _candidates(queue: Queue, seed: int, kind: int) -> int:
    """How many wait who could be tested together with the seed."""
    lanes, rules = queue.lanes, queue.rules
    if rules.one_priority:
        return lanes[queue.stays[seed + S_LANE] + L_COUNT]
    if len(queue.kinds[K_RULE]) == 1:
        return queue.waiting
    width = rules.lanes_per_kind * LANE_WIDTH
    waiting = 0
    for lane in range(kind * width, (kind + 1) * width, LANE_WIDTH):
        waiting += lanes[lane + L_COUNT]
    return waiting


def _ready_members(queue: Queue, seed: int, kind: int) -> int:
    """How many may start together now, 0 while their batch waits to be filled."""
    rules = queue.rules
    rule = queue.kinds[K_RULE][kind]
    target, largest = queue.queue_rules[Q_MIN][rule], queue.queue_rules[Q_MAX][rule]
    if largest == 1 or queue.kinds[K_SCOPES][kind] == EVERY_SCOPE:
        return 1
    candidates = _candidates(queue, seed, kind)
    if target < largest:
        target = min(max(-(-candidates // queue.free), target), largest)
    if candidates >= target:
        return target
    if rules.urgent_starts_at_once and queue.pulls[P_INTERRUPTS][queue.stays[seed + S_PULL]]:
        return candidates
    deadline = _oldest(queue, seed, kind) + queue.queue_rules[Q_WAIT][rule]
    if queue.now >= deadline:
        return candidates
    if deadline < queue.fill_at:
        queue.fill_at = deadline
    if len(queue.kinds[K_RULE]) == 1 and not rules.one_priority:
        queue.missing = queue.queue_rules[Q_MIN][rule] - candidates
    return 0


def _oldest(queue: Queue, seed: int, kind: int) -> int:
    """From when on a batch waits to be filled, when all candidates are its members."""
    rules, stays = queue.rules, queue.stays
    oldest = stays[seed + S_ENTERED_AT]
    if not rules.wait_from_seed and not rules.one_priority:
        width = rules.lanes_per_kind * LANE_WIDTH
        for lane in range(kind * width, (kind + 1) * width, LANE_WIDTH):
            stay = queue.lanes[lane + L_FIRST]
            if stay >= 0 and stays[stay + S_ENTERED_AT] < oldest:
                oldest = stays[stay + S_ENTERED_AT]
    return oldest


def _set_out(queue: Queue, seed: int, wanted: int) -> None:
    """Start a batch of the first in line; a pull request in conflict leaves instead."""
    members = queue.members
    offset = len(members)
    lane = queue.stays[seed + S_LANE]
    for _ in range(wanted):
        while queue.lanes[lane + L_FIRST] < 0:
            lane += LANE_WIDTH
        stay = queue.lanes[lane + L_FIRST]
        take_out(queue, stay)
        if queue.stays[stay + S_FLAWS] & CONFLICTING:
            is_first = queue.front == queue.back
            leave(queue, stay, CONFLICT_WITH_BASE if is_first else CONFLICT_AHEAD, -1)
        else:
            members.append(stay)
    if len(members) > offset:
        batch = append(queue, offset, len(members) - offset, -1)
        measure_tree(queue, queue.back - 1)
        start(queue, batch, queue.now)
