"""Standard input and output of a command, whatever they are connected to."""

import codecs
import os
import sys
from contextlib import suppress
from io import TextIOWrapper, UnsupportedOperation
from pathlib import Path

# What commands themselves print: a decrease without its sign would read as an increase.
_IN_ASCII = {"−": "-", "\N{EN DASH}": "-", "·": ",", "…": "..."}
_MODES = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_closed_streams() -> None:
    """Let a stream that was closed before the program began lead nowhere.

    In the order of their descriptors: otherwise the next file that is opened, such as the store, has the
    descriptor to which child processes print.
    """
    for name, mode in _MODES:
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - stays open


def admit_any_text() -> None:
    """Titles and names may have any character, whatever the locale knows.

    Files and other programs get UTF-8, because JSON and settings in git must not depend on the locale. A
    terminal shows a sign of ASCII or a question mark in place of what it cannot show.
    """
    codecs.register_error("ascii", _in_ascii)
    if isinstance(sys.stdin, TextIOWrapper):
        with suppress(UnsupportedOperation):  # somebody has already read from it
            sys.stdin.reconfigure(errors="replace")  # what is not text is refused as a token or an address
    if isinstance(sys.stdout, TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="ascii")
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(character, "?") for character in unknown), error.end
