"""`mergecast export`: all events of a repository, one per line."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.options import DataDir, RepositoryName, Token, Url, check_repository, draft_of


def export(
    repository: RepositoryName,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; standard output by default"),
    ] = None,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Write all events of a repository as NDJSON, in the order in which they were stored."""
    check_repository(repository)
    with connect(data_dir, url, token) as client:
        parts = client.events(repository)
        if output is None:
            for part in parts:
                sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
            return
        draft = draft_of(output)
        try:
            with draft.open("wb") as file:
                for part in parts:
                    file.write(part)
            draft.replace(output)
        finally:
            draft.unlink(missing_ok=True)
    print(f"wrote the events of {repository} to {output}", file=sys.stderr)
