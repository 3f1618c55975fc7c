"""`mergecast check`: is this configuration document valid?"""

import sys
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from mergecast.cli.annotations import annotations
from mergecast.cli.errors import WrongUsage
from mergecast.cli.judging import ask_once
from mergecast.cli.remarks import Remark, remarks, summary
from mergecast.cli.source_lines import SourceLines, printable
from mergecast.errors import NotFound
from mergecast.judge.documents import CONFIGURATION, LONGEST_DOCUMENT, Document, FaultFound, Judged
from mergecast.judge.errors import LimitReached

USUAL_PATHS = (Path(".mergify.yml"), Path(".mergify/config.yml"), Path(".github/mergify.yml"))
_STDIN = "<stdin>"
_MOST_BYTES = 4 * LONGEST_DOCUMENT + 3  # of UTF-8, with a byte-order mark
_INVALID = 1


class Format(Enum):
    TEXT = "text"
    GITHUB = "github"


class _NotText(Exception):
    """The file holds no document at all."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.fault = FaultFound(message, message, (), line, column)


def check(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="The document; `-` for standard input; by default the first that exists of "
            + ", ".join(str(path) for path in USUAL_PATHS),
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    format: Annotated[
        Format, typer.Option("--format", help="`github` prints annotations for a workflow of GitHub Actions.")
    ] = Format.TEXT,
) -> int:
    """Check a configuration document: faults, deprecations, hints; no server is needed."""
    if as_json and format is Format.GITHUB:
        raise WrongUsage("--json and --format github exclude each other")
    name = file if file is not None else str(_find())
    content = _read(name)
    name = _STDIN if name == "-" else name
    text, judged = _judge(content)
    if as_json:
        print(_as_json(name, judged))
    elif format is Format.GITHUB:
        print("\n".join([*annotations(name, remarks(judged)), summary(printable(name), judged)]))
    else:
        print(
            "\n".join([*_lines(name, remarks(judged), SourceLines(text)), summary(printable(name), judged)])
        )
    return _INVALID if judged.faults else 0


def _find() -> Path:
    found = [path for path in USUAL_PATHS if path.is_file()]
    if not found:
        paths = ", ".join(str(path) for path in USUAL_PATHS)
        raise NotFound(f"there is no document here at any of {paths}; name one: mergecast check FILE")
    if len(found) > 1:
        others = " and ".join(str(path) for path in found[1:])
        print(f"mergecast: {found[0]} is checked; {others}: never read while it exists", file=sys.stderr)
    return found[0]


def _read(name: str) -> bytes:
    """The content, as far as it may be one document."""
    if name == "-":
        return sys.stdin.buffer.read(_MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(_MOST_BYTES + 1)


def _judge(content: bytes) -> tuple[str, Judged]:
    """The text as far as it is one, and the verdict on it."""
    try:
        text = _decode(content)
        document = Document(text, datetime.now(UTC).date())
        return text, ask_once(CONFIGURATION, document, Judged)
    except _NotText as error:
        return content.decode("utf-8", "replace")[:LONGEST_DOCUMENT], _refused(error.fault)
    except LimitReached as error:
        return text, _refused(FaultFound(str(error), str(error), (), 1, 1))


def _refused(fault: FaultFound) -> Judged:
    return Judged((fault,), 0, (), (), (), None)


def _decode(content: bytes) -> str:
    too_long = _NotText(f"a document may have {LONGEST_DOCUMENT} characters at most")
    if len(content) > _MOST_BYTES:
        raise too_long
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise _NotText(f"the file is not UTF-8: byte 0x{content[error.start]:02x}", line, column) from None
    if len(text) > LONGEST_DOCUMENT:
        raise too_long
    return text


def _lines(name: str, found: list[Remark], source: SourceLines) -> list[str]:
    lines: list[str] = []
    for remark in found:
        place = f"{printable(name)}:{remark.line}:{remark.column}" if remark.line else printable(name)
        lines.append(f"{place}: {remark.kind.value}: {printable(remark.message)}")
        if remark.line:
            lines += source.excerpt(remark.line, remark.column)
    return lines


def _as_json(name: str, judged: Judged) -> str:
    found = msgspec.to_builtins(judged)
    del found["unused_sections"]
    return msgspec.json.encode({"file": name, "valid": not judged.faults, **found}).decode()
