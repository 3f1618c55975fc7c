"""Globs: patterns for a whole text, with `*`, `**`, `?`, sets, and alternatives in braces.

A glob becomes a regular expression that cannot backtrack exponentially. Between two stars the leftmost match
is as good as any other, so each stretch is an atomic group: once matched it is never tried again, and
matching `*a*a*a*a` against a long name takes linear time per star.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby

from mergecast.language.conditions.errors import InvalidGlob, excerpt

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


@dataclass(frozen=True, slots=True)
class Glob:
    """A valid glob; `alternatives` holds the expansion of its braces, as pieces."""

    pattern: str
    alternatives: tuple[tuple[str, ...], ...]

    def matches(self, text: str) -> bool:
        return _compiled(self.alternatives).fullmatch(text) is not None


def compile_glob(pattern: str) -> Glob:
    """Parse a glob; raises InvalidGlob.

    >>> compile_glob("src/*.{py,pyi}").matches("src/a.py")
    True
    """
    return Glob(pattern, expand_braces(pattern))


# A valid glob always compiles, so compiling can wait until the glob is used.
@lru_cache(maxsize=1024)
def _compiled(alternatives: tuple[tuple[str, ...], ...]) -> re.Pattern[str]:
    if not alternatives:
        return re.compile("(?!)")
    return re.compile("|".join(f"(?:{translate(pieces)})" for pieces in alternatives), re.DOTALL)


_IN_SEGMENT = "[^/]"
_NOTHING = "(?!)"
_STAR = "*"
_ANY_DEPTH = ["*", "*"]


def translate(pieces: Sequence[str]) -> str:
    """The regular expression of one alternative, for `fullmatch` with the flag DOTALL."""
    segments = _split(pieces)
    runs: list[list[str]] = [[]]
    for is_any_depth, group in groupby(segments, key=_ANY_DEPTH.__eq__):
        if is_any_depth:
            runs.append([])
        else:
            runs[-1] += map(_segment, group)
    if len(runs) == 1:
        return "/".join(runs[0])
    first, *middle, last = runs
    pattern = "".join(f"{segment}/" for segment in first)
    for run in middle:
        pattern += f"(?>(?:.+?/)??{'/'.join(run)}/)"
    return pattern + (f"(?:.+/)?{'/'.join(last)}" if last else ".*")


def _split(pieces: Sequence[str]) -> list[list[str]]:
    segments: list[list[str]] = [[]]
    for piece in pieces:
        if piece == "/":
            segments.append([])
        else:
            segments[-1].append(piece)
    return segments


def _segment(pieces: list[str]) -> str:
    if pieces == [_STAR]:
        return f"{_IN_SEGMENT}+"
    first, *rest = ("".join(stretch) for stretch in _stretches(pieces))
    if not rest:
        return first
    middle = "".join(f"(?>{_IN_SEGMENT}*?{stretch})" for stretch in rest[:-1] if stretch)
    return f"{first}{middle}{_IN_SEGMENT}*{rest[-1]}"


def _stretches(pieces: list[str]) -> list[list[str]]:
    """The patterns of fixed length between the stars."""
    stretches: list[list[str]] = [[]]
    last_bracket = len(pieces) - 1 - pieces[::-1].index("]") if "]" in pieces else 0
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        place += 1
        if piece == _STAR:
            stretches.append([])
        elif piece == "?":
            stretches[-1].append(_IN_SEGMENT)
        elif piece == "[" and (start := _second_of_set(pieces, place)) <= last_bracket:
            end = pieces.index("]", start)
            stretches[-1].append(_set(pieces[place:end]))
            place = end + 1
        else:
            stretches[-1].append(re.escape(piece[-1]))
    return stretches


def _second_of_set(pieces: list[str], start: int) -> int:
    """Where a closing bracket may first end the set: a bracket in first place is a member."""
    return start + 2 if pieces[start : start + 1] == ["!"] else start + 1


def _set(pieces: list[str]) -> str:
    is_negated = pieces[0] == "!"
    letters = [piece[-1] for piece in pieces[is_negated:]]
    members = ""
    while letters:
        first = letters.pop(0)
        last = first
        if len(letters) > 1 and letters[0] == "-":
            last = letters[1]
            del letters[:2]
        if first <= last:  # A reversed range is empty.
            members += f"{re.escape(first)}-{re.escape(last)}"
    if not members:
        return _IN_SEGMENT if is_negated else _NOTHING
    return f"(?!/)[{'^' if is_negated else ''}{members}]"
