"""The message of every kind of error.

The files in `golden/` contain small documents, each with its errors. To update the errors, run

    UPDATE_GOLDEN=1 .venv/bin/pytest tests/configuration/test_errors.py

and read the diff as someone who has never seen the manual.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from configuration.documents import TODAY, lines, read

_GOLDEN = Path(__file__).parent / "golden"
_ON_A_DAY = re.compile(r", on (\d{4}-\d\d-\d\d)$")


@dataclass(frozen=True, slots=True)
class InvalidDocument:
    """A document with a title; the title may end with the day on which the document is read."""

    title: str
    document: str
    expected: tuple[str, ...]

    @property
    def today(self) -> date:
        day = _ON_A_DAY.search(self.title)
        return date.fromisoformat(day[1]) if day else TODAY

    @property
    def found(self) -> tuple[str, ...]:
        return tuple(lines(read(self.document, today=self.today)))


def _cases(file: Path) -> Iterator[InvalidDocument]:
    """A case is a title after `# `, an indented document, and one line per error after `> `."""
    for case in file.read_text(encoding="utf-8").split("\n# ")[1:]:
        title, *rest = case.splitlines()
        document = [line.removeprefix("    ") for line in rest if not line.startswith("> ")]
        expected = tuple(line.removeprefix("> ") for line in rest if line.startswith("> "))
        yield InvalidDocument(title, "\n".join(document).strip("\n") + "\n", expected)


def _update(file: Path) -> None:
    head = file.read_text(encoding="utf-8").split("\n# ")[0]
    written = [head]
    for case in _cases(file):
        document = "".join(f"    {line}".rstrip() + "\n" for line in case.document.splitlines())
        errors = "".join(f"> {line}\n" for line in case.found)
        written.append(f"{case.title}\n\n{document}\n{errors}")
    file.write_text("\n# ".join(written), encoding="utf-8")


if os.environ.get("UPDATE_GOLDEN"):
    for golden in _GOLDEN.glob("*.txt"):
        _update(golden)


@pytest.mark.parametrize("file", sorted(_GOLDEN.glob("*.txt")), ids=lambda file: file.stem)
def test_the_errors_of_documents(file: Path) -> None:
    """Every document has at least one."""
    cases = list(_cases(file))

    assert {case.title: case.expected for case in cases} == {case.title: case.found for case in cases}
    assert [] == [case.title for case in cases if not case.expected]
    assert len(cases) == len({case.title for case in cases})
