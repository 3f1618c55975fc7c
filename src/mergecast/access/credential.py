"""A credential as sent, and its kind, recognized by its form."""

from hashlib import sha256

from mergecast.access.rights import Credential, CredentialKind

LONGEST_TOKEN = 16 << 10
KEY_PREFIX = b"mck_"
OIDC_PREFIX = b"mco_"  # of what a session keeps; no one else has one
PLATFORM_PREFIXES = (b"ghp_", b"github_pat_", b"gho_", b"ghu_", b"ghs_")

# Visible ASCII: a space, a comma-separated list or a line break is not part of a token.
_VISIBLE = bytes(range(ord("!"), ord("~") + 1))
_URL_SAFE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def read_credential(authorizations: list[bytes]) -> Credential | None:
    """The credential of a request; None unless there is exactly one of valid length."""
    if len(authorizations) != 1 or len(authorizations[0]) > LONGEST_TOKEN:
        return None
    scheme, _, rest = authorizations[0].partition(b" ")
    token = rest.strip(b" ")  # spaces around a header's value are not part of it
    if scheme.lower() != b"bearer" or not token:
        return None
    return credential_of(token)


def credential_of(token: bytes) -> Credential:
    return Credential(token, sha256(token).digest())


def kind_of(token: bytes) -> CredentialKind | None:
    """The kind by its form; None is the admin token or no valid credential."""
    if token.startswith(KEY_PREFIX):
        return CredentialKind.APPLICATION
    if token.startswith(OIDC_PREFIX):
        return CredentialKind.OIDC
    # Delete the allowed bytes and look at the rest: a regular expression takes ten times as long.
    if token.translate(None, _VISIBLE):
        return None
    # Checked before service tokens, because platform tokens may contain dots.
    if token.startswith(PLATFORM_PREFIXES):
        return CredentialKind.PLATFORM
    if token.translate(None, _URL_SAFE) == b"..":
        return CredentialKind.SERVICE
    return None
