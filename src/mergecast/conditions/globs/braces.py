"""Expansion of the braces in a glob, before anything else is interpreted.

A pattern is a sequence of pieces: one character each, or a backslash and the brace or comma it escapes.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from mergecast.conditions.errors import InvalidGlob, excerpt

MOST_PATTERNS = 128
MOST_LEVELS = 32
# The total length of all alternatives; 128 long paths are far shorter.
MOST_CHARACTERS = 65_536

_PIECE = re.compile(r"\\[{},]|\[[{}]\]|.", re.DOTALL)

Pieces = tuple[str, ...]


@dataclass(slots=True)
class _Sequence:
    """Pieces and groups in order."""

    items: list["str | _Group"] = field(default_factory=list)
    count: int = 1  # number of patterns it expands to, exact up to MOST_PATTERNS
    length: int = 0  # total length of those patterns, exact up to MOST_CHARACTERS

    def add(self, pieces: Iterable[str]) -> None:
        before = len(self.items)
        self.items += pieces
        self.length += self.count * (len(self.items) - before)

    def add_group(self, group: "_Group") -> None:
        count = sum(branch.count for branch in group.branches)
        length = self.length * count + self.count * sum(branch.length for branch in group.branches)
        self.items.append(group)
        self.count = min(self.count * count, MOST_PATTERNS + 1)
        self.length = min(length, MOST_CHARACTERS + 1)


@dataclass(slots=True)
class _Group:
    branches: list[_Sequence] = field(default_factory=list)


def expand_braces(pattern: str) -> tuple[Pieces, ...]:
    """The patterns that the braces expand to; empty branches are dropped, so there may be none."""
    if len(pattern) > MOST_CHARACTERS:
        raise _invalid(pattern, f"longer than {MOST_CHARACTERS} characters")
    whole = _read(pattern)
    if whole.count > MOST_PATTERNS:
        raise _invalid(pattern, f"expands to more than {MOST_PATTERNS} patterns")
    if whole.length > MOST_CHARACTERS:
        raise _invalid(pattern, f"expands to more than {MOST_CHARACTERS} characters")
    return tuple(tuple(pieces) for pieces in _expansions(whole))


def _read(pattern: str) -> _Sequence:
    """Parse groups and sequences with an explicit stack: hostile text must not exhaust the call stack."""
    stack = [_Sequence()]
    groups: list[_Group] = []
    for piece in _PIECE.findall(pattern):
        if piece == "{":
            if len(groups) == MOST_LEVELS:
                raise _invalid(pattern, "nested too deeply")
            groups.append(_Group())
            stack.append(_Sequence())
        elif piece == "}":
            if not groups:
                raise _invalid(pattern, "unbalanced brace")
            _end_branch(groups[-1], stack.pop())
            stack[-1].add_group(groups.pop())
        elif piece == "," and groups:
            _end_branch(groups[-1], stack.pop())
            stack.append(_Sequence())
        else:
            stack[-1].add(piece if len(piece) == len("[{]") else [piece])
    if groups:
        raise _invalid(pattern, "unbalanced brace")
    return stack[0]


def _end_branch(group: _Group, branch: _Sequence) -> None:
    if branch.items:
        group.branches.append(branch)


def _expansions(sequence: _Sequence) -> list[list[str]]:
    if not sequence.count:
        return []
    done: list[list[str]] = [[]]
    for item in sequence.items:
        if isinstance(item, str):
            for pieces in done:
                pieces.append(item)
        else:
            tails = list(chain.from_iterable(_expansions(branch) for branch in item.branches))
            done = [head + tail for head in done for tail in tails]
    return done


def _invalid(pattern: str, why: str) -> InvalidGlob:
    return InvalidGlob(f"Invalid glob pattern '{excerpt(pattern)}': {why}")
