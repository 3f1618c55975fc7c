"""`mergecast check`: is this configuration document valid?"""

from datetime import UTC, datetime
from enum import Enum
from typing import Annotated

import msgspec
import typer

from mergecast.cli.annotations import annotations
from mergecast.cli.document_file import (
    USUAL_PATHS,
    NotText,
    decode_document,
    find_document,
    read_document,
)
from mergecast.cli.errors import WrongUsage
from mergecast.cli.judging import ask_once
from mergecast.cli.remarks import Remark, remarks, summary
from mergecast.cli.source_lines import SourceLines, printable
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import (
    CONFIGURATION,
    LONGEST_DOCUMENT,
    ConfigurationAnswer,
    ConfigurationQuestion,
    ReportedError,
    json_text,
)

_INVALID = 1


class Format(Enum):
    TEXT = "text"
    GITHUB = "github"


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
    """Check a configuration document: errors, deprecations, hints; no server is needed."""
    if as_json and format is Format.GITHUB:
        raise WrongUsage("--json and --format github exclude each other")
    name, content = read_document(str(find_document("mergecast check FILE")) if file is None else file)
    text, judged = _judge(content)
    if as_json:
        print(_as_json(name, judged))
    elif format is Format.GITHUB:
        print("\n".join([*annotations(name, remarks(judged)), summary(printable(name), judged)]))
    else:
        print(
            "\n".join([*_lines(name, remarks(judged), SourceLines(text)), summary(printable(name), judged)])
        )
    return _INVALID if judged.errors else 0


def _judge(content: bytes) -> tuple[str, ConfigurationAnswer]:
    """The text as far as it is one, and the verdict on it."""
    try:
        text = decode_document(content)
        document = ConfigurationQuestion(json_text(text), datetime.now(UTC).date())
        return text, ask_once(CONFIGURATION, document, ConfigurationAnswer)
    except NotText as error:
        return content.decode("utf-8", "replace")[:LONGEST_DOCUMENT], _refused(error.error)
    except LimitReached as error:
        return text, _refused(ReportedError(str(error), str(error), (), 1, 1))


def _refused(error: ReportedError) -> ConfigurationAnswer:
    return ConfigurationAnswer(errors=(error,))


def _lines(name: str, found: list[Remark], source: SourceLines) -> list[str]:
    lines: list[str] = []
    for remark in found:
        place = f"{printable(name)}:{remark.line}:{remark.column}" if remark.line else printable(name)
        lines.append(f"{place}: {remark.kind.value}: {printable(remark.message)}")
        if remark.line:
            lines += source.excerpt(remark.line, remark.column)
    return lines


def _as_json(name: str, judged: ConfigurationAnswer) -> str:
    found = {
        "file": name,
        "valid": not judged.errors,
        "errors": judged.errors,
        "more_errors": judged.more_errors,
        "deprecations": [
            {**msgspec.to_builtins(one), **msgspec.to_builtins(place)}
            for one, place in zip(judged.deprecations, judged.deprecation_positions, strict=True)
        ],
        "hints": judged.hints,
        "notes": judged.notes,
    }
    return msgspec.json.encode(found).decode()
