"""`POST /mcp`: tools for agents, by the Model Context Protocol.

A tool makes the same requests to this application that a client would make, with the caller's credential.

The SDK decodes and validates a whole message on the event loop, where everyone else waits for it. So only
what it does not see may be long: a long document is taken out before.
"""

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope

from mergecast.access.rights import Right
from mergecast.api.cookies import is_trusted_origin
from mergecast.api.fair_shares import while_connected
from mergecast.api.mcp_server import CALLER, McpServer
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import refuse_query
from mergecast.api.problems import HttpError
from mergecast.api.request_body import JSON, RequestBody
from mergecast.api.routing import APPLICATION, MCP_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.inputs.json_object import NOT_JSON, without
from mergecast.tools.asking import Asked, Asker, Caller, Replied

_BODY = RequestBody(2 << 20, may_be_gzip=False)  # a document of 1 MiB, as JSON
# Who asks, and from where. Everything else in the head of a message is about the message.
_PASSED_ON = (b"authorization", b"x-forwarded-for", b"host")

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


class Collected:
    """An answer, as an application sends it."""

    def __init__(self) -> None:
        self.status, self.headers, self.body = 0, MutableHeaders(), bytearray()

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], MutableHeaders(raw=list(message["headers"]))
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")


class InnerRequests:
    """Makes requests for one message; counts them."""

    def __init__(self, message: Request, server: McpServer) -> None:
        self._scope, self._server = message.scope, server
        self.made = 0

    async def send(self, asked: Asked) -> Replied:
        """The answer of this application. To the request, a cancelled call is a client that disconnects."""
        self.made += 1
        gone, answer = asyncio.Event(), Collected()
        body = b"" if asked.body is None else msgspec.json.encode(asked.body)
        application: ASGIApp = self._scope[APPLICATION]
        work = application(self._inner(asked), receiving(body, gone), answer.take)
        request = self._server.begin(_awaited(work))
        try:
            await asyncio.shield(request)
        finally:
            gone.set()
        seconds = answer.headers.get("retry-after", "")
        return Replied(answer.status, bytes(answer.body), int(seconds) if seconds.isdigit() else None)

    def _inner(self, asked: Asked) -> Scope:
        headers = [pair for pair in self._scope["headers"] if pair[0] in _PASSED_ON]
        outer = ("type", "asgi", "http_version", "scheme", "client", "server")
        return {
            **{name: self._scope.get(name) for name in outer},
            "method": asked.method,
            "path": asked.path,
            "raw_path": asked.path.encode(),
            "root_path": "",
            "query_string": urlencode(asked.query).encode(),
            "headers": [*headers, (b"content-type", JSON.encode()), (b"accept", JSON.encode())],
        }


async def _awaited(work: Awaitable[None]) -> None:
    await work


def receiving(body: bytes, gone: asyncio.Event) -> Receive:
    """What an application receives: the whole body at once, and then that the client has gone."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    return receive


def mcp_route(services: Services) -> Route:
    async def receive(request: Request, _: Mapping[str, str]) -> Response:
        if not is_trusted_origin(request.scope["headers"], services.public_url):
            raise HttpError(403, "a page of another origin may not use this")
        refuse_query(request)
        _BODY.check_head(request)
        caller, requests = admission_of(request).caller, InnerRequests(request, services.mcp)
        async with _BODY.read(services.buffers, request) as body:
            try:
                message = shortened(body)
            except NoMessage as refused:
                services.guard.count(caller)
                return refused.response()
            answer = await while_connected(request, answered(request, requests, message))
        if not requests.made:
            services.guard.count(caller)
        return answer

    async def answered(request: Request, requests: InnerRequests, message: Shortened) -> Response:
        application = await services.mcp.application()
        asker = Asker(requests.send, services.now)
        scope = {**request.scope, CALLER: Caller(asker, message.arguments)}
        answer = Collected()
        await application(scope, receiving(message.body, asyncio.Event()), answer.take)
        return Response(bytes(answer.body), answer.status, media_type=answer.headers.get("content-type"))

    operation = Operation("Service", "Tools for agents, by the Model Context Protocol", {})
    return Route("POST", MCP_PATH, Right.TOOLS, receive, operation)
