"""Asking an API for as long as it takes: limits are waited for, and passing failures tried again."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from mergecast.platform.fetch import Fetched, Fetcher, NoAnswer, PlatformDown
from mergecast.platform.rate_limits import is_busy, is_limit, pause_seconds

_ATTEMPTS = 6
_FIRST_PAUSE_SECONDS = 0.5
_OK = 200


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why an import stands still, and for how long."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class PatientApi:
    """One API with its credentials; `on_wait` lets whoever watches know."""

    fetcher: Fetcher
    headers: Mapping[str, str] = field(repr=False)
    now: Callable[[], int]
    on_wait: Callable[[Waiting], None] = lambda _: None
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    async def get(self, url: str) -> Fetched:
        return await self._ask(url, lambda: self.fetcher.get(url, self.headers))

    async def post(self, url: str, body: bytes) -> Fetched:
        headers = {**self.headers, "Content-Type": "application/json"}
        return await self._ask(url, lambda: self.fetcher.post(url, headers, body))

    async def _ask(self, url: str, send: Callable[[], Awaitable[Fetched]]) -> Fetched:
        """The answer, whatever its status; only limits and passing failures are asked again."""
        failures = 0
        while True:
            try:
                answer = await send()
            except NoAnswer as error:
                failures += 1
                if failures == _ATTEMPTS:
                    raise PlatformDown(f"{url} cannot be read: {error}") from error
                await self._wait(str(error), _FIRST_PAUSE_SECONDS * 2.0**failures)
                continue
            if is_limit(answer):
                await self._wait("the rate limit is used up", pause_seconds(answer, 1, self.now()))
            elif is_busy(answer):
                failures += 1
                if failures == _ATTEMPTS:
                    raise PlatformDown(f"{url} answers {answer.status}")
                await self._wait(f"answer {answer.status}", pause_seconds(answer, failures, self.now()))
            else:
                return answer

    async def _wait(self, reason: str, seconds: float) -> None:
        self.on_wait(Waiting(reason, seconds))
        await self.sleep(seconds * (1 + self.jitter() / 10))


def require_ok(answer: Fetched, url: str, meanings: Mapping[int, str]) -> Fetched:
    """The answer if it is 200; otherwise an error that says what its status means here."""
    if answer.status == _OK:
        return answer
    meaning = meanings.get(answer.status, f"answers {answer.status}")
    raise PlatformDown(f"{url.partition('?')[0]}: {meaning}")
