"""Messages for errors of shape: what was found, what is allowed, the nearest name."""

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any

from mergecast.language.conditions.errors import excerpt
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.words import plural

_LONGEST_SHOWN = 60
_MOST_NAMED = 25
_FEW = 5


def found(value: Any) -> str:
    """The end of a message: the value that was found instead."""
    return f"found {_described(value)}"


def _described(value: Any) -> str:  # noqa: PLR0911  (one line per kind of value)
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {excerpt(str(value), _LONGEST_SHOWN)}"
    if isinstance(value, str):
        return f"the text '{excerpt(value, _LONGEST_SHOWN)}'"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"the date {value.isoformat()}" if isinstance(value, date) else "binary data"


def mutually_exclusive(key: str, present: Collection[str]) -> str:
    """The message for a key that excludes others that are present."""
    others = " or ".join(f"`{name}`" for name in present)
    return f"Extra inputs are not permitted: `{key}` can't be used together with {others}"


def unknown_key(key: str, known: Collection[str], written: Any) -> str:
    """The message for an unknown key, with the nearest known key, or all known keys."""
    message = f"Extra inputs are not permitted: `{excerpt(key, _LONGEST_SHOWN)}` is not known here"
    if isinstance(written, bool):
        message = f"{message} (YAML reads the words yes, no, on and off as booleans)"
    if near := nearest(key, known):
        return f"{message}, did you mean `{near}`?"
    if not known:
        return message
    named = ", ".join(f"`{name}`" for name in sorted(known)[:_MOST_NAMED])
    return f"{message}, allowed keys: {named}{', …' if len(known) > _MOST_NAMED else ''}"


def _quote_it(value: Any) -> str:
    if isinstance(value, bool | int | float | date):
        return "; put it in quotes to make it a string"
    return "; remove the key or give it a value" if value is None else ""


def _unquote_it(value: Any) -> str:
    return "; write it without quotes" if isinstance(value, str) and value.strip().isdecimal() else ""


def _list_it(value: Any) -> str:
    if value is None:
        return "; write `[]` for an empty list"
    return f"; write `[{excerpt(value, _LONGEST_SHOWN)}]`" if isinstance(value, str) else ""


def _of_type(name: str, hint: Callable[[Any], str] = lambda _: "") -> Callable[[Any, Mapping[str, Any]], str]:
    return lambda value, _: f"Input should be a valid {name}, {found(value)}{hint(value)}"


def _one_of(value: Any, context: Mapping[str, Any]) -> str:
    expected = str(context["expected"])
    choices = [choice.strip("'") for choice in expected.replace(" or ", ", ").split(", ")]
    near = nearest(value, choices) if isinstance(value, str) else None
    return f"Input should be {expected}, {found(value)}" + (f"; did you mean '{near}'?" if near else "")


def _items(value: Any, word: str, limit: int) -> str:
    if isinstance(value, dict):
        return f"Mapping should have {word} {limit} entries, found {len(value)}"
    return f"List should have {word} {limit} {plural(limit, 'item')}, found {len(value)}"


_REASONS: Mapping[str, Callable[[Any, Mapping[str, Any]], str]] = {
    "string_type": _of_type("string", _quote_it),
    "int_type": _of_type("integer", _unquote_it),
    "bool_type": _of_type("boolean", lambda _: ", write `true` or `false`"),
    "tuple_type": _of_type("list", _list_it),
    "dict_type": _of_type("mapping"),
    "none_required": lambda value, _: f"Input should be nothing (null), {found(value)}",
    "literal_error": _one_of,
    "greater_than_equal": lambda value, context: (
        f"Input should be greater than or equal to {context['ge']}, {found(value)}"
    ),
    "less_than_equal": lambda value, context: (
        f"Input should be less than or equal to {context['le']}, {found(value)}"
    ),
    "too_long": lambda value, context: _items(value, "at most", context["max_length"]),
    "too_short": lambda value, context: _items(value, "at least", context["min_length"]),
    "string_too_short": lambda value, context: (
        f"String should have at least {context['min_length']} character(s), {found(value)}"
    ),
    "string_pattern_mismatch": lambda value, _: (
        f"Input should consist of letters, digits, `-` and `_`, {found(value)}"
    ),
}


def _mapping(value: Any, keys: Collection[str]) -> str:
    named = ", ".join(f"`{key}`" for key in list(keys)[:_FEW])
    more = ", …" if len(keys) > _FEW else ""
    hint = "; write `{}` for an empty one" if value is None else ""
    return f"Input should be a valid mapping with keys such as {named}{more}, {found(value)}{hint}"


def reason(kind: str, value: Any, context: Mapping[str, Any], fallback: str, keys: Collection[str]) -> str:
    """The message for one kind of pydantic error, or pydantic's own message."""
    if kind == "model_type":
        return _mapping(value, keys)
    word = _REASONS.get(kind)
    return word(value, context) if word else fallback
