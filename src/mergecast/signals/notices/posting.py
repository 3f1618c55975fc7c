"""Sends one HTTP request to a checked address, within limits on time and size."""

import asyncio
import re
import ssl
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.utils import parsedate_to_datetime
from socket import gaierror
from typing import NamedTuple

import httpx

from mergecast.process.addresses import NOTICE_HOSTS, Place, Resolve, look_up
from mergecast.process.certificates import UnusableCertificates, trusted_certificates
from mergecast.process.public_addresses import is_public
from mergecast.signals.notices.outcome import GONE, Outcome, failed, given_up, sent

SECONDS = 10.0
MOST_BYTES = 64 << 10
_LOOKUPS = 256  # at once, more than messages: one slow name server must not delay other channels
_RETRIED = (408, 425, 429)
_SUCCESS, _REDIRECT, _ERROR, _SERVER_ERROR = 200, 300, 400, 500


class Limits(NamedTuple):
    seconds: float = SECONDS
    most_bytes: int = MOST_BYTES


class Poster:
    """Posts messages. Nothing is shared between two of them but the threads that look up names."""

    def __init__(self, resolve: Resolve | None = None, limits: Limits | None = None) -> None:
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="names")
        self._resolve = resolve or self._look_up
        self.limits = limits or Limits()

    async def post(self, place: Place, body: bytes, headers: Mapping[str, str], now: int) -> Outcome:
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._post(place, body, headers, now)
        except TimeoutError:
            return failed(f"{place.host} did not answer within {self.limits.seconds:g} seconds")
        except (gaierror, UnicodeError):  # the latter for names with parts that are empty or too long
            return _not_found(place)
        except (httpx.ConnectError, UnusableCertificates) as error:
            return failed(f"no connection to {place.host}: {_reason(error)}")
        except (httpx.InvalidURL, httpx.LocalProtocolError):
            return given_up("the URL of the channel is not valid")
        except (httpx.HTTPError, OSError) as error:
            return failed(f"{place.host} did not answer: {_reason(error)}")

    async def _post(self, place: Place, body: bytes, headers: Mapping[str, str], now: int) -> Outcome:
        addresses = await self._resolve(place.host, place.port)
        if not place.is_exempt and not all(map(is_public, addresses)):
            return _not_found(place)
        *others, last = addresses
        for address in others:
            with suppress(httpx.ConnectError):  # one of them may not be reachable from here
                return await self._exchange(place, _request(place, address, body, headers), now)
        return await self._exchange(place, _request(place, last, body, headers), now)

    async def _exchange(self, place: Place, request: httpx.Request, now: int) -> Outcome:
        async with _transport() as transport:
            response = await transport.handle_async_request(request)
            try:
                is_whole = await self._read(response)
            finally:
                await response.aclose()
        return _outcome(place.host, response, now, is_whole=is_whole)

    async def _read(self, response: httpx.Response) -> bool:
        """Read the answer; returns whether it was within the limit."""
        size = 0
        async for part in response.aiter_raw():
            size += len(part)
            if size > self.limits.most_bytes:
                return False
        return True

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, look_up, host, port)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _not_found(place: Place) -> Outcome:
    """The same whether a name exists or not, so that it tells no stranger the names of a private network."""
    if place.is_exempt:
        return failed(f"the host {place.host} was not found")
    return failed(
        f"the host {place.host} was not found or is not public; the operator can allow it with "
        f"{NOTICE_HOSTS}={place.host}:{place.port}"
    )


def _request(place: Place, address: str, body: bytes, headers: Mapping[str, str]) -> httpx.Request:
    """A request to the address; the name is used for TLS and for the Host header."""
    return httpx.Request(
        "POST",
        place.url_at(address),
        headers={
            "Host": place.host_header,
            "Accept-Encoding": "identity",
            "User-Agent": "Mergecast",
            **headers,
        },
        content=body,
        extensions={"sni_hostname": place.host},
    )


def _transport() -> httpx.AsyncHTTPTransport:
    return httpx.AsyncHTTPTransport(
        verify=trusted_certificates(), trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
    )


def _outcome(host: str, response: httpx.Response, now: int, *, is_whole: bool) -> Outcome:
    status = response.status_code
    answered = f"{host} answered {status}"
    if _SUCCESS <= status < _REDIRECT:
        rest = "" if is_whole else f" and more than {MOST_BYTES >> 10} KiB, which were not read"
        return sent(f"{answered}{rest}", status)
    if status in _RETRIED or status >= _SERVER_ERROR:
        return failed(answered, status, _retry_after(response.headers.get("retry-after", ""), now))
    if status in GONE:
        return given_up(f"{answered}: the address no longer exists", status)
    if status < _ERROR:
        return given_up(f"{answered}; redirects are not followed, use the final URL", status)
    return given_up(answered, status)


def _retry_after(text: str, now: int) -> float | None:
    """The seconds that the receiver asks to wait; it may send a date instead."""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        return parsedate_to_datetime(text).timestamp() - now / 1e6
    except (ValueError, OverflowError):
        return None


def _reason(error: Exception) -> str:
    """Why there was no connection, without the address."""
    if isinstance(error, UnusableCertificates):
        return str(error)
    cause = error.__cause__ or error.__context__ or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not valid ({cause.verify_message})"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return str(error) or type(error).__name__
