"""The description of the interface (OpenAPI 3.1), written from the same tables that the handlers read."""

from typing import Any

import msgspec

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.events import SELECTION
from mergecast.api.openapi.configuration import configuration_paths
from mergecast.api.openapi.keys import key_paths
from mergecast.api.openapi.operations import (
    BINARY,
    DELETED,
    NDJSON,
    REPOSITORY,
    STATUS,
    as_json,
    operation,
    or_null,
    public,
)
from mergecast.api.openapi.problems import problem_schema, problems
from mergecast.api.openapi.schemas import DATE_TIME, INTEGER, STRING, Schema, list_of, record, schema_of
from mergecast.api.openapi.security import SCHEMES, security
from mergecast.api.parameters import QUERY
from mergecast.ingest.delivery import MOST_EVENTS
from mergecast.ingest.event_rules import COMMON_FIELDS, FIELDS_OF, Field
from mergecast.stats.published import STATISTICS
from mergecast.stats.statistic import Statistic

_TAGS = ("Statistics", "Events", "Configuration", "Keys", "Administration", "Service")
_REFERENCE = "#/components/schemas/"
_EXAMPLE_EVENT: dict[str, object] = {
    "id": "42-entered",
    "type": "queue_entered",
    "at": "2026-03-02T10:00:00Z",
    "base_ref": "main",
    "queue_name": "default",
    "session_id": "stay-42",
    "pull_request": 42,
}


def describe() -> bytes:
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Mergecast",
            "version": __version__,
            "description": "Statistics of merge queues, from the events a team sends.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "../"}],
        "security": security(Right.READ),
        "tags": [{"name": name} for name in _TAGS],
        "paths": _paths(),
        "components": {
            "securitySchemes": SCHEMES,
            "schemas": {"Problem": problem_schema(), "Event": _event_schema(), **_answer_schemas()},
        },
    }
    return msgspec.json.encode(document)


def _paths() -> dict[str, Any]:
    repository = "/v1/repos/{owner}/{repository}"
    statistics = {f"{repository}/stats/{s.name}": {"get": _statistic(s)} for s in STATISTICS.values()}
    return {
        **statistics,
        f"{repository}/events": {
            "post": _send_events(),
            "get": operation("Events", "All events of a repository, one a line", NDJSON, REPOSITORY),
            "delete": operation(
                "Events", "Delete the events of a source and a span of time", DELETED,
                [*REPOSITORY, *(QUERY[name] for name in SELECTION)], Right.OPERATE,
            ),
        },
        **configuration_paths(),
        repository: {
            "delete": operation("Events", "Forget a repository", DELETED, REPOSITORY, Right.OPERATE)
        },
        "/v1/repos": {
            "get": operation(
                "Administration", "The known repositories that the credential may read", _REPOSITORIES,
                right=Right.LIST,
            )
        },
        **key_paths(),
        "/v1/admin/rebuild": {
            "post": operation(
                "Administration", "Derive all facts anew; a line for each repository", NDJSON,
                right=Right.OPERATE,
            )
        },
        "/v1/admin/backup": {
            "get": operation(
                "Administration", "A consistent copy of the store", BINARY, right=Right.OPERATE
            )
        },
        "/healthz": {"get": public("Is the process alive?", STATUS)},
        "/readyz": {"get": public("Does the store answer?", STATUS)},
        "/metrics": {"get": public("Metrics for Prometheus", {"text/plain": {"schema": STRING}})},
        "/docs": {"get": public("A page to try all this", {"text/html": {"schema": STRING}})},
        "/v1/openapi.json": {"get": public("This description", as_json({"type": "object"}))},
    }  # fmt: skip


_REPOSITORIES = as_json(
    record({
        "repositories": list_of(
            record({
                "owner": STRING,
                "repository": STRING,
                "events": INTEGER,
                "first_event_at": or_null(DATE_TIME),
                "last_event_at": or_null(DATE_TIME),
            })
        )
    })
)  # fmt: skip


def _statistic(statistic: Statistic) -> dict[str, Any]:
    parameters = [*REPOSITORY, *(QUERY[name] for name in statistic.parameters)]
    content = as_json({"$ref": _REFERENCE + statistic.name})
    described = operation("Statistics", statistic.summary, content, parameters)
    described["responses"]["200"]["headers"] = {"ETag": {"schema": STRING}}
    described["responses"]["304"] = {"description": "The answer is still the one with this ETag"}
    return described


def _send_events() -> dict[str, Any]:
    event = {"$ref": _REFERENCE + "Event"}
    described = operation(
        "Events",
        "Send events; the answer comes once they are durable",
        as_json(record({"stored": INTEGER, "duplicates": INTEGER})),
        REPOSITORY,
        Right.INGEST,
    )
    example = msgspec.json.encode(_EXAMPLE_EVENT).decode() + "\n"
    described["requestBody"] = {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"type": "array", "items": event, "maxItems": MOST_EVENTS},
                "example": [_EXAMPLE_EVENT],
            },
            "application/x-ndjson": {"schema": STRING, "example": example},
        },
    }
    described["responses"] |= problems(408, 413, 415)
    return described


def _answer_schemas() -> dict[str, Schema]:
    return {statistic.name: schema_of(statistic.answer_type) for statistic in STATISTICS.values()}


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
