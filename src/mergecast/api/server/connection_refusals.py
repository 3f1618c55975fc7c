"""What a client gets when its connection is refused before the application sees a request."""

import json
from typing import Any

# Larger than the longest valid token, so that a token that is too long gets the same refusal as a wrong one.
HEAD_LIMIT = 128 << 10
_NO_ROOM = 503
_MEDIA_TYPE = "application/problem+json"
_PROBLEMS = {
    400: ("Bad Request", "this is not an HTTP/1.1 request"),
    408: ("Request Timeout", "the request head did not arrive within {head_seconds:g} seconds"),
    431: (
        "Request Header Fields Too Large",
        f"path, query and headers may have {HEAD_LIMIT >> 10} KiB together",
    ),
    _NO_ROOM: ("Service Unavailable", "too many connections are open; close some, or try again in a moment"),
}


def refusal(status: int, head_seconds: float) -> bytes:
    """A whole response; the connection is closed after it."""
    body = _body(status, head_seconds)
    head = (
        f"HTTP/1.1 {status} {_PROBLEMS[status][0]}\r\nContent-Type: {_MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def answer_no_room(_: Any, __: Any, send: Any) -> None:
    """An ASGI application that takes the place of the real one while there is room for probes only."""
    body = _body(_NO_ROOM)
    headers = [(b"content-type", _MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": _NO_ROOM, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _body(status: int, head_seconds: float = 0.0) -> bytes:
    title, detail = _PROBLEMS[status]
    problem = {"type": "about:blank", "title": title, "status": status}
    return json.dumps({**problem, "detail": detail.format(head_seconds=head_seconds)}).encode()
