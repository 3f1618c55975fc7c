"""Tokens for reading pull requests and documents, made with the credential of an added source."""

from collections.abc import Callable

import structlog

from mergecast.incoming.connecting.added_sources import AddedSources
from mergecast.incoming.platform.app_tokens import AppKey, InstallationTokens, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.queues.model.repository import Repository

log = structlog.get_logger("mergecast.connecting")


class AddedTokens:
    """For one platform. The store is asked each time, so that a deleted source gives no token any more."""

    def __init__(self, sources: AddedSources, url: str, now: Callable[[], int]) -> None:
        self._sources, self._url, self._now = sources, url.rstrip("/"), now
        self._fetcher = Fetcher()  # for a URL that the operator has set
        self._apps: dict[AppKey, InstallationTokens] = {}

    async def token(self, repository: Repository) -> str | None:
        """A token that can read a repository, or None if no source of the platform has one."""
        account = await self._sources.account_for(repository)
        if account is None or account.url.rstrip("/") != self._url:
            return None
        if account.app is None:
            return account.token
        tokens = self._apps.get(account.app)
        if tokens is None:
            tokens = InstallationTokens(account.url, account.app, self._fetcher, self._now)
            self._apps[account.app] = tokens
        try:
            return await tokens.token(str(repository))
        except UnusableApp as error:
            log.warning("the GitHub App of an added source gives no token", error=str(error))
            return None

    async def close(self) -> None:
        await self._fetcher.close()
