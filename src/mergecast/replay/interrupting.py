"""Urgent newcomers, which may stop the checks of other pull requests."""

from mergecast.replay.codes import NEVER, OVERTAKEN
from mergecast.replay.layout import (
    B_BISECTION,
    B_KIND,
    B_OFFSET,
    B_SIZE,
    B_STATE,
    K_MASK,
    P_KIND,
    P_NUMBER,
    P_PRIORITY,
    RUNNING,
    S_LEFT_AT,
    S_ORDER,
    S_PULL,
    Queue,
)
from mergecast.replay.leaving import mark, park_kept, stop_marked


def interrupt(queue: Queue) -> None:
    """Let the pull requests that entered at this instant interrupt, the most urgent first."""
    stays = queue.stays
    newcomers = [stay for stay in queue.urgent if stays[stay + S_LEFT_AT] == NEVER]
    queue.urgent.clear()
    for newcomer in sorted(newcomers, key=lambda stay: _place_in_line(queue, stay)):
        if queue.rules.lands_groups:
            _mark_all(queue)
        elif queue.rules.is_isolated:
            _mark_youngest(queue, newcomer)
        else:
            _mark_lower(queue, newcomer)
        stop_marked(queue, OVERTAKEN)
        park_kept(queue)


def _place_in_line(queue: Queue, stay: int) -> tuple[int, int, int]:
    pull = queue.stays[stay + S_PULL]
    return -queue.pulls[P_PRIORITY][pull], queue.stays[stay + S_ORDER], queue.pulls[P_NUMBER][pull]


def _mark_all(queue: Queue) -> None:
    if queue.front < len(queue.train):
        mark(queue, queue.front, queue.front)


def _mark_youngest(queue: Queue, newcomer: int) -> None:
    """In isolated mode, mark the youngest running batch of lower priority, if no slot is free."""
    if queue.free > 0:
        return
    for place in range(len(queue.train) - 1, queue.front - 1, -1):
        batch = queue.train[place]
        is_free = queue.batches[batch + B_STATE] == RUNNING and queue.batches[batch + B_BISECTION] < 0
        if is_free and _lower_members(queue, batch, newcomer) == queue.batches[batch + B_SIZE]:
            mark(queue, place, place)
            return


def _mark_lower(queue: Queue, newcomer: int) -> None:
    """Mark the first running batch behind all bisections with a lower priority, and all built on it."""
    mask = queue.kinds[K_MASK][queue.pulls[P_KIND][queue.stays[newcomer + S_PULL]]]
    first = _behind_bisections(queue, mask)
    if first > queue.front and not queue.rules.forms_behind_failure:
        return
    for place in range(first, len(queue.train)):
        batch = queue.train[place]
        is_spared = queue.rules.spares_head and place == queue.front
        is_running = queue.batches[batch + B_STATE] == RUNNING and not is_spared
        is_related = mask & queue.kinds[K_MASK][queue.batches[batch + B_KIND]]
        if is_running and is_related and _lower_members(queue, batch, newcomer) > 0:
            mark(queue, place, place)
            return


def _behind_bisections(queue: Queue, mask: int) -> int:
    """The first position behind all parts of bisections that share a bit with the mask."""
    for place in range(len(queue.train) - 1, queue.front - 1, -1):
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
