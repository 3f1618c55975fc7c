"""Options that several commands share, and the values they stand for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.model.repository import is_name, is_owner
from mergecast.settings import Settings

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", help="Folder of the store [MERGECAST_DATA_DIR, default: data]", show_default=False
    ),
]
Url = Annotated[
    str | None, typer.Option("--url", help="Talk to the server at this address instead", show_default=False)
]
Token = Annotated[
    str | None,
    typer.Option("--token", help="Token for --url [MERGECAST_ADMIN_TOKEN]", show_default=False),
]
RepositoryName = Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Which repository")]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the store is: behind a server's address, or in a folder."""

    data_dir: Path
    url: str | None
    token: str | None


def place(settings: Settings, data_dir: Path | None, url: str | None, token: str | None) -> Place:
    if url is not None and not (token or settings.admin_token):
        raise WrongUsage("--url needs a token: give --token, or set MERGECAST_ADMIN_TOKEN")
    if url is not None and not url.startswith(("http://", "https://")):
        raise WrongUsage(f"`{url}` is not the address of a server; it begins with http:// or https://")
    if token is not None and not token.isascii():
        raise WrongUsage("a token has ASCII characters only")
    return Place(data_dir or settings.data_dir, url, token or settings.admin_token)


def check_repository(text: str) -> str:
    """`OWNER/REPO`, with both names well formed."""
    owner, slash, name = text.partition("/")
    if not slash or not is_owner(owner) or not is_name(name):
        raise WrongUsage(f"`{text}` is not a repository; write it as OWNER/REPO, such as acme/widgets")
    return text
