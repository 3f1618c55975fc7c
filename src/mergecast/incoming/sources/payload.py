"""Reads fields of untrusted JSON: a value of the wrong type counts as missing."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from mergecast.queues.model.instant import NotAnInstant, parse_instant

Payload = Mapping[str, Any]


def is_number(value: object) -> TypeGuard[int]:
    """Whether a value can be the number of a pull request, or the id of something on a platform.

    >>> [is_number(value) for value in (7, -7, True, "7", 10**30)]
    [True, False, False, False, False]
    """
    return type(value) is int and 0 <= value < 1 << 63


def member(payload: Payload, name: str) -> Payload:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def members(payload: Payload, name: str) -> list[Payload]:
    value = payload.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(payload: Payload, name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) else None


def instant(payload: Payload, name: str) -> int | None:
    try:
        return parse_instant(text(payload, name) or "")
    except NotAnInstant:
        return None
