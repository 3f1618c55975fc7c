"""Reads the events of a delivery, from JSON or one event per line; reports all errors at once."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.intake.event_rules import INSTANTS, read_event
from mergecast.inputs.json_object import NOT_JSON, why_not_json
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import WIRE_NAMES, Event
from mergecast.queues.model.instant import SECOND, format_instant, format_optional

MOST_EVENTS_PER_DELIVERY = 10_000

# The fields that only some types have, without those that the API writes in another way.
_PLAIN_FIELDS = tuple(
    name for name in Event._field_defaults if name not in WIRE_NAMES and name != "batch_pull_requests"
)
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{\[]', re.DOTALL)
_MOST_CONTAINERS = 2 * MOST_EVENTS_PER_DELIVERY + 1  # each event is an object and may hold a list
_MOST_STRINGS = 40 * MOST_EVENTS_PER_DELIVERY  # names and values of fields: twice what is possible


def read_json(body: bytes, now: int) -> list[AnyEvent]:
    """Events of a JSON array."""
    _check_size_in_memory(body)
    values = _decode(body)
    if isinstance(values, _NotJson):
        raise InvalidInput([FieldError("body", "", f"the body {values.message}")])
    if not isinstance(values, list):
        raise InvalidInput([FieldError("body", "", "the body must be a JSON array of events")])
    return _read_events(values, now)


def read_lines(body: bytes, now: int) -> list[AnyEvent]:
    """Events of newline-delimited JSON; blank lines are skipped."""
    _check_size_in_memory(body)
    if body.count(b"\n") > 2 * MOST_EVENTS_PER_DELIVERY:
        _check_length(MOST_EVENTS_PER_DELIVERY + 1)
    lines = [line for line in body.split(b"\n") if line.strip()]
    _check_length(len(lines))
    return _read_events([_decode(line) for line in lines], now)


def _read_events(values: list[Any], now: int) -> list[AnyEvent]:
    _check_length(len(values))
    events: list[AnyEvent] = []
    errors: list[FieldError] = []
    for place, value in enumerate(values):
        if isinstance(value, _NotJson):
            errors.append(FieldError("body", f"/{place}", value.message))
            continue
        read = read_event(value, f"/{place}", now)
        if isinstance(read, list):
            errors += read
        else:
            events.append(read)
    if errors:
        raise InvalidInput(errors)
    return events


def _check_size_in_memory(body: bytes) -> None:
    """Reject a body that would decode to far more values than a delivery can hold.

    Millions of empty objects or short strings fit into a few megabytes of text and take a gigabyte of
    memory. Counting bytes is enough for most bodies; the others are read token by token.
    """
    if body.count(b"{") + body.count(b"[") <= _MOST_CONTAINERS and body.count(b'"') <= 2 * _MOST_STRINGS:
        return
    containers = strings = 0
    for token in _TOKEN.finditer(body):
        if token[0][:1] == b'"':
            strings += 1
        else:
            containers += 1
        if containers > _MOST_CONTAINERS or strings > _MOST_STRINGS:
            _check_length(MOST_EVENTS_PER_DELIVERY + 1)


def _check_length(number: int) -> None:
    if number > MOST_EVENTS_PER_DELIVERY:
        message = f"a delivery holds at most {MOST_EVENTS_PER_DELIVERY} events; send the rest in another one"
        raise InvalidInput([FieldError("body", "", message)])


@dataclass(frozen=True, slots=True)
class _NotJson:
    """Text that is not JSON, and why."""

    message: str


def _decode(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except NOT_JSON as error:
        reason = why_not_json(error)
        if "surrogate" in reason:
            return _decode_halves(text, "half of a surrogate pair in a string")
        if "truncated" in reason and b"\\u" in text:
            return _decode_halves(text, reason)  # half of a pair near the end looks truncated to the decoder
        return _NotJson(f"is not valid JSON: {reason}")


def _decode_halves(text: bytes, otherwise: str) -> Any:
    """Read strings with halves of surrogate pairs, so that the rules can name the field they are in."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NotJson(f"is not valid JSON: {otherwise}")


def to_wire(event: AnyEvent) -> dict[str, object]:
    """The fields of the event's type, including those with default values."""
    if isinstance(event, CiCheckReport):
        return _fields_of_report(event)
    fields = _fields_without_batch(event)
    if event.batch_pull_requests is not None:
        fields["batch_pull_requests"] = [int(number) for number in event.batch_pull_requests.split(",")]
    return fields


def to_lines(events: Sequence[AnyEvent]) -> bytes:
    """Newline-delimited JSON of what `to_wire` gives.

    The numbers of a batch are stored as they are written: decoding them would take most of an export's time.
    """
    encoder, all_fields = msgspec.json.Encoder(), []
    for event in events:
        if isinstance(event, CiCheckReport):
            all_fields.append(_fields_of_report(event))
            continue
        fields = _fields_without_batch(event)
        if event.batch_pull_requests is not None:
            fields["batch_pull_requests"] = msgspec.Raw(f"[{event.batch_pull_requests}]".encode())
        all_fields.append(fields)
    return encoder.encode_lines(all_fields)


def _fields_without_batch(event: Event) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": event.id,
        "type": event.type,
        "at": format_instant(event.happened_at),
        "base_ref": event.base_ref,
        "queue_name": event.queue_name,
        "priority_rule_name": event.priority_rule_name,
        "source": event.source,
    }
    for name in _PLAIN_FIELDS:
        if (value := getattr(event, name)) is not None:
            fields[name] = value
    if event.schedule_wait is not None and event.freeze_wait is not None:
        fields["seconds_waiting_for_schedule"] = _seconds(event.schedule_wait)
        fields["seconds_waiting_for_freeze"] = _seconds(event.freeze_wait)
    return fields


def _fields_of_report(report: CiCheckReport) -> dict[str, object]:
    return {
        "id": report.id,
        "type": report.type,
        "at": format_instant(report.happened_at),
        "base_ref": report.base_ref,
        "queue_name": report.queue_name,
        "source": report.source,
        "batch_id": report.batch_id,
        "attempt": report.attempt,
        "check_id": report.check_id,
        "name": report.name,
        "conclusion": report.conclusion,
        **{name: format_optional(getattr(report, name)) for name in INSTANTS},
        "url": report.url,
        "runner": report.runner,
        "is_required": report.is_required,
    }


def _seconds(microseconds: int) -> int | float:
    whole, rest = divmod(microseconds, SECOND)
    return microseconds / SECOND if rest else whole


READERS = {"application/json": read_json, "application/x-ndjson": read_lines}
