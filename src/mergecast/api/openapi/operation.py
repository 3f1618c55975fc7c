"""How a route describes itself in OpenAPI: its operation, and the vocabulary of JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

from mergecast.api.parameters import Parameter
from mergecast.inputs.field import Schema

INTEGER: Schema = {"type": "integer"}
STRING: Schema = {"type": "string"}
DATE_TIME: Schema = {"type": "string", "format": "date-time"}

_REFERENCE = "#/$defs/"
_COMPONENT = "#/components/schemas/"
# What is kept of an object or a list besides its content. Names and docstrings of types are for developers.
_LIMITS = ("additionalProperties", "minItems", "maxItems")
Content = dict[str, Any]  # media types and their schemas


def object_of(fields: Mapping[str, Schema], optional: Mapping[str, Schema] = MappingProxyType({})) -> Schema:
    return {"type": "object", "properties": {**fields, **optional}, "required": list(fields)}


def list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


@cache
def schema_of(type: Any) -> Schema:
    """The schema of a type, written out in full without references. Callers do not change it."""
    described = msgspec.json.schema(type)
    return _inlined(described, described.get("$defs", {}))


def components_of(types: Mapping[str, Any]) -> dict[str, Schema]:
    """The schemas of types that have names; they refer to each other, and write out all other types."""
    references, definitions = msgspec.json.schema_components(
        types.values(), ref_template=f"{_REFERENCE}{{name}}"
    )
    named = {
        reference["$ref"].removeprefix(_REFERENCE): name
        for reference, name in zip(references, types, strict=True)
    }
    others = {own: schema for own, schema in definitions.items() if own not in named}
    shared = {own: {"$ref": f"{_COMPONENT}{name}"} for own, name in named.items()}
    return {name: _inlined(definitions[own], others | shared) for own, name in named.items()}


def _inlined(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    if schema.get("$ref", "").startswith(_COMPONENT):
        return {"$ref": schema["$ref"]}
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].removeprefix(_REFERENCE)], definitions)
    if "anyOf" in schema:
        described = {name: schema[name] for name in ("description",) if name in schema}
        return {**_any_of([_inlined(option, definitions) for option in schema["anyOf"]]), **described}
    limits = {name: schema[name] for name in _LIMITS if name in schema}
    if isinstance(values := limits.get("additionalProperties"), dict):
        return {"type": "object", "additionalProperties": _inlined(values, definitions)}
    if "properties" in schema:
        fields = {name: _inlined(field, definitions) for name, field in schema["properties"].items()}
        return {**object_of(fields), "required": schema.get("required", []), **limits}
    return {**list_of(_inlined(schema["items"], definitions)), **limits} if "items" in schema else schema


def _any_of(options: list[Schema]) -> Schema:
    """Plain types become a list of types, which is easier to read than alternatives."""
    if all(option.keys() == {"type"} for option in options):
        return {"type": [option["type"] for option in options]}
    return {"anyOf": options}


@dataclass(frozen=True, slots=True)
class Operation:
    """The part of a route's description that does not follow from its path and right."""

    tag: str
    summary: str
    answer: Any  # a type, whose JSON it is, or media types with their schemas
    parameters: tuple[Parameter, ...] = ()  # of the query, and those of the path that are unusual
    body: Content | None = None
    status: int = 200
    success: str = "Success"
    is_cached: bool = False  # the answer has an ETag, and 304 is possible
    refusals: tuple[int, ...] = ()  # besides those that follow from the guard and from a body
    missing: Content = field(default_factory=dict)  # what 404 may be besides a problem

    @property
    def content(self) -> Content:
        return self.answer if isinstance(self.answer, dict) else json_content(schema_of(self.answer))


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
