"""Encrypts targets of channels and credentials of sources: the store and its backups have no plain text.

The keys are from the setting, or from a file of the data folder.
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes, token_urlsafe

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mergecast.errors import MergecastError
from mergecast.process.data_folder import UnreadableFile, read_or_make_secret

_NONCE_BYTES = 12
_PURPOSE = b"mergecast: the target of a channel"  # of every secret: another text would open no existing store


class CannotDecrypt(MergecastError):
    """None of the keys is the one that a text was encrypted with, or the text is damaged."""


class Seal:
    """The first key encrypts; all of them decrypt, so that a key can be replaced by adding one before it."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._ciphers = [AESGCM(_derived(key)) for key in keys]

    def close(self, content: bytes, about: str) -> str:
        """Encrypt the content; it can be decrypted only with the same `about`."""
        nonce = token_bytes(_NONCE_BYTES)
        return b64encode(nonce + self._ciphers[0].encrypt(nonce, content, about.encode())).decode()

    def open(self, sealed: str, about: str) -> bytes:
        packed = _unpacked(sealed)
        for cipher in self._ciphers:
            with suppress(InvalidTag):
                return cipher.decrypt(packed[:_NONCE_BYTES], packed[_NONCE_BYTES:], about.encode())
        raise CannotDecrypt("no key decrypts it")

    def renewed(self, sealed: str, about: str) -> str | None:
        """The text encrypted with the first key; None if it is already."""
        content = self.open(sealed, about)
        packed = _unpacked(sealed)
        with suppress(InvalidTag):
            self._ciphers[0].decrypt(packed[:_NONCE_BYTES], packed[_NONCE_BYTES:], about.encode())
            return None
        return self.close(content, about)


def _unpacked(sealed: str) -> bytes:
    try:
        packed = b64decode(sealed, validate=True)
    except ValueError:
        packed = b""
    if len(packed) <= _NONCE_BYTES:
        raise CannotDecrypt("it is damaged")
    return packed


def _derived(key: str) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=_PURPOSE).derive(key.encode())


FILE = "secret-key"
SHORTEST = 32

log = structlog.get_logger("mergecast.sealing")


def parse_keys(text: str) -> tuple[str, ...]:
    """The keys of MERGECAST_SECRET_KEY, the newest first."""
    keys = tuple(filter(None, map(str.strip, text.split(","))))
    if any(len(key) < SHORTEST for key in keys):
        raise ValueError(f"each key must have at least {SHORTEST} characters")
    return keys


class Keys:
    """Without the setting, a store in the data folder gets a key file when the first secret is stored.

    With the setting, a key file that exists still decrypts, until what it encrypted is encrypted again.
    """

    def __init__(self, keys: Sequence[str], folder: Path | None) -> None:
        self._keys, self._file = keys, None if folder is None else folder / FILE
        self._seal: Seal | None = None

    @property
    def can_encrypt(self) -> bool:
        return bool(self._keys) or (self._file is not None and not self._has_damaged_file())

    @property
    def missing(self) -> str:
        """Why nothing can be encrypted, and what to do."""
        if self._file is None:
            return "the server has no key to encrypt secrets with: set MERGECAST_SECRET_KEY"
        return (
            f"the server has no key to encrypt secrets with: the file {FILE} of its data folder is damaged; "
            "restore it, or delete it to get a new key, which cannot decrypt the channels and sources "
            "that exist"
        )

    def seal(self) -> Seal | None:
        """For decrypting; None if there is no key."""
        if self._seal is None and (keys := [*self._keys, *self._key_of_file()]):
            self._seal = Seal(keys)
        return self._seal

    def make_seal(self) -> Seal:
        """For encrypting; creates the key file if there is none."""
        if (seal := self.seal()) is None:
            if self._file is None:
                raise ValueError("there is no key")
            seal = self._seal = Seal([read_or_make_secret(self._file, token_urlsafe)])
        return seal

    def _key_of_file(self) -> list[str]:
        """The key in the file; none if there is no file, or something else in it."""
        if self._file is None or not self._file.exists():
            return []
        try:
            key = read_or_make_secret(self._file, token_urlsafe)
        except UnreadableFile as error:
            log.warning("the key that encrypts secrets cannot be read", error=str(error))
            return []
        # An empty key would encrypt with a value that anyone can compute.
        return [key] if len(key) >= SHORTEST else []

    def _has_damaged_file(self) -> bool:
        return self._file is not None and self._file.exists() and not self._key_of_file()
