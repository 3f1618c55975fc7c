"""Read a small document, and look at what comes out."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from textwrap import dedent

from mergecast.configuration.errors import DocumentError
from mergecast.configuration.extends import CannotRead
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.read import read_configuration
from mergecast.configuration.read_result import ReadResult

SHARED = Path(__file__).parents[3] / "shared"
TODAY = date(2026, 11, 15)
LAST_DAY = date(2027, 3, 31)
DAY_AFTER = date(2027, 4, 1)

Loader = Callable[[str], str]


def unreadable(reason: str) -> Loader:
    """A loader that can read nothing."""

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
    """The verdict on a text that may be indented with the test around it."""
    return read_configuration(plain(text), today=today, repository=repository, load=load)


def plain(text: str) -> str:
    return dedent(text).removeprefix("\n")


def valid(text: str, *, today: date = TODAY, load: Loader = alone) -> Configuration:
    """The configuration of a document that must be valid."""
    verdict = read(text, today=today, load=load)
    assert [] == lines(verdict)
    assert verdict.configuration is not None
    return verdict.configuration


def lines(verdict: ReadResult) -> list[str]:
    """What a compiler would print."""
    return [f"{error.line}:{error.column}: {error.text}" for error in verdict.errors]


def places(verdict: ReadResult) -> list[tuple[str, int, int]]:
    return [(".".join(error.path), error.line, error.column) for error in verdict.errors]


def only_error(text: str, *, today: date = TODAY) -> DocumentError:
    """The error of a document that must have exactly one."""
    verdict = read(text, today=today)
    assert len(verdict.errors) == 1, lines(verdict)
    assert verdict.configuration is None
    return verdict.errors[0]


def uses(verdict: ReadResult) -> list[str]:
    """Paths of the deprecated uses."""
    return [".".join(use.path_to_field or ("-",)) for use in verdict.deprecations]


def rule_with(*conditions: str) -> str:
    """A document with one rule; the conditions stand on lines 4 and following, at column 9."""
    items = "\n".join(f"      - {condition}" for condition in conditions)
    return f"pull_request_rules:\n  - name: a\n    conditions:\n{items}\n    actions: {{}}\n"
