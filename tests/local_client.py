"""HTTP clients for servers on 127.0.0.1: they load no certificates, which takes 50 ms of CPU time."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPMessage, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import httpx

# Only a test that fails waits so long: a busy machine may take minutes for a document.
_SECONDS = 600.0
# A server closes a connection that is idle for 5 seconds. A request sent at that moment would fail.
_KEPT = httpx.Limits(keepalive_expiry=1)


def local_client(url: str = "", *, timeout: float = _SECONDS, **options: Any) -> httpx.Client:
    return httpx.Client(base_url=url, timeout=timeout, limits=_KEPT, verify=False, trust_env=False, **options)


def request(method: str, url: str, *, timeout: float = _SECONDS, **options: Any) -> httpx.Response:
    """One request, over a connection of its own."""
    with local_client(timeout=timeout) as http:
        return http.request(method, url, **options)


def get(url: str, **options: Any) -> httpx.Response:
    return request("GET", url, **options)


class Answer(NamedTuple):
    status_code: int
    headers: HTTPMessage
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class QuickClient:
    """For thousands of questions: the standard library's client takes a third of the CPU time of httpx."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=_SECONDS)
        self._headers = dict(headers)

    def get(self, path: str, params: Mapping[str, Any]) -> Answer:
        target = f"{path}?{urlencode(params, doseq=True, quote_via=quote)}"
        try:
            response = self._ask(target)
        except ConnectionError:
            # The server closes a connection that was idle for some seconds.
            self._connection.close()
            response = self._ask(target)
        return Answer(response.status, response.headers, response.read())

    def _ask(self, target: str) -> HTTPResponse:
        self._connection.request("GET", target, headers=self._headers)
        return self._connection.getresponse()

    def close(self) -> None:
        self._connection.close()
