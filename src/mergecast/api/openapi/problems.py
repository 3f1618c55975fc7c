"""Problem documents in the OpenAPI document: their schema, and an example for each status."""

from typing import Any

from mergecast.access.errors import Forbidden
from mergecast.api.openapi.schemas import INTEGER, STRING, Schema, list_of, object_of
from mergecast.api.problems import TITLES

_PROBLEM = "application/problem+json"
_SCHEMA = {"$ref": "#/components/schemas/Problem"}
_OFFSET = "a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z"
_STORED = "an event with this id is stored with other content"

_DETAILS = {
    403: str(Forbidden()),
    404: "the repository acme/widgets is not known here: no event of it is stored",
    408: "the body did not arrive within 60 seconds",
    409: f"/0/id: {_STORED}",
    413: "the body may hold 32 MiB at most, unpacked; send it in parts",
    415: "the body must be of type application/json or application/x-ndjson; it came as text/plain",
    422: f"start_at: {_OFFSET}",
    429: "too many requests; send the next one in 1 s",
    503: "the disk of the store is full; nothing was changed",
}
_ERRORS = {
    409: {"in": "body", "name": "/0/id", "message": _STORED},
    422: {"in": "query", "name": "start_at", "message": _OFFSET},
}
_HEADERS = {
    403: {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
    429: {"Retry-After": {"description": "Seconds", "schema": INTEGER}},
    503: {"Retry-After": {"description": "Seconds", "schema": INTEGER}},
}


def problems(*statuses: int) -> dict[str, Any]:
    """The responses of an operation for these statuses."""
    return {str(status): _response(status) for status in statuses}


def _response(status: int) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": TITLES[status],
        "content": {_PROBLEM: {"schema": _SCHEMA, "example": _example(status)}},
    }
    return response | ({"headers": _HEADERS[status]} if status in _HEADERS else {})


def _example(status: int) -> dict[str, Any]:
    example: dict[str, Any] = {
        "type": "about:blank",
        "title": TITLES[status],
        "status": status,
        "detail": _DETAILS[status],
    }
    return example | ({"errors": [_ERRORS[status]]} if status in _ERRORS else {})


def problem_schema() -> Schema:
    error = object_of({"in": STRING, "name": STRING, "message": STRING})
    in_document = {"path": list_of(STRING), "line": INTEGER, "column": INTEGER}
    error = {**error, "properties": {**error["properties"], **in_document}}
    required = {"type": STRING, "title": STRING, "status": INTEGER, "detail": STRING}
    schema = object_of(required)
    optional = {"errors": list_of(error), "more_errors": INTEGER, "id": STRING}
    return {**schema, "properties": {**required, **optional}}
