"""Fetches one small document from exactly the given address, and says when an answer means "try later"."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

from mergecast.errors import MergecastError, Unavailable
from mergecast.process.certificates import UnusableCertificates, failure, trusted_certificates
from mergecast.queues.model.instant import SECOND, SECONDS_PER_HOUR

_OK, _FORBIDDEN, _TOO_MANY = 200, 403, 429
_BUSY = (502, 503, 504)
_REDIRECTS = (301, 302, 303, 307, 308)
_HOST = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,260}")
SERVER_ERROR = 500  # and above
_DEFAULT_SECONDS = 60.0  # GitHub's advice for a rate limit without a time
_SHORTEST_SECONDS = 1.0  # a platform that asks for none would be called without a pause
_LONGEST_SECONDS = float(SECONDS_PER_HOUR)
_MOST_DOUBLINGS = 10
_FIRST_PAUSE_SECONDS = 0.25


class NoAnswer(MergecastError):
    """There was no answer in time, or it was too large."""


class PlatformDown(Unavailable):
    """The platform cannot answer now."""


SECONDS = 5.0
MOST_BYTES = 1 << 20
_CONNECTIONS = 16
# Not compressed: a few bytes could decompress to more than fits into memory.
_HEADERS = {"Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Fetched:
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


class Fetcher:
    """Opens connections only when they are needed, because most servers never fetch anything."""

    def __init__(self, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._turns = asyncio.Semaphore(_CONNECTIONS)
        self._idle: list[httpx.AsyncHTTPTransport] = []

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> Fetched:
        return await self._answer("GET", url, headers or {}, None)

    async def post(self, url: str, headers: Mapping[str, str], content: bytes) -> Fetched:
        return await self.send("POST", url, headers, content)

    async def send(self, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Fetched:
        return await self._answer(method, url, headers, content)

    async def _answer(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None
    ) -> Fetched:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._exchange(method, url, headers, content)
        except TimeoutError:
            raise NoAnswer(f"no complete answer within {self._seconds:g} seconds") from None
        except (httpx.LocalProtocolError, httpx.InvalidURL, UnicodeEncodeError) as error:
            # What a library says about it contains the request: credentials too.
            raise NoAnswer("the request cannot be sent: its token or address is not valid") from error
        except (httpx.HTTPError, UnusableCertificates) as error:
            raise NoAnswer(failure(error)) from error

    async def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None
    ) -> Fetched:
        request = httpx.Request(method, url, headers={**_HEADERS, **headers}, content=content)
        *others, last = await self._attempts(request)
        async with self._turns:
            for attempt in others:
                with suppress(httpx.ConnectError):  # one of its addresses may not be reachable from here
                    return await self._send(attempt)
            return await self._send(last)

    async def _attempts(self, request: httpx.Request) -> Sequence[httpx.Request]:
        """The same request to each address of its host that may be tried."""
        return [request]

    async def _send(self, request: httpx.Request) -> Fetched:
        # The first transport loads modules and certificates; in a thread, others are answered meanwhile.
        transport = self._idle.pop() if self._idle else await asyncio.to_thread(_new_transport)
        try:
            fetched = await self._read(await transport.handle_async_request(request))
        except BaseException:
            # After a request that was cancelled, a transport may wait for its own connection for ever.
            await transport.aclose()
            raise
        self._idle.append(transport)
        return fetched

    async def _read(self, response: httpx.Response) -> Fetched:
        body = bytearray()
        try:
            async for part in response.aiter_raw():
                body += part
                if len(body) > self._most_bytes:
                    raise NoAnswer(f"the answer is larger than {self._most_bytes >> 20} MiB")
        finally:
            await response.aclose()
        return Fetched(response.status_code, response.headers, bytes(body))

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().aclose()


def _new_transport() -> httpx.AsyncHTTPTransport:
    """A transport with one connection; one with many would check each of them on every use."""
    # No redirects and no cookies: a token goes only to its host, and callers never share state. Proxies
    # and passwords from the environment are ignored.
    limits = httpx.Limits(max_connections=1)
    return httpx.AsyncHTTPTransport(verify=trusted_certificates(), limits=limits, trust_env=False)


def answered(answer: Fetched) -> str:
    """How a platform answered instead of with the data; the text follows the platform's name in messages.

    >>> answered(Fetched(302, {"location": "https://login.acme.example/?next=/api"}, b""))
    'answered 302 and redirects to https://login.acme.example; redirects are not followed, use the final URL'
    """
    if answer.status not in _REDIRECTS:
        return f"answered {answer.status}"
    target = _HOST.match(answer.headers.get("location", ""))
    where = f"to {target[0]}" if target else "to another URL"
    return f"answered {answer.status} and redirects {where}; redirects are not followed, use the final URL"


def is_limit(answer: Fetched) -> bool:
    """Whether the answer is a rate limit. GitHub also uses 403; headers or the text distinguish the two."""
    if answer.status == _TOO_MANY:
        return True
    if answer.status == _OK:
        # GraphQL: the answer is an error despite its status.
        may_be = answer.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in answer.headers
        return may_be and (
            b'"RATE_LIMIT' in answer.body or (b'"errors"' in answer.body and b"rate limit" in answer.body)
        )
    return answer.status == _FORBIDDEN and (
        "retry-after" in answer.headers
        or answer.headers.get("x-ratelimit-remaining") == "0"
        or b"rate limit" in answer.body
    )


def is_busy(answer: Fetched) -> bool:
    return answer.status in _BUSY


def pause_seconds(answer: Fetched, attempt: int, now: int) -> float:
    """How long to wait after a rate limit or a failure of the server, the answer to this attempt."""
    wanted = _retry_after(answer, now)
    if wanted is not None:
        return min(max(wanted, _SHORTEST_SECONDS), _LONGEST_SECONDS)
    if answer.status >= SERVER_ERROR:
        return _FIRST_PAUSE_SECONDS * 2.0**attempt
    reset = _number(answer, "x-ratelimit-reset")
    if reset is not None and answer.headers.get("x-ratelimit-remaining") == "0":
        return min(max(reset - now / SECOND, _SHORTEST_SECONDS), _LONGEST_SECONDS)
    return min(_DEFAULT_SECONDS * 2.0 ** min(attempt - 1, _MOST_DOUBLINGS), _LONGEST_SECONDS)


def _retry_after(answer: Fetched, now: int) -> float | None:
    """The seconds that the platform asks to wait; it may send a date instead."""
    seconds = _number(answer, "retry-after")
    if seconds is not None or "retry-after" not in answer.headers:
        return seconds
    try:
        return parsedate_to_datetime(answer.headers["retry-after"]).timestamp() - now / SECOND
    except (ValueError, OverflowError):
        return None


def _number(answer: Fetched, header: str) -> float | None:
    text = answer.headers.get(header, "")
    return float(text) if re.fullmatch(r"[0-9]{1,12}", text) else None
