"""The file that holds a configuration document: found, read, decoded."""

import sys
from pathlib import Path

from mergecast.errors import NotFound
from mergecast.judge.messages import LONGEST_DOCUMENT, ReportedError
from mergecast.model.repository import DOCUMENT_PATHS

USUAL_PATHS = tuple(map(Path, DOCUMENT_PATHS))
_STDIN = "<stdin>"
_MOST_BYTES = 4 * LONGEST_DOCUMENT + 3  # of UTF-8, with a byte-order mark


class NotText(Exception):
    """The file holds no document at all."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.error = ReportedError(message, message, (), line, column)


def find_document(advice: str) -> Path:
    """The one that would be in force here; the advice says how to name another."""
    found = [path for path in USUAL_PATHS if path.is_file()]
    if not found:
        paths = ", ".join(str(path) for path in USUAL_PATHS)
        raise NotFound(f"there is no document here at any of {paths}; name one: {advice}")
    if len(found) > 1:
        others = " and ".join(str(path) for path in found[1:])
        print(f"mergecast: {found[0]} is read; {others}: never read while it exists", file=sys.stderr)
    return found[0]


def read_document(name: str) -> tuple[str, bytes]:
    """What the file is called, and its content as far as it may be one document; `-` is standard input."""
    if name == "-":
        return _STDIN, sys.stdin.buffer.read(_MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return name, file.read(_MOST_BYTES + 1)


def decode_document(content: bytes) -> str:
    too_long = NotText(f"a document may have {LONGEST_DOCUMENT} characters at most")
    if len(content) > _MOST_BYTES:
        raise too_long
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise NotText(f"the file is not UTF-8: byte 0x{content[error.start]:02x}", line, column) from None
    if len(text) > LONGEST_DOCUMENT:
        raise too_long
    return text
