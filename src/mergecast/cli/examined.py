"""What `mergecast doctor` examines: options, environment variables, and what is installed."""

import os
from importlib.util import find_spec
from pathlib import Path

from mergecast import __version__
from mergecast.cli.environment import unknown_variables
from mergecast.cli.errors import WrongUsage
from mergecast.doctor.subject import Subject
from mergecast.incoming.sources.origin import Account
from mergecast.incoming.sources.registry import SOURCES

# Libraries of the extra `server`; if one is missing, none of them may be there.
_SERVER_LIBRARIES = ("numpy", "pydantic_settings", "starlette", "uvicorn")
_DASHBOARD = Path(__file__).parents[1] / "api" / "dashboard" / "index.html"


def find_subject(data_dir: Path | None, url: str | None, token: str | None) -> Subject:
    """Options take precedence over environment variables, as for every command."""
    from dataclasses import replace

    variables = dict(os.environ)
    if url is None and data_dir is None:
        url = variables.get("MERGECAST_URL") or None
    subject = Subject(
        __version__,
        variables,
        data_dir or Path(variables.get("MERGECAST_DATA_DIR") or "data"),
        url=url,
        token=token or variables.get("MERGECAST_TOKEN") or variables.get("MERGECAST_ADMIN_TOKEN") or None,
        database_url=None if data_dir else variables.get("MERGECAST_DATABASE_URL") or None,
        unknown_settings=tuple(unknown_variables(variables)),
        missing_libraries=tuple(name for name in _SERVER_LIBRARIES if not _is_installed(name)),
        has_dashboard=_DASHBOARD.is_file(),
    )
    if subject.missing_libraries:
        return replace(subject, accounts=_github_account())
    return subject if url is not None else _with_settings(subject)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _github_account() -> tuple[Account, ...]:
    """The account with which commands read GitHub without a server."""
    from mergecast.cli.environment import read_environment

    try:
        found = read_environment()
    except WrongUsage:
        return ()
    return (Account("github", found.github_url, found.github_token),) if found.github_url else ()


def _with_settings(subject: Subject) -> Subject:
    from dataclasses import replace

    from mergecast.cli.server_settings import load_settings

    try:
        settings = load_settings()
        accounts = tuple(settings.account(name) for name in SOURCES)
    except (WrongUsage, ValueError) as error:
        return replace(subject, wrong_settings=(str(error),), accounts=_github_account())
    followed = {entry.source for entry in settings.follow}
    return replace(
        subject,
        host=settings.host,
        port=settings.port,
        public_url=settings.public_url,
        trusts_proxies=bool(settings.trusted_proxies),
        oidc_issuer=settings.oidc_issuer,
        has_webhook_secrets=bool(settings.webhook_secrets),
        followed=settings.follow,
        # Signing in and simulations use GitHub; another platform matters if it is set up.
        accounts=tuple(
            account
            for account in accounts
            if account.url and (account.source == "github" or account.token or account.source in followed)
        ),
    )
