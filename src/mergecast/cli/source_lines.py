"""A line of a document with a caret below a column, safe to print in a terminal."""

import re

from rich.cells import cell_len

from mergecast.cli.output import escape_character

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # what ends a line in YAML
_TAB = "    "
_CELLS = 100
_CUT = "…"


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
