"""A server in this process, for benchmarks that compare it with its own parts."""

import http.client
import logging
import resource
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

from mergecast.app import RunningServer, Serving
from mergecast.process.logs import log_as_json
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sqlite.connections import connect

TOKEN = "a-token-for-benchmarks-of-32-characters"


class Client:
    def __init__(self, server: RunningServer, folder: Path) -> None:
        self.server, self._folder = server, folder
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

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """One like those of the server's readers."""
        with closing(connect(self._folder / FILE_NAME)) as connection:
            yield connection

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
        yield Client(server, folder)
    finally:
        server.stop()
        thread.join()
