"""Connections: each one always has a deadline, their number is limited, and one may be closed for another.

One loop checks all open connections several times a second. So a connection cannot be in a state in
which no timer runs: it waits for a request, for the rest of a head or of a body, for the application to
write something, or for the client to read.
"""

import asyncio
import json
import math
import resource
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mergecast.access.address import Network, is_in, limit_key
from mergecast.api.responses import BREAK_OFF
from mergecast.process.counts import Counts

_RESERVED_FILES = 64  # for the store, child processes and calls to the platform


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Seconds for each state of a connection, and how many connections there may be."""

    head_seconds: float = 30.0
    body_seconds: float = 75.0  # longer than the handlers' own limit, which has a better answer
    idle_seconds: float = 5.0
    # A proxy sends a request over an idle connection just when the server closes it, and then answers 502: no
    # proxy sends a webhook twice. So the proxy closes first, after up to 10 minutes.
    proxy_idle_seconds: float = 620.0
    discard_seconds: float = 2.0
    # Between two writes of an answer. The handlers' own limits are shorter, except for a backup or a rebuild.
    answer_seconds: float = 900.0
    # A client that reads slower than this for so long is disconnected.
    write_seconds: float = 20.0
    write_bytes_per_second: int = 16 << 10
    tick_seconds: float = 0.25
    most: int = 1000
    most_per_address: int = 200
    # Beyond `most`, so that a probe is answered while everything else is refused.
    health_reserve: int = 20
    # A request whose body takes longer than this to arrive is closed to make room for others.
    slow_seconds: float = 1.0
    # While more requests than this are arriving, the application gets one when it is whole, when so many
    # bytes of its body are there, or after so many seconds: clients that only begin requests cannot keep it
    # busy.
    crowd: int = 64
    begin_bytes: int = 4 << 10
    begin_seconds: float = 0.5
    begun_per_tick: int = 20
    trusted_proxies: tuple[Network, ...] = ()

    def within(self, open_files: int) -> int:
        """How many connections fit into the process's limit of open files."""
        return max(1, min(self.most, open_files - _RESERVED_FILES))


class Connections:
    """All open connections.

    When there are too many, the one that is idle for longest is closed, or else the one whose request has
    been arriving for longest: clients that only begin requests cannot keep others out.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._most = limits.within(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        self._most_per_address = max(1, min(limits.most_per_address, self._most // 2))
        self._open: set[Connection] = set()
        self._idle: dict[Connection, None] = {}  # in the order in which they became idle
        # Those whose request is arriving, and those among them that the application does not know yet: both
        # in the order in which their heads were complete.
        self._arriving: dict[Connection, None] = {}
        self._not_begun: dict[Connection, None] = {}
        self._per_address: Counts[str] = Counts()
        self._is_ticking = False

    def add(self, connection: "Connection") -> bool:
        """Whether there is room, after closing an idle connection if necessary."""
        address = connection.address
        self._open.add(connection)
        self._per_address[address] += 1
        self._start_ticking(connection.loop)
        if self._has_too_many(connection):
            return self._close_idle(address)
        return len(self._open) <= self._most or self._close_idle(None) or self._close_slowest()

    def has_room_for_health(self, connection: "Connection") -> bool:
        """Whether a connection that found no room may still ask whether the service is alive."""
        if self._has_too_many(connection):
            return False
        return len(self._open) <= self._most + self.limits.health_reserve

    def _has_too_many(self, connection: "Connection") -> bool:
        """Whether its address has too many connections; a proxy has those of all its clients."""
        return not connection.is_proxy and self._per_address[connection.address] > self._most_per_address

    def discard(self, connection: "Connection") -> None:
        if connection in self._open:
            self._open.discard(connection)
            self._idle.pop(connection, None)
            self.note_whole(connection)
            self._per_address.release(connection.address)

    def note_idle(self, connection: "Connection") -> None:
        self._idle.pop(connection, None)
        if connection in self._open:
            self._idle[connection] = None

    def note_arriving(self, connection: "Connection") -> None:
        """The head of a request is complete."""
        self._idle.pop(connection, None)
        self._arriving[connection] = self._not_begun[connection] = None

    def is_crowded(self) -> bool:
        """Whether very many requests are arriving."""
        return len(self._arriving) > self.limits.crowd

    def note_begun(self, connection: "Connection") -> None:
        """The application has the request."""
        self._not_begun.pop(connection, None)

    def note_whole(self, connection: "Connection") -> None:
        """Nothing of the request is missing."""
        self._arriving.pop(connection, None)
        self._not_begun.pop(connection, None)

    def _close_idle(self, address: str | None) -> bool:
        for connection in self._idle:
            if address is None or connection.address == address:
                connection.close_now()
                self.discard(connection)
                return True
        return False

    def _close_slowest(self) -> bool:
        slowest = next(iter(self._arriving), None)
        if slowest is None or not slowest.has_arrived_for(self.limits.slow_seconds):
            return False
        self.discard(slowest)
        slowest.give_up()
        return True

    def _begin_slow_requests(self) -> None:
        """A few at a time: many at once would delay all others."""
        for connection in list(islice(self._not_begun, self.limits.begun_per_tick)):
            if not connection.has_arrived_for(self.limits.begin_seconds):
                return
            connection.begin()

    def _start_ticking(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._is_ticking:
            self._is_ticking = True
            loop.call_later(self.limits.tick_seconds, self._tick, loop)

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_ticking = False
        now = loop.time()
        for connection in list(self._open):
            connection.check(now)
        self._begin_slow_requests()
        if self._open:
            self._start_ticking(loop)


_DISCARDED_BYTES = 32 << 20  # one body of the largest size
_HEALTH_PATHS = (b"/healthz", b"/readyz")
# Larger than the longest valid token, so that a token that is too long gets the same refusal as a wrong one.
HEAD_LIMIT = 128 << 10
_ADDRESS_LIMIT = (64 << 10) - 1  # the parser of uvicorn counts with 16 bits
_NO_ROOM = 503
_MEDIA_TYPE = "application/problem+json"
_PROBLEMS = {
    400: ("Bad Request", "this is not an HTTP/1.1 request"),
    408: ("Request Timeout", "the request head did not arrive within {head_seconds:g} seconds"),
    414: ("URI Too Long", f"the address is too long: path and query may have {_ADDRESS_LIMIT:,} bytes"),
    431: (
        "Request Header Fields Too Large",
        f"path, query and headers may have {HEAD_LIMIT >> 10} KiB together",
    ),
    _NO_ROOM: ("Service Unavailable", "too many connections are open; close some, or try again in a moment"),
}


class _Progress(NamedTuple):
    """How many bytes the client had taken, and when."""

    at: float
    taken: int


class _Transport:
    """The transport as a request's answer sees it: counts bytes, and closes without losing the answer."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self.written = 0

    def write(self, data: bytes) -> None:
        """Write unless the client has disconnected."""
        self.written += len(data)
        self._connection.note_answering()
        if not self._connection.transport.is_closing():
            self._connection.transport.write(data)

    def is_closing(self) -> bool:
        return self._connection.is_closing

    def close(self) -> None:
        self._connection.close()


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with limits: without them it accepts heads of any size and may wait forever.

    This and `app.py` depend on what uvicorn does not document, so pyproject.toml bounds its version. Before
    raising the bound, compare the releases in `protocols/http/httptools_impl.py` (every name that is used
    below), `server.py` (`shutdown`, `capture_signals`, `force_exit`) and `lifespan/on.py`, and
    run tests/robustness and tests/api with the new one.
    """

    registry: Connections  # set by `protocol_for`

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._application, self.app = self.app, self._run_when_due
        self._due: asyncio.Future[None] | None = None  # what the application waits for
        self._limits = self.registry.limits
        self.address, self.is_proxy, self.url = "", False, b""
        self._arriving_since = 0.0  # when the head of the last request was complete
        self._has_begun = False
        self._is_for_health_only = False
        self._head_bytes = 0
        self._is_in_head = True
        self._is_body = False
        self._is_complete = True  # the last request was received to its end
        self._is_last = False  # what follows the last request was refused
        self._is_discarding = False
        self._discarded = 0
        self._deadline = math.inf
        self._counted = _Transport(self)
        self._progress = _Progress(0.0, 0)

    @property
    def is_closing(self) -> bool:
        return self._is_discarding or self.transport.is_closing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self.address = limit_key(peer)
        self.is_proxy = is_in(peer, self._limits.trusted_proxies)
        self._set_deadline(self._limits.head_seconds)
        self._progress = _Progress(self.loop.time(), 0)
        if self.registry.add(self):
            self.registry.note_idle(self)
        elif self.registry.has_room_for_health(self):
            self._is_for_health_only = True
        else:
            self._refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        self.registry.discard(self)
        super().connection_lost(exc)
        self.begin()

    def check(self, now: float) -> None:
        """Called several times a second, whatever the state of the connection is."""
        waiting = self.transport.get_write_buffer_size()
        taken = self._counted.written - waiting
        enough = self._limits.write_seconds * self._limits.write_bytes_per_second
        if not waiting or taken - self._progress.taken >= enough:
            self._progress = _Progress(now, taken)
        elif now - self._progress.at > self._limits.write_seconds:
            self.transport.abort()
        if now > self._deadline:
            self._time_out()

    def close_now(self) -> None:
        self.transport.close()

    def _time_out(self) -> None:
        self._deadline = math.inf
        if self._is_discarding or self._is_last or not self._is_in_head:
            self.transport.close()
        elif self._head_bytes == 0 and self.cycle is not None:
            self.transport.close()  # idle between requests
        else:
            self._refuse(408)

    def data_received(self, data: bytes) -> None:
        if self._is_discarding or self._is_last:
            self._discarded += len(data)
            if self._discarded > _DISCARDED_BYTES:
                self.transport.close()
            return
        self._is_body = False
        super().data_received(data)
        # Bytes that are not part of a body belong to a head, or to trailers after a body.
        if not self._is_body:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_LIMIT:
                self._refuse(431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._deadline == math.inf or not self._is_in_head or self.cycle is not None:
            self._set_deadline(self._limits.head_seconds)
        self._is_in_head = True
        self._is_complete = False
        self._head_bytes = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        # Trailers are ignored: they come after the head was judged.
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        for name, value in self.headers:
            if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
                raise ValueError("a transfer encoding that is not supported")  # becomes a 400
        self.registry.note_arriving(self)
        self._arriving_since, self._has_begun = self.loop.time(), False
        if self._is_for_health_only and not self.url.partition(b"?")[0].endswith(_HEALTH_PATHS):
            self._application = answer_no_room
        super().on_headers_complete()
        if self._is_for_health_only:
            self.cycle.keep_alive = False
        self._set_deadline(self._limits.body_seconds)
        _adapt_sending(self.cycle)
        self.cycle.transport = self._counted  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        self._is_body = True
        self._head_bytes = 0
        super().on_body(body)
        if len(self.cycle.body) >= self._limits.begin_bytes:
            self.begin()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_body = self._is_complete = True
        self._head_bytes = 0
        self.registry.note_whole(self)
        self.begin()
        self.note_answering()

    async def _run_when_due(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, in a crowd only once enough of the request has arrived."""
        cycle = self.cycle
        if self.registry.is_crowded() and not (self._is_complete or self._has_begun):
            self._due = self.loop.create_future()
            await self._due
            if cycle.disconnected:
                return
        await self._application(scope, receive, send)

    def begin(self) -> None:
        """Let the application have the request, whether it is whole or not."""
        self._has_begun = True
        self.registry.note_begun(self)
        if self._due is not None and not self._due.done():
            self._due.set_result(None)

    def has_arrived_for(self, seconds: float) -> bool:
        """Whether the request is arriving for at least so long."""
        return self.loop.time() - self._arriving_since >= seconds

    def note_answering(self) -> None:
        """The application has the request, or has written a part of its answer."""
        if self._is_complete and not self._is_discarding:
            self._set_deadline(self._limits.answer_seconds)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.is_closing or not self.cycle.response_complete:
            return  # or the next request of a pipeline has begun
        if self._is_complete:
            self._is_in_head = True
            limits = self._limits
            self._set_deadline(limits.proxy_idle_seconds if self.is_proxy else limits.idle_seconds)
            self.registry.note_idle(self)

    def send_400_response(self, msg: str) -> None:
        del msg
        self._refuse(414 if len(self.url) > _ADDRESS_LIMIT else 400)

    def give_up(self) -> None:
        """Refuse a request that is still arriving, because others need its place."""
        self._refuse(503)

    def close(self) -> None:
        """Close once the answer is written.

        If the request is still arriving, closing at once would reset the connection, and the client could
        lose the answer. So the write side is closed, and the rest is discarded for a moment.
        """
        if self._is_complete or self.is_closing:
            self.transport.close()
            return
        self._is_discarding = True
        self.flow.resume_reading()
        self._set_deadline(self._limits.discard_seconds)
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _set_deadline(self, seconds: float) -> None:
        self._deadline = self.loop.time() + seconds

    def _refuse(self, status: int) -> None:
        """Answer in place of the application, and close the connection."""
        if self.is_closing:
            return
        if self.cycle is not None and not self.cycle.response_complete:
            if not self.cycle.more_body:
                self._end_with_answer()
                return
            if self.cycle.response_started or self.pipeline:
                # An answer is being written; a second one in its middle would garble it.
                self.transport.close()
                return
            self.cycle.disconnected = True  # the application may write nothing more
            self.cycle.message_event.set()
            self.begin()
        self._counted.write(refusal(status, self._limits.head_seconds))
        self.close()

    def _end_with_answer(self) -> None:
        """Close the connection after the answer to the last request, which arrived to its end."""
        self._is_last = True
        self.cycle.keep_alive = False
        self._set_deadline(self._limits.answer_seconds)


def protocol_for(connections: Connections) -> type[Connection]:
    """The protocol class for one server's connections."""
    return type("Connection", (Connection,), {"registry": connections})


def _adapt_sending(cycle: Any) -> None:
    """Break off an answer on demand, and announce the end of the connection before the end of a body."""
    send = cycle.send

    async def send_or_close(message: Any) -> None:
        if message == BREAK_OFF:
            cycle.disconnected = True  # otherwise uvicorn logs an answer without an end as an error
            cycle.transport.close()
            return
        if cycle.more_body and not cycle.response_started:
            cycle.keep_alive = False
        await send(message)

    cycle.send = send_or_close


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
