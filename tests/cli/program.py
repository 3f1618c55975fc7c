"""Run `mergecast` in this process: arguments in, output and exit code out.

All commands of a test process share the processes that have loaded everything and fork the children that
read documents.
"""

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from logged_secrets import remember
from mergecast.cli.main import run
from mergecast.sandbox import pool
from shared_fork_servers import SHARED


@dataclass(frozen=True, slots=True)
class Ending:
    code: int
    out: str
    err: str


def mergecast(*arguments: str | Path, data: Path, stdin: bytes = b"", **environment: str) -> Ending:
    """Run a command on the store in `data`, with no other settings."""
    settings = {"MERGECAST_DATA_DIR": str(data), "COLUMNS": "200", "TZ": "UTC", **environment}
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        patch.dict(os.environ, settings),
        patch.object(pool, "ForkServer", SHARED.__getitem__),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = run([str(argument) for argument in arguments])
    if (data / "admin-token").is_file():
        remember((data / "admin-token").read_text(encoding="ascii").strip())
    return Ending(code, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
