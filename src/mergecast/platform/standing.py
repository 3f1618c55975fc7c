"""What does the platform say of a token? Asked of GitHub, or of a GitHub Enterprise server."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from mergecast.model.repository import Repository, is_name, is_owner
from mergecast.platform.errors import NoAnswer, PlatformDown
from mergecast.platform.fetch import Fetched, Fetcher

_LONGEST_WAIT_SECONDS = 60
_SHORTEST_WAIT_SECONDS = 1
_OK, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 200, 403, 404, 429
_MOVED = (301, 302, 307, 308)
_NO = (401, _FORBIDDEN, _NOT_FOUND, 410, 451)
_DOTS = (".", "..")  # names by the pattern, and steps in a path


@dataclass(frozen=True, slots=True)
class Standing:
    """What a token may do with a repository."""

    may_read: bool
    may_push: bool = False
    moved_to: str | None = None  # the repository has this name now


NO_STANDING = Standing(may_read=False)


class _Permissions(msgspec.Struct, frozen=True):
    push: bool = False
    maintain: bool = False
    admin: bool = False


class _Described(msgspec.Struct, frozen=True):
    full_name: str
    permissions: _Permissions = _Permissions()


class Platform:
    def __init__(self, url: str, fetcher: Fetcher) -> None:
        self._url = url.rstrip("/")
        self._renamed = re.compile(rf"{re.escape(self._url)}/repositories/[0-9]{{1,19}}")
        self._fetcher = fetcher

    async def standing(self, token: str, repository: Repository) -> Standing:
        if repository.name in _DOTS:
            return NO_STANDING
        answer = await self._get(f"/repos/{repository}", token)
        if answer.status in _MOVED:
            # A renamed repository: its number is asked once more, here and nowhere else.
            target = answer.headers.get("location", "")
            if not self._renamed.fullmatch(target):
                return NO_STANDING
            answer = await self._get(target.removeprefix(self._url), token)
        return _standing(answer, repository)

    async def knows(self, token: str) -> bool:
        """Whether the token is one of the platform's; costs nothing of what it may ask."""
        # A GitHub Enterprise server without limits says 404 to those it knows.
        return (await self._get("/rate_limit", token)).status in (_OK, _NOT_FOUND)

    async def _get(self, path: str, token: str) -> Fetched:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
        try:
            answer = await self._fetcher.get(self._url + path, headers)
        except NoAnswer as error:
            raise PlatformDown(f"the code-hosting platform cannot be asked now: {error}") from error
        if _is_limited(answer):
            raise PlatformDown(
                "the code-hosting platform wants no more questions for now", _wait_seconds(answer.headers)
            )
        if answer.status not in (_OK, *_MOVED, *_NO):
            raise PlatformDown(f"the code-hosting platform answers {answer.status}")
        return answer


def _standing(answer: Fetched, repository: Repository) -> Standing:
    if answer.status != _OK:
        return NO_STANDING
    try:
        described = msgspec.json.decode(answer.body, type=_Described)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PlatformDown("the code-hosting platform does not answer as GitHub does") from error
    owner, _, name = described.full_name.partition("/")
    if not is_owner(owner) or not is_name(name):
        raise PlatformDown("the code-hosting platform does not answer as GitHub does")
    if Repository(owner, name) != repository:
        # Rights on the repository of today say nothing about what is stored under the name of before.
        return Standing(may_read=False, moved_to=described.full_name)
    granted = described.permissions
    return Standing(may_read=True, may_push=granted.push or granted.maintain or granted.admin)


def _is_limited(answer: Fetched) -> bool:
    """GitHub says "forbidden" for too many questions too; only headers tell the two apart."""
    if answer.status == _TOO_MANY:
        return True
    headers = answer.headers
    return answer.status == _FORBIDDEN and (
        "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    )


def _wait_seconds(headers: Mapping[str, str]) -> int:
    wanted = headers.get("retry-after", "")
    seconds = int(wanted) if re.fullmatch(r"[0-9]{1,6}", wanted) else _LONGEST_WAIT_SECONDS
    return min(max(seconds, _SHORTEST_WAIT_SECONDS), _LONGEST_WAIT_SECONDS)
