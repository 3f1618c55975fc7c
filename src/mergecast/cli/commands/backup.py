"""`mergecast backup`: a consistent copy of the whole store, taken while it serves."""

import os
from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli import progress
from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, Token, Url, place
from mergecast.settings import Settings


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; it must not exist")],
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Write a copy of the store to FILE. Put it into a data folder as mergecast.duckdb to use it."""
    if file.exists():
        raise WrongUsage(f"`{file}` exists already; a backup is written to a new file")
    draft = file.with_name(file.name + ".part")
    with connect(place(Settings(), data_dir, url, token)) as client, progress.of_bytes() as bars:
        bar = bars.add_task("backup", total=None)
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "wb") as stream:
            for part, length in client.backup():
                stream.write(part)
                bars.update(bar, total=length, advance=len(part))
            stream.flush()
            os.fsync(stream.fileno())
    draft.replace(file)
    print(f"the store is copied to {file} ({file.stat().st_size} bytes)")
