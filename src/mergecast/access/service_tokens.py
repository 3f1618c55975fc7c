"""Service tokens (JWT): signed by a trusted issuer, for this service, and valid now."""

import asyncio
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import jwt
import msgspec

from mergecast.access.errors import Refusal
from mergecast.access.key_sets import KeySet
from mergecast.access.policy import Issuer
from mergecast.access.rights import Caller, Credential, CredentialKind, Right, repository_named
from mergecast.incoming.platform.fetch import MOST_BYTES, Fetcher, NoAnswer
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, is_ahead
from mergecast.queues.model.repository import is_owner

T = TypeVar("T")

REMEMBERED_FOR = HOUR
_MOST_REMEMBERED = 10_000
_OK = 200
_RIGHTS = frozenset({Right.LIST, Right.READ})
_AHEAD = MINUTE  # how far an issuer's clock may be ahead when it sets `iat`
_LONGEST_SUBJECT = 200
# The end of the year 9999; later dates are clamped.
_LAST_SECOND = 253_402_300_800


class _Header(msgspec.Struct, frozen=True):
    """The relevant fields of a token's header. URLs and keys in the header are ignored."""

    alg: str
    kid: str
    crit: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    b64: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET

    @property
    def asks_for_more(self) -> bool:
        """Whether it requires an extension; none is supported."""
        return self.crit is not msgspec.UNSET or self.b64 is not msgspec.UNSET


class _Claims(msgspec.Struct, frozen=True):
    """The relevant claims, by their registered names; times are seconds since the epoch."""

    iss: str
    aud: str | list[str]
    exp: int | float
    nbf: int | float | None = None
    iat: int | float | None = None
    sub: str = ""
    # A token with `"repository": null` is malformed: read as "not given", it would count for the whole owner.
    repository: str | msgspec.UnsetType = msgspec.UNSET
    repository_owner: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def subject(self) -> str:
        return self.sub[:_LONGEST_SUBJECT]

    @property
    def expires_at(self) -> int:
        return _instant(self.exp)


def _instant(seconds: float) -> int:
    return int(min(max(seconds, -_LAST_SECOND), _LAST_SECOND) * SECOND)


def _error_in(claims: _Claims, audience: str, now: int) -> str | None:
    """Why these claims are invalid; None if they are valid."""
    audiences = [claims.aud] if isinstance(claims.aud, str) else claims.aud
    if audience not in audiences:
        return "wrong audience"
    if claims.expires_at <= now:
        return "expired"
    if claims.nbf is not None and _instant(claims.nbf) > now:
        return "not valid yet"
    if claims.iat is not None and _instant(claims.iat) > now + _AHEAD:
        return "issued in the future"
    return None


def _caller(claims: _Claims) -> Caller | None:
    """The caller these claims identify; None if they name no repository.

    The token of a GitHub Actions job names both its repository and the owner: the narrower one counts. All
    tokens of one issuer and owner share their limits, since an issuer gives out any number of tokens.
    """
    if claims.repository is not msgspec.UNSET:
        owner, _, name = claims.repository.partition("/")
        repository = repository_named(owner, name)
        if repository is None:
            return None
        about = frozenset({repository})
        identity = f"{claims.iss} {owner.lower()}"
        return Caller(CredentialKind.SERVICE, claims.subject, identity, _RIGHTS, repositories=about)
    if claims.repository_owner is not msgspec.UNSET and is_owner(claims.repository_owner):
        owner = claims.repository_owner.lower()
        return Caller(CredentialKind.SERVICE, claims.subject, f"{claims.iss} {owner}", _RIGHTS, owner)
    return None


class ServiceTokens:
    def __init__(self, issuers: Sequence[Issuer], fetcher: Fetcher, now: Callable[[], int]) -> None:
        self._issuers = {issuer.issuer: issuer for issuer in issuers}
        self._key_sets = {
            issuer.issuer: KeySet(issuer.issuer, _reading(issuer, fetcher), now) for issuer in issuers
        }
        self._now = now
        self._remembered: RecentEntries[bytes, tuple[Caller, int]] = RecentEntries(_MOST_REMEMBERED)

    def remembered(self, credential: Credential, now: int) -> Caller | None:
        """The caller with this token, if it was verified before."""
        known = self._remembered.get(credential.digest)
        if known is None:
            return None
        caller, until = known
        if is_ahead(until, now, REMEMBERED_FOR):
            return caller
        self._remembered.pop(credential.digest)
        return None

    async def caller(self, credential: Credential) -> Caller:
        """The caller with this token, after verifying everything about it."""
        header, claims = _read(credential.token)
        issuer = self._issuers.get(claims.iss)
        if issuer is None:
            raise _refusal("untrusted issuer", claims)
        error = _error_in(claims, issuer.audience, self._now())
        if error is not None:
            raise _refusal(error, claims)
        caller = _caller(claims)
        if caller is None:
            raise _refusal("no claim names a repository or an owner", claims)
        await self._check_signature(credential.token, header, claims)
        self._remember(credential.digest, caller, claims)
        return caller

    async def _check_signature(self, token: bytes, header: _Header, claims: _Claims) -> None:
        if header.asks_for_more:
            raise _refusal("unsupported extension", claims)
        key = await self._key_sets[claims.iss].find(header.kid)
        if key is None:
            raise _refusal("unknown key", claims)
        if header.alg != key.algorithm_name:
            raise _refusal("wrong algorithm for the key", claims)
        if not _is_signed(token, key):
            raise _refusal("wrong signature", claims)

    def _remember(self, digest: bytes, caller: Caller, claims: _Claims) -> None:
        until = min(claims.expires_at, self._now() + REMEMBERED_FOR)
        self._remembered.put(digest, (caller, until))


def _read(token: bytes) -> tuple[_Header, _Claims]:
    """The header and claims of a token that is not verified yet."""
    header, claims, _ = token.split(b".")
    try:
        return _decode(header, _Header), _decode(claims, _Claims)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refusal("malformed token", CredentialKind.SERVICE) from None


def _decode(part: bytes, type: type[T]) -> T:
    return msgspec.json.decode(_bytes(part), type=type)


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


def _refusal(reason: str, claims: _Claims) -> Refusal:
    return Refusal(reason, f"{CredentialKind.SERVICE} {claims.subject}")


def _reading(issuer: Issuer, fetcher: Fetcher) -> Callable[[], Awaitable[bytes]]:
    if issuer.file is not None:
        return partial(asyncio.to_thread, read_key_file, issuer.file)
    return partial(_fetch_keys, fetcher, issuer.jwks)


def read_key_file(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES)
    except OSError as error:
        raise NoAnswer(f"{file}: {error.strerror or error}") from error


async def _fetch_keys(fetcher: Fetcher, url: str) -> bytes:
    answer = await fetcher.get(url, {"Accept": "application/json"})
    if answer.status != _OK:
        raise NoAnswer(f"{url} answers {answer.status}")
    return answer.body
