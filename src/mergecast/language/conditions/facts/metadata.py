"""Metadata in text: `Depends-On` and `Merge-After` in descriptions, Dependabot's block in commit messages."""

import re
from collections.abc import Iterable, Iterator

from mergecast.language.conditions.errors import InvalidValue
from mergecast.language.conditions.times.timestamps import parse_timestamp
from mergecast.queues.model.repository import Repository, dependencies_in, parse_reference
from mergecast.queues.model.snapshot import Commit, PullRequest

_MERGE_AFTER = re.compile(r"^[ \t]*merge-after:[ \t]*(\S.{0,100})$", re.IGNORECASE | re.MULTILINE)


def full_reference(written: str, pull: PullRequest) -> str | None:
    """The reference as `owner/name#12`; None if the text is not a reference to a pull request."""
    return parse_reference(written, Repository(pull.owner, pull.repository))


def depends_on(pull: PullRequest) -> tuple[str, ...]:
    """The references in the description, without duplicates, other organizations and self-references."""
    return dependencies_in(pull.body, Repository(pull.owner, pull.repository), pull.number)


def merge_after(pull: PullRequest) -> int | None:
    """The instant of the first `Merge-After`; None if there is none, or if it is not a timestamp."""
    match = _MERGE_AFTER.search(pull.body.replace("\r\n", "\n"))
    if match is None:
        return None
    try:
        return parse_timestamp(match[1].strip()).at
    except InvalidValue:
        return None


AUTHOR = "dependabot[bot]"
# Dependabot's own blocks are far shorter.
_LONGEST = 262_144
_START, _END = "---", "..."
_LIST = "updated-dependencies:"
_FIELD = re.compile(r"(?:- +| +)([A-Za-z][\w-]*):(?: +(.*))?")
_QUOTES = ("'", '"')

Entries = tuple[tuple[str, str], ...]


def dependabot_metadata(commits: Iterable[Commit], author: str | None) -> Entries:
    """Keys and values of the first block in a commit by Dependabot, in order."""
    for commit in commits:
        if AUTHOR in (author, commit.author_login) and len(commit.message) <= _LONGEST:
            lines = [line.rstrip() for line in commit.message.splitlines()]
            if _START in lines and _END in lines[lines.index(_START) :]:
                return _entries(lines)
    return ()


def _entries(lines: list[str]) -> Entries:
    """The fields of the block; empty if a line does not have the form that Dependabot writes."""
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
