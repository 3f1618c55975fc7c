"""Heads of requests: bounded in size and time before anything is done with them."""

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# More than the longest token that anybody sends: one that is too long gets the refusal of every wrong token.
HEAD_LIMIT = 128 << 10
HEAD_SECONDS = 30.0

_REASONS = {
    400: ("Bad Request", "this is not an HTTP/1.1 request"),
    408: ("Request Timeout", f"the request head did not arrive within {HEAD_SECONDS:g} seconds"),
    431: (
        "Request Header Fields Too Large",
        f"path, query and headers may hold {HEAD_LIMIT >> 10} KiB together",
    ),
}


class BoundedHead(HttpToolsProtocol):
    """uvicorn's protocol, which alone would collect a head of any size for any time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head_bytes = 0
        self._is_in_head = True
        self._is_body = False
        self._alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._alarm = self.loop.call_later(HEAD_SECONDS, self._refuse, 408)

    def connection_lost(self, exc: Exception | None) -> None:
        self._silence()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._is_body = False
        super().data_received(data)
        # What is neither body nor the end of a request belongs to a head, or to trailers behind a body.
        if not self._is_body:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_LIMIT:
                self._refuse(431)

    def on_header(self, name: bytes, value: bytes) -> None:
        # Trailers are no headers: nobody here reads them, and they come after the head was judged.
        if self._is_in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._is_body = True
        self._head_bytes = 0
        super().on_body(body)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True
        self._head_bytes = 0
        if self._alarm is None:
            self._alarm = self.loop.call_later(HEAD_SECONDS, self._refuse, 408)

    def on_headers_complete(self) -> None:
        self._silence()
        self._is_in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_body = True
        self._head_bytes = 0

    def send_400_response(self, msg: str) -> None:
        del msg
        self._refuse(400)

    def _silence(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _refuse(self, status: int) -> None:
        """Answer without the application, which has not heard of this request, and hang up."""
        self._silence()
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            # An answer is being written; another one in its middle would garble it.
            self.transport.close()
            return
        title, detail = _REASONS[status]
        body = json.dumps(
            {"type": "about:blank", "title": title, "status": status, "detail": detail}
        ).encode()
        head = (
            f"HTTP/1.1 {status} {title}\r\nContent-Type: application/problem+json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
