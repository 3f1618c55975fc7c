"""What the operator decides about access."""

from dataclasses import dataclass

from mergecast.access.address import Network
from mergecast.access.issuers import Issuer

GITHUB = "https://api.github.com"


@dataclass(frozen=True, slots=True)
class Policy:
    """Without settings: the admin token and application keys alone, and limits nobody meets."""

    issuers: tuple[Issuer, ...] = ()
    platform_url: str | None = None
    trusted_proxies: tuple[Network, ...] = ()
    requests_per_second: float = 100.0
    requests_burst: int = 1000
    failed_credentials_per_minute: int = 100
    simulations_at_once: int = 8  # half of those that may wait, so that nobody takes every place
