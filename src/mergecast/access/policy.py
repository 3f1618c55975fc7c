"""The operator's settings for access, among them the trusted issuers of service tokens."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mergecast.access.address import Network
from mergecast.access.oidc_settings import OidcSettings
from mergecast.access.web_sign_in import AppIdentity
from mergecast.incoming.platform.fetch import SECONDS
from mergecast.queues.model.repository import Repository, is_plain_path
from mergecast.queues.model.setting_list import parse_list

_FIELDS = ("issuer", "audience", "jwks")
_EXAMPLE = (
    '[{"issuer": "https://token.actions.githubusercontent.com", "audience": "mergecast", '
    '"jwks": "https://token.actions.githubusercontent.com/.well-known/jwks"}]'
)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
GITHUB = "https://api.github.com"


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who signs tokens, for which audience, and where the keys to verify them are."""

    issuer: str
    audience: str
    jwks: str  # a URL, or the path of a file

    @property
    def file(self) -> Path | None:
        return None if "://" in self.jwks else Path(self.jwks)


def parse_issuers(text: str) -> tuple[Issuer, ...]:
    """Parse a JSON list of issuers; empty text means none."""
    values = parse_list(text, _EXAMPLE)
    issuers = tuple(_issuer(value, place) for place, value in enumerate(values, start=1))
    names = [issuer.issuer for issuer in issuers]
    if len(set(names)) < len(names):
        raise ValueError("lists an issuer twice; each has one audience and one key set")
    return issuers


def _issuer(value: Any, place: int) -> Issuer:
    is_whole = isinstance(value, dict) and sorted(value) == sorted(_FIELDS)
    if not is_whole or not all(isinstance(value[name], str) and value[name] for name in _FIELDS):
        raise ValueError(f"entry {place} must have exactly the strings issuer, audience and jwks")
    issuer = Issuer(**value)
    if issuer.file is None:
        try:
            check_address(issuer.jwks)
        except ValueError as error:
            raise ValueError(f"entry {place}, jwks: {error}") from None
    return issuer


def check_address(url: str) -> str:
    """A URL that may be trusted with a token, or with keys that verify tokens."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(f"`{url}` is not a URL; write https://HOST/PATH") from None
    if parts.username is not None or not is_plain_path(url.partition("://")[2]):
        raise ValueError(
            "a URL here has no user, query, fragment, `%`, or segment `.` or `..`; write https://HOST/PATH"
        )
    if parts.scheme == "https" and host:
        return url
    if parts.scheme == "http" and host in LOOPBACK:
        return url
    raise ValueError(f"`{url}` must begin with https://; http:// is allowed for this machine only")


@dataclass(frozen=True, slots=True)
class Policy:
    """The defaults allow only the admin token and application keys, with generous limits."""

    issuers: tuple[Issuer, ...] = ()
    platform_url: str | None = None
    github_app: AppIdentity | None = None  # with it, people can sign in with GitHub
    oidc: OidcSettings | None = None  # with it, people can sign in with an OpenID Connect provider
    public_badges: frozenset[Repository] = frozenset()  # everyone may see the badges of these
    trusted_proxies: tuple[Network, ...] = ()
    requests_per_second: float = 100.0
    requests_burst: int = 1000
    failed_credentials_per_minute: int = 100
    connections: int = 1000
    connections_per_address: int = 200
    answer_seconds: float = SECONDS  # how long a platform, an issuer or a provider may take to answer
    simulations_at_once: int = 8  # half of the waiting places, so that one caller cannot take all of them
