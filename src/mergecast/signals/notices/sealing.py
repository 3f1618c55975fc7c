"""Encrypts the targets of channels, so that the store and its backups do not contain them in plain text."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from mergecast.errors import MergecastError

_NONCE_BYTES = 12
_PURPOSE = b"mergecast: the target of a channel"


class CannotDecrypt(MergecastError):
    """None of the keys is the one that a text was encrypted with, or the text is damaged."""


class Seal:
    """The first key encrypts; all of them decrypt, so that a key can be replaced by adding one before it."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._ciphers = [AESGCM(_derived(key)) for key in keys]

    def close(self, content: bytes, about: str) -> str:
        """Encrypt; the result can only be opened as part of what it is about."""
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
