"""`mergecast doctor`: why does it not work?"""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.options import Server
from mergecast.cli.output import console, escape, print_json, say

if TYPE_CHECKING:
    from mergecast.doctor.finding import Finding

_STYLES = {"ok": "green", "warning": "yellow", "error": "bold red"}


def doctor(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON")] = False,
    server: Server,
) -> int:
    """Why does something not work?

    Changes nothing and prints no secret. Exit code 1: an error was found.

    Example: mergecast doctor
    """
    from mergecast.cli.examined import find_subject
    from mergecast.doctor.examination import examine
    from mergecast.doctor.finding import has_error

    findings = examine(find_subject(*server))
    if as_json:
        print_json(_answer(findings))
    else:
        _print(findings)
    return 1 if has_error(findings) else 0


def _answer(findings: "list[Finding]") -> dict[str, object]:
    from mergecast.doctor.finding import has_error

    return {
        "result": "error" if has_error(findings) else "ok",
        "findings": [
            {
                "level": str(finding.level),
                "check": finding.check,
                "message": finding.message,
                "advice": finding.advice or None,
            }
            for finding in findings
        ],
    }


def _print(findings: "list[Finding]") -> None:
    """One line for each finding; a terminal wraps them in their column."""
    terminal = console()
    if not terminal.is_terminal:
        width = max(len(finding.check) for finding in findings)
        for finding in findings:
            say(f"{finding.level:<7}  {finding.check:<{width}}  {finding.text}")
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for finding in findings:
        level = Text(str(finding.level), _STYLES[finding.level])
        table.add_row(level, finding.check, Text(escape(finding.text)))
    terminal.print(table)
