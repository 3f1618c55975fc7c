"""The waiting pull requests: one lane per kind and priority, in the order of queueing."""

from mergecast.replay.layout import P_NUMBER, S_BATCH, S_LANE, S_ORDER, S_PULL, Queue


def is_before(queue: Queue, stay: int, other: int) -> bool:
    """Whether a stay comes before another of the same priority."""
    stays = queue.stays
    if stays[stay + S_ORDER] != stays[other + S_ORDER]:
        return stays[stay + S_ORDER] < stays[other + S_ORDER]
    number = queue.pulls[P_NUMBER]
    return number[stays[stay + S_PULL]] < number[stays[other + S_PULL]]


def join_from_behind(queue: Queue, stay: int) -> None:
    """Add a stay that is probably the youngest."""
    lane = queue.lanes[queue.stays[stay + S_LANE]]
    place = len(lane)
    while place > 0 and is_before(queue, stay, lane[place - 1]):
        place -= 1
    lane.insert(place, stay)
    queue.waiting += 1


def join_from_ahead(queue: Queue, stay: int) -> None:
    """Add back a stay that is probably the oldest."""
    lane = queue.lanes[queue.stays[stay + S_LANE]]
    place = 0
    while place < len(lane) and is_before(queue, lane[place], stay):
        place += 1
    lane.insert(place, stay)
    queue.stays[stay + S_BATCH] = -1
    queue.waiting += 1


def take_out(queue: Queue, stay: int) -> None:
    """Remove a stay from its lane, wherever it is."""
    queue.lanes[queue.stays[stay + S_LANE]].remove(stay)
    queue.waiting -= 1
