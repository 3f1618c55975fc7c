"""Events as they are sent to the server."""

from typing import Any

from mergecast.queues.model.event import WIRE_NAMES, Event
from mergecast.queues.model.instant import SECOND, format_instant


def wire_event(event: Event) -> dict[str, Any]:
    """The JSON object of an event, without the fields that its type does not carry."""
    sent = {WIRE_NAMES.get(name, name): value for name, value in event._asdict().items() if value is not None}
    sent["at"] = format_instant(event.happened_at)
    if event.batch_pull_requests is not None:
        sent["batch_pull_requests"] = [int(number) for number in event.batch_pull_requests.split(",")]
    for name in ("schedule_wait", "freeze_wait"):
        if getattr(event, name) is not None:
            sent[WIRE_NAMES[name]] = getattr(event, name) / SECOND
    return sent
