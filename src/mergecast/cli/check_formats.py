"""What `mergecast check` finds in documents, and its output formats."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import msgspec
from rich.cells import cell_len

from mergecast import __version__
from mergecast.cli.output import escape, escape_character, print_json, print_json_line, say
from mergecast.judge.messages import ConfigurationAnswer, ReportedError
from mergecast.queues.model.words import counted

_GITHUB_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_GITHUB_PROPERTY = {**_GITHUB_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # what ends a line in YAML
_TAB = "    "
_CELLS = 100
_CUT = "…"


class Severity(Enum):
    """The word that is printed and its style, the command of GitHub, and the level in SARIF."""

    ERROR = "error", "bold red", "error", "error"
    WARNING = "warning", "bold yellow", "warning", "warning"
    HINT = "hint", "bold cyan", "notice", "note"
    NOTE = "note", "bold", "notice", "note"

    def __init__(self, word: str, style: str, command: str, level: str) -> None:
        self.word, self.style, self.command, self.level = word, style, command, level


@dataclass(frozen=True, slots=True)
class Finding:
    """Line 0 means the whole document."""

    severity: Severity
    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file with its text, if it is text, and everything found in it."""

    name: str
    text: str
    judged: ConfigurationAnswer

    @property
    def findings(self) -> list[Finding]:
        return findings(self.judged)

    def with_error(self, message: str) -> "CheckedFile":
        """The same with an error about the whole file."""
        error = ReportedError(message, message, (), 0, 0)
        judged = msgspec.structs.replace(self.judged, errors=(error, *self.judged.errors))
        return replace(self, judged=judged)

    def fails(self, *, strict: bool) -> bool:
        """Whether the file is invalid; strictly, whether it has a deprecation or a hint."""
        return bool(self.judged.errors) or (strict and bool(self.judged.deprecations or self.judged.hints))


def findings(judged: ConfigurationAnswer) -> list[Finding]:
    placed = [
        *(Finding(Severity.ERROR, error.message, error.line, error.column) for error in judged.errors),
        *(
            Finding(
                Severity.WARNING,
                f"{use.message}; accepted here until {use.deadline}",
                place.line,
                place.column,
            )
            for use, place in zip(judged.deprecations, judged.deprecation_positions, strict=True)
        ),
        *(Finding(Severity.HINT, hint.message, hint.line, hint.column) for hint in judged.hints),
    ]
    placed.sort(key=lambda finding: (finding.line, finding.column))
    return [*placed, *(Finding(Severity.NOTE, note) for note in judged.notes)]


def conclusion(checked: CheckedFile, *, strict: bool) -> str:
    """One sentence about a file."""
    judged, name = checked.judged, escape(checked.name)
    errors = len(judged.errors) + judged.more_errors
    if errors:
        hidden = f", {judged.more_errors} of them not shown" if judged.more_errors else ""
        return f"{name} is invalid: {counted(errors, 'error')}{hidden}"
    found = _counts({"deprecation": len(judged.deprecations), "hint": len(judged.hints)})
    if found and strict:
        return f"{name} is valid but fails --strict: {found}"
    return f"{name} is valid" + (f": {found}" if found else "")


def overall(files: Sequence[CheckedFile], *, strict: bool) -> str:
    """One sentence about several files."""
    failed = sum(checked.fails(strict=strict) for checked in files)
    return f"{len(files)} files checked, " + (f"{failed} failed" if failed else "none failed")


def _counts(numbers: dict[str, int]) -> str:
    return ", ".join(counted(number, word) for word, number in numbers.items() if number)


def print_text(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """Each finding with its source line; in color in a terminal."""
    from rich.text import Text

    from mergecast.cli.output import console

    out = console()
    for checked in files:
        source = SourceLines(checked.text)
        for finding in checked.findings:
            line = Text(f"{location(checked.name, finding)}: ")
            line.append(f"{finding.severity.word}:", style=finding.severity.style)
            out.print(line.append(f" {escape(finding.message)}"), soft_wrap=True)
            for excerpt in source.excerpt(finding.line, finding.column):
                out.print(Text(excerpt), soft_wrap=True)
        style = "bold red" if checked.fails(strict=strict) else "green"
        out.print(Text(conclusion(checked, strict=strict), style=style), soft_wrap=True)
    if len(files) > 1:
        out.print(Text(overall(files, strict=strict)), soft_wrap=True)


def location(name: str, finding: Finding) -> str:
    return f"{escape(name)}:{finding.line}:{finding.column}" if finding.line else escape(name)


def print_github(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """Workflow commands of GitHub Actions, which shows them at the lines of a change."""
    for checked in files:
        for annotation in annotations(checked.name, checked.findings):
            say(annotation)
        say(conclusion(checked, strict=strict))


def annotations(name: str, found: Sequence[Finding]) -> list[str]:
    return [annotation(one.severity.command, name, one.line, one.message, one.column) for one in found]


def annotation(command: str, name: str | None, line: int, message: str, column: int = 0) -> str:
    """A workflow command that shows a message at a line, or with line 0 at the whole file."""
    place = "" if name is None else f" file={name.translate(_GITHUB_PROPERTY)}"
    if line:
        place += f",line={line}" + (f",col={column}" if column else "")
    return f"::{command}{place}::{message.translate(_GITHUB_MESSAGE)}"


def print_json_lines(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """One JSON object per file and line."""
    del strict  # decides about the exit code only
    for checked in files:
        print_json_line(_report(checked))


def _report(checked: CheckedFile) -> dict[str, object]:
    judged = checked.judged
    return {
        "file": checked.name,
        "valid": not judged.errors,
        "errors": judged.errors,
        "more_errors": judged.more_errors,
        "deprecations": [
            {**msgspec.to_builtins(use), **msgspec.to_builtins(place)}
            for use, place in zip(judged.deprecations, judged.deprecation_positions, strict=True)
        ],
        "hints": judged.hints,
        "notes": judged.notes,
    }


def print_sarif(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """SARIF 2.1.0, which code scanning tools read."""
    del strict  # decides about the exit code only
    rules = [
        {"id": severity.word, "defaultConfiguration": {"level": severity.level}} for severity in Severity
    ]
    driver = {"name": "mergecast", "version": __version__, "rules": rules}
    results = [_result(checked.name, finding) for checked in files for finding in checked.findings]
    log = {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    print_json(log)


def _result(name: str, finding: Finding) -> dict[str, object]:
    from urllib.parse import quote

    place: dict[str, object] = {"artifactLocation": {"uri": quote(name)}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return {
        "ruleId": finding.severity.word,
        "level": finding.severity.level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }


class SourceLines:
    def __init__(self, text: str) -> None:
        self._lines = _BREAK.split(text)

    def excerpt(self, line: int, column: int) -> list[str]:
        """The line, and a caret below its column; both count from 1. Empty outside the text."""
        if not 1 <= line <= len(self._lines):
            return []
        source = self._lines[line - 1]
        shown = [_TAB if character == "\t" else escape_character(character) for character in source]
        place = min(column - 1, len(shown))
        before, after = _tail("".join(shown[:place])), _head("".join(shown[place : place + _CELLS]))
        number = f"{line:>5} | "
        return [f"{number}{before}{after}".rstrip(), f"{'| ':>{len(number)}}{' ' * cell_len(before)}^"]


def _tail(text: str) -> str:
    """The end of a text, as much as fits before a caret."""
    return text if cell_len(text) <= _CELLS // 2 else _CUT + _cropped(text[::-1])[::-1]


def _head(text: str) -> str:
    return text if cell_len(text) <= _CELLS // 2 else _cropped(text) + _CUT


def _cropped(text: str) -> str:
    cells = 0
    for place, character in enumerate(text):
        cells += cell_len(character)
        if cells > _CELLS // 2:
            return text[:place]
    return text
