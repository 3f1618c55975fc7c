"""The part of a route's OpenAPI description that does not follow from its path and right."""

from dataclasses import dataclass
from typing import Any

from mergecast.api.openapi.schemas import INTEGER, STRING, Schema, object_of
from mergecast.api.parameters import Parameter

Content = dict[str, Any]  # media types and their schemas


@dataclass(frozen=True, slots=True)
class Operation:
    tag: str
    summary: str
    answer: Content
    parameters: tuple[Parameter, ...] = ()  # of the query; one of the path replaces the usual one
    body: Content | None = None
    status: int = 200
    success: str = "Success"
    is_cached: bool = False  # the answer has an ETag, and 304 is possible
    refusals: tuple[int, ...] = ()  # of a public path; those of the others follow from the guard


def json_content(schema: Schema) -> Content:
    return {"application/json": {"schema": schema}}


def json_body(schema: Schema, example: dict[str, object]) -> Content:
    return {"application/json": {"schema": schema, "example": example}}


def or_null(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


NDJSON: Content = {"application/x-ndjson": {"schema": STRING}}
BINARY: Content = {"application/octet-stream": {"schema": STRING}}
HTML: Content = {"text/html": {"schema": STRING}}
DELETED = json_content(object_of({"deleted": INTEGER}))
