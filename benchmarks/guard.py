"""What does the guard cost? The same request with it and without it, for each kind of credential.

    .venv/bin/python benchmarks/guard.py

Requests a cached answer in one process, without a socket, from the application with and without its guard,
alternating; medians of 10. Goal: at most 20 µs per request, for a service token that was seen before and for
a platform token after its first use.
"""

import asyncio
import json
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.application_keys import WantedKey
from mergecast.access.policy import Issuer, Policy
from mergecast.access.rights import OPERATOR, Admission
from mergecast.api.application import Application
from mergecast.api.routes import all_routes
from mergecast.api.routing import ADMISSION, Match
from mergecast.app import Serving, application
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store

_ROUNDS = 10
_REQUESTS = 3000
_ADMIN = "an-admin-token-of-more-than-32-characters"
_PLATFORM = "ghp_" + "0" * 36
_ISSUER = "https://token.actions.githubusercontent.com"
_PATH = "/v1/repos/acme/widgets/stats/queues"
_WINDOW = b"start_at=2026-03-02T00:00:00Z&end_at=2026-03-03T00:00:00Z"
_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Unguarded(Application):
    async def handle(self, request: Request, matched: Match | list[str]) -> Response:
        assert isinstance(matched, Match)
        request.scope[ADMISSION] = Admission(OPERATOR, "127.0.0.1")
        return await matched.route.handler(request, matched.segments)


class _Repository(BaseHTTPRequestHandler):
    """Answer like the platform for a repository that the token may read."""

    def do_GET(self) -> None:
        body = b'{"full_name": "acme/widgets", "permissions": {"push": true}}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _platform() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Repository)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _service_token() -> str:
    """A token as long as those of GitHub Actions."""
    now = int(time.time())
    claims = {
        "iss": _ISSUER, "aud": "mergecast", "exp": now + 3600, "nbf": now - 600, "iat": now,
        "sub": "repo:acme/widgets:ref:refs/heads/main", "repository": "acme/widgets",
        "repository_owner": "acme", "workflow_ref": "acme/widgets/" + "x" * 500,
    }  # fmt: skip
    return jwt.encode(claims, _KEY, "RS256", {"kid": "one"})


def _policy(folder: Path, platform: str) -> Policy:
    jwk: dict[str, Any] = jwt.algorithms.RSAAlgorithm.to_jwk(_KEY.public_key(), as_dict=True)
    file = folder / "jwks.json"
    file.write_text(json.dumps({"keys": [{**jwk, "kid": "one"}]}))
    # The limits are counted, and never reached.
    return Policy(
        (Issuer(_ISSUER, "mergecast", str(file)),), platform, requests_per_second=1e6, requests_burst=10**9
    )


async def _round(applications: tuple[Application, Application], token: str) -> tuple[float, float]:
    """Microseconds per request for each; they alternate request by request, so that noise affects both."""
    headers = [(b"host", b"127.0.0.1"), (b"accept", b"*/*"), (b"authorization", f"Bearer {token}".encode())]
    seconds = [0.0, 0.0]

    async def receive() -> Any:
        await asyncio.Event().wait()  # the client sends nothing more, and stays

    async def send(message: Any) -> None:
        assert message.get("status", 200) == 200, message

    for _ in range(_REQUESTS):
        for place, asked in enumerate(applications):
            scope = {"type": "http", "method": "GET", "path": _PATH, "raw_path": _PATH.encode(),
                     "headers": headers, "query_string": _WINDOW, "client": ("127.0.0.1", 1)}  # fmt: skip
            begun = time.perf_counter()
            await asked(scope, receive, send)
            seconds[place] += time.perf_counter() - begun
    return seconds[0] / _REQUESTS * 1e6, seconds[1] / _REQUESTS * 1e6


async def _measure(database: Store, serving: Serving) -> None:
    event = Event("1", "queue_entered", 0, "main", "default", None, "api", "1", 1)
    await database.record(Repository("acme", "widgets"), [event])
    guarded = application(database, serving, "http://127.0.0.1", lambda: False)
    services = guarded.services
    unguarded = Unguarded(services, all_routes(services, serving.folder))
    _, key = await services.guard.keys.make(WantedKey("benchmark", "acme", frozenset(), None))
    tokens = {
        "admin token": _ADMIN,
        "application key": key,
        "service token": _service_token(),
        "platform token": _PLATFORM,
    }
    for kind, token in tokens.items():
        await _round((unguarded, guarded), token)
        rounds = [await _round((unguarded, guarded), token) for _ in range(_ROUNDS)]
        without, with_guard = (statistics.median(taken) for taken in zip(*rounds, strict=True))
        added = statistics.median(guarded - bare for bare, guarded in rounds)
        print(
            f"{kind:16} {without:6.1f} µs without, {with_guard:6.1f} µs with: "
            f"{added:5.1f} µs (20), {with_guard / without:.2f} times"
        )
    await services.guard.close()


def main() -> None:
    with TemporaryDirectory() as name, _platform() as platform:
        folder = Path(name)
        database = open_store(folder)
        try:
            policy = _policy(folder, platform)
            serving = Serving(folder, _ADMIN, "127.0.0.1", 0, log_requests=False, policy=policy)
            asyncio.run(_measure(database, serving))
        finally:
            database.close()


if __name__ == "__main__":
    main()
