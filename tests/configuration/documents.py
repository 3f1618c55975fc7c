"""Read small documents and look at the result."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from textwrap import dedent

from mergecast.language.configuration.errors import DocumentError
from mergecast.language.configuration.inheritance import CannotRead
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.read import read_configuration
from mergecast.language.configuration.read_result import ReadResult

SHARED = Path(__file__).parents[3] / "shared"
TODAY = date(2026, 11, 15)
LAST_DAY = date(2027, 3, 31)
DAY_AFTER = date(2027, 4, 1)

Loader = Callable[[str], str]


def unreadable(reason: str) -> Loader:
    """A loader that always fails."""

    def load(_: str) -> str:
        raise CannotRead(reason)

    return load


alone = unreadable("the test gives no other document")


def read(
    text: str,
    *,
    today: date = TODAY,
    repository: str | None = None,
    load: Loader = alone,
) -> ReadResult:
    """Read a text that may be indented like the test around it."""
    return read_configuration(plain(text), today=today, repository=repository, load=load)


def plain(text: str) -> str:
    return dedent(text).removeprefix("\n")


def valid(text: str, *, today: date = TODAY, load: Loader = alone) -> Configuration:
    """The configuration of a document that must be valid."""
    result = read(text, today=today, load=load)
    assert [] == lines(result)
    assert result.configuration is not None
    return result.configuration


def lines(result: ReadResult) -> list[str]:
    """Each error as `line:column: message`."""
    return [f"{error.line}:{error.column}: {error.text}" for error in result.errors]


def places(result: ReadResult) -> list[tuple[str, int, int]]:
    return [(".".join(error.path), error.line, error.column) for error in result.errors]


def only_error(text: str, *, today: date = TODAY) -> DocumentError:
    """The error of a document that must have exactly one."""
    result = read(text, today=today)
    assert len(result.errors) == 1, lines(result)
    assert result.configuration is None
    return result.errors[0]


def uses(result: ReadResult) -> list[str]:
    """Paths of the deprecated uses."""
    return [".".join(use.path_to_field or ("-",)) for use in result.deprecations]


def rule_with(*conditions: str) -> str:
    """A document with one rule; the conditions stand on lines 4 and following, at column 9."""
    items = "\n".join(f"      - {condition}" for condition in conditions)
    return f"pull_request_rules:\n  - name: a\n    conditions:\n{items}\n    actions: {{}}\n"
