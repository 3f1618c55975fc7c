"""Application keys: make, revoke and recognize them, and record when each was last used."""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from secrets import token_hex

import structlog

from mergecast.access.credential import KEY_PREFIX
from mergecast.access.errors import Refusal
from mergecast.access.rights import ANY_OWNER, RIGHTS_OF_SCOPE, Caller, Credential, CredentialKind
from mergecast.errors import NotFound, Unavailable
from mergecast.queues.model.credentials import SCOPES, ApplicationKey
from mergecast.queues.model.instant import SECOND
from mergecast.queues.store.store import Store

log = structlog.get_logger("mergecast.access")

USES_SECONDS = 60
_ID_BYTES = 6
_SECRET_BYTES = 32
_FORM = re.compile(rb"mck_([0-9a-f]{%d})_[0-9a-f]{%d}" % (2 * _ID_BYTES, 2 * _SECRET_BYTES))
_ID = slice(len(KEY_PREFIX), len(KEY_PREFIX) + 2 * _ID_BYTES)
_NO_DIGEST = bytes(32)


@dataclass(frozen=True, slots=True)
class WantedKey:
    name: str
    owner: str
    scopes: frozenset[str]
    expires_at: int | None


class ApplicationKeys:
    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now
        self._uses = _Uses(store, now)

    async def caller(self, credential: Credential, now: int) -> Caller:
        """The caller with this key. An unknown id takes as long as a wrong secret: both compare digests."""
        # The digest covers the whole key, so a key of another form has another digest.
        keys = await self.store.application_keys()
        key = keys.get(credential.token[_ID].decode("latin-1"))
        is_right = compare_digest(credential.digest, _NO_DIGEST if key is None else key.digest)
        if key is None or not is_right:
            raise _refusal("no such key" if key is None else "wrong secret", credential)
        if key.expires_at is not None and key.expires_at <= now:
            raise _refusal("expired", credential)
        self._uses.note(key.id, now)
        return _caller(key.id, key.owner, key.scopes)

    async def make(self, wanted: WantedKey) -> tuple[ApplicationKey, str]:
        """A new key, and its secret text, which is not stored."""
        id = token_hex(_ID_BYTES)
        secret = f"{KEY_PREFIX.decode()}{id}_{token_hex(_SECRET_BYTES)}"
        # Every key can read; the other scopes add to that.
        scopes = tuple(scope for scope in SCOPES if scope == "read" or scope in wanted.scopes)
        digest = sha256(secret.encode()).digest()
        key = ApplicationKey(id, digest, wanted.name, wanted.owner, scopes, self._now(), wanted.expires_at)
        await self.store.add_application_key(key)
        return key, secret

    async def revoke(self, id: str) -> ApplicationKey:
        key = await self.store.remove_application_key(id)
        if key is None:
            raise NotFound(f"there is no key `{id[:40]}`; GET /v1/keys lists all keys")
        return key

    async def listed(self) -> list[ApplicationKey]:
        """All keys, oldest first."""
        used = self._uses.waiting
        keys = [
            replace(key, last_used_at=used.get(key.id, key.last_used_at))
            for key in list((await self.store.application_keys()).values())
        ]
        return sorted(keys, key=lambda key: (key.created_at, key.id))

    async def close(self) -> None:
        await self._uses.write()


def _refusal(reason: str, credential: Credential) -> Refusal:
    # A malformed key may have its secret where the id should be, so it is not logged.
    match = _FORM.fullmatch(credential.token)
    return Refusal(
        reason, f"{CredentialKind.APPLICATION} {match[1].decode()}" if match else CredentialKind.APPLICATION
    )


@lru_cache(maxsize=4096)
def _caller(id: str, owner: str, scopes: tuple[str, ...]) -> Caller:
    rights = frozenset(right for scope in scopes for right in RIGHTS_OF_SCOPE[scope])
    if owner == ANY_OWNER:
        return Caller(CredentialKind.APPLICATION, id, id, rights, by_owner={ANY_OWNER: rights})
    return Caller(CredentialKind.APPLICATION, id, id, rights, owner.lower())


class _Uses:
    """When keys were last used: noted with every request, written together at most once a minute."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now
        self._noted: dict[str, int] = {}
        self._being_written: dict[str, int] = {}
        self._last_written = 0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> Mapping[str, int]:
        """Uses that are not stored yet."""
        return self._being_written | self._noted

    def note(self, id: str, now: int) -> None:
        self._noted[id] = now
        if self._timer is None:
            since = max(0, now - self._last_written) / SECOND
            delay = max(0.0, USES_SECONDS - since)
            self._timer = asyncio.get_running_loop().call_later(delay, self._begin)

    def _begin(self) -> None:
        self._writing = asyncio.ensure_future(self.write())

    async def write(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        noted, self._noted = self._noted, {}
        if not noted:
            return
        self._last_written, self._being_written = self._now(), noted
        try:
            await self._store.mark_as_used(noted)
        except Unavailable as error:
            # The time of last use is informative only; the next use is written again.
            log.warning("last use of keys could not be stored", error=str(error))
        finally:
            self._being_written = {}
