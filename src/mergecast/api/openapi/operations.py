"""How OpenAPI describes one operation."""

from typing import Any

from mergecast.access.rights import Right
from mergecast.api.openapi.problems import problems
from mergecast.api.openapi.schemas import INTEGER, STRING, Schema, record
from mergecast.api.openapi.security import security
from mergecast.api.parameters import OWNER, Parameter
from mergecast.api.parameters import REPOSITORY as NAME

Content = dict[str, Any]


def as_json(schema: Schema) -> Content:
    return {"application/json": {"schema": schema}}


def or_null(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


REPOSITORY = [OWNER, NAME]
NDJSON: Content = {"application/x-ndjson": {"schema": STRING}}
BINARY: Content = {"application/octet-stream": {"schema": STRING}}
DELETED = as_json(record({"deleted": INTEGER}))
STATUS = as_json(record({"status": STRING}))


def with_body(operation: dict[str, Any], schema: Schema, example: dict[str, object]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema, "example": example}}
    operation["requestBody"] = {"required": True, "content": content}
    operation["responses"] |= problems(408, 413, 415)
    return operation


def operation(
    tag: str,
    summary: str,
    content: Content,
    parameters: list[Parameter] | None = None,
    right: Right = Right.READ,
) -> dict[str, Any]:
    described = [parameter(one) for one in parameters or []]
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


def public(summary: str, content: Content) -> dict[str, Any]:
    answers = {"200": {"description": "Done", "content": content}, **problems(503)}
    return {"tags": ["Service"], "summary": summary, "security": [], "responses": answers}


def parameter(one: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": one.name,
        "in": one.place,
        "required": one.place == "path",
        "description": one.description,
        "schema": one.schema,
    }
    if one.is_repeatable:
        described |= {"style": "form", "explode": True}
    return described
