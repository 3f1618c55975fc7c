"""`mergecast config record`: save a pull request from GitHub, for simulations without network access."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect_to, find_target
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, PullRequest, Server, parse_pull_request
from mergecast.cli.output import print_json, say
from mergecast.process.clock import now_in_microseconds

if TYPE_CHECKING:
    from mergecast.cli.environment import Environment


def record(
    pull_request: PullRequest,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; standard output by default"),
    ] = None,
    send: Annotated[bool, typer.Option("--send", help="Save the pull request in the store instead")] = False,
    token_file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="File with a GitHub token, - for standard input [MERGECAST_GITHUB_TOKEN]"
        ),
    ] = None,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """What does GitHub say about a pull request?

    Saves everything as one JSON document, for simulations without network access.

    Example: mergecast config record acme/widgets#42 -o 42.json
    """
    import asyncio

    from mergecast.cli.environment import read_environment

    if send and output is not None:
        raise WrongUsage("--send and --output cannot be used together")
    repository, number = parse_pull_request(pull_request)
    environment = read_environment()
    target = find_target(*server)
    github_token = _github_token(environment, token_file)
    document = asyncio.run(_read(environment.github_url, repository, number, github_token))
    if send:
        with connect_to(target, may_create=True) as client:
            client.record(repository, number, document)
    else:
        _write(document, output)
    if as_json:
        if send or output is not None:
            print_json({"repository": repository, "pull_request": number, "file": output and str(output)})
        return
    where = "the store" if send else output or "standard output"
    say(f"saved pull request {number} of {repository} to {where}{_missing(document)}", file=sys.stderr)


def _github_token(environment: "Environment", file: str | None) -> str:
    from mergecast.cli.environment import read_token_file

    if file is not None:
        return read_token_file(file, "--token-file")
    if environment.github_token is None:
        raise WrongUsage(
            "GitHub needs a token: set MERGECAST_GITHUB_TOKEN, or pass its file with --token-file"
        )
    return environment.github_token


async def _read(github_url: str, repository: str, number: int, token: str) -> bytes:
    from mergecast.incoming.forge.live import LiveForge
    from mergecast.incoming.platform.github import GitHub
    from mergecast.queues.model.repository import Repository
    from mergecast.queues.model.snapshot import EVERYTHING

    if not github_url:
        raise WrongUsage("MERGECAST_GITHUB_URL is empty, so there is no GitHub to record from")
    github = GitHub(github_url, now_in_microseconds)
    owner, _, name = repository.partition("/")
    try:
        forge = LiveForge(github, now_in_microseconds)
        return await forge.pull_request(Repository(owner, name), number, EVERYTHING, token)
    finally:
        await github.close()


def _write(document: bytes, output: Path | None) -> None:
    import msgspec

    text = msgspec.json.format(document) + b"\n"
    if output is not None:
        output.write_bytes(text)
    else:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


def _missing(document: bytes) -> str:
    import msgspec

    from mergecast.incoming.forge.part_readers import READERS

    given = msgspec.json.decode(document, type=dict[str, msgspec.Raw])
    missing = [key for key in READERS if key not in given]
    return f"; GitHub did not return {', '.join(missing)}" if missing else ""
