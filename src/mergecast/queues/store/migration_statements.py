"""Splits the text of a migration into statements.

Citus sends a statement about a distributed table to the workers as it arrived, and refuses a text that
holds several.
"""

import re
from collections.abc import Iterator

# Comments, quoted text and quoted bodies may contain semicolons that end nothing.
_PART = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|(?P<quote>\$\w*\$).*?(?P=quote)|(?P<end>;)|.", re.DOTALL
)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


def statements_of(text: str) -> Iterator[str]:
    """The statements of a text, in order, without the comments before them."""
    start = 0
    for part in _PART.finditer(f"{text};"):
        if part["end"]:
            statement = _without_comments_before(text[start : part.start()])
            if statement:
                yield statement
            start = part.end()


def _without_comments_before(statement: str) -> str:
    statement = statement.strip()
    while comment := _COMMENT.match(statement):
        statement = statement[comment.end() :].strip()
    return statement


def title(statement: str) -> str:
    """The first line of a statement, to name it in a message."""
    return statement.partition("\n")[0].rstrip(" (")
