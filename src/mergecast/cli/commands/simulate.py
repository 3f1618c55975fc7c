"""`mergecast simulate`: what would a configuration document do?"""

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import Target, connect_to, find_target
from mergecast.cli.documents import (
    USUAL_PATHS,
    LocalJudge,
    NotText,
    decode_document,
    find_documents,
    read_document,
)
from mergecast.cli.errors import InvalidFile, WrongUsage
from mergecast.cli.options import Server, parse_place
from mergecast.cli.output import escape_lines, waiting
from mergecast.errors import MergecastError, NotFound
from mergecast.queues.model.repository import several_documents

if TYPE_CHECKING:
    from mergecast.client.client import Client

_UNPROCESSABLE = 422
_DOCUMENT = "/config_yml"


class Format(Enum):
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def simulate(
    place: Annotated[
        list[str], typer.Argument(metavar="OWNER/REPO[#NUMBER]", help="A pull request, or all open ones")
    ],
    *,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help=f"Document to try, - for standard input; by default the first of {USUAL_PATHS}",
        ),
    ] = None,
    snapshot: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="File with a recorded pull request; repeat it to simulate several; needs no server",
        ),
    ] = None,
    format: Annotated[
        Format | None, typer.Option("--format", help="markdown: for a comment or a step summary")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json")] = False,
    server: Server,
) -> None:
    """What would my configuration file do to a pull request?

    Omit #NUMBER to simulate every open pull request.

    Example: mergecast simulate demo/harbor#12207 -f .mergify.yml
    """
    if as_json and format not in (None, Format.JSON):
        raise WrongUsage("--json and --format cannot be used together")
    chosen = Format.JSON if as_json else format or Format.TEXT
    repository, number = parse_place(*place)
    _check_snapshots(snapshot, number, server.url)
    name, text = _read_document(file)
    store = None if snapshot else _find_store(server)
    if store is None:
        answer = _simulate_here(repository, number, (name, text), snapshot, chosen)
    else:
        with connect_to(store) as client:
            answer = _ask(client, repository, number, (name, text), chosen)
    _print(answer, chosen)


def _check_snapshots(snapshots: list[Path] | None, number: int | None, url: str | None) -> None:
    if snapshots and url is not None:
        raise WrongUsage("--snapshot needs no server; remove --url")
    if snapshots and number is not None and len(snapshots) > 1:
        raise WrongUsage("a pull request has one --snapshot; omit #NUMBER to simulate several")


def _read_document(file: str | None) -> tuple[str, str]:
    name, content = read_document(_find_document() if file is None else file)
    try:
        return name, decode_document(content)
    except NotText as error:
        raise InvalidFile(f"{name} is invalid: {error}") from None


def _find_document() -> str:
    advice = "mergecast simulate OWNER/REPO#NUMBER -f FILE"
    found = find_documents(advice)
    if len(found) > 1:
        raise InvalidFile(f"{several_documents(found)}, or name one: {advice}")
    return found[0]


def _simulate_here(
    repository: str, number: int | None, document: tuple[str, str], files: list[Path] | None, format: Format
) -> bytes:
    """Without a server: from files, otherwise from GitHub."""
    import msgspec

    from mergecast.cli.environment import read_environment
    from mergecast.cli.local_simulation import invalid_document, setting_of, simulate_files, simulate_live
    from mergecast.simulation.documents import DocumentRefused

    name, text = document
    setting = setting_of(repository, text, "text" if format is Format.TEXT else "markdown")
    try:
        with LocalJudge() as judge:
            if files:
                simulated = simulate_files(judge, setting, number, files)
            else:
                simulated = simulate_live(judge, setting, number, read_environment())
    except DocumentRefused as refused:
        raise invalid_document(name, text, refused.errors, refused.more) from None
    if simulated.record_errors:
        first = simulated.record_errors[0]
        reason = f"GitHub's answer cannot be read: {first.pointer}: {first.message}"
        raise MergecastError(f"{repository}#{number} is not simulated: {reason}")
    if simulated.not_simulated:
        raise MergecastError(f"{repository}#{number} is not simulated: {simulated.not_simulated}")
    if format is Format.TEXT:
        return simulated.summary.encode()
    answer = {"title": simulated.title, "summary": simulated.summary, "deprecations": simulated.deprecations}
    return msgspec.json.encode(answer)


def _find_store(server: Server) -> Target | None:
    """The store to use; None if there is none and GitHub can be asked instead."""
    from mergecast.cli.environment import read_environment

    target = find_target(*server)
    if target.url is not None or target.has_store():
        return target
    environment = read_environment()
    if server.data_dir is not None or environment.github_token is None or not environment.github_url:
        raise NotFound(
            f"there is no store in `{target.data_dir}`; name its folder with --data-dir, a server with --url "
            "or a recorded pull request with --snapshot, or set MERGECAST_GITHUB_TOKEN to ask GitHub"
        )
    return None


def _ask(
    client: "Client", repository: str, number: int | None, document: tuple[str, str], format: Format
) -> bytes:
    from mergecast.client.errors import ErrorResponse

    name, text = document
    media_type = "text/plain" if format is Format.TEXT else "application/json"
    try:
        with waiting("simulating …"):
            return client.simulate(repository, number, text, media_type)
    except ErrorResponse as response:
        is_document = all(place == _DOCUMENT for place, _ in response.errors)
        if response.status != _UNPROCESSABLE or not is_document:
            raise
        _explain_invalid(name, text)
        raise InvalidFile(f"{name} is invalid: {response}") from None


def _explain_invalid(name: str, text: str) -> None:
    """Errors with their lines; a server of another version may report errors that this one does not."""
    from mergecast.cli.local_simulation import invalid_document
    from mergecast.sandbox.errors import LimitReached

    with LocalJudge() as judge:
        try:
            judged = judge.check(text)
        except LimitReached:
            return
    if judged.errors:
        raise invalid_document(name, text, judged.errors, judged.more_errors)


def _print(answer: bytes, format: Format) -> None:
    import msgspec

    if format is Format.TEXT:
        sys.stdout.write(escape_lines(answer.decode()))
    elif format is Format.JSON:
        sys.stdout.write(msgspec.json.format(answer).decode() + "\n")
    else:
        found = msgspec.json.decode(answer)
        sys.stdout.write(escape_lines(f"## {found['title']}\n\n{found['summary']}".rstrip("\n")) + "\n")
