"""Who is tested next, and with whom."""

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
    BACK,
    FAR,
    FILL_AT,
    FRONT,
    IS_FULL,
    K_ASIDE,
    K_MASK,
    K_RULE,
    K_SCOPES,
    K_WAITING,
    KNOWN,
    L_COUNT,
    L_FIRST,
    N_BARRIERS,
    N_FAILED,
    N_HELD,
    N_MEMBERS,
    N_PARKED,
    N_PARTS,
    N_PASSED,
    N_RUNNING,
    N_RUNS,
    NOW,
    P_INTERRUPTS,
    P_KIND,
    P_LANE,
    P_LED,
    PARKED,
    PAUSED_BY,
    Q_MAX,
    Q_MIN,
    Q_WAIT,
    R_AHEAD,
    R_ATTEMPT,
    R_BATCH,
    R_ENDED_AT,
    R_FORMED_AT,
    R_IN_FLIGHT,
    R_LED,
    R_OUTCOME,
    R_STARTED_AT,
    RED,
    RUNNING,
    S_ENTERED_AT,
    S_FLAWS,
    S_PULL,
    Y_RUNS,
    Y_SCOPE,
    Queue,
)
from mergecast.replay.leaving import leave
from mergecast.replay.line import is_before, take_out
from mergecast.replay.settling import is_open
from mergecast.replay.train import append, measure_tree, set_state, worst_ancestor


def free_slots(queue: Queue) -> int:
    taken = queue.now[N_RUNNING]
    if queue.rules.slot_until_merged:
        taken += queue.now[N_PASSED]
    return int(queue.rules.slots - taken)


def fill(queue: Queue) -> None:
    """Start what may start: first the parts of bisections, then new batches."""
    now = queue.now
    now[FILL_AT] = FAR
    if now[PAUSED_BY] > 0:
        return
    if now[N_PARKED] > 0:
        _start_parts(queue)
    _form(queue)


def start(queue: Queue, batch: int, formed_at: int) -> None:
    """Take a slot and write down a run; the oracle is asked later how it ends."""
    now, batches, runs = queue.now, queue.batches, queue.runs
    if batches[B_STATE][batch] != RUNNING:
        set_state(queue, batch, RUNNING)
    run = now[N_RUNS]
    if run + 1 >= len(runs[R_BATCH]):
        now[IS_FULL] = 1
        return
    now[N_RUNS] = run + 1
    leader = queue.stays[S_PULL][queue.members[batches[B_OFFSET][batch]]]
    led = queue.pulls[P_LED]
    batches[B_RUN][batch] = run
    runs[R_BATCH][run] = batch
    runs[R_ATTEMPT][run] = batches[B_ATTEMPT][batch]
    runs[R_FORMED_AT][run] = formed_at
    runs[R_STARTED_AT][run] = formed_at
    runs[R_ENDED_AT][run] = -1
    runs[R_OUTCOME][run] = -1
    runs[R_AHEAD][run] = batches[B_AHEAD][batch]
    runs[R_IN_FLIGHT][run] = now[N_RUNNING]
    runs[R_LED][run] = led[leader]
    led[leader] += 1


def _start_parts(queue: Queue) -> None:
    now, batches = queue.now, queue.batches
    for place in range(now[FRONT], now[BACK]):
        batch = queue.train[place]
        is_blocked = batches[B_STATE][batch] != PARKED or not _may_start(queue, batches[B_KIND][batch])
        if not is_blocked and worst_ancestor(queue, place) not in (RED, KNOWN, PARKED):
            measure_tree(queue, place)
            start(queue, batch, now[NOW])


def _may_start(queue: Queue, kind: int) -> bool:
    """Whether a slot, and one of each scope with a capacity, is free for a batch of this kind."""
    if queue.rules.closed_stops_starts and not is_open(queue, queue.kinds[K_RULE][kind]):
        return False
    if free_slots(queue) <= 0:
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
    for place in range(queue.now[FRONT], queue.now[BACK]):
        batch = queue.train[place]
        scopes = queue.kinds[K_SCOPES][queue.batches[B_KIND][batch]]
        if queue.batches[B_STATE][batch] == RUNNING and scopes & scope:
            running += 1
    return running


def _form(queue: Queue) -> None:  # noqa: C901 - one decision per line of the rule
    """Form batches while a slot is free and nobody has to wait for more members."""
    now, rules, kinds = queue.now, queue.rules, queue.kinds
    if now[N_BARRIERS] > 0 or (rules.is_serial and _is_held_back(queue)):
        return
    blocked = 0
    if not rules.is_serial:
        blocked = _blocked_scopes(queue)
        for kind in range(len(kinds[K_ASIDE])):
            kinds[K_ASIDE][kind] = 0
    while free_slots(queue) > 0 and not now[IS_FULL]:
        seed = _first_in_line(queue)
        if seed < 0:
            return
        kind = queue.pulls[P_KIND][queue.stays[S_PULL][seed]]
        is_barrier = kinds[K_SCOPES][kind] == EVERY_SCOPE
        if is_barrier and now[FRONT] < now[BACK]:
            return
        wanted = 0
        if not kinds[K_MASK][kind] & blocked:
            wanted = _ready_members(queue, seed, kind)
        if wanted > 0 and _may_start(queue, kind):
            _set_out(queue, seed, wanted)
        elif rules.is_serial:
            return
        else:
            blocked |= kinds[K_MASK][kind]
            kinds[K_ASIDE][kind] = 1
        if is_barrier:
            return


def _is_held_back(queue: Queue) -> bool:
    """Whether a failure or a bisection keeps a serial train from growing."""
    now, rules = queue.now, queue.rules
    if rules.forms_behind_failure:
        return False
    failures = now[N_HELD] if rules.skips else now[N_FAILED]
    return bool(now[N_PARTS] > 0 or failures > 0)


def _blocked_scopes(queue: Queue) -> int:
    """The scopes behind a failure or a bisection, where nothing may form."""
    blocked = 0
    if queue.rules.forms_behind_failure:
        return blocked
    batches = queue.batches
    for place in range(queue.now[FRONT], queue.now[BACK]):
        batch = queue.train[place]
        has_failed = batches[B_STATE][batch] in (RED, KNOWN)
        may_be_saved = queue.rules.skips and batches[B_HOLD][batch] < 0
        if batches[B_BISECTION][batch] >= 0 or (has_failed and not may_be_saved):
            blocked |= queue.kinds[K_MASK][batches[B_KIND][batch]]
    return blocked


def _first_in_line(queue: Queue) -> int:
    """The most urgent and oldest of those that wait and are not set aside, -1 without any."""
    lanes_per_kind, first = queue.rules.lanes_per_kind, queue.lanes[L_FIRST]
    kinds = len(queue.kinds[K_ASIDE])
    for level in range(lanes_per_kind):
        best = -1
        for kind in range(kinds):
            stay = first[kind * lanes_per_kind + level]
            if stay >= 0 and not queue.kinds[K_ASIDE][kind] and (best < 0 or is_before(queue, stay, best)):
                best = stay
        if best >= 0:
            return int(best)
    return -1


def _ready_members(queue: Queue, seed: int, kind: int) -> int:
    """How many may start together now, 0 while their batch waits to be filled."""
    rules, now = queue.rules, queue.now
    rule = queue.kinds[K_RULE][kind]
    lane = queue.pulls[P_LANE][queue.stays[S_PULL][seed]]
    candidates = queue.lanes[L_COUNT][lane] if rules.one_priority else queue.kinds[K_WAITING][kind]
    target = -(-candidates // free_slots(queue))
    target = min(max(target, queue.queue_rules[Q_MIN][rule]), queue.queue_rules[Q_MAX][rule])
    if queue.kinds[K_SCOPES][kind] == EVERY_SCOPE:
        target = 1
    if candidates >= target:
        return int(target)
    if rules.urgent_starts_at_once and queue.pulls[P_INTERRUPTS][queue.stays[S_PULL][seed]]:
        return int(candidates)
    deadline = _oldest(queue, seed, kind) + queue.queue_rules[Q_WAIT][rule]
    if now[NOW] >= deadline:
        return int(candidates)
    now[FILL_AT] = min(now[FILL_AT], deadline)
    return 0


def _oldest(queue: Queue, seed: int, kind: int) -> int:
    """From when on a batch waits to be filled, when all candidates are its members."""
    entered_at = queue.stays[S_ENTERED_AT]
    oldest = entered_at[seed]
    if not queue.rules.wait_from_seed and not queue.rules.one_priority:
        first = kind * queue.rules.lanes_per_kind
        for lane in range(first, first + queue.rules.lanes_per_kind):
            stay = queue.lanes[L_FIRST][lane]
            if stay >= 0:
                oldest = min(oldest, entered_at[stay])
    return int(oldest)


def _set_out(queue: Queue, seed: int, wanted: int) -> None:
    """Start a batch of the first in line; whoever is in conflict leaves instead."""
    now = queue.now
    if now[N_MEMBERS] + wanted > len(queue.members):
        now[IS_FULL] = 1
        return
    offset, size = now[N_MEMBERS], 0
    lane = queue.pulls[P_LANE][queue.stays[S_PULL][seed]]
    for _ in range(wanted):
        while queue.lanes[L_FIRST][lane] < 0:
            lane += 1
        stay = queue.lanes[L_FIRST][lane]
        take_out(queue, stay)
        if queue.stays[S_FLAWS][stay] & CONFLICTING:
            is_first = now[FRONT] == now[BACK]
            leave(queue, stay, CONFLICT_WITH_BASE if is_first else CONFLICT_AHEAD, -1)
        else:
            queue.members[offset + size] = stay
            size += 1
    now[N_MEMBERS] += size
    if size > 0:
        batch = append(queue, offset, size, -1)
        if not now[IS_FULL]:
            measure_tree(queue, now[BACK] - 1)
            start(queue, batch, now[NOW])
