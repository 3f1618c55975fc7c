"""The address and credentials for reading each source."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mergecast.incoming.platform.app_tokens import AppKey, InstallationTokens
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.github import JSON, headers_for
from mergecast.incoming.platform.patient import (
    MOST_BYTES,
    REQUEST_SECONDS,
    Headers,
    PatientApi,
    Waiting,
    fixed_headers,
)
from mergecast.incoming.sources.activity_log import history as activity_log
from mergecast.incoming.sources.gitlab.history import pages as gitlab
from mergecast.incoming.sources.readers import ACTIVITY_LOG, GITHUB, GITLAB, Origin

# The default address of each source.
ADDRESSES: Mapping[str, str] = {
    GITHUB: "https://api.github.com",
    ACTIVITY_LOG: activity_log.URL,
    GITLAB: gitlab.URL,
}


@dataclass(frozen=True, slots=True)
class Account:
    """How to reach one source; a token takes precedence over an App's key."""

    source: str
    url: str
    token: str | None = field(default=None, repr=False)
    app: AppKey | None = None

    @property
    def has_credentials(self) -> bool:
        return self.token is not None or self.app is not None


def open_origin(
    account: Account,
    repository: str,
    now: Callable[[], int],
    on_wait: Callable[[Waiting], None] = lambda _: None,
) -> tuple[Origin, Fetcher]:
    """The repository at its source, and the connections to close afterwards."""
    fetcher = Fetcher(REQUEST_SECONDS, MOST_BYTES)
    api = PatientApi(fetcher, _headers(account, repository, fetcher, now), now, on_wait)
    return Origin(account.source, api, account.url, repository), fetcher


def _headers(account: Account, repository: str, fetcher: Fetcher, now: Callable[[], int]) -> Headers:
    if account.token is None and account.app is not None:
        tokens = InstallationTokens(account.url, account.app, fetcher, now)

        async def renewed() -> Mapping[str, str]:
            return headers_for(await tokens.token(repository))

        return renewed
    token = account.token or ""
    if account.source == GITLAB:
        return fixed_headers({"PRIVATE-TOKEN": token})
    return fixed_headers(headers_for(token, "application/json" if account.source == ACTIVITY_LOG else JSON))
