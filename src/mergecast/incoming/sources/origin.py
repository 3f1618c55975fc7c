"""A repository at its source, and the credentials for reading it."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field

from mergecast.incoming.platform.app_tokens import AppKey, InstallationTokens
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.patient import (
    MOST_BYTES,
    REQUEST_SECONDS,
    Headers,
    PatientApi,
    Waiting,
    fixed_headers,
)
from mergecast.incoming.platform.source_hosts import CheckedFetcher, SourceHosts
from mergecast.incoming.sources.history_reader import HistoryReader, QueueReader
from mergecast.incoming.sources.page import Identity, Join, Page, Part
from mergecast.incoming.sources.registry import SOURCES


@dataclass(frozen=True, slots=True)
class Account:
    """How to reach one source; a token takes precedence over an App's key."""

    source: str
    url: str
    token: str | None = field(default=None, repr=False)
    app: AppKey | None = None
    # Which hosts may be read if a user named the URL; None if the operator did.
    hosts: SourceHosts | None = field(default=None, repr=False)

    @property
    def has_credentials(self) -> bool:
        return self.token is not None or self.app is not None

    def fetcher(self) -> Fetcher:
        """Connections for an import."""
        if self.hosts is None:
            return Fetcher(REQUEST_SECONDS, MOST_BYTES)
        return CheckedFetcher(self.hosts, REQUEST_SECONDS, MOST_BYTES)


@dataclass(frozen=True, slots=True)
class Origin:
    """One repository at a source."""

    source: str
    api: PatientApi
    url: str
    repository: str  # as the source calls it

    def pages(self, part: Part) -> AsyncGenerator[Page]:
        """What is left to read of a part."""
        return self._reader.pages(self.api, self.url, self.repository, part)

    @property
    def join(self) -> Join:
        return self._reader.join

    @property
    def queue(self) -> QueueReader | None:
        return self._reader.queue

    def wait(self, reason: str, seconds: float) -> None:
        """Say why whoever reads waits; braces stand for the title of the source."""
        self.api.on_wait(Waiting(reason.format(SOURCES[self.source].title), seconds))

    async def identity(self) -> Identity | None:
        """What identifies the repository, if the source says it."""
        read = self._reader.identity
        return None if read is None else await read(self.api, self.url, self.repository)

    @property
    def _reader(self) -> HistoryReader:
        return SOURCES[self.source].history()


def open_origin(
    account: Account,
    repository: str,
    now: Callable[[], int],
    on_wait: Callable[[Waiting], None] = lambda _: None,
) -> tuple[Origin, Fetcher]:
    """The repository at its source, and the connections to close afterwards."""
    fetcher = account.fetcher()
    api = PatientApi(fetcher, _headers(account, repository, fetcher, now), now, on_wait)
    return Origin(account.source, api, account.url, repository), fetcher


def _headers(account: Account, repository: str, fetcher: Fetcher, now: Callable[[], int]) -> Headers:
    headers_for = SOURCES[account.source].history().headers
    if account.token is None and account.app is not None:
        tokens = InstallationTokens(account.url, account.app, fetcher, now)

        async def renewed() -> Mapping[str, str]:
            return headers_for(await tokens.token(repository))

        return renewed
    return fixed_headers(headers_for(account.token or ""))
