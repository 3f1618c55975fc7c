"""Follows a pull request for as long as it takes: a stream says when to look again.

Looking outlasts restarts of the server, broken connections and proxies that close streams.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import TypeVar

import httpx
import msgspec

from mergecast.client.answers import Answer
from mergecast.client.client import Client, check, reaching
from mergecast.client.errors import CredentialEnded, ErrorResponse, Unreachable
from mergecast.process.concurrently import abandon
from mergecast.queues.answers.pulls import PullState
from mergecast.queues.answers.verdicts import RemovalVerdict

T = TypeVar("T")
LOOK_SECONDS = 2.0  # between two looks, at least
POLL_SECONDS = 15.0  # between two looks without a stream
SILENT_SECONDS = 40.0  # the server sends something every 15 seconds; a stream without that is broken
SUBSCRIBED_SECONDS = 5.0  # how long the first look waits for the stream
UNREACHABLE_SECONDS = 300.0
_TIMEOUT = httpx.Timeout(30, connect=10)
_LONGEST_PAUSE = 15.0
_STREAM_PAUSE = 60.0  # until the next try, if there is no free stream
_TOO_MANY, _SERVER_ERRORS, _NOT_FOUND = 429, 500, 404
_NOT_ALLOWED = (401, 403)
_EVENT = "data:"


class PullWatch:
    """`tell` gets a line when the server stops answering; `renewed` reads a credential from its file."""

    def __init__(
        self,
        client: Client,
        http: httpx.AsyncClient,
        pull: tuple[str, int],
        tell: Callable[[str], None],
        renewed: Callable[[], str | None] = lambda: None,
    ) -> None:
        repository, number = pull
        self._url, self._http, self._tell, self._renewed = client.url, http, tell, renewed
        self.is_answered = False  # by the last request
        self._was_accepted = False
        self._live = f"{client.url}/v1/repos/{repository}/live"
        self._pull = f"{client.url}/v1/repos/{repository}/pulls/{number}"
        self._version: object = None
        self._changed, self._subscribed, self._is_live = asyncio.Event(), asyncio.Event(), False
        self._reached_at = time.monotonic()

    async def states(self) -> AsyncGenerator[Answer[PullState], None]:
        """The state now, and again whenever something of the repository has changed."""
        listening = asyncio.create_task(self._listen())
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(SUBSCRIBED_SECONDS):
                    await self._subscribed.wait()
            while True:
                self._changed.clear()
                yield await self._ask(PullState, f"{self._pull}/state")
                await asyncio.sleep(LOOK_SECONDS)
                await self._change()
        finally:
            abandon(listening)

    async def verdict(self) -> Answer[RemovalVerdict] | None:
        """About the last removal, once it is judged; None if there is none."""
        try:
            return await self._ask(RemovalVerdict, f"{self._pull}/verdict")
        except ErrorResponse as error:
            if error.status != _NOT_FOUND:
                raise
            return None

    async def _change(self) -> None:
        """Return when something has changed, or when it is time to look because no stream would tell."""
        seconds = POLL_SECONDS - LOOK_SECONDS  # the others have passed since the last look
        while not self._changed.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._changed.wait()
            if not self._is_live:
                return
            seconds = POLL_SECONDS

    async def _listen(self) -> None:
        """Keep a stream open. What it is refused for, looking will find out."""
        failures = 0
        while True:
            pause = _pause(failures)
            with suppress(httpx.HTTPError):
                timeout = httpx.Timeout(SILENT_SECONDS, connect=10)
                async with self._http.stream("GET", self._live, timeout=timeout) as response:
                    if response.is_success:
                        pause, failures = _pause(0), -1
                        await self._follow(response)
                    else:
                        pause = max(_retry_after(response) or _STREAM_PAUSE, pause)
            self._is_live, failures = False, failures + 1
            self._subscribed.set()
            await asyncio.sleep(pause)

    async def _follow(self, response: httpx.Response) -> None:
        async for line in response.aiter_lines():
            self._is_live, self._reached_at = True, time.monotonic()
            if line.startswith(_EVENT):
                if line != self._version:
                    self._version = line
                    self._changed.set()
                self._subscribed.set()

    async def _ask(self, type: type[T], url: str) -> Answer[T]:
        """The answer, however often the server has to be asked for it."""
        failures = 0
        while True:
            asked_for = None
            try:
                with reaching(self._url):
                    response = await self._http.get(url, timeout=_TIMEOUT)
                if response.status_code == _TOO_MANY:
                    self._reached_at = time.monotonic()
                asked_for = _retry_after(response)
                answer = _read(type, response)
            except ErrorResponse as error:
                self.is_answered = True
                if error.status not in _NOT_ALLOWED:
                    raise
                if not self._has_new_credential():
                    raise CredentialEnded(self._url) if self._was_accepted else error from None
            except Unreachable as error:
                self.is_answered = False
                if failures == 0 and asked_for is None:
                    self._tell(f"{error}; trying again")
                await self._pause(str(error), _pause(failures) if asked_for is None else asked_for)
                failures += 1
            else:
                self._reached_at = time.monotonic()
                self.is_answered = self._was_accepted = True
                return answer

    def _has_new_credential(self) -> bool:
        token = self._renewed()
        header = f"Bearer {token}"
        if token is None or self._http.headers.get("Authorization") == header:
            return False
        self._http.headers["Authorization"] = header
        return True

    async def _pause(self, reason: str, seconds: float) -> None:
        left = self._reached_at + UNREACHABLE_SECONDS - time.monotonic()
        if left <= 0:
            raise Unreachable(f"{reason}; no other answer in {UNREACHABLE_SECONDS / 60:g} minutes")
        await asyncio.sleep(min(seconds, left))


def _read(type: type[T], response: httpx.Response) -> Answer[T]:
    """The answer; `Unreachable` if another one may come later."""
    try:
        check(response)
        return Answer(type, msgspec.json.decode(response.content))
    except msgspec.DecodeError as error:
        raise Unreachable("this is not a Mergecast server: it answered with something else") from error
    except ErrorResponse as error:
        if error.status != _TOO_MANY and error.status < _SERVER_ERRORS:
            raise
        raise Unreachable(str(error)) from error


def _pause(failures: int) -> float:
    """1, 2, 4, 8, then 15 seconds."""
    return min(2.0 ** min(failures, 10), _LONGEST_PAUSE)


def _retry_after(response: httpx.Response) -> float | None:
    """What the server asks for with an error; None if it does not, or names a date."""
    written = response.headers.get("Retry-After", "")
    return float(written) if response.is_error and written.isascii() and written.isdigit() else None
