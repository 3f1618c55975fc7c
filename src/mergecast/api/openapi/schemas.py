"""The vocabulary of JSON Schema, and the schema of a type."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

Schema = dict[str, Any]

INTEGER: Schema = {"type": "integer"}
STRING: Schema = {"type": "string"}
DATE_TIME: Schema = {"type": "string", "format": "date-time"}

_REFERENCE = "#/$defs/"


def object_of(fields: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(fields), "required": list(fields)}


def list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


@cache
def schema_of(type: Any) -> Schema:
    """The schema of a type, written out in full without references. Callers do not change it."""
    described = msgspec.json.schema(type)
    return _inlined(described, described.get("$defs", {}))


def _inlined(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].removeprefix(_REFERENCE)], definitions)
    if "anyOf" in schema:
        return _any_of([_inlined(option, definitions) for option in schema["anyOf"]])
    if "properties" in schema:
        fields = {name: _inlined(field, definitions) for name, field in schema["properties"].items()}
        return {**object_of(fields), "required": schema.get("required", [])}
    if "items" in schema:
        return list_of(_inlined(schema["items"], definitions))
    return schema


def _any_of(options: list[Schema]) -> Schema:
    """Plain types become a list of types, which is easier to read than alternatives."""
    if all(option.keys() == {"type"} for option in options):
        return {"type": [option["type"] for option in options]}
    return {"anyOf": options}
