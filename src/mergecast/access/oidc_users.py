"""OIDC users: what a session keeps about a person who signed in, and the rights that follow from it.

An ID token is valid for minutes and a session for hours, so a session keeps a statement by this server
instead, signed with a key derived from the client secret. Rights follow from the operator's current mapping,
so a mapping that gives less applies to everyone who is signed in.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import msgspec

from mergecast.access.credential import OIDC_PREFIX, credential_of
from mergecast.access.errors import Refusal
from mergecast.access.oidc_settings import OidcSettings
from mergecast.access.rights import Caller, Credential, CredentialKind
from mergecast.access.sessions import SESSION_LENGTH
from mergecast.access.web_sign_in import NoAccess

_PURPOSE = "mergecast: a statement about an OIDC user"
_LONGEST_NAME = 100
_LONGEST_SUBJECT = 255
_NAMES = ("name", "preferred_username", "email")


class _Statement(msgspec.Struct, frozen=True):
    subject: str
    name: str
    claims: dict[str, list[str]]  # the values that were mapped
    until: int


class OidcUsers:
    def __init__(self, settings: OidcSettings) -> None:
        self._rights = settings.rights
        about = f"{_PURPOSE} {settings.issuer} {settings.app.client_id}".encode()
        self._key = hmac.digest(settings.app.client_secret.encode(), about, "sha256")

    def credential(self, subject: str, claims: Mapping[str, Any], now: int) -> Credential:
        """A credential for a person whose claims were verified; `NoAccess` if they give no right here."""
        subject = _printable(subject, _LONGEST_SUBJECT)
        matched = self._rights.matched(claims)
        if not matched:
            raise NoAccess(self._rights.why_none(claims), _who(subject, claims))
        statement = _Statement(subject, _name(claims) or subject, matched, now + SESSION_LENGTH)
        content = urlsafe_b64encode(msgspec.json.encode(statement))
        return credential_of(OIDC_PREFIX + content + b"." + self._signature(content))

    def caller(self, credential: Credential, now: int) -> Caller:
        statement = self._read(credential)
        if statement.until <= now:
            raise _refusal("expired", statement)
        by_owner = self._rights.by_owner(statement.claims)
        if not by_owner:
            raise _refusal("no claim gives access any longer", statement)
        return Caller(
            CredentialKind.OIDC,
            statement.subject,
            f"{CredentialKind.OIDC} {statement.subject}",
            frozenset().union(*by_owner.values()),
            by_owner=by_owner,
        )

    def name(self, credential: Credential) -> str:
        """The person's name, for people."""
        return self._read(credential).name

    def _read(self, credential: Credential) -> _Statement:
        content, _, signature = credential.token.removeprefix(OIDC_PREFIX).partition(b".")
        if not hmac.compare_digest(signature, self._signature(content)):
            raise Refusal("wrong signature", CredentialKind.OIDC)
        return msgspec.json.decode(urlsafe_b64decode(content), type=_Statement)

    def _signature(self, content: bytes) -> bytes:
        return hmac.new(self._key, content, "sha256").hexdigest().encode()


def _name(claims: Mapping[str, Any]) -> str:
    texts = (claims.get(name) for name in _NAMES)
    names = (_printable(text, _LONGEST_NAME) for text in texts if isinstance(text, str))
    return next(filter(None, names), "")


def _printable(text: str, longest: int) -> str:
    """Names end up in logs, databases and pages."""
    return "".join(character for character in text if character.isprintable()).strip()[:longest]


def _who(subject: str, claims: Mapping[str, Any]) -> str:
    return f"{CredentialKind.OIDC} {subject} ({_name(claims) or 'no name'})"


def _refusal(reason: str, statement: _Statement) -> Refusal:
    return Refusal(reason, f"{CredentialKind.OIDC} {statement.subject}")
