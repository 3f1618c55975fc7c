"""The API of GitHub or of a GitHub Enterprise server: answers in good order, or why there is none."""

import asyncio
import math
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

import msgspec

from mergecast import __version__
from mergecast.errors import Unavailable
from mergecast.model.repository import is_name, is_owner
from mergecast.platform.fetch import Fetched, Fetcher, NoAnswer, PlatformDown
from mergecast.platform.patience import is_busy, is_limit, pause_seconds
from mergecast.platform.remembered import Remembered


class NoCallsLeft(Unavailable):
    """Reading everything that was wanted takes more calls than are allowed."""


class Calls:
    """What is left. A share is set aside for one piece of work, and draws on the rest when it is used up."""

    def __init__(self, left: int, rest: "Calls | None" = None) -> None:
        self.left = left
        self._rest = rest

    def spend(self) -> None:
        if self.left:
            self.left -= 1
        elif self._rest is not None:
            self._rest.spend()
        else:
            raise NoCallsLeft("this takes more calls of the code-hosting platform than are allowed")

    def set_aside(self, calls: int) -> "Calls":
        if calls > self.left:
            raise NoCallsLeft("this takes more calls of the code-hosting platform than are allowed")
        self.left -= calls
        return Calls(calls, self)

    def give_back(self) -> None:
        """What a share did not need, to where it came from."""
        if self._rest is not None:
            self._rest.left += self.left
            self.left = 0


JSON = "application/vnd.github+json"
RAW = "application/vnd.github.raw+json"
OK = 200
REDIRECTS = (301, 302, 307, 308)
NOT_GIVEN = (403, 404, 409, 410, 422, 451)  # to nobody, or not to this token
MOST_PAGES = 30  # of 100: as many files as GitHub lists of a pull request
UNLIKE_GITHUB = "the code-hosting platform does not answer as GitHub does"
_REQUEST_SECONDS = 10.0
_MOST_BYTES = 16 << 20

_NOT_MODIFIED, _UNAUTHORIZED = 304, 401
_AT_ONCE = 16
_ATTEMPTS = 3
_LONGEST_PAUSE_SECONDS = 5.0  # somebody waits for our answer
_ENTERPRISE = "/api/v3"
_LINK = re.compile(r'<([^<>]+)>((?:\s*;\s*[\w-]+="[^"]*")*)')

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlatformCaller:
    """On whose behalf the platform is asked, and how often that may be."""

    token: str = field(repr=False)
    calls: Calls = field(repr=False)


class TooManyPages(PlatformDown):
    """A list goes on for longer than anybody wants to read."""


class _Named(msgspec.Struct, frozen=True):
    full_name: str


class GitHub:
    def __init__(
        self,
        url: str,
        now: Callable[[], int],
        *,
        seconds: float = _REQUEST_SECONDS,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._url = url.rstrip("/")
        self._fetcher = Fetcher(seconds, _MOST_BYTES)
        self._now, self._sleep, self._jitter = now, sleep, jitter
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._remembered = Remembered()

    async def get(self, path: str, caller: PlatformCaller, accept: str = JSON) -> Fetched:
        """The answer to one question: 200, a redirect, or one of NOT_GIVEN."""
        url = self._url + path
        headers = headers_for(caller.token, accept)
        kept = self._remembered.recall(caller.token, accept, url)
        if kept is not None:
            headers["If-None-Match"] = kept.headers["etag"]
        answer = await self._ask(url, caller, lambda: self._fetcher.get(url, headers))
        if answer.status == _NOT_MODIFIED and kept is not None:
            return kept
        if answer.status == OK:
            self._remembered.keep(answer, caller.token, accept, url)
        return _checked(answer, url)

    async def pages(self, path: str, caller: PlatformCaller) -> AsyncIterator[Fetched]:
        """One answer after the other, as far as the reader wants and the links go."""
        for _ in range(MOST_PAGES):
            answer = await self.get(path, caller)
            yield answer
            following = links(answer).get("next")
            if following is None:
                return
            if not following.startswith(f"{self._url}/"):
                raise PlatformDown(f"the code-hosting platform links {_shown(path)} to another host")
            path = following.removeprefix(self._url)
        raise TooManyPages(f"the code-hosting platform has more than {MOST_PAGES} pages of {_shown(path)}")

    async def query(self, text: str, variables: dict[str, object], caller: PlatformCaller) -> Fetched:
        """The answer of the GraphQL endpoint: 200, which may hold errors, or one of NOT_GIVEN."""
        root = self._url.removesuffix(_ENTERPRISE)
        url = f"{self._url}/graphql" if root == self._url else f"{root}/api/graphql"
        headers = {**headers_for(caller.token), "Content-Type": "application/json"}
        body = msgspec.json.encode({"query": text, "variables": variables})
        return _checked(await self._ask(url, caller, lambda: self._fetcher.post(url, headers, body)), url)

    async def new_name(self, redirect: Fetched, caller: PlatformCaller) -> str | None:
        """What the repository is called now, of a question by its former name."""
        path = path_by_number(self._url, redirect)
        if path is None:
            return None
        answer = await self.get(path, caller)
        if answer.status != OK:
            return None
        owner, _, name = decoded(answer, _Named).full_name.partition("/")
        return f"{owner}/{name}" if is_owner(owner) and is_name(name) else None

    async def close(self) -> None:
        await self._fetcher.close()

    async def _ask(self, url: str, caller: PlatformCaller, send: Callable[[], Awaitable[Fetched]]) -> Fetched:
        attempt = 0
        while True:
            caller.calls.spend()
            answer = await self._sent(url, send)
            limited = is_limit(answer)
            if not limited and not is_busy(answer):
                return answer
            attempt += 1
            pause = pause_seconds(answer, attempt, self._now())
            if attempt == _ATTEMPTS or pause > _LONGEST_PAUSE_SECONDS:
                what = "wants no more questions for now" if limited else f"answers {answer.status}"
                message = f"the code-hosting platform {what} (asked for {_shown(url)})"
                raise PlatformDown(message, max(1, math.ceil(pause)))
            await self._sleep(pause * (1 + self._jitter()))

    async def _sent(self, url: str, send: Callable[[], Awaitable[Fetched]]) -> Fetched:
        try:
            # Waiting for one's turn is no error of the platform: its time runs from when it is asked.
            async with self._at_once:
                return await send()
        except NoAnswer as error:
            message = f"the code-hosting platform cannot be asked for {_shown(url)} now: {error}"
            raise PlatformDown(message) from error


def is_token(text: str) -> bool:
    """Whether it can be sent as a token at all."""
    return re.fullmatch(r"[!-~]+", text) is not None


def links(answer: Fetched) -> dict[str, str]:
    """Addresses of the `Link` header by their relation."""
    found = {}
    for url, parameters in _LINK.findall(answer.headers.get("link", "")):
        for relation in re.findall(r'\brel="([^"]*)"', parameters):
            found.update(dict.fromkeys(relation.split(), url))
    return found


def page_number(url: str) -> int | None:
    """Which page an address of the `Link` header stands for."""
    (text,) = parse_qs(urlsplit(url).query).get("page", ("",))[-1:]
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def decoded(answer: Fetched, form: type[T]) -> T:
    try:
        return msgspec.json.decode(answer.body, type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PlatformDown(UNLIKE_GITHUB) from error


def path_by_number(url: str, redirect: Fetched) -> str | None:
    """Where a renamed repository is found by its number; of the platform at this address and no other."""
    by_number = rf"{re.escape(url)}(/repositories/[0-9]{{1,19}})(?:[/?].*)?"
    match = re.fullmatch(by_number, redirect.headers.get("location", ""))
    return match[1] if match else None


def headers_for(token: str, accept: str = JSON) -> dict[str, str]:
    """GitHub refuses whoever does not say what program asks."""
    return {
        "Authorization": f"Bearer {token}",
        "Accept": accept,
        "X-GitHub-Api-Version": "2022-11-28",
        "User-Agent": f"mergecast/{__version__}",
    }


def _shown(url: str) -> str:
    """The path alone: whoever reads an error knows the host, and queries are long."""
    return urlsplit(url).path


def _checked(answer: Fetched, url: str) -> Fetched:
    if answer.status == _UNAUTHORIZED:
        raise PlatformDown("the code-hosting platform does not know the token, or not any more")
    if answer.status not in (OK, *REDIRECTS, *NOT_GIVEN):
        raise PlatformDown(f"the code-hosting platform answers {answer.status} (asked for {_shown(url)})")
    return answer
