"""Settings without their secrets.

A setting is shown only if it is known to be harmless, and a URL only if it is clear where its user, password
and query are. Everything else is shown as set.
"""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

PREFIX = "MERGECAST_"
HIDDEN = "…"
_HARMLESS = frozenset(
    {
        *("DATA_DIR", "HOST", "PORT", "TRUSTED_PROXIES", "PUBLIC_BADGES", "NOTICE_HOSTS", "SOURCE_HOSTS"),
        *("MAIL_DOMAINS", "DELIVERIES_KEEP", "CHECKS_KEEP", "EVENTS_KEEP", "PLATFORM_CALLS"),
        *("REQUESTS_PER_SECOND", "REQUESTS_BURST", "FAILED_CREDENTIALS_PER_MINUTE", "SIMULATIONS_AT_ONCE"),
        *("CONNECTIONS", "CONNECTIONS_PER_ADDRESS", "GITHUB_CLIENT_ID", "GITHUB_APP_ID"),
        *("GITHUB_APP_KEY_FILE", "OIDC_CLIENT_ID", "OIDC_SCOPES", "OIDC_NAME", "OIDC_CONTACT"),
    }
)
_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://)(?:(?P<user>[^/?#@:\s]*)(?P<password>:[^/?#@\s]*)?@)?"
    r"(?P<place>(?:[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[^?#@\s]*)?)"
    r"(?P<query>\?[^#@\s]*)?(?P<fragment>#\S*)?"
)
_SHORTEST_SECRET = 4
# A password that is a word, such as mergecast, is also in ordinary text: what is left of it would reveal it.
_WORD = re.compile("[a-z]{1,15}")


def masked(name: str, value: str) -> str:
    """The value of a setting as it may be shown.

    >>> masked("MERGECAST_DATABASE_URL", "postgresql://mergecast:hunter2@db:5432/queues")
    'postgresql://mergecast:…@db:5432/queues'
    >>> masked("MERGECAST_PORT", "8000"), masked("MERGECAST_GITHUB_TOKEN", "ghp_1")
    ('8000', '…')
    """
    short = name.removeprefix(PREFIX)
    if short in _HARMLESS:
        return value
    return masked_url(value) if short.endswith(("URL", "ISSUER")) else HIDDEN if value else ""


def masked_url(url: str) -> str:
    """A URL without its password and query; a user without a password may be a token.

    >>> masked_url("https://ghp_1@example.com/path?key=2"), masked_url("postgresql://u:a/b@db/x")
    ('https://…@example.com/path?…', '…')
    """
    if not url:
        return ""
    found = _URL.fullmatch(url)
    if found is None:
        return HIDDEN
    user = (
        "" if found["user"] is None else f"{found['user']}:{HIDDEN}@" if found["password"] else f"{HIDDEN}@"
    )
    return f"{found['scheme']}{user}{found['place']}{'?' + HIDDEN if found['query'] else ''}"


def shown_settings(variables: Mapping[str, str]) -> dict[str, str]:
    """Every setting of the environment, without secrets."""
    return {name: masked(name, variables[name]) for name in sorted(variables) if name.startswith(PREFIX)}


def secrets_of(variables: Mapping[str, str]) -> set[str]:
    """What must not appear anywhere: hidden values, and what is hidden in URLs, also as it is meant."""
    found: set[str] = set()
    for name, value in variables.items():
        if name.startswith(PREFIX) and masked(name, value) != value:
            found |= secrets_in(value)
    return found


def secrets_in(value: str) -> set[str]:
    """The value itself, and the hidden parts of the URLs in it."""
    found = {value}
    for parts in _URL.finditer(value):
        found |= {(parts["password"] or "")[1:], (parts["query"] or "")[1:]}
        found |= {parts["user"] or ""} if not parts["password"] else set()
    found |= {unquote(text) for text in found}
    return {text for text in found if len(text) >= _SHORTEST_SECRET and not _WORD.fullmatch(text)}


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text with every secret replaced, the longest first: one may contain another."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text
