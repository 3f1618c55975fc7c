"""The output formats of `mergecast check`."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mergecast import __version__
from mergecast.cli.findings import CheckedFile, Finding, Severity, conclusion, overall
from mergecast.cli.output import escape
from mergecast.cli.source_lines import SourceLines

_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.HINT: "bold cyan",
    Severity.NOTE: "bold",
}
_GITHUB_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.HINT: "notice",
    Severity.NOTE: "notice",
}
_GITHUB_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_GITHUB_PROPERTY = {**_GITHUB_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}
_SARIF_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.HINT: "note",
    Severity.NOTE: "note",
}
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def print_text(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """Each finding with its source line; in color in a terminal."""
    from rich.text import Text

    from mergecast.cli.output import console

    out = console()
    for checked in files:
        source = SourceLines(checked.text)
        for finding in checked.findings:
            line = Text(f"{location(checked.name, finding)}: ")
            line.append(f"{finding.severity.value}:", style=_STYLES[finding.severity])
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
            print(annotation)
        print(conclusion(checked, strict=strict))


def annotations(name: str, found: Sequence[Finding]) -> list[str]:
    return [_annotation(name, finding) for finding in found]


def _annotation(name: str, finding: Finding) -> str:
    place = f"file={name.translate(_GITHUB_PROPERTY)}"
    if finding.line:
        place += f",line={finding.line},col={finding.column}"
    return f"::{_GITHUB_COMMANDS[finding.severity]} {place}::{finding.message.translate(_GITHUB_MESSAGE)}"


def print_json_lines(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """One JSON object per file and line."""
    del strict  # decides about the exit code only
    for checked in files:
        print(msgspec.json.encode(_report(checked)).decode())


def _report(checked: CheckedFile) -> dict[str, Any]:
    judged = checked.judged
    return {
        "file": checked.name,
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


def print_sarif(files: Sequence[CheckedFile], *, strict: bool) -> None:
    """SARIF 2.1.0, which code scanning tools read."""
    del strict  # decides about the exit code only
    rules = [
        {"id": severity.value, "defaultConfiguration": {"level": _SARIF_LEVELS[severity]}}
        for severity in Severity
    ]
    driver = {"name": "mergecast", "version": __version__, "rules": rules}
    results = [_result(checked.name, finding) for checked in files for finding in checked.findings]
    log = {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    print(msgspec.json.format(msgspec.json.encode(log)).decode())


def _result(name: str, finding: Finding) -> dict[str, Any]:
    from urllib.parse import quote

    place: dict[str, Any] = {"artifactLocation": {"uri": quote(name)}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return {
        "ruleId": finding.severity.value,
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
