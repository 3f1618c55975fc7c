"""The operator's settings for signing in with an OpenID Connect provider."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from mergecast.access.claim_rights import ClaimRights
from mergecast.access.web_sign_in import AppIdentity

DEFAULT_SCOPES = "openid profile email"
_SCOPES = re.compile(r"[!#-\[\]-~]+( [!#-\[\]-~]+)*")  # RFC 6749, section 3.3
_LONGEST_TEXT = 100


@dataclass(frozen=True, slots=True)
class OidcSettings:
    issuer: str
    app: AppIdentity
    rights: ClaimRights
    scopes: str = DEFAULT_SCOPES
    name: str = ""  # of the provider, on the sign-in page
    contact: str = ""  # for people without access

    @property
    def shown_name(self) -> str:
        return self.name or urlsplit(self.issuer).hostname or self.issuer


def check_scopes(text: str) -> str:
    if not _SCOPES.fullmatch(text) or "openid" not in text.split(" "):
        raise ValueError(f"must be words separated by one space, among them openid: {DEFAULT_SCOPES}")
    return text


def check_shown(text: str) -> str:
    """A text for the sign-in page."""
    if not text.isprintable() or len(text) > _LONGEST_TEXT:
        raise ValueError(f"must be one line of at most {_LONGEST_TEXT} characters")
    return text.strip()
