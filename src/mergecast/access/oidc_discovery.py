"""The document of an OpenID Connect provider: where it signs people in, and where its keys are."""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec
import structlog

from mergecast.access.key_sets import RETRY_SECONDS, fetch_document
from mergecast.access.oidc_settings import OidcSettings
from mergecast.access.policy import LOOPBACK
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer, PlatformDown
from mergecast.process.concurrently import outlasting
from mergecast.queues.model.instant import HOUR, SECOND, is_ahead

log = structlog.get_logger("mergecast.access")

_PATH = "/.well-known/openid-configuration"


class ProviderDocument(msgspec.Struct, frozen=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: list[str] = msgspec.field(
        default_factory=lambda: ["client_secret_basic"]
    )


def discovery_url(issuer: str) -> str:
    return f"{issuer.rstrip('/')}{_PATH}"


class UnusableDocument(Exception):
    """The document is not that of the configured issuer, or names an address that is not safe to use."""


def read_provider_document(document: bytes, issuer: str) -> ProviderDocument:
    try:
        read = msgspec.json.decode(document, type=ProviderDocument)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnusableDocument(f"is not the document of an OpenID Connect provider: {error}") from None
    if read.issuer != issuer:
        raise UnusableDocument(f"is of the issuer `{read.issuer[:200]}`, not of `{issuer}`")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        _check_endpoint(name, getattr(read, name), issuer)
    return read


def _check_endpoint(name: str, url: str, issuer: str) -> None:
    """Endpoints use https, on any host. Those of a provider on this machine may use http, on this machine.

    So a provider elsewhere cannot make this server send requests to ports of its own machine that do not use
    TLS, where other services trust whoever reaches them.
    """
    shown = f"{name} `{url[:200]}`"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise UnusableDocument(f"{shown} is not a URL") from None
    if not (url.isascii() and url.isprintable()):
        raise UnusableDocument(f"{shown} is not a URL")
    is_local = issuer.startswith("http://") and parts.scheme == "http" and host in LOOPBACK
    if not host or not (parts.scheme == "https" or is_local):
        raise UnusableDocument(f"{shown} must begin with https://")
    if parts.username is not None or parts.fragment:
        raise UnusableDocument(f"{shown} must have no user and no fragment")


class Discovery:
    """Reads the document when it is needed, and again after an hour; a provider that fails is spared."""

    def __init__(self, settings: OidcSettings, fetcher: Fetcher, now: Callable[[], int]) -> None:
        self._settings, self._fetcher, self._now = settings, fetcher, now
        self._document: ProviderDocument | None = None
        self._next_reading = 0
        self._reading: asyncio.Task[None] | None = None

    async def document(self) -> ProviderDocument:
        """The provider's document; raises `PlatformDown` while there is none."""
        if self._reading is None and not is_ahead(self._next_reading, self._now(), HOUR):
            self._reading = asyncio.ensure_future(self._read())
        # If the provider fails later, the document that was read before is used.
        if self._document is None and self._reading is not None:
            await outlasting(self._reading)
        if self._document is None:
            name = self._settings.shown_name
            raise PlatformDown(f"signing in with {name} does not work right now", RETRY_SECONDS)
        return self._document

    async def _read(self) -> None:
        issuer = self._settings.issuer
        url = discovery_url(issuer)
        wait = RETRY_SECONDS * SECOND
        try:
            self._document = read_provider_document(await fetch_document(self._fetcher, url), issuer)
            wait = HOUR
        except NoAnswer as error:
            log.warning("the OIDC provider does not answer", issuer=issuer, error=str(error))
        except UnusableDocument as error:
            log.warning("the OIDC provider cannot be used", issuer=issuer, error=f"{url} {error}")
        finally:
            self._next_reading = self._now() + wait
            self._reading = None
