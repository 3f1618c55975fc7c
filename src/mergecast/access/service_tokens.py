"""Service tokens (JWT): signed by a trusted issuer, for this service, and valid now."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from mergecast.access.errors import Refusal
from mergecast.access.key_sets import KeySet, fetch_document
from mergecast.access.policy import Issuer
from mergecast.access.rights import Caller, Credential, CredentialKind, Right, repository_named
from mergecast.access.signed_tokens import MalformedToken, RegisteredClaims, read_token, signature_error
from mergecast.incoming.platform.fetch import MOST_BYTES, Fetcher, NoAnswer
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import HOUR, is_ahead
from mergecast.queues.model.repository import is_owner

REMEMBERED_FOR = HOUR
_MOST_REMEMBERED = 10_000
_RIGHTS = frozenset({Right.LIST, Right.READ})
_LONGEST_SUBJECT = 200


class _Claims(RegisteredClaims, frozen=True):
    """The claims that say what the token is about."""

    # A token with `"repository": null` is malformed: read as "not given", it would count for the whole owner.
    repository: str | msgspec.UnsetType = msgspec.UNSET
    repository_owner: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def subject(self) -> str:
        return self.sub[:_LONGEST_SUBJECT]


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


class _Remembered(NamedTuple):
    """A token that was verified; it counts while its issuer lists the key that signed it."""

    caller: Caller
    until: int
    keys: KeySet
    key_id: str


class ServiceTokens:
    def __init__(self, issuers: Sequence[Issuer], fetcher: Fetcher, now: Callable[[], int]) -> None:
        self._issuers = {issuer.issuer: issuer for issuer in issuers}
        self._key_sets = {
            issuer.issuer: KeySet(issuer.issuer, _reading(issuer, fetcher), now) for issuer in issuers
        }
        self._now = now
        self._remembered: RecentEntries[bytes, _Remembered] = RecentEntries(_MOST_REMEMBERED)

    def remembered(self, credential: Credential, now: int) -> Caller | None:
        """The caller with this token, if it was verified before."""
        known = self._remembered.get(credential.digest)
        if known is None:
            return None
        if is_ahead(known.until, now, REMEMBERED_FOR) and known.keys.has_fresh(known.key_id):
            return known.caller
        self._remembered.pop(credential.digest)
        return None

    async def caller(self, credential: Credential) -> Caller:
        """The caller with this token, after verifying everything about it."""
        try:
            header, claims = read_token(credential.token, _Claims)
        except MalformedToken:
            raise Refusal("malformed token", CredentialKind.SERVICE) from None
        issuer = self._issuers.get(claims.iss)
        if issuer is None:
            raise _refusal("untrusted issuer", claims)
        error = claims.error(issuer.audience, self._now())
        if error is not None:
            raise _refusal(error, claims)
        caller = _caller(claims)
        if caller is None:
            raise _refusal("no claim names a repository or an owner", claims)
        keys = self._key_sets[claims.iss]
        error = await signature_error(credential.token, header, keys)
        if error is not None:
            raise _refusal(error, claims)
        until = min(claims.expires_at, self._now() + REMEMBERED_FOR)
        self._remembered.put(credential.digest, _Remembered(caller, until, keys, header.kid))
        return caller


def _refusal(reason: str, claims: _Claims) -> Refusal:
    return Refusal(reason, f"{CredentialKind.SERVICE} {claims.subject}")


def _reading(issuer: Issuer, fetcher: Fetcher) -> Callable[[], Awaitable[bytes]]:
    if issuer.file is not None:
        return partial(asyncio.to_thread, read_key_file, issuer.file)
    return partial(fetch_document, fetcher, issuer.jwks)


def read_key_file(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES)
    except OSError as error:
        raise NoAnswer(f"{file}: {error.strerror or error}") from error
