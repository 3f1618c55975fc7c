"""Sends the same odd requests to a server on SQLite and to one on PostgreSQL, and compares the statuses.

python -m soak.fuzz [--requests N] [--seed N]; `scripts/fuzz` runs it.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast
from urllib.parse import urlsplit

from builders import worked_example
from live_server import TOKEN, LiveServer, live_server, nowhere
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.api.openapi.description import describe
from mergecast.api.routes import all_routes
from mergecast.api.services import Services
from mergecast.signals.notices.delivery import NoticeSettings
from postgres.server import new_store, postgres_server
from soak.odd_requests import OddRequest, OddRequests

_SECRET = remember("a webhook secret for odd requests")
_SECONDS = 600.0
_REFILL = 500  # requests until events are stored again that a request may have deleted
_MOST_LISTED = 50
# What one store does and the other does not.
_DIFFERENT = (
    "GET /v1/admin/backup",
    # Deliveries are translated in the background, so one server may know a pull request before the other.
    "GET /v1/repos/{owner}/{repository}/pulls/{number}/history",
    "PUT /v1/repos/{owner}/{repository}/pulls/{number}/subscriptions/{id}",
)


@dataclass
class Fuzzed:
    """What the servers answered."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def note(self, asked: OddRequest, answers: Sequence[tuple[int, bool]]) -> None:
        self.requests += 1
        self.statuses.update(status for status, _ in answers)
        found = [status for status, _ in answers]
        is_unannounced = any(status >= 500 and not is_announced for status, is_announced in answers)
        differs = len(set(found)) > 1 and 503 not in found and asked.route not in _DIFFERENT
        if (is_unannounced or differs) and len(self.failures) < _MOST_LISTED:
            body = None if asked.body is None else asked.body[:2000]
            self.failures.append(f"{found} {asked.method} {asked.target[:500]} {asked.headers} {body!r}")


class _Client:
    """One connection, opened again whenever the server has closed it."""

    def __init__(self, server: LiveServer) -> None:
        self._connection = HTTPConnection(urlsplit(server.url).netloc, timeout=_SECONDS)

    def ask(self, asked: OddRequest) -> tuple[int, bool]:
        """The status, and whether an error says when to try again; 599 if the answer breaks off."""
        try:
            return self._ask(asked)
        except (ConnectionError, HTTPException):
            # The server closes a connection after a body that it did not read.
            self._connection.close()
        try:
            return self._ask(asked)
        except (ConnectionError, HTTPException):
            self._connection.close()
            return 599, False

    def _ask(self, asked: OddRequest) -> tuple[int, bool]:
        headers = {"Authorization": f"Bearer {TOKEN}", **asked.headers}
        self._connection.request(asked.method, asked.target, asked.body, headers)
        response = self._connection.getresponse()
        if response.headers.get_content_type() == "text/event-stream":
            self._connection.close()  # it would last for minutes
        else:
            response.read()
        return response.status, response.status == 503 and "Retry-After" in response.headers

    def close(self) -> None:
        self._connection.close()


@contextmanager
def _servers(folder: Path, database_server: str) -> Iterator[list[LiveServer]]:
    secrets = (WebhookSecret(_SECRET.encode()),)
    # On PostgreSQL, a server without this key refuses channels.
    notices = NoticeSettings(secret_keys=(_SECRET,), resolve=nowhere)
    quiet = partial(live_server, webhook_secrets=secrets, log_requests=False, notices=notices)
    with (
        quiet(folder / "sqlite") as sqlite,
        quiet(folder / "none", database_url=new_store(database_server)) as postgres,
    ):
        yield [sqlite, postgres]


def fuzz(folder: Path, database_server: str, requests: int, seed: int) -> Fuzzed:
    """Ask both servers; requests go one after the other, so that both stores have the same content."""
    routes = all_routes(cast("Services", None), folder)
    odd = OddRequests(routes, json.loads(describe(routes)), _SECRET).made(seed)
    fuzzed = Fuzzed()
    with _servers(folder, database_server) as servers, ExitStack() as stack:
        clients = [_Client(server) for server in servers]
        for client in clients:
            stack.callback(client.close)
        for number, asked in enumerate(islice(odd, requests)):
            if number % _REFILL == 0:
                for server in servers:
                    server.send(worked_example())
            fuzzed.note(asked, [client.ask(asked) for client in clients])
    return fuzzed


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz", description="Send odd requests to a server on each kind of store."
    )
    parser.add_argument("--requests", type=int, default=100_000, help="to each server (default: 100000)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="which requests")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.requests} requests to each store", flush=True)  # noqa: T201
    with TemporaryDirectory(prefix="mergecast-fuzz-") as folder, postgres_server() as database:
        fuzzed = fuzz(Path(folder), database, options.requests, options.seed)
    counts = [f"{status}: {count}" for status, count in sorted(fuzzed.statuses.items())]
    print("\n".join([*counts, *(f"FAILED: {failure}" for failure in fuzzed.failures)]))  # noqa: T201
    return 1 if fuzzed.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
