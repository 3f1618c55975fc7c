"""A JSON object as a body: the values of its known fields, and everything wrong with the names of others."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import msgspec
from starlette.requests import Request

from mergecast.api.body import check_announced_length, is_packed, media_type, unpack
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.model.nearest import nearest
from mergecast.model.plain_data import pointer

_MALFORMED = "JSON is malformed: "  # how the decoder begins most of its messages
# What may stand in a body besides the values of known fields: names, blanks, a mistake.
_MOST_BESIDES = 64 << 10
_LONGEST_SHOWN = 100
_HEAD = 64  # by so much of its beginning a long value is found
_HALF_A_PAIR = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
)
_KINDS = {b'"': "a string", b"[": "a list", b"{": "an object", b"t": "true", b"f": "false", b"n": "null"}


class ObjectBody:
    """The body of an endpoint that takes an object of a few fields; unknown ones are refused."""

    def __init__(self, names: tuple[str, ...], limit: int) -> None:
        self._names, self._limit = names, limit
        # The values stay text until one is wanted: a few megabytes can unfold to a gigabyte.
        raw: list[tuple[str, Any, Any]] = [(name, msgspec.Raw, msgspec.Raw()) for name in names]
        self._shape = msgspec.defstruct("Fields", raw)

    def check_head(self, request: Request) -> None:
        """Refuse what the head of a request tells to be of another type, or too large."""
        media_type(request, ("application/json",))
        is_packed(request)
        check_announced_length(request, self._limit)

    async def read(self, services: Services, request: Request) -> Mapping[str, bytes]:
        """The JSON text of every field that came."""
        async with services.buffers.receive(request, self._limit) as body:
            if is_packed(request):
                async with services.large_bodies:
                    body = await asyncio.to_thread(unpack, body, self._limit)  # noqa: PLW2901
            return self._fields(body)

    def _fields(self, body: bytes) -> Mapping[str, bytes]:
        read = decode_json(
            body, self._shape, f"the body must be a JSON object with the field {self._names[0]}"
        )
        fields = {name: bytes(getattr(read, name)) for name in self._names}
        if len(body) - sum(map(len, fields.values())) > _MOST_BESIDES:
            message = f"the body holds far more than the field {' or '.join(self._names)}"
            raise InvalidInput([FieldError("body", "", message)])
        rest = reduce(_without, fields.values(), body)
        given = decode_json(rest, dict[str, msgspec.Raw], "the names of the fields must be text")
        unknown = [unknown_field(name, self._names, "this body") for name in given if name not in fields]
        if unknown:
            raise InvalidInput(unknown)
        return {name: value for name, value in fields.items() if value}


def unknown_field(name: str, known: Sequence[str], whole: str) -> FieldError:
    """That the body has a field it cannot have, which may be a misspelt one."""
    meant = nearest(name, known)
    hint = f", did you mean {meant}? It" if meant else "; it"
    listed = " or ".join(filter(None, (", ".join(known[:-1]), known[-1])))
    shown = pointer(name[:_LONGEST_SHOWN])
    return FieldError("body", shown, f"is not a field of {whole}{hint} takes {listed}")


def kind_of(value: bytes) -> str:
    """What a JSON text is, for a message to somebody who sent something else."""
    return _KINDS.get(value[:1], "a number")


def decode_json(body: bytes, type: Any, otherwise: str) -> Any:
    """The body as that type; everything that keeps it from being JSON is told."""
    try:
        return msgspec.json.decode(body, type=type)
    except msgspec.ValidationError:
        message = otherwise
    except msgspec.DecodeError as error:
        reason = str(error).removeprefix(_MALFORMED)[:200]
        if _HALF_A_PAIR.search(body):
            reason = "half of a surrogate pair in a string"  # the decoder speaks of truncated data
        message = f"the body is not valid JSON: {reason}"
    except UnicodeDecodeError:
        message = "the body is not valid JSON: not UTF-8"
    except RecursionError:
        message = "the body is not valid JSON: nested too deeply"
    raise InvalidInput([FieldError("body", "", message)])


def _without(body: bytes, value: bytes) -> bytes:
    """The body with a long value cut out, so that it need not be read a second time."""
    if len(value) <= _MOST_BESIDES:
        return body
    start = body.find(value[:_HEAD])
    while start >= 0 and not body.startswith(value, start):
        start = body.find(value[:_HEAD], start + 1)
    return body if start < 0 else body[:start] + b"null" + body[start + len(value) :]
