"""The block of metadata that Dependabot writes into its commit messages."""

import re
from collections.abc import Iterable, Iterator

from mergecast.model.pull_request import Commit

AUTHOR = "dependabot[bot]"
# Its own blocks are far shorter; anything longer was not written by it.
_LONGEST = 262_144
_START, _END = "---", "..."
_LIST = "updated-dependencies:"
_FIELD = re.compile(r"(?:- +| +)([A-Za-z][\w-]*):(?: +(.*))?")
_QUOTES = ("'", '"')

Entries = tuple[tuple[str, str], ...]


def metadata(commits: Iterable[Commit], author: str | None) -> Entries:
    """Keys and values of the first block, in order; nothing when somebody else wrote the commit."""
    for commit in commits:
        if AUTHOR in (author, commit.author_login) and len(commit.message) <= _LONGEST:
            lines = [line.rstrip() for line in commit.message.splitlines()]
            if _START in lines and _END in lines[lines.index(_START) :]:
                return _entries(lines)
    return ()


def _entries(lines: list[str]) -> Entries:
    """The fields of the block; nothing when a line is not of the form that Dependabot writes."""
    start = lines.index(_START) + 1
    block = [line for line in lines[start : lines.index(_END, start)] if line]
    if not block or block[0] != _LIST:
        return ()
    fields = [_FIELD.fullmatch(line) for line in block[1:]]
    if None in fields:
        return ()
    return tuple(_pairs(field for field in fields if field))


def _pairs(fields: Iterable[re.Match[str]]) -> Iterator[tuple[str, str]]:
    for field in fields:
        value = (field[2] or "").strip()
        if len(value) > 1 and value[0] in _QUOTES and value[0] == value[-1]:
            value = value[1:-1]
        if value:
            yield field[1], value
