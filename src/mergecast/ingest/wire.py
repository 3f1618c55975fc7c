"""Writes an event as clients send it: the reverse of reading one."""

from mergecast.model.event import Event
from mergecast.model.instant import SECOND, format_instant


def to_wire(event: Event) -> dict[str, object]:
    """The fields of the event's type, including those with default values."""
    fields: dict[str, object] = {
        "id": event.id,
        "type": event.type,
        "at": format_instant(event.happened_at),
        "base_ref": event.base_ref,
        "queue_name": event.queue_name,
        "priority_rule_name": event.priority_rule_name,
        "source": event.source,
    }
    for name in ("session_id", "pull_request", "batch_id", "attempt", "reason", "outcome", "depth",
                 "culprit_found", "max_failures_reached"):  # fmt: skip
        if (value := getattr(event, name)) is not None:
            fields[name] = value
    if event.batch_pull_requests is not None:
        fields["batch_pull_requests"] = [int(number) for number in event.batch_pull_requests.split(",")]
    if event.schedule_wait is not None and event.freeze_wait is not None:
        fields["seconds_waiting_for_schedule"] = _seconds(event.schedule_wait)
        fields["seconds_waiting_for_freeze"] = _seconds(event.freeze_wait)
    return fields


def _seconds(microseconds: int) -> int | float:
    whole, rest = divmod(microseconds, SECOND)
    return microseconds / SECOND if rest else whole
