"""A credential as it was sent, and which of the four kinds it is by its form."""

import re
from dataclasses import dataclass
from hashlib import sha256

from mergecast.access.rights import Kind

LONGEST_TOKEN = 16 << 10
KEY_PREFIX = b"mck_"
PLATFORM_PREFIXES = (b"ghp_", b"github_pat_", b"gho_", b"ghu_", b"ghs_")

# Visible ASCII: a second scheme, a list or a line break is no part of a token.
_BEARER = re.compile(rb"bearer +([!-~]+)", re.IGNORECASE)
_JWT = re.compile(rb"[\w-]+\.[\w-]+\.[\w-]*")


@dataclass(frozen=True, slots=True)
class Credential:
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
    match = _BEARER.fullmatch(authorizations[0])
    if match is None:
        return None
    return Credential(match[1], sha256(match[1]).digest())


def kind_of(token: bytes) -> Kind | None:
    """The kind by form; None can only be the admin token, or nothing at all."""
    if token.startswith(KEY_PREFIX):
        return Kind.APPLICATION
    # Before the next line: tokens of the platform may hold dots.
    if token.startswith(PLATFORM_PREFIXES):
        return Kind.PLATFORM
    if _JWT.fullmatch(token):
        return Kind.SERVICE
    return None
