"""Settings that are JSON lists."""

from typing import Any

import msgspec


def parse_list(text: str, example: str) -> list[Any]:
    """The values of a JSON list; empty text means none.

    >>> parse_list(" ", "[1]"), parse_list("[1, 2]", "[1]")
    ([], [1, 2])
    """
    try:
        values = msgspec.json.decode(text) if text.strip() else []
    except (msgspec.DecodeError, RecursionError):
        values = None
    if not isinstance(values, list):
        raise ValueError(f"must be a JSON list such as {example}")  # noqa: TRY004 - an invalid setting, not a type error
    return values
