"""What does a cached answer cost? Compares cached answers and 304 with a handler that returns a constant.

    .venv/bin/python benchmarks/cache.py FOLDER      (a folder with the demo repository; needs `wrk`)

The constant has the size of the answer and is served by the same server. The three alternate; medians of
10. Goal: at least 0.4 of the constant's requests per second.
"""

import re
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mergecast.app import RunningServer, Serving
from serving import TOKEN, serving

_PATH = "/v1/repos/demo/harbor/stats/total_queue_time?start_at={start}&end_at={end}"
_ROUNDS = 10


class WithConstant:
    """The application plus one path that always returns the same bytes."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._application = application
        self.body = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/constant":
            await Response(self.body, media_type="application/json")(scope, receive, send)
        else:
            await self._application(scope, receive, send)


class ServerWithConstant(RunningServer):
    def make_application(self, serving: Serving) -> WithConstant:
        self.application = WithConstant(super().make_application(serving))
        return self.application


def main() -> None:
    with serving(Path(sys.argv[1]), ServerWithConstant) as client:
        last = client.get("/v1/repos").decode()
        day = re.findall(r'"last_event_at":"([0-9-]+)T', last)[0]
        path = _PATH.format(start="2026-01-01T00:00:00Z", end=f"{day}T00:00:00Z")
        body = client.get(path)
        assert isinstance(client.server, ServerWithConstant)
        client.server.application.body = body
        etag = client.headers["ETag"]
        rates: dict[str, list[float]] = {"constant": [], "cached": [], "304": []}
        for _ in range(_ROUNDS):
            rates["constant"].append(_rate(client.server.url + "/constant"))
            rates["cached"].append(_rate(client.server.url + path))
            rates["304"].append(_rate(client.server.url + path, f"If-None-Match: {etag}"))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    print(
        f"{len(body):,} bytes; requests/s: "
        + ", ".join(f"{name} {rate:,.0f}" for name, rate in medians.items())
    )
    for name in ("cached", "304"):
        print(f"{name} / constant: {medians[name] / medians['constant']:.2f} (0.4)")


def _rate(url: str, *headers: str) -> float:
    given = [part for header in (f"Authorization: Bearer {TOKEN}", *headers) for part in ("-H", header)]
    ran = subprocess.run(
        ["wrk", "-c16", "-t1", "-d1s", *given, url], capture_output=True, text=True, check=True
    )
    return float(re.findall(r"Requests/sec:\s+([0-9.]+)", ran.stdout)[0])


if __name__ == "__main__":
    main()
