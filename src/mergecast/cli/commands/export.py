"""`mergecast export`: all events of a repository, or one of its tables."""

import sys
from datetime import UTC
from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, RepositoryName, Server, check_repository, draft_of, read_output
from mergecast.cli.periods import Zone, kept_since_text
from mergecast.queues.export.formats import FORMATS
from mergecast.queues.export.tables import TABLES

_FORMATS, _TABLES = " or ".join(FORMATS), f"{', '.join(list(TABLES)[:-1])} or {list(TABLES)[-1]}"


def export(
    repository: RepositoryName,
    format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help=f"Write a table: {_FORMATS}; needs --table")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="TABLE", help=f"Which table: {_TABLES}; needs --format")
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; - for standard output"),
    ] = "-",
    server: Server = HERE,
) -> None:
    """Write all events of a repository as NDJSON, in the order in which they were stored.

    With --format and --table, write a table for spreadsheets and notebooks instead.
    """
    check_repository(repository)
    file = read_output(output)
    _check(format, table, file)
    with connect(*server) as client:
        if format is None or table is None:
            parts, what = client.events(repository, _tell), "events"
        else:
            parts, what = client.table(repository, table, format, _tell), table
        if file is None:
            for part in parts:
                sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
            return
        draft = draft_of(file)
        try:
            with draft.open("wb") as target:
                for part in parts:
                    target.write(part)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    print(f"wrote the {what} of {repository} to {output}", file=sys.stderr)


def _tell(kept_since: str) -> None:
    """Beside the file, which holds only what is kept."""
    print(kept_since_text(kept_since, Zone(UTC, "UTC")), file=sys.stderr)


def _check(format: str | None, table: str | None, file: Path | None) -> None:
    if format is not None and format not in FORMATS:
        raise WrongUsage(f"--format: `{format}` is not a format; write {_FORMATS}")
    if table is not None and table not in TABLES:
        raise WrongUsage(f"--table: there is no table `{table}`; write {_TABLES}")
    if format is not None and table is None:
        raise WrongUsage(f"--format needs a table: add --table with {_TABLES}")
    if table is not None and format is None:
        raise WrongUsage(f"--table needs a format: add --format with {_FORMATS}")
    if format == "parquet" and file is None and sys.stdout.isatty():
        raise WrongUsage("a Parquet file is not text: name a file with --output")
