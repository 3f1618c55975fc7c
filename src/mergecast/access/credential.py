"""A credential as it was sent, and which of the four kinds it is by its form."""

from hashlib import sha256
from typing import NamedTuple

from mergecast.access.rights import CredentialKind

LONGEST_TOKEN = 16 << 10
KEY_PREFIX = b"mck_"
PLATFORM_PREFIXES = (b"ghp_", b"github_pat_", b"gho_", b"ghu_", b"ghs_")

# Visible ASCII: a second scheme, a list or a line break is no part of a token.
_VISIBLE = bytes(range(ord("!"), ord("~") + 1))
_URL_SAFE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


class Credential(NamedTuple):
    token: bytes
    # Every kind is recognised by this alone. All four are long and random, or signed: nothing is gained by
    # a slow hash, which would only serve those who want to keep the server busy.
    digest: bytes

    def __repr__(self) -> str:
        return "Credential(…)"


def read_credential(authorizations: list[bytes]) -> Credential | None:
    """The credential of a request; None unless it is exactly one, and of a sensible length."""
    if len(authorizations) != 1 or len(authorizations[0]) > LONGEST_TOKEN:
        return None
    scheme, _, rest = authorizations[0].partition(b" ")
    token = rest.strip(b" ")  # blanks around a value of a header are no part of it
    if scheme.lower() != b"bearer" or not token:
        return None
    return Credential(token, sha256(token).digest())


def kind_of(token: bytes) -> CredentialKind | None:
    """The kind by form; None can only be the admin token, or nothing at all."""
    if token.startswith(KEY_PREFIX):
        return CredentialKind.APPLICATION
    # Bytes are taken away and the rest is looked at: a regular expression takes ten times as long.
    if token.translate(None, _VISIBLE):
        return None
    # Before the next line: tokens of the platform may hold dots.
    if token.startswith(PLATFORM_PREFIXES):
        return CredentialKind.PLATFORM
    if token.translate(None, _URL_SAFE) == b"..":
        return CredentialKind.SERVICE
    return None
