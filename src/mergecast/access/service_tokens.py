"""Tokens of services (JWT): signed by an issuer the operator trusts, for us, and now."""

import asyncio
from base64 import urlsafe_b64decode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import jwt
import msgspec

from mergecast.access.claims import Claims, caller_of, error_of
from mergecast.access.credential import Credential
from mergecast.access.errors import Refusal
from mergecast.access.issuers import Issuer
from mergecast.access.key_sets import KeySet
from mergecast.access.rights import Caller, CredentialKind
from mergecast.model.instant import HOUR
from mergecast.platform.fetch import MOST_BYTES, Fetcher, NoAnswer

T = TypeVar("T")

REMEMBERED_FOR = HOUR
_MOST_REMEMBERED = 10_000
_OK = 200


class _Header(msgspec.Struct, frozen=True):
    """What of a token's header counts. Addresses and keys that it may bring along are not even read."""

    alg: str
    kid: str
    crit: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    b64: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET

    @property
    def asks_for_more(self) -> bool:
        """Whether it wants an extension understood; none is."""
        return self.crit is not msgspec.UNSET or self.b64 is not msgspec.UNSET


class ServiceTokens:
    def __init__(self, issuers: Sequence[Issuer], fetcher: Fetcher, now: Callable[[], int]) -> None:
        self._issuers = {issuer.issuer: issuer for issuer in issuers}
        self._key_sets = {
            issuer.issuer: KeySet(issuer.issuer, _reading(issuer, fetcher), now) for issuer in issuers
        }
        self._now = now
        self._remembered: OrderedDict[bytes, tuple[Caller, int]] = OrderedDict()

    def remembered(self, credential: Credential, now: int) -> Caller | None:
        """Who shows this token, if it was checked before."""
        known = self._remembered.get(credential.digest)
        if known is None:
            return None
        caller, until = known
        if now < until:
            return caller
        del self._remembered[credential.digest]
        return None

    async def caller(self, credential: Credential) -> Caller:
        """Who shows this token; everything about it is checked."""
        header, claims = _read(credential.token)
        issuer = self._issuers.get(claims.iss)
        if issuer is None:
            raise _refusal("an issuer that is not trusted", claims)
        error = error_of(claims, issuer.audience, self._now())
        if error is not None:
            raise _refusal(error, claims)
        caller = caller_of(claims, credential.digest)
        if caller is None:
            raise _refusal("no claim about repositories", claims)
        await self._check_signature(credential.token, header, claims)
        self._remember(credential.digest, caller, claims)
        return caller

    async def _check_signature(self, token: bytes, header: _Header, claims: Claims) -> None:
        if header.asks_for_more:
            raise _refusal("an extension that is not understood", claims)
        key = await self._key_sets[claims.iss].find(header.kid)
        if key is None:
            raise _refusal("a key that the issuer does not have", claims)
        if header.alg != key.algorithm_name:
            raise _refusal("an algorithm that is not the key's", claims)
        if not _is_signed(token, key):
            raise _refusal("a wrong signature", claims)

    def _remember(self, digest: bytes, caller: Caller, claims: Claims) -> None:
        until = min(claims.expires_at, self._now() + REMEMBERED_FOR)
        self._remembered[digest] = (caller, until)
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)


def _read(token: bytes) -> tuple[_Header, Claims]:
    """Header and claims of what is not yet believed."""
    header, claims, _ = token.split(b".")
    try:
        return _decode(header, _Header), _decode(claims, Claims)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refusal("not a token as issuers make them", CredentialKind.SERVICE) from None


def _decode(part: bytes, type: type[T]) -> T:
    return msgspec.json.decode(_bytes(part), type=type)


def _bytes(part: bytes) -> bytes:
    return urlsafe_b64decode(part + b"=" * (-len(part) % 4))


def _is_signed(token: bytes, key: jwt.PyJWK) -> bool:
    """By the algorithm of the key; header and claims are those that were read already.

    PyJWT's way for whole tokens looks at every character in Python, 2 ms for the longest token.
    """
    signed, _, signature = token.rpartition(b".")
    try:
        return bool(key.Algorithm.verify(signed, key.key, _bytes(signature)))
    except (jwt.PyJWTError, ValueError, TypeError):
        return False


def _refusal(reason: str, claims: Claims) -> Refusal:
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
