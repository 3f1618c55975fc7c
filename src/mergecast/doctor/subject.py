"""What is examined: which store and server, and with which settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mergecast.incoming.intake.importing.following import Followed
from mergecast.incoming.sources.origin import Account


@dataclass(frozen=True, slots=True)
class Subject:
    version: str
    variables: Mapping[str, str] = field(repr=False)  # the whole environment
    data_dir: Path
    url: str | None = None  # of a server elsewhere; the folder and the settings do not matter then
    token: str | None = field(default=None, repr=False)
    database_url: str | None = field(default=None, repr=False)
    # The rest is from the settings of a server.
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str | None = None
    trusts_proxies: bool = False
    oidc_issuer: str | None = None  # with it, people sign in there
    has_webhook_secrets: bool = False
    accounts: tuple[Account, ...] = ()
    followed: tuple[Followed, ...] = ()
    wrong_settings: tuple[str, ...] = ()
    unknown_settings: tuple[str, ...] = ()
    missing_libraries: tuple[str, ...] = ()  # of the server
    has_dashboard: bool = True

    @property
    def own_url(self) -> str:
        """Where a server with these settings is reached from this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - the wildcard
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"
