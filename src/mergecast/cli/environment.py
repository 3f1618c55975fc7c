"""The `MERGECAST_…` variables and token files of commands; `mergecast.settings` reads those of the server."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mergecast.cli.errors import WrongUsage
from mergecast.incoming.sources.github import SOURCE as GITHUB
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.nearest import nearest

PREFIX = "MERGECAST_"
CLIENT_VARIABLES = ("url", "token")
# A test compares these with the fields of the server's settings, which are slow to import.
SERVER_VARIABLES = (
    *("data_dir", "database_url", "host", "port", "admin_token", "public_url"),
    *("platform_calls", "service_issuers", "trusted_proxies", "requests_per_second", "requests_burst"),
    *("failed_credentials_per_minute", "simulations_at_once", "connections"),
    *("connections_per_address", "follow", "secret_key", "notice_hosts", "source_hosts", "smtp_url"),
    "mail_domains",
    *("github_client_id", "github_client_secret", "public_badges", "webhook_secrets", "deliveries_keep"),
    *("checks_keep", "oidc_issuer", "oidc_client_id", "oidc_client_secret", "oidc_scopes", "oidc_rights"),
    *("oidc_name", "oidc_contact", "events_keep"),
    *(name for source in SOURCES.values() for name in source.settings),
)
_VARIABLES = tuple(f"{PREFIX}{name.upper()}" for name in (*CLIENT_VARIABLES, *SERVER_VARIABLES))
_LONGEST_TOKEN = 10_000
_OF_A_SERVER = "a token of a server"


@dataclass(frozen=True, slots=True)
class Environment:
    data_dir: Path
    url: str | None
    database_url: str | None
    github_url: str
    github_token: str | None


def read_environment() -> Environment:
    return Environment(
        data_dir=Path(_value("DATA_DIR") or "data"),
        url=_value("URL"),
        database_url=_value("DATABASE_URL"),
        github_url=_github_url(),
        github_token=checked_token("GITHUB_TOKEN", "a GitHub token"),
    )


def listening_url() -> str:
    """Where a server with these settings listens, as this machine can reach it."""
    host, port = _value("HOST") or "127.0.0.1", _value("PORT") or "8000"
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - such a server listens there too
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def unknown_variables(variables: Mapping[str, str]) -> list[str]:
    """A warning for each variable that looks like a setting but is unknown."""
    return [
        f"{name} has no effect{_suggestion(name)}"
        for name in sorted(variables)
        if name.startswith(PREFIX) and name not in _VARIABLES
    ]


def _suggestion(name: str) -> str:
    known = nearest(name, _VARIABLES)
    return f"; did you mean {known}?" if known else ""


def _value(name: str) -> str | None:
    return os.environ.get(PREFIX + name) or None


def _github_url() -> str:
    return checked_address(os.environ.get(f"{PREFIX}GITHUB_URL", GITHUB.url), f"{PREFIX}GITHUB_URL")


def checked_address(text: str, option: str) -> str:
    """A URL that a token may be sent to; empty if it is empty."""
    from mergecast.access.policy import check_address

    url = text.rstrip("/")
    try:
        return check_address(url) if url else ""
    except ValueError as error:
        raise WrongUsage(f"{option}: {error}") from None


def checked_token(name: str, what: str) -> str | None:
    return _sendable(_value(name), PREFIX + name, what)


def server_token(option: str | None) -> str | None:
    """The token for a server: what `--token` says, else the environment."""
    return (
        _sendable(option or None, "--token", _OF_A_SERVER)
        or checked_token("TOKEN", _OF_A_SERVER)
        or checked_token("ADMIN_TOKEN", _OF_A_SERVER)
    )


def _sendable(token: str | None, place: str, what: str) -> str | None:
    if token is not None and not is_visible_ascii(token):
        raise WrongUsage(f"{place}: {what} has visible ASCII characters only, and no spaces")
    return token


def github_app(id_name: str, file_name: str) -> tuple[str, str] | None:
    """The id of the GitHub App and the file with its key; both are set, or neither."""
    id, file = _value(id_name), _value(file_name)
    if (id is None) != (file is None):
        raise WrongUsage(f"{PREFIX}{id_name} and {PREFIX}{file_name} must be set together")
    return (id, file) if id is not None and file is not None else None


def is_visible_ascii(text: str) -> bool:
    """Whether the text can be sent as a token.

    >>> [is_visible_ascii(text) for text in ("ghp_a1", "two words", "")]
    [True, False, False]
    """
    return text.isascii() and text.isprintable() and " " not in text and text != ""


def read_token_file(file: str, option: str) -> str:
    """The token in a file, or on standard input for `-`."""
    if file == "-":
        text = sys.stdin.read(_LONGEST_TOKEN)
    else:
        with Path(file).open(encoding="utf-8", errors="replace") as stream:
            text = stream.read(_LONGEST_TOKEN)
    if not is_visible_ascii(text.strip()):
        what = "standard input" if file == "-" else file
        raise WrongUsage(f"{option}: {what} has no token; it must be one line of visible ASCII characters")
    return text.strip()
