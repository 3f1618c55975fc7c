"""Who waits: one lane per kind and priority, in the order of queueing, with links to both neighbours."""

from mergecast.replay.layout import (
    K_WAITING,
    L_COUNT,
    L_FIRST,
    L_LAST,
    N_WAITING,
    P_KIND,
    P_LANE,
    P_NUMBER,
    S_BATCH,
    S_NEXT,
    S_ORDER,
    S_PREVIOUS,
    S_PULL,
    Queue,
)


def is_before(queue: Queue, stay: int, other: int) -> bool:
    """Whether a stay comes before another of the same priority."""
    order = queue.stays[S_ORDER]
    if order[stay] != order[other]:
        return bool(order[stay] < order[other])
    pull, number = queue.stays[S_PULL], queue.pulls[P_NUMBER]
    return bool(number[pull[stay]] < number[pull[other]])


def join_from_behind(queue: Queue, stay: int) -> None:
    """Line up somebody who is probably the youngest."""
    lane = queue.pulls[P_LANE][queue.stays[S_PULL][stay]]
    previous = queue.stays[S_PREVIOUS]
    neighbour = queue.lanes[L_LAST][lane]
    while neighbour >= 0 and is_before(queue, stay, neighbour):
        neighbour = previous[neighbour]
    _insert(queue, stay, lane, neighbour)


def join_from_ahead(queue: Queue, stay: int) -> None:
    """Line up somebody who is probably the oldest."""
    lane = queue.pulls[P_LANE][queue.stays[S_PULL][stay]]
    following = queue.stays[S_NEXT]
    behind, neighbour = -1, queue.lanes[L_FIRST][lane]
    while neighbour >= 0 and is_before(queue, neighbour, stay):
        behind, neighbour = neighbour, following[neighbour]
    _insert(queue, stay, lane, behind)


def _insert(queue: Queue, stay: int, lane: int, behind: int) -> None:
    """Put a stay behind another, or first in its lane when that is -1."""
    stays, lanes = queue.stays, queue.lanes
    following, previous = stays[S_NEXT], stays[S_PREVIOUS]
    if behind < 0:
        after = lanes[L_FIRST][lane]
        lanes[L_FIRST][lane] = stay
    else:
        after = following[behind]
        following[behind] = stay
    previous[stay] = behind
    following[stay] = after
    if after < 0:
        lanes[L_LAST][lane] = stay
    else:
        previous[after] = stay
    stays[S_BATCH][stay] = -1
    _count(queue, stay, lane, 1)


def take_out(queue: Queue, stay: int) -> None:
    """Remove a stay from its lane, wherever it is."""
    stays, lanes = queue.stays, queue.lanes
    lane = queue.pulls[P_LANE][stays[S_PULL][stay]]
    before, after = stays[S_PREVIOUS][stay], stays[S_NEXT][stay]
    if before < 0:
        lanes[L_FIRST][lane] = after
    else:
        stays[S_NEXT][before] = after
    if after < 0:
        lanes[L_LAST][lane] = before
    else:
        stays[S_PREVIOUS][after] = before
    _count(queue, stay, lane, -1)


def _count(queue: Queue, stay: int, lane: int, step: int) -> None:
    queue.lanes[L_COUNT][lane] += step
    queue.kinds[K_WAITING][queue.pulls[P_KIND][queue.stays[S_PULL][stay]]] += step
    queue.now[N_WAITING] += step
