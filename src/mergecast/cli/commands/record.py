"""`mergecast record`: what the code-hosting platform says of a pull request, for later."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, RepositoryName, Token, Url, check_repository, place
from mergecast.forge.live import LiveForge
from mergecast.forge.part_readers import READERS
from mergecast.model.repository import Repository
from mergecast.model.snapshot import EVERYTHING
from mergecast.platform.github import GitHub, is_token
from mergecast.settings import Settings

_LONGEST_TOKEN = 16 << 10


def record(
    repository: RepositoryName,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of the pull request", min=1)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; standard output by default")
    ] = None,
    send: Annotated[
        bool, typer.Option("--send", help="Keep it in the store, for simulations without the platform")
    ] = False,
    token_file: Annotated[
        str | None,
        typer.Option(
            help="File with a token of the platform, `-` for standard input [MERGECAST_GITHUB_TOKEN]",
            show_default=False,
        ),
    ] = None,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Record a pull request from the code-hosting platform: one JSON document with all that it tells."""
    if send and output is not None:
        raise WrongUsage("--send and --output exclude each other")
    settings = Settings()
    store = place(settings, data_dir, url, token)
    owner, _, name = check_repository(repository).partition("/")
    document = asyncio.run(_read(settings, Repository(owner, name), number, _token(settings, token_file)))
    if send:
        with connect(store, may_create=True) as client:
            client.record(repository, number, document)
    else:
        _write(document, output)
    where = "the store" if send else output or "standard output"
    print(f"pull request {number} of {repository} is in {where}{_missing(document)}", file=sys.stderr)


def _token(settings: Settings, file: str | None) -> str:
    """Never an argument: arguments are seen by every user of the machine."""
    if file is None:
        if settings.github_token is None:
            raise WrongUsage(
                "the code-hosting platform wants a token: set MERGECAST_GITHUB_TOKEN, "
                "or name a file that holds one with --token-file"
            )
        return settings.github_token
    if file == "-":
        text = sys.stdin.read(_LONGEST_TOKEN)
    else:
        with Path(file).open(encoding="utf-8", errors="replace") as stream:
            text = stream.read(_LONGEST_TOKEN)
    if not is_token(text.strip()):
        what = "standard input" if file == "-" else file
        raise WrongUsage(f"{what} holds no token: one line of visible ASCII characters")
    return text.strip()


async def _read(settings: Settings, repository: Repository, number: int, token: str) -> bytes:
    if not settings.github_url:
        raise WrongUsage("MERGECAST_GITHUB_URL is empty; there is no platform to record from")
    github = GitHub(settings.github_url, _now)
    try:
        return await LiveForge(github, _now).pull_request(repository, number, EVERYTHING, token)
    finally:
        await github.close()


def _now() -> int:
    return time.time_ns() // 1000


def _write(document: bytes, output: Path | None) -> None:
    text = msgspec.json.format(document) + b"\n"
    if output is not None:
        output.write_bytes(text)
    else:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


def _missing(document: bytes) -> str:
    given = msgspec.json.decode(document, type=dict[str, msgspec.Raw])
    missing = [key for key in READERS if key not in given]
    return f"; the platform did not give {', '.join(missing)}" if missing else ""
