"""`mergecast check`: are these documents valid? `mergecast config schema`: what may they contain?"""

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.documents import (
    LONGEST_DOCUMENT,
    USUAL_PATHS,
    LocalJudge,
    NotText,
    decode_document,
    find_documents,
    read_document,
)
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson
from mergecast.cli.output import print_json
from mergecast.queues.model.repository import several_documents

if TYPE_CHECKING:
    from mergecast.cli.check_formats import CheckedFile


_FAILED = 1


class Format(Enum):
    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help=f"Documents to check, - for standard input; by default the first of {USUAL_PATHS}",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on deprecations and hints too")] = False,
    format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="github: annotations for GitHub Actions; sarif: for code scanning; json: one line per file",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json")] = False,
) -> int:
    """Is my configuration file valid?

    Reports errors, deprecations and likely mistakes. Needs no server.

    Example: mergecast check .mergify.yml
    """
    if as_json and format not in (None, Format.JSON):
        raise WrongUsage("--json and --format cannot be used together")
    chosen = Format.JSON if as_json else format or Format.TEXT
    with LocalJudge() as judge:
        checked = (
            [check_one(judge, name) for name in files]
            if files
            else [check_usual(judge, "mergecast check FILE")]
        )
    _print(checked, chosen, strict=strict)
    return _FAILED if any(file.fails(strict=strict) for file in checked) else 0


def check_usual(judge: LocalJudge, advice: str) -> "CheckedFile":
    """The document that is read here; it is an error if others are in place too."""
    found = find_documents(advice)
    checked = check_one(judge, found[0])
    return checked if len(found) == 1 else checked.with_error(several_documents(found))


def check_one(judge: LocalJudge, file: str) -> "CheckedFile":
    from mergecast.cli.check_formats import CheckedFile
    from mergecast.judge.messages import ConfigurationAnswer, ReportedError
    from mergecast.sandbox.errors import LimitReached

    name, content = read_document(file)
    text = content.decode("utf-8", "replace")[:LONGEST_DOCUMENT]
    try:
        text = decode_document(content)
        return CheckedFile(name, text, judge.check(text))
    except NotText as error:
        reported = ReportedError(str(error), str(error), (), error.line, error.column)
    except LimitReached as error:
        reported = ReportedError(str(error), str(error), (), 1, 1)
    return CheckedFile(name, text, ConfigurationAnswer(errors=(reported,)))


def _print(files: "list[CheckedFile]", format: Format, *, strict: bool) -> None:
    from mergecast.cli import check_formats

    printers = {
        Format.TEXT: check_formats.print_text,
        Format.JSON: check_formats.print_json_lines,
        Format.GITHUB: check_formats.print_github,
        Format.SARIF: check_formats.print_sarif,
    }
    printers[format](files, strict=strict)


def schema(as_json: AsJson = False) -> None:  # noqa: ARG001 - errors only: a schema is JSON
    """What may the file contain? Prints its JSON schema, for editors.

    Example: mergecast config schema
    """
    from mergecast.judge.messages import SCHEMA, SchemaQuestion

    with LocalJudge() as judge:
        print_json(judge.ask(SCHEMA, SchemaQuestion(), dict[str, object]))
