"""Signing in with an OpenID Connect provider: the authorization code flow, and the checks of its ID token."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from hmac import compare_digest
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

import msgspec
import structlog

from mergecast.access.errors import Refusal
from mergecast.access.key_sets import RETRY_SECONDS, KeySet, fetch_document
from mergecast.access.oidc_settings import OidcSettings
from mergecast.access.oidc_users import OidcUsers
from mergecast.access.policy import LOOPBACK
from mergecast.access.rights import Credential, CredentialKind
from mergecast.access.signed_tokens import MalformedToken, RegisteredClaims, read_token, signature_error
from mergecast.access.web_sign_in import Attempts, SignInAttempt
from mergecast.incoming.platform.fetch import Fetched, Fetcher, NoAnswer, PlatformDown, answered, is_limit
from mergecast.process.concurrently import outlasting
from mergecast.queues.model.instant import HOUR, SECOND, is_ahead

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


log = structlog.get_logger("mergecast.access")

_OK, _REFUSED = 200, range(400, 500)
_TOLERANCE = 30 * SECOND  # between the provider's clock and ours
_FORM = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
_BASIC, _POST = "client_secret_basic", "client_secret_post"
# The provider refuses this server, not the person.
_MISCONFIGURED = ("invalid_client", "unauthorized_client")


class _Answer(msgspec.Struct, frozen=True):
    id_token: str = ""
    error: str = ""


class _Claims(RegisteredClaims, frozen=True):
    nonce: str = ""
    azp: str | None = None


class OidcSignIn:
    def __init__(self, settings: OidcSettings, fetcher: Fetcher, now: Callable[[], int]) -> None:
        self.settings, self._fetcher, self._now = settings, fetcher, now
        self.attempts = Attempts(settings.app.client_secret)
        self.users = OidcUsers(settings)
        self._discovery = Discovery(settings, fetcher, now)
        self._keys = KeySet(settings.issuer, self._fetch_keys, now)

    async def _fetch_keys(self) -> bytes:
        return await fetch_document(self._fetcher, (await self._discovery.document()).jwks_uri)

    async def address(self, attempt: SignInAttempt, return_to: str) -> str:
        endpoint = (await self._discovery.document()).authorization_endpoint
        query = {
            "response_type": "code",
            "client_id": self.settings.app.client_id,
            "redirect_uri": return_to,
            "scope": self.settings.scopes,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    async def credential(self, code: str, attempt: SignInAttempt, return_to: str) -> Credential:
        """What a session keeps of the person; `NoAccess` if the person has no right here."""
        document = await self._discovery.document()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": return_to,
            "code_verifier": attempt.verifier,
        }
        token = (await self._exchange(document, form)).encode("ascii", "replace")
        try:
            header, content = read_token(token, dict[str, Any])
            claims = msgspec.convert(content, _Claims)
        except (MalformedToken, msgspec.ValidationError):
            raise _refusal("malformed ID token") from None
        error = self._error_in(claims, attempt) or await signature_error(token, header, self._keys)
        if error is not None:
            raise _refusal(f"ID token: {error}")
        return self.users.credential(claims.sub, content, self._now())

    def _error_in(self, claims: _Claims, attempt: SignInAttempt) -> str | None:
        client_id = self.settings.app.client_id
        if claims.iss != self.settings.issuer:
            return "wrong issuer"
        if claims.azp not in (None, client_id) or (len(claims.audiences) > 1 and claims.azp is None):
            return "issued to another app"
        if not compare_digest(claims.nonce.encode("utf-8", "replace"), attempt.nonce.encode()):
            return "wrong nonce"
        if not claims.sub:
            return "no subject"
        return claims.error(client_id, self._now(), _TOLERANCE)

    async def _exchange(self, document: ProviderDocument, form: dict[str, str]) -> str:
        """The ID token for a code."""
        headers, form = self._identified(document, form)
        try:
            answer = await self._fetcher.post(document.token_endpoint, headers, urlencode(form).encode())
        except NoAnswer as error:
            raise self._down(str(error)) from None
        read = _read_answer(answer)
        if answer.status != _OK and (answer.status not in _REFUSED or is_limit(answer)):
            raise self._down(f"{document.token_endpoint} {answered(answer)}")
        if read is None:
            raise self._down(f"{document.token_endpoint} {answered(answer)}, without a JSON object")
        if read.error in _MISCONFIGURED:
            raise self._down(f"it refuses MERGECAST_OIDC_CLIENT_ID or its secret: {read.error}")
        if answer.status != _OK or not read.id_token:
            raise _refusal(f"the provider refuses the code: {read.error[:100] or 'no ID token'}")
        return read.id_token

    def _identified(
        self, document: ProviderDocument, form: dict[str, str]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Headers and form that prove who this server is, in the way that the provider wants."""
        app, methods = self.settings.app, document.token_endpoint_auth_methods_supported
        if _POST in methods and _BASIC not in methods:
            return _FORM, form | {"client_id": app.client_id, "client_secret": app.client_secret}
        pair = f"{quote_plus(app.client_id)}:{quote_plus(app.client_secret)}"
        return {**_FORM, "Authorization": f"Basic {b64encode(pair.encode()).decode()}"}, form

    def _down(self, error: str) -> PlatformDown:
        log.warning("the OIDC provider does not sign people in", issuer=self.settings.issuer, error=error)
        return PlatformDown(f"signing in with {self.settings.shown_name} does not work right now")


def _read_answer(answer: Fetched) -> _Answer | None:
    try:
        return msgspec.json.decode(answer.body, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _refusal(reason: str) -> Refusal:
    return Refusal(reason, CredentialKind.OIDC)
