"""One small document from elsewhere: bounded in time and size, from exactly the address that was named."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from mergecast.platform.errors import NoAnswer

SECONDS = 5.0
MOST_BYTES = 1 << 20
_CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Fetched:
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


class Fetcher:
    """A client that is made when it is first needed: most servers never ask anybody anything."""

    def __init__(self, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._http: httpx.AsyncClient | None = None

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> Fetched:
        return await self._answer("GET", url, headers or {}, None)

    async def post(self, url: str, headers: Mapping[str, str], content: bytes) -> Fetched:
        return await self._answer("POST", url, headers, content)

    async def _answer(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None
    ) -> Fetched:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._exchange(method, url, headers, content)
        except TimeoutError:
            raise NoAnswer(f"no whole answer within {self._seconds:g} seconds") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NoAnswer(str(error) or type(error).__name__) from error

    async def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None
    ) -> Fetched:
        async with self._client().stream(method, url, headers=headers, content=content) as response:
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > self._most_bytes:
                    raise NoAnswer(f"the answer has more than {self._most_bytes >> 20} MiB")
            return Fetched(response.status_code, response.headers, bytes(body))

    def _client(self) -> httpx.AsyncClient:
        if self._http is None:
            # No redirects: a token goes to the host it is meant for, and to no other. No proxies or
            # passwords from the environment either.
            limits = httpx.Limits(max_connections=_CONNECTIONS)
            self._http = httpx.AsyncClient(
                timeout=self._seconds, limits=limits, trust_env=False, follow_redirects=False
            )
        return self._http

    async def close(self) -> None:
        if self._http is not None:
            await self._http.aclose()
            self._http = None
