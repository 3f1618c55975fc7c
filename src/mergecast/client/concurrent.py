"""Requests that run beside each other and can be cancelled: those of the tools for agents."""

from typing import NamedTuple

import msgspec

from mergecast.client.client import Client, Parameters, reaching

_AS_JSON = {"Content-Type": "application/json"}


class Response(NamedTuple):
    status: int
    content: bytes
    retry_after: str


class ConcurrentClient:
    """A client of the same server with the same credential; a server ends the work of a cancelled request."""

    def __init__(self, client: Client) -> None:
        self._url, self._http = client.url, client.at_once()

    async def request(self, method: str, path: str, query: Parameters, body: object = None) -> Response:
        """The response, errors included."""
        content = None if body is None else msgspec.json.encode(body)
        with reaching(self._url):
            found = await self._http.request(
                method, self._url + path, params=query, content=content, headers=_AS_JSON
            )
        return Response(found.status_code, found.content, found.headers.get("Retry-After", ""))

    async def close(self) -> None:
        await self._http.aclose()
