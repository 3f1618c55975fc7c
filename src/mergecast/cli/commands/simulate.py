"""`mergecast simulate`: what would a configuration document do?"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec
import typer

from mergecast.cli.connection import connect, has_store
from mergecast.cli.document_file import USUAL_PATHS, NotText, decode_document, find_document, read_document
from mergecast.cli.errors import InvalidDocument, WrongUsage
from mergecast.cli.local_simulation import (
    read_open_records,
    read_record,
    refuse_invalid,
    simulate_pull_request,
    simulate_repository,
)
from mergecast.cli.options import DataDir, Place, Token, Url, check_repository, place
from mergecast.client.client import Client
from mergecast.client.errors import Refused
from mergecast.errors import NotFound
from mergecast.judge.messages import Form, SimulationAnswer
from mergecast.settings import Settings

_UNPROCESSABLE = 422
_MOST_DIGITS = 19
_DOCUMENT = "/config_yml"
_MEDIA_TYPES: dict[Form, str] = {"text": "text/plain", "markdown": "application/json"}


def simulate(
    subject: Annotated[
        str, typer.Argument(metavar="OWNER/REPO[#NUMBER]", help="A pull request, or all open ones")
    ],
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            "-f",
            help="The document; `-` for standard input; by default the first that exists of "
            + ", ".join(str(path) for path in USUAL_PATHS),
            show_default=False,
        ),
    ] = None,
    snapshot: Annotated[
        list[Path] | None,
        typer.Option(
            help="File with a recorded pull request, repeatable for a repository; no server is needed",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer, with Markdown")] = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Say what a document would do to a pull request, or to the open ones of a repository."""
    repository, number = _read_subject(subject)
    _check_snapshots(snapshot, number, url)
    name, text = _read_document(file)
    form: Form = "markdown" if as_json else "text"
    if snapshot:
        simulated = (
            simulate_repository(repository, text, read_open_records(snapshot), form)
            if number is None
            else simulate_pull_request(repository, number, text, read_record(snapshot[0]), form)
        )
        _print_local(refuse_invalid(name, simulated), form)
        return
    settings = Settings()
    store = place(settings, data_dir, url, token)
    if url is None and not has_store(store) and (data_dir is not None or settings.github_token is None):
        raise NotFound(
            f"there is no store in `{store.data_dir}`; name its folder with --data-dir, a server with --url "
            "or a recorded pull request with --snapshot, or set MERGECAST_GITHUB_TOKEN to ask the platform"
        )
    with _connected(store) as client:
        _print(_ask(client, repository, number, name, text, form), form)


@contextmanager
def _connected(store: Place) -> Iterator[Client]:
    """The server of the store; without one, a token of the platform is enough, for a server of the moment."""
    if store.url is not None or has_store(store):
        with connect(store) as client:
            yield client
        return
    with (
        TemporaryDirectory(prefix="mergecast-") as folder,
        connect(replace(store, data_dir=Path(folder)), may_create=True) as client,
    ):
        yield client


def _read_subject(text: str) -> tuple[str, int | None]:
    name, sign, digits = text.partition("#")
    check_repository(name)
    if not sign:
        return name, None
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        raise WrongUsage(f"`{text}` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42")
    return name, int(digits)


def _check_snapshots(snapshots: list[Path] | None, number: int | None, url: str | None) -> None:
    if snapshots and url is not None:
        raise WrongUsage("--snapshot needs no server; leave --url out")
    if snapshots and number is not None and len(snapshots) > 1:
        raise WrongUsage("one pull request has one --snapshot; name only the repository to simulate several")


def _read_document(file: str | None) -> tuple[str, str]:
    advice = "mergecast simulate OWNER/REPO#NUMBER -f FILE"
    name, content = read_document(str(find_document(advice)) if file is None else file)
    try:
        return name, decode_document(content)
    except NotText as error:
        raise InvalidDocument(name, str(error)) from None


def _ask(client: Client, repository: str, number: int | None, name: str, text: str, form: Form) -> bytes:
    try:
        return client.simulate(repository, number, text, _MEDIA_TYPES[form])
    except Refused as refused:
        if refused.status == _UNPROCESSABLE and all(place == _DOCUMENT for place, _ in refused.errors):
            raise InvalidDocument(name, str(refused)) from None
        raise


def _print_local(simulated: SimulationAnswer, form: Form) -> None:
    answer = {
        "title": simulated.title,
        "summary": simulated.summary,
        "deprecations": simulated.deprecations,
    }
    _print(simulated.summary.encode() if form == "text" else msgspec.json.encode(answer), form)


def _print(answer: bytes, form: Form) -> None:
    sys.stdout.write(answer.decode() if form == "text" else msgspec.json.format(answer).decode() + "\n")
