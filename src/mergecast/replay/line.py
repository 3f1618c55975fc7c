"""Who waits: one lane per kind and priority, in the order of queueing, with links to both neighbours."""

from mergecast.replay.layout import (
    L_COUNT,
    L_FIRST,
    L_LAST,
    P_NUMBER,
    S_BATCH,
    S_LANE,
    S_NEXT,
    S_ORDER,
    S_PREVIOUS,
    S_PULL,
    Queue,
)


def is_before(queue: Queue, stay: int, other: int) -> bool:
    """Whether a stay comes before another of the same priority."""
    stays = queue.stays
    if stays[stay + S_ORDER] != stays[other + S_ORDER]:
        return stays[stay + S_ORDER] < stays[other + S_ORDER]
    number = queue.pulls[P_NUMBER]
    return number[stays[stay + S_PULL]] < number[stays[other + S_PULL]]


def join_from_behind(queue: Queue, stay: int) -> None:
    """Line up somebody who is probably the youngest."""
    stays, lanes = queue.stays, queue.lanes
    lane = stays[stay + S_LANE]
    neighbour = lanes[lane + L_LAST]
    while neighbour >= 0 and is_before(queue, stay, neighbour):
        neighbour = stays[neighbour + S_PREVIOUS]
    _insert(queue, stay, neighbour)


def join_from_ahead(queue: Queue, stay: int) -> None:
    """Line up somebody who is probably the oldest."""
    behind, neighbour = -1, queue.lanes[queue.stays[stay + S_LANE] + L_FIRST]
    while neighbour >= 0 and is_before(queue, neighbour, stay):
        behind, neighbour = neighbour, queue.stays[neighbour + S_NEXT]
    _insert(queue, stay, behind)


def _insert(queue: Queue, stay: int, behind: int) -> None:
    """Put a stay behind another, or first in its lane when that is -1."""
    stays, lanes = queue.stays, queue.lanes
    lane = stays[stay + S_LANE]
    if behind < 0:
        after = lanes[lane + L_FIRST]
        lanes[lane + L_FIRST] = stay
    else:
        after = stays[behind + S_NEXT]
        stays[behind + S_NEXT] = stay
    stays[stay + S_PREVIOUS] = behind
    stays[stay + S_NEXT] = after
    if after < 0:
        lanes[lane + L_LAST] = stay
    else:
        stays[after + S_PREVIOUS] = stay
    stays[stay + S_BATCH] = -1
    lanes[lane + L_COUNT] += 1
    queue.waiting += 1


def take_out(queue: Queue, stay: int) -> None:
    """Remove a stay from its lane, wherever it is."""
    stays, lanes = queue.stays, queue.lanes
    lane = stays[stay + S_LANE]
    before, after = stays[stay + S_PREVIOUS], stays[stay + S_NEXT]
    if before < 0:
        lanes[lane + L_FIRST] = after
    else:
        stays[before + S_NEXT] = after
    if after < 0:
        lanes[lane + L_LAST] = before
    else:
        stays[after + S_PREVIOUS] = before
    lanes[lane + L_COUNT] -= 1
    queue.waiting -= 1
