"""Sessions: a browser has a random secret, the store its digest and the credential it was exchanged for.

A service or platform token, and a statement about an OIDC user, cannot be recognized by its digest alone, so
it is kept with its session, encrypted with a key derived from the browser's secret: the store by itself
cannot decrypt it.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from secrets import token_bytes, token_urlsafe

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mergecast.access.credential import KEY_PREFIX
from mergecast.access.rights import Caller, Credential, CredentialKind
from mergecast.queues.model.credentials import Session
from mergecast.queues.model.instant import HOUR, MINUTE
from mergecast.queues.store.store import Store

SESSION_LENGTH = 12 * HOUR
CODE_LENGTH = 10 * MINUTE
_SECRET_BYTES = 32
_NONCE_BYTES = 12
_PURPOSE = b"mergecast: the token of a session"
_SEALED_KINDS = (CredentialKind.SERVICE, CredentialKind.PLATFORM, CredentialKind.OIDC)


class Sessions:
    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now

    async def begin(self, credential: Credential, caller: Caller, name: str) -> tuple[str, Session]:
        """A new session, and the secret for the browser's cookie."""
        return await self._add(credential, caller, name)

    async def make_code(
        self, credential: Credential, caller: Caller, length: int = CODE_LENGTH
    ) -> tuple[str, Session]:
        """A code that stands for this credential once."""
        return await self._add(credential, caller, caller.name, code_length=length)

    async def _add(
        self, credential: Credential, caller: Caller, name: str, code_length: int | None = None
    ) -> tuple[str, Session]:
        secret, now = token_urlsafe(_SECRET_BYTES), self._now()
        digest = sha256(secret.encode()).digest()
        is_sealed, is_key = caller.kind in _SEALED_KINDS, caller.kind is CredentialKind.APPLICATION
        session = Session(
            digest=digest,
            is_code=code_length is not None,
            kind=caller.kind,
            name=name,
            credential=credential.digest,
            key_id=caller.name if is_key else None,
            sealed=_seal(credential.token, secret.encode(), digest) if is_sealed else None,
            created_at=now,
            expires_at=now + (code_length or SESSION_LENGTH),
        )
        await self._store.add_session(session)
        return secret, session

    async def find(self, secret: bytes) -> tuple[Session, Credential] | None:
        """The session of a cookie and its credential, until the session ends."""
        session = await self._store.session(sha256(secret).digest())
        if session is None or session.is_code or session.expires_at <= self._now():
            return None
        return session, _credential(session, secret)

    async def credential_of_code(self, code: bytes) -> Credential | None:
        """The credential of a code. The code stays valid."""
        return self._of_code(await self._store.session(sha256(code).digest()), code)

    async def redeem(self, code: bytes) -> Credential | None:
        """The credential of a code. The code cannot be used again."""
        return self._of_code(await self._store.remove_session(sha256(code).digest()), code)

    def _of_code(self, session: Session | None, code: bytes) -> Credential | None:
        if session is None or not session.is_code or session.expires_at <= self._now():
            return None
        return _credential(session, code)

    async def end(self, secret: bytes) -> Session | None:
        return await self._store.remove_session(sha256(secret).digest())


def _credential(session: Session, secret: bytes) -> Credential:
    """A credential that the guard recognizes: by the token if it was kept, otherwise by its digest."""
    if session.sealed is not None:
        return Credential(_open(session.sealed, secret, session.digest), session.credential)
    return Credential(KEY_PREFIX + session.key_id.encode() if session.key_id else b"", session.credential)


def _seal(token: bytes, secret: bytes, digest: bytes) -> str:
    nonce = token_bytes(_NONCE_BYTES)
    return b64encode(nonce + AESGCM(_key(secret)).encrypt(nonce, token, digest)).decode()


def _open(sealed: str, secret: bytes, digest: bytes) -> bytes:
    """The token; if someone changed the stored row, an empty token, which is never accepted."""
    content = b64decode(sealed)
    try:
        return AESGCM(_key(secret)).decrypt(content[:_NONCE_BYTES], content[_NONCE_BYTES:], digest)
    except InvalidTag:
        return b""


def _key(secret: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=_PURPOSE).derive(secret)
