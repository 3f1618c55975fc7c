"""What a receiver records of the events that a queue sends: some are lost, some ends of runs are wrong."""

from collections.abc import Iterable, Iterator

from mergecast.queues.model.event import CHECKS_ENDED, Event
from mergecast.queues.model.instant import HOUR, MINUTE
from worlds.draws import chance
from worlds.world import LOST, MISREPORTED, START, World

_LONGEST_DELAY = 90 * MINUTE


def recorded(world: World, events: Iterable[Event]) -> list[Event]:
    """The events that arrive, as they are reported, in the order of the reported instants."""
    kept = (event for event in events if not is_lost(world, event))
    return sorted(_misreported(world, kept), key=lambda event: (event.happened_at, event.id))


def is_lost(world: World, event: Event) -> bool:
    """Each event is a delivery of its own; while the receiver is down, all of them are lost."""
    hour = (event.happened_at - START) / HOUR
    if any(since <= hour < until for since, until in world.receiver_down):
        return True
    return chance(world.seed, LOST, _number(event)) < world.lost


def _misreported(world: World, events: Iterable[Event]) -> Iterator[Event]:
    """Some runs are said to end while the next ones are running, or long before they end."""
    for event in events:
        is_end = event.type == CHECKS_ENDED and world.misreported_ends > 0
        yield event._replace(happened_at=event.happened_at + _error(world, event)) if is_end else event


def _error(world: World, event: Event) -> int:
    """The same for all members of a run: mostly some minutes, seldom more than an hour."""
    run = int((event.batch_id or "b0")[1:]), event.attempt or 1
    share = chance(world.seed, MISREPORTED, *run) / world.misreported_ends
    if share >= 1:
        return 0
    if share < 1 / 3:  # too early
        return -int(MINUTE * 30 * share)
    return int(_LONGEST_DELAY * ((share - 1 / 3) * 3 / 2) ** 3)


def _number(event: Event) -> int:
    return int(event.id.rpartition("-")[2])
