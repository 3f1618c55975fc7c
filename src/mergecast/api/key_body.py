"""The body that asks for an application key: by one table that the description of the API reads too."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mergecast.access.application_keys import WantedKey
from mergecast.api.fields import decode_json, unknown_field
from mergecast.errors import FieldError, InvalidInput
from mergecast.model.application_key import SCOPES
from mergecast.model.instant import NotAnInstant, parse_instant
from mergecast.model.repository import OWNER_LENGTH, OWNER_PATTERN, is_owner

LONGEST_NAME = 100


class Refused(ValueError):
    """A value breaks the rule of its field; the message says what is right."""


@dataclass(frozen=True, slots=True)
class BodyField:
    read: Callable[[Any], Any]
    schema: dict[str, object]
    is_required: bool = False


def _owner(value: Any) -> str:
    if not isinstance(value, str) or not is_owner(value):
        raise Refused(f"must be 1 to {OWNER_LENGTH} letters, digits or hyphens")
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_NAME or not value.isprintable():
        raise Refused(f"must be a string of 1 to {LONGEST_NAME} printable characters")
    return value


def _scopes(value: Any) -> frozenset[str]:
    is_list = isinstance(value, list) and all(isinstance(scope, str) for scope in value)
    if not is_list or not value or not set(value) <= set(SCOPES) or len(set(value)) < len(value):
        raise Refused(f"must be a list of some of {', '.join(SCOPES)}, each once")
    return frozenset(value)


def _expiry(value: Any) -> int | None:
    if value is None:
        return None
    try:
        return parse_instant(value if isinstance(value, str) else "")
    except NotAnInstant as error:
        raise Refused(f"{error}; null for a key that does not expire") from None


KEY_FIELDS = {
    "owner": BodyField(
        _owner,
        {"type": "string", "minLength": 1, "maxLength": OWNER_LENGTH, "pattern": OWNER_PATTERN},
        is_required=True,
    ),
    "name": BodyField(_name, {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, is_required=True),
    "scopes": BodyField(
        _scopes,
        {
            "type": "array",
            "items": {"enum": list(SCOPES)},
            "minItems": 1,
            "uniqueItems": True,
            "default": ["read"],
        },
    ),
    "expires_at": BodyField(_expiry, {"type": ["string", "null"], "format": "date-time", "default": None}),
}


def read_wanted_key(body: bytes, now: int) -> WantedKey:
    """Everything wrong with the body is reported at once."""
    content = decode_json(body, dict[str, Any], "the body must be a JSON object that describes a key")
    errors = [unknown_field(name, tuple(KEY_FIELDS), "a key") for name in content if name not in KEY_FIELDS]
    values: dict[str, Any] = {}
    for name, field in KEY_FIELDS.items():
        if name not in content:
            if field.is_required:
                errors.append(FieldError("body", f"/{name}", "is missing"))
            continue
        try:
            values[name] = field.read(content[name])
        except Refused as refused:
            errors.append(FieldError("body", f"/{name}", str(refused)))
    expires_at = values.get("expires_at")
    if expires_at is not None and expires_at <= now:
        errors.append(FieldError("body", "/expires_at", "must lie in the future"))
    if errors:
        raise InvalidInput(errors)
    return WantedKey(values["name"], values["owner"], values.get("scopes", frozenset()), expires_at)
