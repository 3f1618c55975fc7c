"""Signing in on another service's page: what ties its callback to the browser that began (PKCE, RFC 7636)."""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from typing import NamedTuple, Protocol

from mergecast.access.errors import Refusal
from mergecast.access.rights import Credential
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
