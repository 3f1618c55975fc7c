"""Tokens from files: every user of the machine can see the arguments of a process."""

import sys
from pathlib import Path

from mergecast.cli.environment import is_visible_ascii
from mergecast.cli.errors import WrongUsage

_LONGEST_TOKEN = 10_000


def read_token_file(file: str, option: str) -> str:
    """The token in a file, or on standard input for `-`."""
    if file == "-":
        text = sys.stdin.read(_LONGEST_TOKEN)
    else:
        with Path(file).open(encoding="utf-8", errors="replace") as stream:
            text = stream.read(_LONGEST_TOKEN)
    if not is_visible_ascii(text.strip()):
        what = "standard input" if file == "-" else file
        raise WrongUsage(f"{option}: {what} has no token; it must be one line of visible ASCII characters")
    return text.strip()
