"""Issuers of service tokens that the operator trusts, and the rule for addresses that secrets go to."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

_FIELDS = ("issuer", "audience", "jwks")
_EXAMPLE = (
    '[{"issuer": "https://token.actions.githubusercontent.com", "audience": "mergecast", '
    '"jwks": "https://token.actions.githubusercontent.com/.well-known/jwks"}]'
)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who signs tokens, for whom, and where the keys to check them are."""

    issuer: str
    audience: str
    jwks: str  # a URL, or the path of a file

    @property
    def file(self) -> Path | None:
        return None if "://" in self.jwks else Path(self.jwks)


def parse_issuers(text: str) -> tuple[Issuer, ...]:
    """A JSON list of issuers; blank for none."""
    if not text.strip():
        return ()
    try:
        values = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise ValueError(f"must be a JSON list such as {_EXAMPLE}") from None
    if not isinstance(values, list):
        raise ValueError(f"must be a JSON list such as {_EXAMPLE}")  # noqa: TRY004 - a value of the operator's
    issuers = tuple(_issuer(value, place) for place, value in enumerate(values, start=1))
    names = [issuer.issuer for issuer in issuers]
    if len(set(names)) < len(names):
        raise ValueError("names an issuer twice; each has one audience and one set of keys")
    return issuers


def _issuer(value: Any, place: int) -> Issuer:
    is_whole = isinstance(value, dict) and sorted(value) == sorted(_FIELDS)
    if not is_whole or not all(isinstance(value[name], str) and value[name] for name in _FIELDS):
        raise ValueError(f"entry {place} must have the texts issuer, audience and jwks, and nothing else")
    issuer = Issuer(**value)
    if issuer.file is None:
        try:
            check_address(issuer.jwks)
        except ValueError as error:
            raise ValueError(f"entry {place}, jwks: {error}") from None
    return issuer


def check_address(url: str) -> str:
    """An address that may be trusted with a token, or with keys that decide about tokens."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(f"`{url}` is not an address; write https://HOST/PATH") from None
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("an address here has no user, query or fragment; write https://HOST/PATH")
    if parts.scheme == "https" and host:
        return url
    if parts.scheme == "http" and host in _LOOPBACK:
        return url
    raise ValueError(f"`{url}` must begin with https://; http:// is for this machine alone")
