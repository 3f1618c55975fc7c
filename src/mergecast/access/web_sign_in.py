"""Signing in on another service's page: what ties its callback to a browser (PKCE, RFC 7636); GitHub."""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from typing import NamedTuple, Protocol
from urllib.parse import urlencode

import msgspec

from mergecast.access.credential import credential_of
from mergecast.access.errors import Refusal
from mergecast.access.rights import Credential, CredentialKind
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer, PlatformDown
from mergecast.incoming.platform.github_urls import web_url
from mergecast.queues.model.instant import MINUTE, SECOND

# How long a person may take on the other service's page.
SIGN_IN_LENGTH = 10 * MINUTE
_SECRET_BYTES = 32
_LONGEST_SECONDS = 15  # digits
_PURPOSE = b"mergecast: the state of a sign-in"
_NONCE = b"mergecast: the nonce of a sign-in"


@dataclass(frozen=True, slots=True)
class AppIdentity:
    """The app that the operator registered with the other service."""

    client_id: str
    client_secret: str = field(repr=False)


class SignInAttempt(NamedTuple):
    """What ties the callback to the browser that began: the state is public, the verifier is not."""

    state: str
    verifier: str

    @property
    def challenge(self) -> str:
        digest = sha256(self.verifier.encode()).digest()
        return urlsafe_b64encode(digest).rstrip(b"=").decode()

    @property
    def nonce(self) -> str:
        """What the ID token must repeat. It reveals nothing about the verifier."""
        return hmac.digest(self.verifier.encode(), _NONCE, "sha256").hex()


class Attempts:
    """Begins attempts, and recognizes them on every server that knows the secret of the app."""

    def __init__(self, client_secret: str) -> None:
        self._key = hmac.digest(client_secret.encode(), _PURPOSE, "sha256")

    def begin(self, now: int) -> SignInAttempt:
        verifier = token_urlsafe(_SECRET_BYTES)
        return SignInAttempt(self._state(now // SECOND, verifier), verifier)

    def has_begun(self, attempt: SignInAttempt, now: int) -> bool:
        """Whether a server of this app began this attempt, and not too long ago."""
        begun, _, _ = attempt.state.partition(":")
        if not (begun.isascii() and begun.isdigit() and len(begun) < _LONGEST_SECONDS):
            return False
        own = self._state(int(begun), attempt.verifier)
        is_own = hmac.compare_digest(own.encode(), attempt.state.encode("utf-8", "replace"))
        return is_own and 0 <= now // SECOND - int(begun) <= SIGN_IN_LENGTH // SECOND

    def _state(self, begun: int, verifier: str) -> str:
        signature = hmac.new(self._key, f"{begun}:{verifier}".encode("utf-8", "replace"), "sha256")
        return f"{begun}:{signature.hexdigest()}"


class NoAccess(Refusal):
    """The person is known to the other service, but nothing here belongs to that account."""


class WebSignIn(Protocol):
    """A service on whose page people can sign in."""

    @property
    def attempts(self) -> Attempts: ...

    async def address(self, attempt: SignInAttempt, return_to: str) -> str:
        """Where the browser asks its user for consent; raises `Unavailable`."""

    async def credential(self, code: str, attempt: SignInAttempt, return_to: str) -> Credential:
        """The user's credential for a code; raises `Refusal` or `Unavailable`."""


_HEADERS = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
_OK = 200


class _Answer(msgspec.Struct, frozen=True):
    access_token: str = ""
    error: str = ""


class GitHubApp:
    def __init__(self, identity: AppIdentity, platform_url: str, fetcher: Fetcher) -> None:
        self._identity, self._fetcher = identity, fetcher
        self._url = web_url(platform_url)
        self.attempts = Attempts(identity.client_secret)

    async def address(self, attempt: SignInAttempt, return_to: str) -> str:
        query = {
            "client_id": self._identity.client_id,
            "redirect_uri": return_to,
            "state": attempt.state,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        return f"{self._url}/login/oauth/authorize?{urlencode(query)}"

    async def credential(self, code: str, attempt: SignInAttempt, return_to: str) -> Credential:
        """The user's token; `Refusal` if GitHub does not accept the code."""
        form = {
            "client_id": self._identity.client_id,
            "client_secret": self._identity.client_secret,
            "code": code,
            "redirect_uri": return_to,
            "code_verifier": attempt.verifier,
        }
        url = f"{self._url}/login/oauth/access_token"
        try:
            answer = await self._fetcher.post(url, _HEADERS, urlencode(form).encode())
            read = msgspec.json.decode(answer.body, type=_Answer)
        except (NoAnswer, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise PlatformDown(f"signing in with GitHub does not work: {error}") from None
        if answer.status != _OK or not read.access_token:
            raise Refusal(f"GitHub refuses the code: {read.error[:100]}", CredentialKind.PLATFORM)
        return credential_of(read.access_token.encode("ascii", "replace"))
