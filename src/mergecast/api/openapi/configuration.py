"""Documents, products and recorded pull requests as OpenAPI describes them."""

from dataclasses import replace
from typing import Any

from mergecast.access.rights import Right
from mergecast.api.openapi.operations import (
    DELETED,
    REPOSITORY,
    Content,
    as_json,
    operation,
    or_null,
    parameter,
    public,
    with_body,
)
from mergecast.api.openapi.problems import problems
from mergecast.api.openapi.schemas import DATE_TIME, INTEGER, STRING, Schema, list_of, record
from mergecast.api.parameters import LARGEST_RECORDED, NUMBER, Parameter
from mergecast.api.simulation.submitted_document import DOCUMENT_FIELDS
from mergecast.judge.messages import LONGEST_DOCUMENT
from mergecast.model.repository import PRODUCTS
from mergecast.model.snapshot import Part

_EXAMPLE_DOCUMENT = """\
queue_rules:
  - name: default
    merge_conditions:
      - check-success = build
"""


_PRODUCTS: Schema = {"type": "array", "items": {"enum": list(PRODUCTS)}, "uniqueItems": True}
_ENABLED = record({"products": or_null(_PRODUCTS)})
_RECORDED = [*REPOSITORY, replace(NUMBER, schema={**NUMBER.schema, "maximum": LARGEST_RECORDED})]
_DEPRECATIONS = list_of(
    record({
        "message": STRING,
        "deadline": {"type": "string", "format": "date"},
        "path_to_field": or_null(list_of(STRING)),
    })
)  # fmt: skip
_SIMULATED: Content = {
    **as_json(record({"title": STRING, "summary": STRING, "deprecations": _DEPRECATIONS})),
    "text/plain": {"schema": STRING},
}
_JUDGED = record({
    "message": STRING,
    "deprecations": _DEPRECATIONS,
    "unused_sections": or_null(
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


def configuration_paths() -> dict[str, Any]:
    """Paths that are about configuration documents."""
    repository = "/v1/repos/{owner}/{repository}"
    pull_request = f"{repository}/pulls/{{number}}"
    return {
        f"{repository}/products": {
            "get": operation("Configuration", "The enabled products", as_json(_ENABLED), REPOSITORY),
            "put": _set_products(),
        },
        f"{repository}/configuration-simulator": {"post": _judge_document()},
        f"{repository}/simulator": {
            "post": _simulate("What a document would do to the open pull requests", REPOSITORY)
        },
        f"{pull_request}/simulator": {
            "post": _simulate("What a document would do to a pull request", [*REPOSITORY, NUMBER])
        },
        f"{pull_request}/snapshot": {
            "put": _record_snapshot(),
            "get": operation(
                "Configuration", "What is recorded of a pull request", as_json({"type": "object"}), _RECORDED,
                Right.INGEST,
            ),
            "delete": operation("Configuration", "Forget a pull request", DELETED, _RECORDED, Right.INGEST),
        },
        "/v1/configuration-schema.json": {
            "get": public(
                "JSON schema of the configuration document",
                {"application/schema+json": {"schema": {"type": "object"}}},
            )
        },
        "/repos/{owner}/{repository}/products": {
            "get": _products_page()
        },
    }  # fmt: skip


def _products_page() -> dict[str, Any]:
    page = public("A page to enable and disable products", {"text/html": {"schema": STRING}})
    responses = {**page["responses"], **problems(422)}
    return {**page, "parameters": [parameter(name) for name in REPOSITORY], "responses": responses}


def _set_products() -> dict[str, Any]:
    enabled = record({"products": _PRODUCTS})
    described = operation(
        "Configuration", "Set the enabled products", as_json(enabled), REPOSITORY, Right.PRODUCTS
    )
    return with_body(described, enabled, {"products": ["merge_queue"]})


def _judge_document() -> dict[str, Any]:
    described = operation("Configuration", "Judge a configuration document", as_json(_JUDGED), REPOSITORY)
    return _with_document(described)


def _simulate(summary: str, parameters: list[Parameter]) -> dict[str, Any]:
    return _with_document(operation("Configuration", summary, _SIMULATED, parameters))


def _with_document(described: dict[str, Any]) -> dict[str, Any]:
    text = {"type": "string", "maxLength": LONGEST_DOCUMENT}
    body = {"oneOf": [{**record({name: text}), "additionalProperties": False} for name in DOCUMENT_FIELDS]}
    return with_body(described, body, {DOCUMENT_FIELDS[0]: _EXAMPLE_DOCUMENT})


def _record_snapshot() -> dict[str, Any]:
    kept = as_json(record({"number": INTEGER, "open": {"type": "boolean"}}))
    described = operation(
        "Configuration", "Record what the platform says of a pull request", kept, _RECORDED, Right.INGEST
    )
    pull = {"type": "object", "description": "Answer of the platform to `GET /repos/…/pulls/{number}`"}
    properties = {"pull": pull, **{part.key: {} for part in Part if part is not Part.SENDER}}
    schema: Schema = {
        "type": "object",
        "properties": {**properties, "recorded_at": DATE_TIME},
        "required": ["pull"],
        "additionalProperties": False,
    }
    return with_body(described, schema, {"pull": {"number": 42}})
