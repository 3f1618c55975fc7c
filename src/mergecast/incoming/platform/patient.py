"""A client that reads an API for as long as it takes: it waits for rate limits and retries after failures."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from mergecast.errors import MergecastError, RefusedCredential
from mergecast.incoming.platform.fetch import (
    SERVER_ERROR,
    Fetched,
    Fetcher,
    NoAnswer,
    PlatformDown,
    answered,
    is_limit,
    pause_seconds,
)
from mergecast.incoming.platform.github import ETagCache, missing_rights
from mergecast.queues.model.instant import SECOND

REQUEST_SECONDS = 60.0
MOST_BYTES = 64 << 20
_ATTEMPTS = 6
_FIRST_PAUSE_SECONDS = 0.5
_OK, _NOT_MODIFIED = 200, 304
_NOT_ALLOWED = (401, 403)
LACKS = "the token may not read this; it needs read access to {}"

# The headers that authorize a request. They can change during an import: some tokens last an hour.
Headers = Callable[[], Awaitable[Mapping[str, str]]]


def fixed_headers(headers: Mapping[str, str]) -> Headers:
    async def unchanged() -> Mapping[str, str]:
        return headers

    return unchanged


class Refused(MergecastError):
    """The API refuses the request, and would refuse it again."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status  # of the answer, if that is why


class RefusedToken(Refused, RefusedCredential):
    """The token is invalid, or may not read this."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why an import waits, and for how long."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    fetched: Fetched
    value: Any  # the JSON of an answer with status 200, otherwise None

    @property
    def status(self) -> int:
        return self.fetched.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self.fetched.headers


@dataclass(slots=True)
class PlatformClock:
    """How far the clock here is ahead of the one of the platform, as its last answer said."""

    ahead: int = 0

    def read(self, answer: Fetched, now: int) -> None:
        """Compare the clocks; without a readable date nothing changes."""
        with suppress(ValueError, OverflowError):
            date = parsedate_to_datetime(answer.headers.get("date", ""))
            self.ahead = max(0, now - round(date.timestamp()) * SECOND)


@dataclass(frozen=True, slots=True)
class PatientApi:
    """One API with its credentials."""

    fetcher: Fetcher
    headers: Headers = field(repr=False)
    now: Callable[[], int]
    on_wait: Callable[[Waiting], None] = lambda _: None
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    jitter: Callable[[], float] = random.random
    clock: PlatformClock = field(default_factory=PlatformClock, repr=False)
    _cache: ETagCache = field(default_factory=ETagCache, repr=False)

    async def get(self, url: str) -> Answer:
        async def send() -> Fetched:
            kept = self._cache.get(url)
            known = {} if kept is None else {"If-None-Match": kept.headers["etag"]}
            fetched = await self.fetcher.get(url, {**await self.headers(), **known})
            self.clock.read(fetched, self.now())
            return kept if fetched.status == _NOT_MODIFIED and kept is not None else fetched

        answer = await self._ask(url, send)
        if answer.status == _OK:
            self._cache.put(answer.fetched, url)
        return answer

    async def post(self, url: str, value: object) -> Answer:
        body = msgspec.json.encode(value)

        async def send() -> Fetched:
            headers = {**await self.headers(), "Content-Type": "application/json"}
            fetched = await self.fetcher.post(url, headers, body)
            self.clock.read(fetched, self.now())
            return fetched

        return await self._ask(url, send)

    async def _ask(self, url: str, send: Callable[[], Awaitable[Fetched]]) -> Answer:
        """The answer, whatever its status, unless it is a rate limit or a temporary failure."""
        failures = limits = 0
        while True:
            try:
                answer = await send()
                if is_limit(answer):
                    limits += 1
                    pause = pause_seconds(answer, limits, self.now())
                    await self._wait("the rate limit is used up", pause)
                    continue
                if answer.status < SERVER_ERROR:
                    return _decoded(answer)
                reason, pause = f"it answered {answer.status}", pause_seconds(answer, failures, self.now())
            except NoAnswer as error:
                reason, pause = str(error), _FIRST_PAUSE_SECONDS * 2.0**failures
            failures += 1
            if failures == _ATTEMPTS:
                raise PlatformDown(f"cannot read {url.partition('?')[0]}: {reason}")
            await self._wait(reason, pause)

    async def _wait(self, reason: str, seconds: float) -> None:
        self.on_wait(Waiting(reason, seconds))
        await self.sleep(seconds * (1 + self.jitter() / 10))


def _decoded(answer: Fetched) -> Answer:
    """Invalid JSON counts as no answer: a broken connection can look like this."""
    if answer.status != _OK:
        return Answer(answer, None)
    try:
        return Answer(answer, msgspec.json.decode(answer.body))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoAnswer(f"the answer is not valid JSON: {error}") from None


def require_ok(answer: Answer, url: str, meanings: Mapping[int, str]) -> Answer:
    """The answer if it is 200; otherwise an error that says what its status means here."""
    if answer.status == _OK:
        return answer
    meaning = meanings.get(answer.status) or f"it {answered(answer.fetched)}"
    if rights := missing_rights(answer.headers):
        meaning = LACKS.format(rights)
    refused = RefusedToken if answer.status in _NOT_ALLOWED else Refused
    raise refused(f"{url.partition('?')[0]}: {meaning}", answer.status)
