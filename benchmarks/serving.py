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
from mergecast.logs import log_as_json

TOKEN = "a-token-for-benchmarks-of-32-characters"


class Client:
    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self._http = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=600)

    def get(self, path: str, parameters: Mapping[str, str] | None = None) -> bytes:
        query = f"?{urlencode(parameters)}" if parameters else ""
        self._http.request("GET", path + query, headers={"Authorization": f"Bearer {TOKEN}"})
        answer = self._http.getresponse()
        body = answer.read()
        assert answer.status == HTTPStatus.OK, body
        return body

    def cursor(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        return self.server.database._engine.cursor()  # noqa: SLF001 - what the server's readers use

    def peak_memory_mib(self) -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@contextmanager
def serving(folder: Path) -> Iterator[Client]:
    log_as_json(logging.WARNING)
    server = RunningServer(Serving(folder, TOKEN, "127.0.0.1", 0))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Client(server)
    finally:
        server.stop()
        thread.join()
