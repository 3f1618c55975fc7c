"""Asks GitHub, or a GitHub Enterprise server, what a token may do."""

import math
from dataclasses import dataclass

import msgspec

from mergecast.incoming.platform.fetch import (
    Fetched,
    Fetcher,
    NoAnswer,
    PlatformDown,
    is_limit,
    pause_seconds,
)
from mergecast.incoming.platform.github import (
    OK,
    REDIRECTS,
    UNLIKE_GITHUB,
    decoded,
    headers_for,
    path_by_number,
)
from mergecast.queues.model.repository import DOT_SEGMENTS, Repository, is_name, is_owner

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


class _User(msgspec.Struct, frozen=True):
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
        return decoded(answer, _User).login if answer.status == OK else None

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
