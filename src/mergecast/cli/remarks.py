"""What is said of a document, as one list in the order of the text."""

from dataclasses import dataclass
from enum import Enum

from mergecast.judge.messages import ConfigurationAnswer


class Kind(Enum):
    """How much it matters; the value is the word that is shown."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing said; what concerns the whole document has line 0."""

    kind: Kind
    message: str
    line: int = 0
    column: int = 0


def remarks(judged: ConfigurationAnswer) -> list[Remark]:
    placed = [
        *(Remark(Kind.ERROR, one.message, one.line, one.column) for one in judged.errors),
        *(
            Remark(Kind.WARNING, f"{one.message} (refused after {one.deadline})", place.line, place.column)
            for one, place in zip(judged.deprecations, judged.deprecation_positions, strict=True)
        ),
        *(Remark(Kind.HINT, one.message, one.line, one.column) for one in judged.hints),
    ]
    placed.sort(key=lambda remark: (remark.line, remark.column))
    return [*placed, *(Remark(Kind.NOTE, note) for note in judged.notes)]


def summary(name: str, judged: ConfigurationAnswer) -> str:
    errors = len(judged.errors) + judged.more_errors
    if errors:
        hidden = f", {judged.more_errors} of them not shown" if judged.more_errors else ""
        return f"{name} is invalid: {_count(errors, 'error')}{hidden}"
    found = [_count(len(judged.deprecations), "deprecation"), _count(len(judged.hints), "hint")]
    more = [one for one in found if not one.startswith("0 ")]
    return f"{name} is valid" + (f": {', '.join(more)}" if more else "")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
