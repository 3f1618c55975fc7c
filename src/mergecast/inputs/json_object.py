"""JSON objects with a few known fields, which are found without decoding their values."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import msgspec

from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Fields, read_fields
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.plain_data import pointer

# What the decoder raises for text that is not JSON.
NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_MALFORMED = "JSON is malformed: "  # the prefix of most of the decoder's messages
# Bytes a body may hold besides the values of known fields: field names, white space, a mistake.
_MOST_BESIDES = 64 << 10
_LONGEST_SHOWN = 100
_SEARCHED = 64  # a long value is located by this many of its first bytes
_TRUNCATED = "Input data was truncated"
_HALVES = (
    *("unexpected end of hex escape", "unexpected end of escaped utf-16 surrogate pair"),
    "invalid utf-16 surrogate pair",
)
_ESCAPE_BYTES = 6
_LONE_SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
)
_KINDS = {b'"': "a string", b"[": "a list", b"{": "an object", b"t": "true", b"f": "false", b"n": "null"}


class JsonObject:
    """Splits the text of an object; unknown fields are refused."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        # Values stay encoded until a handler decodes them: a few megabytes can expand to a gigabyte.
        raw: list[tuple[str, Any, Any]] = [(name, msgspec.Raw, msgspec.Raw()) for name in names]
        self._shape = msgspec.defstruct("Fields", raw)

    def split(self, body: bytes) -> Mapping[str, bytes]:
        """The JSON text of every field that is given."""
        read = decode_json(
            body, self._shape, f"the body must be a JSON object with the field {self._names[0]}"
        )
        fields = {name: bytes(getattr(read, name)) for name in self._names}
        if len(body) - sum(map(len, fields.values())) > _MOST_BESIDES:
            message = f"the body holds far more than the field {' or '.join(self._names)}"
            raise InvalidInput([FieldError("body", "", message)])
        rest = reduce(_without, fields.values(), body)
        given = decode_json(rest, dict[str, msgspec.Raw], "the names of the fields must be text")
        if unknown := unknown_fields(given, self._names, "this body"):
            raise InvalidInput(unknown)
        return {name: value for name, value in fields.items() if value}


def unknown_fields(
    given: Iterable[str], known: Collection[str], whole: str, above: str = ""
) -> list[FieldError]:
    """An error for each field that does not exist; `above` points to the object."""
    return [_unknown_field(name, tuple(known), whole, above) for name in given if name not in known]


def read_object(
    fields: Fields, given: Mapping[str, Any], whole: str, above: str = ""
) -> tuple[dict[str, Any], list[FieldError]]:
    """The values of an object's fields, and every error in it; `above` points to the object."""
    values, errors = read_fields(fields, given, above)
    return values, errors + unknown_fields(given, fields, whole, above)


def read_described(body: bytes, fields: Fields, whole: str) -> tuple[dict[str, Any], list[FieldError]]:
    """The same for a body that describes something; fields that do not exist come first."""
    content = decode_json(body, dict[str, Any], f"the body must be a JSON object that describes {whole}")
    values, errors = read_fields(fields, content)
    return values, unknown_fields(content, fields, whole) + errors


def _unknown_field(name: str, known: Sequence[str], whole: str, above: str) -> FieldError:
    """With the name that was probably meant."""
    meant = nearest(name, known)
    hint = f", did you mean {meant}? It" if meant else "; it"
    listed = " or ".join(filter(None, (", ".join(known[:-1]), known[-1])))
    shown = pointer(name[:_LONGEST_SHOWN])
    return FieldError("body", f"{above}{shown}", f"is not a field of {whole}{hint} takes {listed}")


class _Pairs(list[tuple[str, Any]]):
    """The fields of an object, those that come twice too."""


def repeated_fields(body: bytes) -> list[FieldError]:
    """An error for each field that an object of a valid body has twice: a decoder would keep the last."""
    errors: list[FieldError] = []
    try:
        waiting = [("", json.loads(body, object_pairs_hook=_Pairs, parse_int=str, parse_float=str))]
    except RecursionError as error:  # what the other decoder still takes may be too deep for this one
        message = f"the body is not valid JSON: {why_not_json(error)}"
        raise InvalidInput([FieldError("body", "", message)]) from None
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, _Pairs):
            times = Counter(name for name, _ in value)
            errors += [
                FieldError(
                    "body", f"{place}{pointer(name)}", "is given more than once; keep only one of them"
                )
                for name, count in times.items()
                if count > 1
            ]
            waiting += [(f"{place}{pointer(name)}", inner) for name, inner in value]
        elif isinstance(value, list):
            waiting += [(f"{place}/{number}", inner) for number, inner in enumerate(value)]
    return errors


def json_kind(value: bytes) -> str:
    """The kind of value in a JSON text, for a message."""
    return _KINDS.get(value[:1], "a number")


def decode_json(body: bytes, type: Any, otherwise: str) -> Any:
    """Decode a body as that type. `otherwise` is the message for JSON of another type."""
    try:
        return msgspec.json.decode(body, type=type)
    except msgspec.ValidationError:
        message = otherwise
    except NOT_JSON as error:
        reason = why_not_json(error)
        if _is_half_of_a_pair(reason, body):
            reason = "half of a surrogate pair in a string"
        message = f"the body is not valid JSON: {reason}"
    raise InvalidInput([FieldError("body", "", message)])


def why_not_json(error: Exception) -> str:
    """Why the decoder raised one of the errors in `NOT_JSON`."""
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error).removeprefix(_MALFORMED)[:200]


def _is_half_of_a_pair(reason: str, body: bytes) -> bool:
    """Whether the decoder stopped at half of a surrogate pair.

    If the body ends where the other half would be, it speaks of truncated data. A search in the whole body
    would take 50 ms per MiB.
    """
    is_at_the_end = reason == _TRUNCATED and _LONE_SURROGATE.search(body, len(body) - 2 * _ESCAPE_BYTES)
    return reason.startswith(_HALVES) or bool(is_at_the_end)


def _without(body: bytes, value: bytes) -> bytes:
    """The body with a long value replaced by null, so that it is not decoded a second time."""
    if len(value) <= _MOST_BESIDES:
        return body
    return without(body, value)


def without(body: bytes, value: bytes) -> bytes:
    """The body with a value that it contains replaced by null."""
    start = position_of(value, body)
    return body[:start] + b"null" + body[start + len(value) :]


def position_of(value: bytes, body: bytes) -> int:
    """Where a value that the body contains begins.

    `find` alone would prepare a search for the whole value, which may be nearly as long as the body.
    """
    start = body.index(value[:_SEARCHED])
    while not body.startswith(value, start):
        start = body.index(value[:_SEARCHED], start + 1)
    return start
