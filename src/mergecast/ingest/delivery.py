"""The body of a delivery into events: JSON or one event a line, all faults reported together."""

import re
from typing import Any

import msgspec

from mergecast.errors import Fault, InvalidInput
from mergecast.ingest.event_rules import read_event
from mergecast.model.event import Event

MOST_EVENTS = 10_000
MOST_FAULTS = 100

_MALFORMED = "JSON is malformed: "  # how the decoder begins most of its messages
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def read_json(body: bytes, now: int) -> list[Event]:
    """Events of a JSON array."""
    _check_number_of_objects(body)
    values = _decode(body, "")
    if not isinstance(values, list):
        raise _invalid("", "must be a JSON array of events")
    return _read_events(values, now)


def read_lines(body: bytes, now: int) -> list[Event]:
    """Events of newline-delimited JSON; blank lines are passed over."""
    _check_number_of_objects(body)
    lines = [line for line in body.split(b"\n") if line.strip()]
    _check_length(len(lines))
    return _read_events([_decode(line, f"/{place}") for place, line in enumerate(lines)], now)


def _read_events(values: list[Any], now: int) -> list[Event]:
    _check_length(len(values))
    events: list[Event] = []
    faults: list[Fault] = []
    for place, value in enumerate(values):
        read = read_event(value, f"/{place}", now)
        if isinstance(read, Event):
            events.append(read)
        else:
            faults += read
    if faults:
        raise InvalidInput(faults[:MOST_FAULTS], more=max(0, len(faults) - MOST_FAULTS))
    return events


def _check_number_of_objects(body: bytes) -> None:
    """Refuse a body that would unfold to far more objects than a delivery may hold.

    Millions of empty objects fit into a few megabytes of text and take a gigabyte of memory.
    """
    if body.count(b"{") + body.count(b"[") > 2 * MOST_EVENTS + 1:
        outside_strings = _STRING.sub(b"", body)
        if outside_strings.count(b"{") + outside_strings.count(b"[") > 2 * MOST_EVENTS + 1:
            _check_length(MOST_EVENTS + 1)


def _check_length(number: int) -> None:
    if number > MOST_EVENTS:
        raise _invalid("", f"a delivery holds at most {MOST_EVENTS} events; send the rest in another one")


def _decode(text: bytes, pointer: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise _invalid(pointer, f"is not valid JSON: {reason.removeprefix(_MALFORMED)[:200]}") from None


def _invalid(pointer: str, message: str) -> InvalidInput:
    return InvalidInput([Fault("body", pointer, message)])
