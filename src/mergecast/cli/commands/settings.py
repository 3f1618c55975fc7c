"""`mergecast admin settings`: what is set for a repository, as a file to keep in git."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.documents import NotText, decode_document, read_document
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_changes, print_json, say

if TYPE_CHECKING:
    from mergecast.cli.settings_file import SettingsFile

_UNPROCESSABLE = 422


def show_settings(repository: RepositoryName, *, as_json: AsJson = False, server: Server) -> None:
    """What is set for a repository?

    Prints thresholds, reference periods, prices and notification rules as YAML.

    Example: mergecast admin settings show demo/harbor
    """
    from mergecast.cli.settings_file import written_settings

    with connect(*server) as client:
        found = client.settings(repository)
    if as_json:
        print_json(found.raw)
    else:
        say(*written_settings(found.value).rstrip("\n").split("\n"))


def apply_settings(
    repository: RepositoryName,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="YAML file, as `admin settings show` prints it; - for standard input"
        ),
    ],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing; say what would change")] = False,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I keep settings in git? Applies a file.

    A section that the file leaves out stays; null deletes it.

    Example: mergecast admin settings apply demo/harbor settings.yml --dry-run
    """
    from mergecast.cli.settings_file import read_settings

    given = read_settings(*_text(file))
    with connect(*server) as client, _named_lines(given):
        changed = client.change_settings(repository, lambda _: given.content, dry_run=dry_run)
    print_changes(changed, times.read(), as_json=as_json, dry_run=dry_run)


def _text(file: str) -> tuple[str, str]:
    """The text of a file and its name for messages."""
    name, content = read_document(file)
    try:
        return decode_document(content), name
    except NotText as error:
        raise WrongUsage(f"{name}:{error.line}: {error}") from None


@contextmanager
def _named_lines(given: "SettingsFile") -> Iterator[None]:
    """Errors of the server, with the lines of the file that they are about."""
    from mergecast.client.errors import ErrorResponse

    try:
        yield
    except ErrorResponse as error:
        if error.status != _UNPROCESSABLE or not error.errors:
            raise
        raise WrongUsage(
            "\n".join(f"{given.place(name)}: {message}" for name, message in error.errors)
        ) from error
