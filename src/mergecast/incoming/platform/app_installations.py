"""Which accounts a GitHub App is installed on, and which repositories it can read there."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec

from mergecast.incoming.platform.app_tokens import AppApi
from mergecast.incoming.platform.fetch import Fetched
from mergecast.incoming.platform.github import User, decoded

_OF_PAGE = 100
_MOST_PAGES = 10

T = TypeVar("T")


class Installation(msgspec.Struct, frozen=True):
    id: int
    account: User
    suspended_at: str | None = None

    @property
    def owner(self) -> str:
        return self.account.login


class _Named(msgspec.Struct, frozen=True):
    full_name: str


class _Repositories(msgspec.Struct, frozen=True):
    repositories: list[_Named]


async def installations(api: AppApi) -> list[Installation]:
    """Those that work: an owner can suspend one."""
    pages = _pages("/app/installations", api.get, lambda answer: decoded(answer, list[Installation]))
    return [found async for found in pages if found.suspended_at is None]


async def repositories_of(api: AppApi, installation: Installation) -> list[str]:
    """The names of the repositories that an installation can read, at most 1,000."""
    get = partial(api.get_with, await api.make_token(installation.id))
    pages = _pages(
        "/installation/repositories", get, lambda answer: decoded(answer, _Repositories).repositories
    )
    return [repository.full_name async for repository in pages]


async def _pages(
    path: str, get: Callable[[str], Awaitable[Fetched]], read: Callable[[Fetched], list[T]]
) -> AsyncIterator[T]:
    for page in range(1, _MOST_PAGES + 1):
        items = read(await get(f"{path}?per_page={_OF_PAGE}&page={page}"))
        for item in items:
            yield item
        if len(items) < _OF_PAGE:
            return
