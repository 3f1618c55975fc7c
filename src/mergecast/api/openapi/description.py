"""The OpenAPI 3.1 document of the HTTP API, generated from its routes."""

from collections.abc import Iterable
from typing import Any

import msgspec

from mergecast import __version__
from mergecast.access.errors import Forbidden
from mergecast.access.rights import Right
from mergecast.api.explanation import EXPLANATION_SCHEMAS
from mergecast.api.forecast_fields import FORECAST_SCHEMAS, REQUEST_SCHEMAS
from mergecast.api.openapi.operation import INTEGER, STRING, json_content, list_of, object_of, schema_of
from mergecast.api.parameters import PATH, Parameter
from mergecast.api.problems import TITLES
from mergecast.api.routing import MCP_PATH, Route
from mergecast.incoming.intake.event_rules import EVENT_FIELDS
from mergecast.inputs.field import Schema, object_schema
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.stats.kept_since import schema_with_kept_since
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.stays import STAYS
from mergecast.signals.notices.delivery import ID, SIGNATURE
from mergecast.signals.notices.notice import Notice
from mergecast.signals.state.summary import SUMMARY_WITH_STATE

_PROBLEM = "application/problem+json"
_SCHEMA = {"$ref": "#/components/schemas/Problem"}
_OFFSET = "a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z"
_STORED = "an event with this id is stored with other content"

_DETAILS = {
    403: str(Forbidden()),
    404: "the repository acme/widgets is not known here: it has no events",
    408: "the body did not arrive within 60 seconds",
    409: f"/0/id: {_STORED}",
    412: "the settings have changed since they were read; read them again, and change those",
    413: "the body may be at most 32 MiB, decompressed; send it in parts",
    415: "the body must be of type application/json or application/x-ndjson; got text/plain",
    422: f"start_at: {_OFFSET}",
    428: "PUT needs the header If-Match with the ETag of the settings that you read, "
    "so that no change is lost",
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
_ADMIN = "AdminTokenBearerAuth"
_APPLICATION = "ApplicationKeyBearerAuth"
_SERVICE = "ServiceTokenBearerAuth"
_PLATFORM = "CodeHostingTokenBearerAuth"

SCHEMES: dict[str, Any] = {
    _ADMIN: {"type": "http", "scheme": "bearer", "description": "The operator's token: allows everything."},
    _APPLICATION: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "mck_<id>_<secret>",
        "description": "A key for one owner, made by the operator: reads, and with the scopes `ingest` and "
        "`admin` also sends events, changes settings and manages channels.",
    },
    _SERVICE: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A token from an issuer that the operator trusts, such as the OIDC token of a GitHub "
        "Actions job: reads the repositories in its claim `repository` or `repository_owner`.",
    },
    _PLATFORM: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "ghp_, github_pat_, gho_, ghu_ or ghs_",
        "description": "A token of the code-hosting platform: reads what it can see there, and with "
        "permission to push also sends events.",
    },
}

_KINDS = {
    Right.PUBLIC: (),
    Right.LIST: tuple(SCHEMES),
    Right.READ: tuple(SCHEMES),
    Right.BADGE: tuple(SCHEMES),
    Right.TOOLS: tuple(SCHEMES),
    Right.INGEST: (_ADMIN, _APPLICATION, _PLATFORM),
    Right.PRODUCTS: (_ADMIN, _APPLICATION),
    Right.SETTINGS: (_ADMIN, _APPLICATION),
    Right.CHANNELS: (_ADMIN, _APPLICATION),
    Right.SOURCES: (_ADMIN, _APPLICATION),
    Right.OPERATE: (_ADMIN,),
}
_DIGITS = "Durations are in seconds, rounded to whole microseconds, half to even. Rates are not rounded."
_OTHER_TAGS = (
    "Alerts",
    "Forecast",
    "Events",
    "Sources",
    "Configuration",
    "Notices",
    "Keys",
    "Session",
    "Administration",
    "Service",
    "Dashboard",
)
_EVERY_REFUSAL = (403, 404, 409, 422, 429, 503)
_BODY_REFUSALS = (408, 413, 415)


def describe(routes: Iterable[Route]) -> bytes:
    paths: dict[str, Any] = {}
    for route in routes:
        if route.path == MCP_PATH:  # its protocol describes itself
            continue
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Mergecast",
            "version": __version__,
            "description": "Statistics about merge queues, and simulations and forecasts of their settings.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "../"}],
        "security": security(Right.READ),
        "tags": [{"name": "Statistics", "description": _DIGITS}, *({"name": name} for name in _OTHER_TAGS)],
        "paths": paths,
        "webhooks": {"notice": {"post": _notice()}},
        "components": {
            "securitySchemes": SCHEMES,
            "schemas": {
                "Problem": problem_schema(),
                "Event": _event_schema(),
                **_answer_schemas(),
                **FORECAST_SCHEMAS,
                **EXPLANATION_SCHEMAS,
                **REQUEST_SCHEMAS,
            },
        },
    }
    return msgspec.json.encode(document)


def _notice() -> dict[str, Any]:
    """What a channel of the kind webhook receives."""
    header = {"in": "header", "required": True, "schema": STRING}
    return {
        "tags": ["Notices"],
        "summary": "A notice, as a channel of the kind webhook receives it",
        "security": [],
        "parameters": [
            {"name": ID, **header, "description": "The id of the notice; the same if it is sent again"},
            {"name": SIGNATURE, **header, "description": "`sha256=` and the HMAC-SHA256 of the body, in hex"},
        ],
        "requestBody": {"required": True, "content": json_content(schema_of(Notice))},
        "responses": {"200": {"description": "A status from 200 to 299 means that the notice was accepted"}},
    }


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
    in_path = [own.pop(name) if name in own else PATH[name] for name in route.parameter_names]
    return [*in_path, *own.values()]


def _parameter(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place != "query",
        "description": parameter.description,
        "schema": parameter.schema,
    }
    if parameter.is_repeatable:
        described |= {"style": "form", "explode": True}
    return described


def _responses(route: Route) -> dict[str, Any]:
    operation = route.operation
    success: dict[str, Any] = {"description": operation.success}
    if operation.content:
        success["content"] = operation.content
    responses = {str(operation.status): success}
    if operation.is_cached:
        success["headers"] = {"ETag": {"schema": STRING}}
        responses["304"] = {"description": "The answer with this ETag is still current"}
    if route.right is Right.PUBLIC:
        in_path: tuple[int, ...] = (422,) if route.parameter_names else ()
        refusals: tuple[int, ...] = (*in_path, *operation.refusals, 503)
    else:
        of_body = _BODY_REFUSALS if operation.body is not None else ()
        refusals = (*_EVERY_REFUSAL, *of_body, *operation.refusals)
    responses |= problems(*refusals)
    if operation.missing:
        responses["404"]["content"] |= operation.missing
    return responses


def _answer_schemas() -> dict[str, Schema]:
    described = (*STATISTICS.values(), SUMMARY_WITH_STATE, STAYS, CI_CHECKS)
    return {
        statistic.name: schema_with_kept_since(schema_of(statistic.answer_type)) for statistic in described
    }


def _event_schema() -> Schema:
    return {"oneOf": [_event_of_type(type, object_schema(fields)) for type, fields in EVENT_FIELDS.items()]}


def _event_of_type(type: str, schema: Schema) -> Schema:
    return {**schema, "title": type, "properties": {**schema["properties"], "type": {"const": type}}}


def security(right: Right) -> list[dict[str, list[str]]]:
    """One of these schemes is enough."""
    return [{name: []} for name in _KINDS[right]]


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
    in_document = {"path": list_of(STRING), "line": INTEGER, "column": INTEGER}
    error = object_of({"in": STRING, "name": STRING, "message": STRING}, in_document)
    required = {"type": STRING, "title": STRING, "status": INTEGER, "detail": STRING}
    return object_of(required, {"errors": list_of(error), "more_errors": INTEGER, "id": STRING})
