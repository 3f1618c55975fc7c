"""Signed tokens (JWT): reads header and claims, and verifies the signature with an issuer's keys."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TypeVar

import jwt
import msgspec

from mergecast.access.key_sets import KeySet
from mergecast.queues.model.instant import MINUTE, SECOND

T = TypeVar("T")

_AHEAD = MINUTE  # how far an issuer's clock may be ahead when it sets `iat`
# The end of the year 9999; later dates are clamped.
_LAST_SECOND = 253_402_300_800


class MalformedToken(Exception):
    """The token is not a JWT, or a claim has a wrong type."""


class Header(msgspec.Struct, frozen=True):
    """The relevant fields of a token's header. URLs and keys in the header are ignored."""

    alg: str
    kid: str
    crit: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    b64: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET

    @property
    def asks_for_more(self) -> bool:
        """Whether it requires an extension; none is supported."""
        return self.crit is not msgspec.UNSET or self.b64 is not msgspec.UNSET


class RegisteredClaims(msgspec.Struct, frozen=True):
    """The claims that every token has, by their registered names; times are seconds since the epoch."""

    iss: str
    aud: str | list[str]
    exp: int | float
    nbf: int | float | None = None
    iat: int | float | None = None
    sub: str = ""

    @property
    def expires_at(self) -> int:
        return _instant(self.exp)

    @property
    def audiences(self) -> list[str]:
        return [self.aud] if isinstance(self.aud, str) else self.aud

    def error(self, audience: str, now: int, tolerance: int = 0) -> str | None:
        """Why these claims are invalid here and now; None if they are valid.

        `tolerance` is how far the clocks of the issuer and of this server may differ.
        """
        if audience not in self.audiences:
            return "wrong audience"
        if self.expires_at + tolerance <= now:
            return "expired"
        if self.nbf is not None and _instant(self.nbf) > now + tolerance:
            return "not valid yet"
        if self.iat is not None and _instant(self.iat) > now + _AHEAD:
            return "issued in the future"
        return None


def _instant(seconds: float) -> int:
    return int(min(max(seconds, -_LAST_SECOND), _LAST_SECOND) * SECOND)


def read_token(token: bytes, claims: type[T]) -> tuple[Header, T]:
    """The header and claims of a token that is not verified yet."""
    try:
        header, content, _ = token.split(b".")
        return msgspec.json.decode(_bytes(header), type=Header), msgspec.json.decode(
            _bytes(content), type=claims
        )
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise MalformedToken from None


async def signature_error(token: bytes, header: Header, keys: KeySet) -> str | None:
    """Why the signature proves nothing; None if one of the keys made it."""
    if header.asks_for_more:
        return "unsupported extension"
    key = await keys.find(header.kid)
    if key is None:
        return "unknown key"
    if header.alg != key.algorithm_name:
        return "wrong algorithm for the key"
    return None if _is_signed(token, key) else "wrong signature"


def _bytes(part: bytes) -> bytes:
    """Decode canonical base64 only: the unused bits of the last character would allow several spellings."""
    decoded = urlsafe_b64decode(part + b"=" * (-len(part) % 4))
    if urlsafe_b64encode(decoded).rstrip(b"=") != part:
        raise ValueError("not canonical base64")
    return decoded


def _is_signed(token: bytes, key: jwt.PyJWK) -> bool:
    """Verify the signature with the key's algorithm; header and claims were decoded before.

    PyJWT's function for whole tokens inspects every character in Python: 2 ms for the longest token.
    """
    signed, _, signature = token.rpartition(b".")
    try:
        return bool(key.Algorithm.verify(signed, key.key, _bytes(signature)))
    except (jwt.PyJWTError, ValueError, TypeError):
        return False
