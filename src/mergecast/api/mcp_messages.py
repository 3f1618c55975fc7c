"""Messages to `/mcp`: a long document is taken out before the SDK reads the rest.

The SDK decodes and validates a whole message on the event loop, where everyone else waits for it. So only
what it does not see may be long.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from starlette.responses import Response

from mergecast.inputs.json_object import NOT_JSON, without

_LONGEST = 16 << 10  # of what the SDK reads
_PARSE_ERROR, _INVALID_REQUEST, _INVALID_PARAMS = -32700, -32600, -32602  # of JSON-RPC
_DOCUMENT = "document"
_ABSENT = msgspec.Raw()


class _Message(msgspec.Struct):
    jsonrpc: Literal["2.0"]
    method: str
    id: str | int | None = None
    params: msgspec.Raw = _ABSENT


class _Params(msgspec.Struct):
    arguments: msgspec.Raw = _ABSENT


class _Arguments(msgspec.Struct):
    document: msgspec.Raw = _ABSENT


class Shortened(NamedTuple):
    """A message for the SDK, and the arguments that were taken out of it."""

    body: bytes
    arguments: Mapping[str, Any]


class NoMessage(Exception):
    """A body that the protocol refuses."""

    def __init__(self, code: int, message: str, id: str | int | None = None) -> None:
        super().__init__(message)
        self._code, self._id = code, id

    def response(self) -> Response:
        error = {"code": self._code, "message": str(self)}
        body = msgspec.json.encode({"jsonrpc": "2.0", "id": self._id, "error": error})
        return Response(body, 400, media_type="application/json")


def shortened(body: bytes) -> Shortened:
    """The message without its document, if it is long. Nothing of it is decoded but that text."""
    if len(body) <= _LONGEST:
        return Shortened(body, {})
    try:
        message = msgspec.json.decode(body, type=_Message)
        document = _document(message.params)
        text = msgspec.json.decode(document, type=str) if document else ""
    except msgspec.ValidationError:
        raise NoMessage(_INVALID_REQUEST, "this is not a request or a notification of JSON-RPC 2.0") from None
    except NOT_JSON:
        raise NoMessage(_PARSE_ERROR, "this is not JSON") from None
    rest = without(body, document) if document else body
    if len(rest) > _LONGEST:
        told = f"only the argument `{_DOCUMENT}` may be long; the rest may have {_LONGEST:,} bytes"
        raise NoMessage(_INVALID_PARAMS, told, message.id)
    return Shortened(rest, {_DOCUMENT: text} if document else {})


def _document(params: msgspec.Raw) -> bytes:
    """The JSON text of a document among the arguments of a tool; nothing if there is none, or no text."""
    read = msgspec.json.decode(params, type=_Params) if params else _Params()
    arguments = msgspec.json.decode(read.arguments, type=_Arguments) if read.arguments else _Arguments()
    document = bytes(arguments.document)
    return document if document.startswith(b'"') else b""
