"""Lines of a document with a caret below a place: for terminals, whatever the text holds."""

import re

from rich.cells import cell_len

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # what ends a line in YAML
_TAB = "    "
_CELLS = 100
_CUT = "…"


def printable(text: str) -> str:
    """The text on one line; what would steer a terminal is shown as its code."""
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - what two digits hold


class SourceLines:
    def __init__(self, text: str) -> None:
        self._lines = _BREAK.split(text)

    def excerpt(self, line: int, column: int) -> list[str]:
        """The line and a caret below its column; both count from 1. Nothing beyond the end of the text."""
        if line > len(self._lines):
            return []
        shown = [_TAB if character == "\t" else _shown(character) for character in self._lines[line - 1]]
        place = min(column - 1, len(shown))
        before, after = _tail("".join(shown[:place])), _head("".join(shown[place : place + _CELLS]))
        number = f"{line:>5} | "
        return [f"{number}{before}{after}".rstrip(), f"{'| ':>{len(number)}}{' ' * cell_len(before)}^"]


def _tail(text: str) -> str:
    """The end of a text, as much as has room before a caret."""
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
