"""A server in this process, for benchmarks that compare it with its own parts."""

import http.client
import logging
import resource
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

import duckdb

from mergecast.app import RunningServer, Serving
from mergecast.process.logs import log_as_json
from mergecast.queues.store.duckdb.catalog import Catalog
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.duckdb.store import DuckDBStore

TOKEN = "a-token-for-benchmarks-of-32-characters"


class Client:
    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.headers = http.client.HTTPMessage()
        self._http = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=600)

    def get(self, path: str, parameters: Mapping[str, str] | None = None) -> bytes:
        query = f"?{urlencode(parameters)}" if parameters else ""
        return self._ask("GET", path + query, None)

    def post(self, path: str, body: bytes) -> bytes:
        return self._ask("POST", path, body)

    def _ask(self, method: str, path: str, body: bytes | None) -> bytes:
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        try:
            self._http.request(method, path, body, headers)
            answer = self._http.getresponse()
        except ConnectionError:  # the server closes a connection that was idle for seconds
            self._http.request(method, path, body, headers)
            answer = self._http.getresponse()
        content = answer.read()
        self.headers = answer.headers
        assert answer.status == HTTPStatus.OK, content
        return content

    @property
    def engine(self) -> Engine:
        """What the server's readers use."""
        assert isinstance(self.server.database, DuckDBStore)
        return self.server.database.engine

    def cursor(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        return self.engine.cursor()

    @property
    def catalog(self) -> Catalog:
        assert isinstance(self.server.database, DuckDBStore)
        return self.server.database.catalog

    def peak_memory_mib(self) -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@contextmanager
def serving(folder: Path, kind: type[RunningServer] = RunningServer) -> Iterator[Client]:
    """A running server that logs only errors."""
    log_as_json(logging.ERROR)
    server = kind(Serving(folder, TOKEN, "127.0.0.1", 0, log_requests=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Client(server)
    finally:
        server.stop()
        thread.join()
