"""Application keys as OpenAPI describes them."""

from typing import Any

from mergecast.access.rights import Right
from mergecast.api.keys import KEY_FIELDS
from mergecast.api.openapi.operations import DELETED, as_json, operation, with_body
from mergecast.api.openapi.schemas import DATE_TIME, STRING, list_of, record
from mergecast.api.parameters import Parameter

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
_KEYS = as_json(record({"keys": list_of(_KEY)}))
_KEY_ID = Parameter("id", "path", str, STRING, "Id of the key: what stands between `mck_` and `_`")


def _make_key() -> dict[str, Any]:
    described = operation("Keys", "Make an application key", _KEYS, right=Right.OPERATE)
    del described["responses"]["200"]
    made = record({**_KEY["properties"], "key": STRING})
    described["responses"]["201"] = {
        "description": "Made; the key itself is in this answer and in no other",
        "content": as_json(made),
    }
    wanted = {
        **record({name: field.schema for name, field in KEY_FIELDS.items()}),
        "required": [name for name, field in KEY_FIELDS.items() if field.is_required],
        "additionalProperties": False,
    }
    example: dict[str, object] = {"owner": "acme", "name": "dashboard", "scopes": ["read"]}
    return with_body(described, wanted, example)


def _revoke_key() -> dict[str, Any]:
    described = operation("Keys", "Revoke an application key", DELETED, [_KEY_ID], Right.OPERATE)
    del described["responses"]["200"]
    described["responses"]["204"] = {"description": "Revoked, from now on"}
    return described


def key_paths() -> dict[str, Any]:
    """Paths that are about application keys."""
    return {
        "/v1/keys": {
            "post": _make_key(),
            "get": operation("Keys", "All application keys", _KEYS, right=Right.OPERATE),
        },
        "/v1/keys/{id}": {"delete": _revoke_key()},
    }
