"""The address and credentials with which a command reads a source."""

import os
from pathlib import Path

from mergecast.cli.environment import PREFIX, checked_address, checked_token, github_app, read_token_file
from mergecast.cli.errors import MissingExtra, WrongUsage
from mergecast.incoming.platform.app_tokens import AppKey, can_sign
from mergecast.incoming.sources.origin import Account
from mergecast.incoming.sources.source import Source


def read_account(source: Source, from_url: str | None, from_token_file: str | None) -> Account:
    """Options take precedence over environment variables."""
    url_name, token_name, *app_names = map(str.upper, source.settings)
    if from_url is not None:
        url = checked_address(from_url, "--from-url")
    else:
        url = checked_address(os.environ.get(f"{PREFIX}{url_name}", source.url), f"{PREFIX}{url_name}")
    if not url:
        raise WrongUsage(f"{PREFIX}{url_name} is empty; pass the URL of {source.title} with --from-url")
    if from_token_file is not None:
        return Account(source.name, url, read_token_file(from_token_file, "--from-token-file"))
    token = checked_token(token_name, f"a token of {source.title}")
    app = _app_key(*app_names) if app_names and token is None else None
    account = Account(source.name, url, token, app)
    if not account.has_credentials:
        by_app = f"; for a GitHub App, set {' and '.join(PREFIX + name for name in app_names)}"
        raise WrongUsage(
            f"{source.title} needs a token: set {PREFIX}{token_name}, "
            f"or pass its file with --from-token-file{by_app if app_names else ''}"
        )
    return account


def _app_key(id_name: str, file_name: str) -> AppKey | None:
    found = github_app(id_name, file_name)
    if found is None:
        return None
    if not can_sign():
        raise MissingExtra(
            "the credentials of a GitHub App need PyJWT, which comes with the server: "
            "install it with `pip install 'mergecast[server]'`, or set MERGECAST_GITHUB_TOKEN"
        )
    id, file = found
    return AppKey(id, Path(file).read_text(encoding="utf-8"))
