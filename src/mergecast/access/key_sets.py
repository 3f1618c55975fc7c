"""The keys of one issuer (a JWKS): read again every few minutes, and when a token names an unknown key.

An issuer withdraws a key by leaving it out, so a set that is old proves little. One that cannot be read again
counts for an hour.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import jwt
import msgspec
import structlog

from mergecast.errors import Unavailable
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer, answered
from mergecast.process.concurrently import outlasting
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, is_ahead

log = structlog.get_logger("mergecast.access")

REFRESH_SECONDS = 60
RETRY_SECONDS = 5
FRESH_FOR = 10 * MINUTE
KEPT_FOR = HOUR
_MOST_KEYS = 100
_OK = 200
_ALGORITHMS = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}


class NoKeys(Exception):
    """The document holds no usable key; the message says why."""


def read_key_set(document: bytes) -> dict[str, jwt.PyJWK]:
    """Usable keys by id; each is bound to the only algorithm allowed for its type."""
    try:
        content = msgspec.json.decode(document, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoKeys("is not a JSON object") from None
    listed = content.get("keys")
    if not isinstance(listed, list):
        raise NoKeys('has no list "keys"')
    keys = [key for key in map(_key, listed[:_MOST_KEYS]) if key is not None]
    if not keys:
        raise NoKeys("contains no public key with a `kid` for RS256, ES256 or EdDSA")
    return {str(key.key_id): key for key in keys}


def _key(value: Any) -> jwt.PyJWK | None:
    if not isinstance(value, dict) or not isinstance(value.get("kid"), str):
        return None
    curve = value.get("crv")
    algorithm = _ALGORITHMS.get((str(value.get("kty")), None if curve is None else str(curve)))
    # A private key or a shared secret is no proof: others could have signed with it.
    if algorithm is None or value.get("alg", algorithm) != algorithm or "d" in value:
        return None
    if value.get("use", "sig") != "sig":
        return None
    try:
        key = jwt.PyJWK(value, algorithm)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    is_short = key.Algorithm.check_key_length(key.key) is not None
    return None if is_short else key


async def fetch_document(fetcher: Fetcher, url: str) -> bytes:
    """The document at a URL of an issuer; raises `NoAnswer`."""
    answer = await fetcher.get(url, {"Accept": "application/json"})
    if answer.status != _OK:
        raise NoAnswer(f"{url} {answered(answer)}")
    return answer.body


class KeySet:
    def __init__(self, name: str, read: Callable[[], Awaitable[bytes]], now: Callable[[], int]) -> None:
        """`read` fetches the document; it raises NoAnswer if that fails."""
        self._name, self._read, self._now = name, read, now
        self._keys: dict[str, jwt.PyJWK] | None = None
        self._read_at = 0
        self._has_failed = False  # when the set was to be read last
        self._next_reading = 0
        self._reading: asyncio.Task[None] | None = None

    def has_fresh(self, id: str) -> bool:
        """Whether a key with this id was in the set a few minutes ago."""
        return id in (self._keys or {}) and self._is_within(FRESH_FOR)

    async def find(self, id: str) -> jwt.PyJWK | None:
        """The key with this id. The id is only looked up in the set."""
        if not self.has_fresh(id):
            await self._read_again(id)
        if self._keys is None or not self._is_within(KEPT_FOR):
            raise Unavailable("the keys of the token's issuer cannot be read right now", RETRY_SECONDS)
        return self._keys.get(id)

    async def _read_again(self, id: str) -> None:
        must_wait = is_ahead(self._next_reading, self._now(), REFRESH_SECONDS * SECOND)
        if self._reading is None and not must_wait:
            self._reading = asyncio.ensure_future(self._refresh())
        # While the issuer does not answer, a token with a known key waits for one attempt and not for each.
        is_usable = id in (self._keys or {}) and self._is_within(KEPT_FOR)
        if self._reading is not None and not (is_usable and self._has_failed):
            await outlasting(self._reading)

    def _is_within(self, term: int) -> bool:
        return is_ahead(self._read_at + term, self._now(), term)

    async def _refresh(self) -> None:
        is_known = self._keys is not None and self._is_within(KEPT_FOR)
        wait = REFRESH_SECONDS if is_known else RETRY_SECONDS
        asked_at = self._now()
        try:
            self._keys = read_key_set(await self._read())
            self._read_at, self._has_failed, wait = asked_at, False, REFRESH_SECONDS
        except (NoAnswer, NoKeys) as error:
            self._has_failed = True
            log.warning("issuer's keys could not be read", issuer=self._name, error=str(error))
        finally:
            self._next_reading = self._now() + wait * SECOND
            self._reading = None
