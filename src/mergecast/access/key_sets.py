"""The keys of one issuer (a JWKS): read once, and again when a token names one that is not among them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import jwt
import msgspec
import structlog

from mergecast.errors import Unavailable
from mergecast.model.instant import SECOND
from mergecast.platform.fetch import NoAnswer

log = structlog.get_logger("mergecast.access")

REFRESH_SECONDS = 60
RETRY_SECONDS = 5
_MOST_KEYS = 100
_ALGORITHMS = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}


class NoKeys(Exception):
    """The document holds no key that could be used; the message says why."""


def read_key_set(document: bytes) -> dict[str, jwt.PyJWK]:
    """Usable keys by their ids; each is bound to the one algorithm of its type."""
    try:
        content = msgspec.json.decode(document, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoKeys("is not a JSON object") from None
    listed = content.get("keys")
    if not isinstance(listed, list):
        raise NoKeys('has no list "keys"')
    keys = [key for key in map(_key, listed[:_MOST_KEYS]) if key is not None]
    if not keys:
        raise NoKeys("holds no public key with a `kid` for RS256, ES256 or EdDSA")
    return {str(key.key_id): key for key in keys}


def _key(value: Any) -> jwt.PyJWK | None:
    if not isinstance(value, dict) or not isinstance(value.get("kid"), str):
        return None
    curve = value.get("crv")
    algorithm = _ALGORITHMS.get((str(value.get("kty")), None if curve is None else str(curve)))
    # A key that others can sign with (a private one, or a shared secret) proves nothing.
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


class KeySet:
    def __init__(self, name: str, read: Callable[[], Awaitable[bytes]], now: Callable[[], int]) -> None:
        """`read` gets the document; it raises NoAnswer when there is none."""
        self._name, self._read, self._now = name, read, now
        self._keys: dict[str, jwt.PyJWK] | None = None
        self._next_reading = 0
        self._reading: asyncio.Task[None] | None = None

    async def find(self, id: str) -> jwt.PyJWK | None:
        """The key with this id, which is a name in the set and nothing else."""
        known = (self._keys or {}).get(id)
        if known is not None:
            return known
        if self._reading is None and self._now() >= self._next_reading:
            self._reading = asyncio.ensure_future(self._refresh())
        if self._reading is not None:
            # Whoever names a known key does not come here, and does not wait.
            await asyncio.shield(self._reading)
        if self._keys is None:
            raise Unavailable("the keys of the token's issuer cannot be read right now", RETRY_SECONDS)
        return self._keys.get(id)

    async def _refresh(self) -> None:
        wait = RETRY_SECONDS if self._keys is None else REFRESH_SECONDS
        try:
            self._keys = read_key_set(await self._read())
            wait = REFRESH_SECONDS
        except (NoAnswer, NoKeys) as error:
            log.warning("keys of an issuer could not be read", issuer=self._name, error=str(error))
        finally:
            self._next_reading = self._now() + wait * SECOND
            self._reading = None
