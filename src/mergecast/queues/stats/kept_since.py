"""Says in an answer since when everything is stored, if its period begins earlier."""

from typing import Any

import msgspec

from mergecast.queues.model.instant import format_instant

_NAME = "kept_since"
KEPT_SINCE: dict[str, Any] = {
    "type": "string",
    "format": "date-time",
    "description": "What ended before this instant, after the period began, was deleted because of its age",
}


def with_kept_since(answer: object, instant: int) -> object:
    """The answer with the instant; a list gets it in each of its records."""
    if isinstance(answer, list):
        return [with_kept_since(record, instant) for record in answer]
    return {**msgspec.to_builtins(answer), _NAME: format_instant(instant)}


def kept_since_headers(instant: int | None) -> dict[str, str]:
    """The same for a file or a picture; empty if nothing was deleted."""
    return {} if instant is None else {"Mergecast-Kept-Since": format_instant(instant)}


def schema_with_kept_since(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an answer, with the optional field `kept_since`."""
    if "items" in schema:
        return {**schema, "items": schema_with_kept_since(schema["items"])}
    return {**schema, "properties": {**schema["properties"], _NAME: KEPT_SINCE}}
