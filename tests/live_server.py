"""A real server on a free port of 127.0.0.1, in a thread of the test process, and a client for it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from empty_store import copy_empty_store
from local_client import QuickClient, local_client
from logged_secrets import remember
from mergecast.access.policy import Policy
from mergecast.api.server.connections import ConnectionLimits
from mergecast.app import RunningServer, Serving
from mergecast.incoming.connecting.added_sources import SourceSettings
from mergecast.incoming.platform.source_hosts import SourceHosts
from mergecast.judge.pools import document_pool, forecast_pool
from mergecast.process.logs import log_as_json
from mergecast.queues.store.store import Store
from shared_fork_servers import FOR_DOCUMENTS, FOR_FORECASTS, PATIENT
from waiting import MOST_SECONDS

TOKEN = remember("test-token-of-more-than-32-characters")
DAY = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}


class LiveServer:
    """A server and a client; the repository is `acme/widgets` unless given."""

    def __init__(self, url: str, folder: Path, stop: Callable[[], None], store: Store) -> None:
        self.url, self.folder, self.stop, self.store = url, folder, stop, store
        credential = {"Authorization": f"Bearer {TOKEN}"}
        self.http = local_client(url, headers=credential)
        self.quick = QuickClient(url, credential)

    def send(self, events: list[dict[str, Any]], repository: str = "acme/widgets") -> httpx.Response:
        return self.http.post(f"/v1/repos/{repository}/events", json=events)

    def anonymous(self) -> httpx.Client:
        """A client without a credential."""
        return local_client(self.url)

    def key(self, owner: str = "acme", **wanted: Any) -> Any:
        """A new application key."""
        answer = self.http.post("/v1/keys", json={"owner": owner, "name": "a test", **wanted})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def ask(
        self, token: str, path: str = "/v1/repos/acme/widgets/stats/queues", method: str = "GET", **more: Any
    ) -> httpx.Response:
        """A request with another credential."""
        return self.http.request(method, path, headers={"Authorization": f"Bearer {token}"}, **more)

    def stats(self, name: str, repository: str = "acme/widgets", **parameters: Any) -> Any:
        """The answer of a statistic, by default for a day in March 2026."""
        window = parameters or DAY
        answer = self.http.get(f"/v1/repos/{repository}/stats/{name}", params=window)
        assert answer.status_code == 200, answer.text
        return answer.json()


# All tests use one address, and many are refused on purpose. An imitated platform may be slow.
NO_LIMITS = Policy(requests_per_second=0, failed_credentials_per_minute=0, answer_seconds=MOST_SECONDS)
# Few tests send a document.
_JUDGE = partial(document_pool, 1, FOR_DOCUMENTS, children_at_start=0, patience=PATIENT)
# As many as forecasts may be under way: one that pauses for another keeps its child.
_FORECASTER = partial(forecast_pool, fork_server=FOR_FORECASTS, children_at_start=0, patience=PATIENT)


def _patient_limits(policy: Policy) -> ConnectionLimits:
    """Those of a policy, with connections that stay open while a busy machine runs something else."""
    return ConnectionLimits(
        most=policy.connections,
        most_per_address=policy.connections_per_address,
        trusted_proxies=policy.trusted_proxies,
        head_seconds=MOST_SECONDS,
        body_seconds=MOST_SECONDS,
        idle_seconds=MOST_SECONDS,
        discard_seconds=MOST_SECONDS,
        write_seconds=MOST_SECONDS,
    )


async def nowhere(_: str, __: int) -> list[str]:
    """No request of a test leaves this machine."""
    return ["127.0.0.1"]


_NO_SOURCES = SourceSettings(SourceHosts(resolve=nowhere))


@contextmanager
def live_server(
    folder: Path, policy: Policy = NO_LIMITS, *, admin_token: str = TOKEN, port: int = 0, **serving: Any
) -> Iterator[LiveServer]:
    log_as_json()
    if "database_url" not in serving:
        copy_empty_store(folder)
    connections = _patient_limits(policy)
    options = {
        "judge": _JUDGE, "forecaster": _FORECASTER, "policy": policy, "connections": connections,
        "sources": _NO_SOURCES, **serving,
    }  # fmt: skip
    server = RunningServer(Serving(folder, admin_token, "127.0.0.1", port, **options))
    thread = threading.Thread(target=server.run)
    thread.start()

    def stop() -> None:
        server.stop()
        thread.join()

    live = LiveServer(server.url, folder, stop, server.database)
    try:
        yield live
    finally:
        live.http.close()
        live.quick.close()
        stop()
