"""Exits from a queue that were just stored become causes of notices, unless they are merges."""

from collections.abc import Iterable, Mapping

import msgspec

from mergecast.queues.model.cause import ONCE, REMOVED, Cause
from mergecast.queues.model.event import MERGED_REASONS, QUEUE_LEFT, Event
from mergecast.queues.model.instant import SECOND
from mergecast.queues.store.held_repository import HeldRepository, NamedEvent, SubjectName
from mergecast.queues.store.outbox import add_causes

# Sources often say a moment later why a pull request left, or that it was merged after all.
DELAY = 15 * SECOND
NOT_REMOVED = (*MERGED_REASONS, "PR_MANUALLY_MERGED")


class Removal(msgspec.Struct, frozen=True):
    """Which stay ended. The rest is read when the notice is made, because more may be known by then."""

    stay: int
    pull_request: int


def is_removal_event(event: Event) -> bool:
    """Whether a pull request left its queue without having been merged."""
    return event.type == QUEUE_LEFT and event.reason not in NOT_REMOVED


def add_removals(
    held: HeldRepository, events: Iterable[NamedEvent], numbers: Mapping[SubjectName, int]
) -> None:
    """Store a cause for each new exit that is not a merge; `numbers` has the stays of these events."""
    causes = [
        Cause(
            REMOVED,
            event.session_id,
            ONCE,
            event.happened_at,
            event.base_ref,
            event.queue_name,
            msgspec.json.encode(Removal(numbers[stay], event.pull_request)).decode(),
        )
        for event, stay, _ in events
        if is_removal_event(event)
        and stay is not None
        and event.session_id is not None
        and event.pull_request is not None
    ]
    add_causes(held, causes, DELAY)
