"""The address and credentials with which a command reads a source."""

import os
from pathlib import Path

from mergecast.cli.environment import PREFIX, checked_address, checked_token, github_app, read_token_file
from mergecast.cli.errors import MissingExtra, WrongUsage
from mergecast.incoming.platform.app_tokens import AppKey, can_sign
from mergecast.incoming.sources.accounts import ADDRESSES, Account
from mergecast.incoming.sources.readers import GITHUB

_TITLES = {"github": "GitHub", "activity-log": "the activity log", "gitlab": "GitLab"}


def read_account(source: str, from_url: str | None, from_token_file: str | None) -> Account:
    """Options take precedence over environment variables."""
    name = source.upper().replace("-", "_")
    if from_url is not None:
        url = checked_address(from_url, "--from-url")
    else:
        url = checked_address(os.environ.get(f"{PREFIX}{name}_URL", ADDRESSES[source]), f"{PREFIX}{name}_URL")
    if not url:
        raise WrongUsage(f"{PREFIX}{name}_URL is empty; pass the URL of {_TITLES[source]} with --from-url")
    if from_token_file is not None:
        return Account(source, url, read_token_file(from_token_file, "--from-token-file"))
    token = checked_token(f"{name}_TOKEN", f"a token of {_TITLES[source]}")
    account = Account(source, url, token, _app_key() if source == GITHUB and token is None else None)
    if not account.has_credentials:
        app = f"; for a GitHub App, set {PREFIX}GITHUB_APP_ID and {PREFIX}GITHUB_APP_KEY_FILE"
        raise WrongUsage(
            f"{_TITLES[source]} needs a token: set {PREFIX}{name}_TOKEN, "
            f"or pass its file with --from-token-file{app if source == GITHUB else ''}"
        )
    return account


def _app_key() -> AppKey | None:
    found = github_app()
    if found is None:
        return None
    if not can_sign():
        raise MissingExtra(
            "the credentials of a GitHub App need PyJWT, which comes with the server: "
            "install Mergecast with `pip install '.[server]'` in its checkout, or set MERGECAST_GITHUB_TOKEN"
        )
    id, file = found
    return AppKey(id, Path(file).read_text(encoding="utf-8"))
