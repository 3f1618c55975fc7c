"""A client for the API of GitHub or a GitHub Enterprise server, with retries, pages and a call budget."""

import asyncio
import math
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

import msgspec

from mergecast import __version__
from mergecast.errors import Unavailable
from mergecast.incoming.platform.fetch import (
    Fetched,
    Fetcher,
    NoAnswer,
    PlatformDown,
    is_busy,
    is_limit,
    pause_seconds,
)
from mergecast.incoming.platform.github_urls import graphql_url
from mergecast.process.lru import BoundedCache
from mergecast.queues.model.repository import DOT_SEGMENTS, Repository, is_name, is_owner

MOST_BYTES = 32 << 20
_ENTRY_BYTES = 1024  # what an entry costs besides its body: headers and key


class ETagCache:
    """The responses used last, up to a size. Tokens are part of the key, as digests only."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._answers: BoundedCache[bytes, Fetched] = BoundedCache(most_bytes, _size)

    def get(self, *key: str) -> Fetched | None:
        return self._answers.get(_digest(key))

    def put(self, answer: Fetched, *key: str) -> None:
        if "etag" in answer.headers:
            self._answers.put(_digest(key), answer)


def _size(answer: Fetched) -> int:
    return len(answer.body) + _ENTRY_BYTES


def _digest(key: tuple[str, ...]) -> bytes:
    return sha256("\0".join(key).encode()).digest()


class NoCallsLeft(Unavailable):
    """The budget of calls is used up."""


class Calls:
    """A budget of API calls. A share can be set aside; once it is used up, it draws on the rest."""

    def __init__(self, left: int, rest: "Calls | None" = None) -> None:
        self.left = left
        self._rest = rest

    def spend(self) -> None:
        if self.left:
            self.left -= 1
        elif self._rest is not None:
            self._rest.spend()
        else:
            raise NoCallsLeft("this takes more calls to the code-hosting platform than allowed")

    def set_aside(self, calls: int) -> "Calls":
        if calls > self.left:
            raise NoCallsLeft("this takes more calls to the code-hosting platform than allowed")
        self.left -= calls
        return Calls(calls, self)

    def give_back(self) -> None:
        """Return what a share did not use."""
        if self._rest is not None:
            self._rest.left += self.left
            self.left = 0


JSON = "application/vnd.github+json"
RAW = "application/vnd.github.raw+json"
OK = 200
REDIRECTS = (301, 302, 307, 308)
NOT_GIVEN = (403, 404, 409, 410, 422, 451)  # for everyone, or for this token
MOST_PAGES = 30  # of 100 items: GitHub lists at most 3,000 files of a pull request
UNLIKE_GITHUB = "the answer of the code-hosting platform does not look like GitHub's"
_REQUEST_SECONDS = 10.0
_MOST_BYTES = 16 << 20

_NOT_MODIFIED, _UNAUTHORIZED = 304, 401
_AT_ONCE = 16
_ATTEMPTS = 3
_LONGEST_PAUSE_SECONDS = 5.0  # a client is waiting
_LINK = re.compile(r'<([^<>]+)>((?:\s*;\s*[\w-]+="[^"]*")*)')

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlatformCaller:
    """The token for requests to the platform, and the budget of calls."""

    token: str = field(repr=False)
    calls: Calls = field(repr=False)


class TooManyPages(PlatformDown):
    """A list has too many pages."""


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
        self._cache = ETagCache()

    async def get(self, path: str, caller: PlatformCaller, accept: str = JSON) -> Fetched:
        """One GET request; the status is 200, a redirect, or one of NOT_GIVEN."""
        url = self._url + path
        headers = headers_for(caller.token, accept)
        kept = self._cache.get(caller.token, accept, url)
        if kept is not None:
            headers["If-None-Match"] = kept.headers["etag"]
        answer = await self._ask(url, caller, lambda: self._fetcher.get(url, headers))
        if answer.status == _NOT_MODIFIED and kept is not None:
            return kept
        if answer.status == OK:
            self._cache.put(answer, caller.token, accept, url)
        return _checked(answer, url)

    async def pages(self, path: str, caller: PlatformCaller) -> AsyncIterator[Fetched]:
        """The pages of a list, fetched as the caller iterates."""
        for _ in range(MOST_PAGES):
            answer = await self.get(path, caller)
            yield answer
            following = links(answer.headers).get("next")
            if following is None:
                return
            if not following.startswith(f"{self._url}/"):
                raise PlatformDown(f"the code-hosting platform links {_shown(path)} to a different host")
            path = following.removeprefix(self._url)
        raise TooManyPages(f"the code-hosting platform has more than {MOST_PAGES} pages of {_shown(path)}")

    async def query(self, text: str, variables: dict[str, object], caller: PlatformCaller) -> Fetched:
        """One GraphQL query; the status is 200, possibly with errors in the body, or one of NOT_GIVEN."""
        url = graphql_url(self._url)
        headers = {**headers_for(caller.token), "Content-Type": "application/json"}
        body = msgspec.json.encode({"query": text, "variables": variables})
        return _checked(await self._ask(url, caller, lambda: self._fetcher.post(url, headers, body)), url)

    async def write(self, method: str, path: str, content: bytes, caller: PlatformCaller) -> Fetched:
        """Create something with POST, or change it with PATCH; the caller judges the status."""
        url = self._url + path
        headers = {**headers_for(caller.token), "Content-Type": "application/json"}
        return await self._ask(url, caller, lambda: self._fetcher.send(method, url, headers, content))

    async def new_name(self, redirect: Fetched, caller: PlatformCaller) -> str | None:
        """The current name of a repository, from a redirect of its former name."""
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
                what = "is limiting requests" if limited else f"answered {answer.status}"
                message = f"the code-hosting platform {what} (request for {_shown(url)})"
                raise PlatformDown(message, max(1, math.ceil(pause)))
            await self._sleep(pause * (1 + self._jitter()))

    async def _sent(self, url: str, send: Callable[[], Awaitable[Fetched]]) -> Fetched:
        try:
            # The time limit starts when the request is sent, not while it waits for its turn.
            async with self._at_once:
                return await send()
        except NoAnswer as error:
            message = f"the request to the code-hosting platform for {_shown(url)} failed: {error}"
            raise PlatformDown(message) from error


def is_token(text: str) -> bool:
    """Whether the text can be sent as a token."""
    return re.fullmatch(r"[!-~]+", text) is not None


def missing_rights(headers: Mapping[str, str]) -> str:
    """The rights that a refused request needs, as GitHub names them; empty if it does not.

    >>> missing_rights({"x-accepted-github-permissions": "pull_requests=read,contents=read"})
    'pull requests and contents'
    """
    named = re.findall(r"([a-z_]+)=", headers.get("x-accepted-github-permissions", ""))
    return " and ".join(name.replace("_", " ") for name in dict.fromkeys(named))


def links(headers: Mapping[str, str]) -> dict[str, str]:
    """The addresses in the `Link` header, by relation."""
    found = {}
    for url, parameters in _LINK.findall(headers.get("link", "")):
        for relation in re.findall(r'\brel="([^"]*)"', parameters):
            found.update(dict.fromkeys(relation.split(), url))
    return found


def page_number(url: str) -> int | None:
    """The page number in an address of the `Link` header."""
    (text,) = parse_qs(urlsplit(url).query).get("page", ("",))[-1:]
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def decoded(answer: Fetched, form: type[T]) -> T:
    try:
        return msgspec.json.decode(answer.body, type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PlatformDown(UNLIKE_GITHUB) from error


def path_by_number(url: str, redirect: Fetched) -> str | None:
    """The path by number of a renamed repository, if the redirect stays on this platform."""
    by_number = rf"{re.escape(url)}(/repositories/[0-9]{{1,19}})(?:[/?].*)?"
    match = re.fullmatch(by_number, redirect.headers.get("location", ""))
    return match[1] if match else None


def headers_for(token: str | None, accept: str = JSON) -> dict[str, str]:
    """GitHub rejects requests without a user agent."""
    return {
        **({} if token is None else {"Authorization": f"Bearer {token}"}),
        "Accept": accept,
        "X-GitHub-Api-Version": "2022-11-28",
        "User-Agent": f"mergecast/{__version__}",
    }


def _shown(url: str) -> str:
    """Only the path, for messages: the host is known, and queries are long."""
    return urlsplit(url).path


def _checked(answer: Fetched, url: str) -> Fetched:
    if answer.status == _UNAUTHORIZED:
        raise PlatformDown("the code-hosting platform does not accept the token; it may have expired")
    if answer.status not in (OK, *REDIRECTS, *NOT_GIVEN):
        raise PlatformDown(f"the code-hosting platform answered {answer.status} (request for {_shown(url)})")
    return answer


_LONGEST_WAIT_SECONDS = 60  # a rate limit is checked again as soon as any other answer expires
_NOT_FOUND = 404
_NO = (401, 403, _NOT_FOUND, 410, 451)


@dataclass(frozen=True, slots=True)
class TokenPermissions:
    """What a token may do with a repository."""

    may_read: bool
    may_push: bool = False
    moved_to: str | None = None  # the current name of a renamed repository


NO_PERMISSIONS = TokenPermissions(may_read=False)


class _Granted(msgspec.Struct, frozen=True):
    push: bool = False
    maintain: bool = False
    admin: bool = False


class _Described(msgspec.Struct, frozen=True):
    full_name: str
    permissions: _Granted = _Granted()


class User(msgspec.Struct, frozen=True):
    """A person, an organization or a bot."""

    login: str


class TokenChecker:
    """Asks without retries: a client is waiting, and should learn at once when to try again."""

    def __init__(self, url: str, fetcher: Fetcher) -> None:
        self._url = url.rstrip("/")
        self._fetcher = fetcher

    async def permissions(self, token: str, repository: Repository, now: int) -> TokenPermissions:
        if repository.name in DOT_SEGMENTS:
            return NO_PERMISSIONS
        answer = await self._get(f"/repos/{repository}", token, now)
        if answer.status in REDIRECTS:
            path = path_by_number(self._url, answer)
            if path is None:
                return NO_PERMISSIONS
            answer = await self._get(path, token, now)
        return _permissions(answer, repository)

    async def knows(self, token: str, now: int) -> bool:
        """Whether the platform knows the token; this does not count against its rate limit."""
        # A GitHub Enterprise server without rate limits answers 404 to tokens that it knows.
        return (await self._get("/rate_limit", token, now)).status in (OK, _NOT_FOUND)

    async def login(self, token: str, now: int) -> str | None:
        """The name of the user whose token this is; None for the token of an app."""
        answer = await self._get("/user", token, now)
        return decoded(answer, User).login if answer.status == OK else None

    async def _get(self, path: str, token: str, now: int) -> Fetched:
        try:
            answer = await self._fetcher.get(self._url + path, headers_for(token))
        except NoAnswer as error:
            raise PlatformDown(f"the code-hosting platform is unreachable: {error}") from error
        if is_limit(answer):
            seconds = min(math.ceil(pause_seconds(answer, 1, now)), _LONGEST_WAIT_SECONDS)
            raise PlatformDown("the code-hosting platform is limiting requests", max(seconds, 1))
        if answer.status not in (OK, *REDIRECTS, *_NO):
            raise PlatformDown(f"the code-hosting platform answered {answer.status}")
        return answer


def _permissions(answer: Fetched, repository: Repository) -> TokenPermissions:
    if answer.status != OK:
        return NO_PERMISSIONS
    described = decoded(answer, _Described)
    owner, _, name = described.full_name.partition("/")
    if not is_owner(owner) or not is_name(name):
        raise PlatformDown(UNLIKE_GITHUB)
    if Repository(owner, name) != repository:
        # Permissions on the renamed repository say nothing about what is stored under the former name.
        return TokenPermissions(may_read=False, moved_to=described.full_name)
    granted = described.permissions
    return TokenPermissions(may_read=True, may_push=granted.push or granted.maintain or granted.admin)
