"""What does the platform say of a token? Asked of GitHub, or of a GitHub Enterprise server."""

import math
from dataclasses import dataclass

import msgspec

from mergecast.model.repository import Repository, is_name, is_owner
from mergecast.platform.fetch import Fetched, Fetcher, NoAnswer, PlatformDown
from mergecast.platform.github import OK, REDIRECTS, UNLIKE_GITHUB, decoded, headers_for, path_by_number
from mergecast.platform.patience import is_limit, pause_seconds

_LONGEST_WAIT_SECONDS = 60  # a limit of one token is looked at again as soon as any other answer is
_NOT_FOUND = 404
_NO = (401, 403, _NOT_FOUND, 410, 451)
_DOTS = (".", "..")  # names by the pattern, and steps in a path


@dataclass(frozen=True, slots=True)
class TokenPermissions:
    """What a token may do with a repository."""

    may_read: bool
    may_push: bool = False
    moved_to: str | None = None  # the repository has this name now


NO_PERMISSIONS = TokenPermissions(may_read=False)


class _Granted(msgspec.Struct, frozen=True):
    push: bool = False
    maintain: bool = False
    admin: bool = False


class _Described(msgspec.Struct, frozen=True):
    full_name: str
    permissions: _Granted = _Granted()


class TokenChecker:
    """Asks once and not again: somebody waits to be let in, and is told better at once when to come back."""

    def __init__(self, url: str, fetcher: Fetcher) -> None:
        self._url = url.rstrip("/")
        self._fetcher = fetcher

    async def permissions(self, token: str, repository: Repository, now: int) -> TokenPermissions:
        if repository.name in _DOTS:
            return NO_PERMISSIONS
        answer = await self._get(f"/repos/{repository}", token, now)
        if answer.status in REDIRECTS:
            path = path_by_number(self._url, answer)
            if path is None:
                return NO_PERMISSIONS
            answer = await self._get(path, token, now)
        return _permissions(answer, repository)

    async def knows(self, token: str, now: int) -> bool:
        """Whether the token is one of the platform's; costs nothing of what it may ask."""
        # A GitHub Enterprise server without limits says 404 to those it knows.
        return (await self._get("/rate_limit", token, now)).status in (OK, _NOT_FOUND)

    async def _get(self, path: str, token: str, now: int) -> Fetched:
        try:
            answer = await self._fetcher.get(self._url + path, headers_for(token))
        except NoAnswer as error:
            raise PlatformDown(f"the code-hosting platform is unreachable: {error}") from error
        if is_limit(answer):
            seconds = min(math.ceil(pause_seconds(answer, 1, now)), _LONGEST_WAIT_SECONDS)
            raise PlatformDown("the code-hosting platform is limiting requests", max(seconds, 1))
        if answer.status not in (OK, *REDIRECTS, *_NO):
            raise PlatformDown(f"the code-hosting platform answers {answer.status}")
        return answer


def _permissions(answer: Fetched, repository: Repository) -> TokenPermissions:
    if answer.status != OK:
        return NO_PERMISSIONS
    described = decoded(answer, _Described)
    owner, _, name = described.full_name.partition("/")
    if not is_owner(owner) or not is_name(name):
        raise PlatformDown(UNLIKE_GITHUB)
    if Repository(owner, name) != repository:
        # Rights on the repository of today say nothing about what is stored under the name of before.
        return TokenPermissions(may_read=False, moved_to=described.full_name)
    granted = described.permissions
    return TokenPermissions(may_read=True, may_push=granted.push or granted.maintain or granted.admin)
