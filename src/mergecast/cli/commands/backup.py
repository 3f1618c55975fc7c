"""`mergecast backup`: a consistent copy of the store, taken while the server runs."""

import os
from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, Server, draft_of
from mergecast.cli.output import bytes_progress


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; it must not exist")],
    server: Server = HERE,
) -> None:
    """Write a copy of the store to FILE. To use it, put it into a data folder as mergecast.duckdb."""
    if file.exists():
        raise WrongUsage(f"`{file}` already exists; name a new file for the backup")
    draft = draft_of(file)
    with connect(*server) as client, bytes_progress() as bars:
        bar = bars.add_task("backup", total=None)
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "wb") as stream:
            for part, length in client.backup():
                stream.write(part)
                bars.update(bar, total=length, advance=len(part))
            stream.flush()
            os.fsync(stream.fileno())
    draft.replace(file)
    print(f"copied the store to {file} ({file.stat().st_size:,} bytes)")
