"""Newcomers that may stop the checks of others."""

from mergecast.replay.codes import NEVER, OVERTAKEN
from mergecast.replay.layout import (
    B_BISECTION,
    B_KIND,
    B_OFFSET,
    B_SIZE,
    B_STATE,
    K_MASK,
    P_INTERRUPTS,
    P_KIND,
    P_PRIORITY,
    RUNNING,
    S_LEFT_AT,
    S_PULL,
    STAY_WIDTH,
    Queue,
)
from mergecast.replay.leaving import mark, park_kept, stop_marked
from mergecast.replay.line import is_before


def interrupt(queue: Queue, first_new: int) -> None:
    """Let those who entered since `first_new` interrupt, the most urgent first."""
    queue.urgent = 0
    newcomer = _next_newcomer(queue, first_new, -1)
    while newcomer >= 0:
        if queue.rules.lands_groups:
            _mark_all(queue)
        elif queue.rules.is_isolated:
            _mark_youngest(queue, newcomer)
        else:
            _mark_lower(queue, newcomer)
        stop_marked(queue, OVERTAKEN)
        park_kept(queue)
        newcomer = _next_newcomer(queue, first_new, newcomer)


def _next_newcomer(queue: Queue, first_new: int, last: int) -> int:
    """The stay that may interrupt and comes after the last one in line, -1 if there is none."""
    best = -1
    for stay in range(first_new, len(queue.stays), STAY_WIDTH):
        may = queue.pulls[P_INTERRUPTS][queue.stays[stay + S_PULL]] and queue.stays[stay + S_LEFT_AT] == NEVER
        if may and (last < 0 or _is_ahead(queue, last, stay)) and (best < 0 or _is_ahead(queue, stay, best)):
            best = stay
    return best


def _is_ahead(queue: Queue, stay: int, other: int) -> bool:
    priority, stays = queue.pulls[P_PRIORITY], queue.stays
    if priority[stays[stay + S_PULL]] != priority[stays[other + S_PULL]]:
        return priority[stays[stay + S_PULL]] > priority[stays[other + S_PULL]]
    return is_before(queue, stay, other)


def _mark_all(queue: Queue) -> None:
    if queue.front < queue.back:
        mark(queue, queue.front, queue.front)


def _mark_youngest(queue: Queue, newcomer: int) -> None:
    """Isolated: only when no slot is free, the youngest running batch of lower priorities."""
    if queue.free > 0:
        return
    for place in range(queue.back - 1, queue.front - 1, -1):
        batch = queue.train[place]
        is_free = queue.batches[batch + B_STATE] == RUNNING and queue.batches[batch + B_BISECTION] < 0
        if is_free and _lower_members(queue, batch, newcomer) == queue.batches[batch + B_SIZE]:
            mark(queue, place, place)
            return


def _mark_lower(queue: Queue, newcomer: int) -> None:
    """The first running batch, behind any bisection, that holds a lower priority, and all built on it."""
    mask = queue.kinds[K_MASK][queue.pulls[P_KIND][queue.stays[newcomer + S_PULL]]]
    first = _behind_bisections(queue, mask)
    if first > queue.front and not queue.rules.forms_behind_failure:
        return
    for place in range(first, queue.back):
        batch = queue.train[place]
        is_spared = queue.rules.spares_head and place == queue.front
        is_running = queue.batches[batch + B_STATE] == RUNNING and not is_spared
        is_related = mask & queue.kinds[K_MASK][queue.batches[batch + B_KIND]]
        if is_running and is_related and _lower_members(queue, batch, newcomer) > 0:
            mark(queue, place, place)
            return


def _behind_bisections(queue: Queue, mask: int) -> int:
    """The first place behind all parts of bisections that share a bit with the mask."""
    for place in range(queue.back - 1, queue.front - 1, -1):
        batch = queue.train[place]
        is_part = queue.batches[batch + B_BISECTION] >= 0
        if is_part and mask & queue.kinds[K_MASK][queue.batches[batch + B_KIND]]:
            return place + 1
    return queue.front


def _lower_members(queue: Queue, batch: int, newcomer: int) -> int:
    """How many members of a batch have a lower priority."""
    priority, stays = queue.pulls[P_PRIORITY], queue.stays
    offset, lower = queue.batches[batch + B_OFFSET], 0
    for member in range(offset, offset + queue.batches[batch + B_SIZE]):
        if priority[stays[queue.members[member] + S_PULL]] < priority[stays[newcomer + S_PULL]]:
            lower += 1
    return lower
