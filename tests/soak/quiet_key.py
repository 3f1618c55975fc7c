"""A key that asks for statistics and sends small deliveries while others attack, and a probe for health."""

import json
import threading
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from itertools import count
from typing import NamedTuple

from builders import entered
from cpu_time import precise_cpu_time
from robustness.server_process import ServerProcess
from soak.target import PROXY

_PATH = "/v1/repos/acme/quiet"
_ADDRESS = "198.51.100.7"
_PAUSE = 0.005
_PROBE_PAUSE = 0.1
_EVENTS = 5
_SECONDS = 120.0


class Spent(NamedTuple):
    """Seconds until a whole answer.

    The CPU time that the server used meanwhile is what a client waits for on an idle machine, at most.
    """

    elapsed: float
    cpu: float


@dataclass
class Samples:
    """Successful answers by kind, and everything that came instead of one."""

    spent: dict[str, list[Spent]] = field(default_factory=lambda: defaultdict(list))
    failures: list[str] = field(default_factory=list)

    def add(self, kind: str, result: Spent | str) -> None:
        if isinstance(result, str):
            self.failures.append(result)
        else:
            self.spent[kind].append(result)


class QuietKey:
    """Comes through the proxy, like everyone who signs in through it."""

    def __init__(self, server: ServerProcess, key: str) -> None:
        self._server, self._key = server, key
        self._numbers: count[int] = count()

    def run(self, seconds: float, samples: Samples) -> None:
        """Send requests one after another for so long, and probe the health of the server meanwhile."""
        ending = threading.Event()
        probing = threading.Thread(target=self._probe, args=(samples, ending))
        probing.start()
        end = time.monotonic() + seconds
        try:
            with closing(self._connection()) as connection:
                while time.monotonic() < end:
                    self._ask(connection, samples)
                    time.sleep(_PAUSE)
        finally:
            ending.set()
            probing.join()

    def _connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self._server.port, timeout=_SECONDS, source_address=(PROXY, 0))

    def _ask(self, connection: HTTPConnection, samples: Samples) -> None:
        """One delivery with new events, and one statistic that no cache holds."""
        number = next(self._numbers)
        at = f"2026-03-02T10:{number // 60 % 60:02}:{number % 60:02}Z"
        events = [entered(at, f"s{number}-{n}", n + 1, id=f"e{number}-{n}") for n in range(_EVENTS)]
        body = json.dumps(events).encode()
        samples.add("deliveries", self._timed(connection, "POST", f"{_PATH}/events", body))
        window = f"start_at=2026-03-02T00:00:00Z&end_at=2026-03-03T00:00:00.{number:06}Z"
        samples.add("statistics", self._timed(connection, "GET", f"{_PATH}/stats/queue_size?{window}"))

    def _timed(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None = None
    ) -> Spent | str:
        """What an answer took, or what came instead of it."""
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Content-Type": "application/json",
            "X-Forwarded-For": _ADDRESS,
        }
        begun, cpu = time.perf_counter(), precise_cpu_time(self._server.process.pid)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, HTTPException) as error:
            connection.close()
            return f"{method} {path.partition('?')[0]}: {error!r}"
        if answer.status != HTTPStatus.OK:
            return f"{method} {path.partition('?')[0]}: {answer.status} {content[:300].decode()}"
        return Spent(time.perf_counter() - begun, precise_cpu_time(self._server.process.pid) - cpu)

    def _probe(self, samples: Samples, ending: threading.Event) -> None:
        """Ask for health over a new connection each time, as probes do."""
        while not ending.wait(_PROBE_PAUSE):
            with closing(self._connection()) as probe:
                samples.add("health", self._timed(probe, "GET", "/healthz"))
