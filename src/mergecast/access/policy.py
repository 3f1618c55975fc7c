"""The operator's settings for access."""

from dataclasses import dataclass

from mergecast.access.address import Network
from mergecast.access.github_app import AppIdentity
from mergecast.access.issuers import Issuer
from mergecast.model.repository import Repository

GITHUB = "https://api.github.com"


@dataclass(frozen=True, slots=True)
class Policy:
    """The defaults allow only the admin token and application keys, with generous limits."""

    issuers: tuple[Issuer, ...] = ()
    platform_url: str | None = None
    github_app: AppIdentity | None = None  # with it, people can sign in with GitHub
    public_badges: frozenset[Repository] = frozenset()  # everyone may see the badges of these
    trusted_proxies: tuple[Network, ...] = ()
    requests_per_second: float = 100.0
    requests_burst: int = 1000
    failed_credentials_per_minute: int = 100
    connections: int = 1000
    connections_per_address: int = 200
    simulations_at_once: int = 8  # half of the waiting places, so that one caller cannot take all of them
