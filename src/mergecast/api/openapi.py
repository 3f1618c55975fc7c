"""The description of the interface (OpenAPI 3.1), written from the same tables that the handlers read."""

from typing import Any

import msgspec

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.described_problems import problem_schema, problems
from mergecast.api.events import SELECTION
from mergecast.api.key_body import KEY_FIELDS
from mergecast.api.parameters import OWNER, QUERY, REPOSITORY, Parameter
from mergecast.api.security import SCHEMES, security
from mergecast.api.simulator import DOCUMENT_FIELDS
from mergecast.ingest.delivery import MOST_EVENTS
from mergecast.ingest.event_rules import COMMON_FIELDS, FIELDS_OF, Field
from mergecast.judge.documents import LONGEST_DOCUMENT
from mergecast.model.products import PRODUCTS
from mergecast.stats.published import STATISTICS
from mergecast.stats.statistic import DATE_TIME, INTEGER, STRING, Schema, Statistic, list_of, record

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


_EXAMPLE_DOCUMENT = """\
queue_rules:
  - name: default
    merge_conditions:
      - check-success = build
"""


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
            "get": _operation("Events", "All events of a repository, one a line", _NDJSON, _REPOSITORY),
            "delete": _operation(
                "Events", "Delete the events of a source and a span of time", _DELETED,
                [*_REPOSITORY, *(QUERY[name] for name in SELECTION)], Right.OPERATE,
            ),
        },
        f"{repository}/products": {
            "get": _operation("Configuration", "The enabled products", _json(_ENABLED), _REPOSITORY),
            "put": _set_products(),
        },
        f"{repository}/configuration-simulator": {"post": _simulate_configuration()},
        repository: {
            "delete": _operation("Events", "Forget a repository", _DELETED, _REPOSITORY, Right.OPERATE)
        },
        "/v1/repos": {
            "get": _operation(
                "Administration", "The known repositories that the credential may read", _REPOSITORIES,
                right=Right.LIST,
            )
        },
        "/v1/keys": {
            "post": _make_key(),
            "get": _operation("Keys", "All application keys", _KEYS, right=Right.OPERATE),
        },
        "/v1/keys/{id}": {"delete": _revoke_key()},
        "/v1/admin/rebuild": {
            "post": _operation(
                "Administration", "Derive all facts anew; a line for each repository", _NDJSON,
                right=Right.OPERATE,
            )
        },
        "/v1/admin/backup": {
            "get": _operation(
                "Administration", "A consistent copy of the store", _BINARY, right=Right.OPERATE
            )
        },
        "/healthz": {"get": _public("Is the process alive?", _STATUS)},
        "/readyz": {"get": _public("Does the store answer?", _STATUS)},
        "/metrics": {"get": _public("Metrics for Prometheus", {"text/plain": {"schema": STRING}})},
        "/docs": {"get": _public("A page to try all this", {"text/html": {"schema": STRING}})},
        "/v1/openapi.json": {"get": _public("This description", _json({"type": "object"}))},
        "/v1/configuration-schema.json": {
            "get": _public(
                "JSON schema of the configuration document",
                {"application/schema+json": {"schema": {"type": "object"}}},
            )
        },
        "/repos/{owner}/{repository}/products": {
            "get": {
                **_public("A page to enable and disable products", {"text/html": {"schema": STRING}}),
                "parameters": [_parameter(parameter) for parameter in _REPOSITORY],
            }
        },
    }  # fmt: skip


Content = dict[str, Any]


def _json(schema: Schema) -> Content:
    return {"application/json": {"schema": schema}}


def _or_null(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


_REPOSITORY = [OWNER, REPOSITORY]
_NDJSON: Content = {"application/x-ndjson": {"schema": STRING}}
_BINARY: Content = {"application/octet-stream": {"schema": STRING}}
_DELETED = _json(record({"deleted": INTEGER}))
_STATUS = _json(record({"status": STRING}))
_PRODUCTS: Schema = {"type": "array", "items": {"enum": list(PRODUCTS)}, "uniqueItems": True}
_ENABLED = record({"products": _or_null(_PRODUCTS)})
_SIMULATED = record({
    "message": STRING,
    "deprecations": list_of(
        record({
            "message": STRING,
            "deadline": {"type": "string", "format": "date"},
            "path_to_field": _or_null(list_of(STRING)),
        })
    ),
    "unused_sections": _or_null(
        list_of(
            record({
                "section": STRING,
                "product": {"enum": list(PRODUCTS)},
                "product_name": STRING,
                "product_url": STRING,
            })
        )
    ),
})  # fmt: skip
_REPOSITORIES = _json(
    record({
        "repositories": list_of(
            record({
                "owner": STRING,
                "repository": STRING,
                "events": INTEGER,
                "first_event_at": _or_null(DATE_TIME),
                "last_event_at": _or_null(DATE_TIME),
            })
        )
    })
)  # fmt: skip


_NULLABLE_TIME = {"type": ["string", "null"], "format": "date-time"}
_KEY = record({
    "id": STRING,
    "name": STRING,
    "owner": STRING,
    "scopes": list_of(STRING),
    "created_at": DATE_TIME,
    "expires_at": _NULLABLE_TIME,
    "last_used_at": _NULLABLE_TIME,
})  # fmt: skip
_KEYS = _json(record({"keys": list_of(_KEY)}))
_KEY_ID = Parameter("id", "path", str, STRING, "Id of the key: what stands between `mck_` and `_`")


def _make_key() -> dict[str, Any]:
    operation = _operation("Keys", "Make an application key", _KEYS, right=Right.OPERATE)
    del operation["responses"]["200"]
    made = record({**_KEY["properties"], "key": STRING})
    operation["responses"]["201"] = {
        "description": "Made; the key itself is in this answer and in no other",
        "content": _json(made),
    }
    wanted = {
        **record({name: field.schema for name, field in KEY_FIELDS.items()}),
        "required": [name for name, field in KEY_FIELDS.items() if field.is_required],
        "additionalProperties": False,
    }
    example = {"owner": "acme", "name": "dashboard", "scopes": ["read"]}
    operation["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": wanted, "example": example}},
    }
    operation["responses"] |= problems(408, 413, 415)
    return operation


def _revoke_key() -> dict[str, Any]:
    operation = _operation("Keys", "Revoke an application key", _DELETED, [_KEY_ID], Right.OPERATE)
    del operation["responses"]["200"]
    operation["responses"]["204"] = {"description": "Revoked, from now on"}
    return operation


def _statistic(statistic: Statistic) -> dict[str, Any]:
    parameters = [*_REPOSITORY, *(QUERY[name] for name in statistic.parameters)]
    content = _json({"$ref": _REFERENCE + statistic.name})
    operation = _operation("Statistics", statistic.summary, content, parameters)
    operation["responses"]["200"]["headers"] = {"ETag": {"schema": STRING}}
    operation["responses"]["304"] = {"description": "The answer is still the one with this ETag"}
    return operation


def _send_events() -> dict[str, Any]:
    event = {"$ref": _REFERENCE + "Event"}
    operation = _operation(
        "Events",
        "Send events; the answer comes once they are durable",
        _json(record({"stored": INTEGER, "duplicates": INTEGER})),
        _REPOSITORY,
        Right.INGEST,
    )
    example = msgspec.json.encode(_EXAMPLE_EVENT).decode() + "\n"
    operation["requestBody"] = {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"type": "array", "items": event, "maxItems": MOST_EVENTS},
                "example": [_EXAMPLE_EVENT],
            },
            "application/x-ndjson": {"schema": STRING, "example": example},
        },
    }
    operation["responses"] |= problems(408, 413, 415)
    return operation


def _set_products() -> dict[str, Any]:
    enabled = record({"products": _PRODUCTS})
    operation = _operation(
        "Configuration", "Set the enabled products", _json(enabled), _REPOSITORY, Right.PRODUCTS
    )
    return _with_body(operation, enabled, {"products": ["merge_queue"]})


def _simulate_configuration() -> dict[str, Any]:
    text = {"type": "string", "maxLength": LONGEST_DOCUMENT}
    body = {"oneOf": [{**record({name: text}), "additionalProperties": False} for name in DOCUMENT_FIELDS]}
    operation = _operation("Configuration", "Judge a configuration document", _json(_SIMULATED), _REPOSITORY)
    return _with_body(operation, body, {DOCUMENT_FIELDS[0]: _EXAMPLE_DOCUMENT})


def _with_body(operation: dict[str, Any], schema: Schema, example: dict[str, object]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema, "example": example}}
    operation["requestBody"] = {"required": True, "content": content}
    operation["responses"] |= problems(408, 413, 415)
    return operation


def _operation(
    tag: str,
    summary: str,
    content: Content,
    parameters: list[Parameter] | None = None,
    right: Right = Right.READ,
) -> dict[str, Any]:
    described = [_parameter(parameter) for parameter in parameters or []]
    return {
        "tags": [tag],
        "summary": summary,
        "security": security(right),
        "parameters": described,
        "responses": {
            "200": {"description": "Done", "content": content},
            **problems(403, 404, 409, 422, 429, 503),
        },
    }


def _public(summary: str, content: Content) -> dict[str, Any]:
    answers = {"200": {"description": "Done", "content": content}, **problems(503)}
    return {"tags": ["Service"], "summary": summary, "security": [], "responses": answers}


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


def _answer_schemas() -> dict[str, Schema]:
    return {statistic.name: statistic.schema for statistic in STATISTICS.values()}


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
