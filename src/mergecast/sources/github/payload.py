"""Reads fields of untrusted JSON: a value of the wrong type counts as missing."""

from collections.abc import Mapping
from typing import Any

from mergecast.model.instant import NotAnInstant, parse_instant

Payload = Mapping[str, Any]


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


def check_run_name(run: Payload) -> str:
    """What identifies a check on a commit: the same for each of its runs.

    Jobs of different workflows can have the same name; each workflow has a suite of its own.
    """
    app, suite = text(member(run, "app"), "slug") or "", member(run, "check_suite").get("id")
    return f"check_run {app} {text(run, 'name') or ''} {suite}"
