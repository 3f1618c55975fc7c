"""What `check` finds in documents, as one list in the order of the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from mergecast.cli.output import counted, escape
from mergecast.judge.messages import ConfigurationAnswer


class Severity(Enum):
    """The value is the word that is printed."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"
    NOTE = "note"


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

    def fails(self, *, strict: bool) -> bool:
        """Whether the file is invalid; strictly, whether it has a deprecation or a hint."""
        return bool(self.judged.errors) or (strict and bool(self.judged.deprecations or self.judged.hints))


def findings(judged: ConfigurationAnswer) -> list[Finding]:
    placed = [
        *(Finding(Severity.ERROR, one.message, one.line, one.column) for one in judged.errors),
        *(
            Finding(
                Severity.WARNING,
                f"{one.message}; accepted here until {one.deadline}",
                place.line,
                place.column,
            )
            for one, place in zip(judged.deprecations, judged.deprecation_positions, strict=True)
        ),
        *(Finding(Severity.HINT, one.message, one.line, one.column) for one in judged.hints),
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
