"""What a service token says: for whom, from when to when, and about which repositories."""

import msgspec

from mergecast.access.rights import Caller, CredentialKind, Right, repository_named
from mergecast.model.instant import SECOND
from mergecast.model.repository import is_owner

_RIGHTS = frozenset({Right.LIST, Right.READ})
_AHEAD = 60 * SECOND  # what the clock of an issuer may be ahead of ours when it writes `iat`
_LONGEST_SUBJECT = 200
# The end of the year 9999: what lies beyond it is no date of anybody's.
_LAST_SECOND = 253_402_300_800


class Claims(msgspec.Struct, frozen=True):
    """The claims that count, by their registered names; times are seconds since the epoch."""

    iss: str
    aud: str | list[str]
    exp: int | float
    nbf: int | float | None = None
    iat: int | float | None = None
    sub: str = ""
    repository: str | None = None
    repository_owner: str | None = None

    @property
    def subject(self) -> str:
        return self.sub[:_LONGEST_SUBJECT]

    @property
    def expires_at(self) -> int:
        return _instant(self.exp)


def _instant(seconds: float) -> int:
    return int(min(max(seconds, -_LAST_SECOND), _LAST_SECOND) * SECOND)


def error_of(claims: Claims, audience: str, now: int) -> str | None:
    """What speaks against these claims, if anything."""
    audiences = [claims.aud] if isinstance(claims.aud, str) else claims.aud
    if audience not in audiences:
        return "another audience"
    if claims.expires_at <= now:
        return "expired"
    if claims.nbf is not None and _instant(claims.nbf) > now:
        return "not valid yet"
    if claims.iat is not None and _instant(claims.iat) > now + _AHEAD:
        return "issued in the future"
    return None


def caller_of(claims: Claims, digest: bytes) -> Caller | None:
    """Whom the claims make of somebody; None when they name no repository.

    The token of a GitHub Actions job names its repository and also the owner: the narrower one counts.
    """
    if claims.repository is not None:
        owner, _, name = claims.repository.partition("/")
        repository = repository_named(owner, name)
        if repository is None:
            return None
        about = frozenset({repository})
        return Caller(CredentialKind.SERVICE, claims.subject, digest, _RIGHTS, repositories=about)
    if claims.repository_owner is not None and is_owner(claims.repository_owner):
        return Caller(
            CredentialKind.SERVICE, claims.subject, digest, _RIGHTS, claims.repository_owner.lower()
        )
    return None
