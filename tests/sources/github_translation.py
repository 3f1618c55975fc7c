"""Deliveries of a story → its events, without a store."""

from collections.abc import Iterable

from mergecast.model.event import Event
from mergecast.model.instant import format_instant
from mergecast.sources.github.threads import surroundings, threads
from mergecast.sources.github.translate import translate
from mergecast.sources.github.webhook import read_webhook
from sources.github_deliveries import Delivery


def events_of(deliveries: Iterable[Delivery]) -> list[Event]:
    """The events of all threads, in a fixed order."""
    seen = [
        observation
        for delivery in {delivery.id: delivery for delivery in deliveries}.values()
        for observation in read_webhook(
            delivery.event, delivery.id, delivery.body, delivery.received_at
        ).observations
    ]
    by_thread = threads(seen)
    events: list[Event] = []
    for thread, observations in sorted(by_thread.items()):
        others = {
            other: of_other
            for other, of_other in by_thread.items()
            if other.base_ref == thread.base_ref and other != thread
        }
        pushes = [one for one in seen if one.base_ref == thread.base_ref]
        around = surroundings(others, pushes)
        events += translate(thread.base_ref, thread.number, observations, around).events
    return events


def as_line(event: Event) -> str:
    """An event as a person reads it.

    Commits are shortened; what an event does not have is left out.
    """
    parts = (
        format_instant(event.happened_at)[11:19],
        f"{event.base_ref}#{event.pull_request}",
        event.type,
        (event.batch_id or "")[:7],
        f"attempt {event.attempt}" if event.attempt else "",
        f"of {event.batch_pull_requests}" if event.batch_pull_requests else "",
        event.reason or event.outcome or "",
    )
    return "  ".join(part for part in parts if part)
