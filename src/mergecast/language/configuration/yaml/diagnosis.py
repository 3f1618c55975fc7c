"""Find the line that causes a YAML error: the parser often stops many lines later."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Any, NamedTuple

import yaml
from yaml.tokens import ScalarToken


class Cause(NamedTuple):
    """What is wrong and where; the line and the column count from 1."""

    reason: str
    line: int
    column: int


_STRUCTURE = re.compile(r"\s*(?:-\s|[\w.-]+:(?:\s|$))")
_NO_SPACE = re.compile(r"(?P<before>\s*(?:-\s+)*(?P<key>[\w.-]+)):(?!//)[^\s:]")
_LONE_WORD = re.compile(r"(?P<before>\s*(?:-\s+)*(?P<key>[\w.-]+))\s*(?:#.*)?$")
_BLANK = re.compile(r"\s*(?:#.*)?$")
_NO_COLON = frozenset(
    {
        "mapping values are not allowed in this context",
        "could not find expected ':'",
        "did not find expected <document start>",
    }
)
_ADVICE = {
    "mapping values are not allowed in this context": "put a string that contains `: ` in quotes",
    "found character that cannot start any token": (
        "put a string that starts with `@`, `%` or a backtick in quotes"
    ),
    "did not find expected key": (
        "check the indentation, and put a string that contains quotes in other quotes"
    ),
    "did not find expected '-' indicator": "check the indentation of this list",
    "could not find expected ':'": "check the indentation, and whether a colon is missing",
}


def diagnose(text: str, error: yaml.MarkedYAMLError) -> Cause:
    """The most likely cause of the error, or the parser's own explanation."""
    lines = text.splitlines()
    mark = error.problem_mark or error.context_mark
    stop = mark.line if mark else 0
    return (
        _tab(lines, stop)
        or _open_quote(text, lines, error, stop)
        or _colon(lines, error, stop)
        or Cause(_explained(error), stop + 1, (mark.column if mark else 0) + 1)
    )


def _tab(lines: list[str], stop: int) -> Cause | None:
    """A tab in the indentation of the line at which the parser stopped."""
    line = lines[stop] if stop < len(lines) else ""
    column = line[: len(line) - len(line.lstrip())].find("\t")
    return (
        Cause("this line is indented with a tab; use spaces", stop + 1, column + 1) if column >= 0 else None
    )


def _open_quote(text: str, lines: list[str], error: yaml.MarkedYAMLError, stop: int) -> Cause | None:
    """A quote that ends at another string's quote, many lines later, or at the end of the text."""
    if "quoted scalar" in (error.context or "") and error.context_mark:
        return never_closed(error.context_mark)
    for token in _tokens_before(text, stop):
        if _is_quoted(token) and token.end_mark.line == stop and swallows_structure(lines, token):
            return never_closed(token.start_mark)
    return None


def swallows_structure(lines: list[str], scalar: Any) -> bool:
    """Whether a quoted string over several lines contains lines that look like keys or list items."""
    return any(map(_STRUCTURE.match, lines[scalar.start_mark.line + 1 : scalar.end_mark.line + 1]))


def never_closed(mark: Any) -> Cause:
    return Cause("this quote is never closed", mark.line + 1, mark.column + 1)


def _tokens_before(text: str, line: int) -> Iterator[Any]:
    """The tokens that start before this line, up to where the scanner stops."""
    # The error is known already; the tokens before it are what matters.
    with suppress(yaml.YAMLError):
        yield from takewhile(
            lambda token: token.start_mark.line < line, yaml.scan(text, Loader=yaml.CSafeLoader)
        )


def _is_quoted(token: Any) -> bool:
    return isinstance(token, ScalarToken) and token.style in ("'", '"')


def _colon(lines: list[str], error: yaml.MarkedYAMLError, stop: int) -> Cause | None:
    """A key without a colon, or without a space after it, makes one string of its line and the next."""
    if error.problem not in _NO_COLON:
        return None
    if error.context_mark and error.context_mark.line < stop:
        number = error.context_mark.line
    else:
        number = _line_before(lines, stop)
    if not 0 <= number < len(lines):
        return None
    if match := _NO_SPACE.match(lines[number]):
        return Cause(f"put a space after the colon of `{match['key']}:`", number + 1, match.end("before") + 2)
    if match := _LONE_WORD.match(lines[number]):
        return Cause(f"a colon is missing after `{match['key']}`", number + 1, match.end("before") + 1)
    return None


def _line_before(lines: list[str], stop: int) -> int:
    """The last line before this one that is neither blank nor a comment; -1 if there is none."""
    number = stop - 1
    while number >= 0 and _BLANK.match(lines[number]):
        number -= 1
    return number


def _explained(error: yaml.MarkedYAMLError) -> str:
    problem = " ".join((error.problem or "the text cannot be read").split())
    context = f" {' '.join(error.context.split())}" if error.context else ""
    advice = _ADVICE.get(problem)
    return f"{problem}{context}; {advice}" if advice else f"{problem}{context}"
