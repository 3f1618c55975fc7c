"""The OpenAPI 3.1 document of the HTTP API, generated from its routes."""

from collections.abc import Iterable
from typing import Any

import msgspec

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.openapi.problems import problem_schema, problems
from mergecast.api.openapi.schemas import STRING, Schema, schema_of
from mergecast.api.openapi.security import SCHEMES, security
from mergecast.api.parameters import PATH, Parameter
from mergecast.api.routing import Route
from mergecast.ingest.event_rules import COMMON_FIELDS, FIELDS_OF, Field
from mergecast.stats.published import STATISTICS
from mergecast.stats.summary import SUMMARY

_TAGS = ("Statistics", "Forecast", "Events", "Configuration", "Keys", "Administration", "Service")
_EVERY_REFUSAL = (403, 404, 409, 422, 429, 503)
_BODY_REFUSALS = (408, 413, 415)


def describe(routes: Iterable[Route]) -> bytes:
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Mergecast",
            "version": __version__,
            "description": "Statistics of merge queues, computed from the events a team sends.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "../"}],
        "security": security(Right.READ),
        "tags": [{"name": name} for name in _TAGS],
        "paths": paths,
        "components": {
            "securitySchemes": SCHEMES,
            "schemas": {"Problem": problem_schema(), "Event": _event_schema(), **_answer_schemas()},
        },
    }
    return msgspec.json.encode(document)


def _operation(route: Route) -> dict[str, Any]:
    operation = route.operation
    described: dict[str, Any] = {
        "tags": [operation.tag],
        "summary": operation.summary,
        "security": security(route.right),
        "parameters": [_parameter(parameter) for parameter in _parameters(route)],
        "responses": _responses(route),
    }
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": operation.body}
    return described


def _parameters(route: Route) -> list[Parameter]:
    own = {parameter.name: parameter for parameter in route.operation.parameters}
    in_path = [own.pop(name, PATH[name]) for name in route.parameter_names]
    return [*in_path, *own.values()]


def _parameter(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place == "path",
        "description": parameter.description,
        "schema": parameter.schema,
    }
    if parameter.is_repeatable:
        described |= {"style": "form", "explode": True}
    return described


def _responses(route: Route) -> dict[str, Any]:
    operation = route.operation
    success: dict[str, Any] = {"description": operation.success}
    if operation.answer:
        success["content"] = operation.answer
    responses = {str(operation.status): success}
    if operation.is_cached:
        success["headers"] = {"ETag": {"schema": STRING}}
        responses["304"] = {"description": "The answer with this ETag is still current"}
    if route.right is Right.PUBLIC:
        refusals: tuple[int, ...] = (422, 503) if route.parameter_names else (503,)
    else:
        refusals = _EVERY_REFUSAL + (_BODY_REFUSALS if operation.body is not None else ())
    return responses | problems(*refusals)


def _answer_schemas() -> dict[str, Schema]:
    return {statistic.name: schema_of(statistic.answer_type) for statistic in (*STATISTICS.values(), SUMMARY)}


def _event_schema() -> Schema:
    return {"oneOf": [_event_of_type(type, more) for type, more in FIELDS_OF.items()]}


def _event_of_type(type: str, more: dict[str, Field]) -> Schema:
    fields = {**COMMON_FIELDS, **more}
    properties: dict[str, object] = {name: _field(field) for name, field in fields.items()}
    return {
        "title": type,
        "type": "object",
        "properties": {**properties, "type": {"const": type}},
        "required": [name for name, field in fields.items() if field.is_required],
        "additionalProperties": False,
    }


def _field(field: Field) -> dict[str, object]:
    return field.schema if field.is_required else {**field.schema, "default": field.default}
