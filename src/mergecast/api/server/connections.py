"""All open connections of a server: how many there may be, and which is closed for another."""

import asyncio
import resource
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from mergecast.access.address import Network
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


class OpenConnection(Protocol):
    """What the registry must know about a connection."""

    loop: asyncio.AbstractEventLoop
    address: str
    is_proxy: bool

    def has_arrived_for(self, seconds: float) -> bool:
        """Whether its request is arriving for at least so long."""

    def begin(self) -> None:
        """Let the application have the request, whether it is whole or not."""

    def check(self, now: float) -> None:
        """Called several times a second, whatever the state of the connection is."""

    def give_up(self) -> None:
        """Refuse a request that is still arriving, because others need its place."""

    def close_now(self) -> None: ...


class Connections:
    """All open connections.

    When there are too many, the one that is idle for longest is closed, or else the one whose request has
    been arriving for longest: clients that only begin requests cannot keep others out.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._most = limits.within(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        self._most_per_address = max(1, min(limits.most_per_address, self._most // 2))
        self._open: set[OpenConnection] = set()
        self._idle: dict[OpenConnection, None] = {}  # in the order in which they became idle
        # Those whose request is arriving, and those among them that the application does not know yet: both
        # in the order in which their heads were complete.
        self._arriving: dict[OpenConnection, None] = {}
        self._not_begun: dict[OpenConnection, None] = {}
        self._per_address: Counts[str] = Counts()
        self._is_ticking = False

    def add(self, connection: OpenConnection) -> bool:
        """Whether there is room, after closing an idle connection if necessary."""
        address = connection.address
        self._open.add(connection)
        self._per_address[address] += 1
        self._start_ticking(connection.loop)
        if self._has_too_many(connection):
            return self._close_idle(address)
        return len(self._open) <= self._most or self._close_idle(None) or self._close_slowest()

    def has_room_for_health(self, connection: OpenConnection) -> bool:
        """Whether a connection that found no room may still ask whether the service is alive."""
        if self._has_too_many(connection):
            return False
        return len(self._open) <= self._most + self.limits.health_reserve

    def _has_too_many(self, connection: OpenConnection) -> bool:
        """Whether its address has too many connections; a proxy has those of all its clients."""
        return not connection.is_proxy and self._per_address[connection.address] > self._most_per_address

    def discard(self, connection: OpenConnection) -> None:
        if connection in self._open:
            self._open.discard(connection)
            self._idle.pop(connection, None)
            self.note_whole(connection)
            self._per_address.release(connection.address)

    def note_idle(self, connection: OpenConnection) -> None:
        self._idle.pop(connection, None)
        if connection in self._open:
            self._idle[connection] = None

    def note_arriving(self, connection: OpenConnection) -> None:
        """The head of a request is complete."""
        self._idle.pop(connection, None)
        self._arriving[connection] = self._not_begun[connection] = None

    def is_crowded(self) -> bool:
        """Whether very many requests are arriving."""
        return len(self._arriving) > self.limits.crowd

    def note_begun(self, connection: OpenConnection) -> None:
        """The application has the request."""
        self._not_begun.pop(connection, None)

    def note_whole(self, connection: OpenConnection) -> None:
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
