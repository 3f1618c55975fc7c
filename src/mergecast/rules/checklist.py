"""Judged conditions as a Markdown checklist, for templates that show it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mergecast.conditions.result import GroupResult, LeafResult, Result, Truth
from mergecast.conditions.tree import All, Not


def checklist(result: GroupResult) -> str:
    """One line for each condition and group below the top."""
    return "\n".join(line for member in result.members for line in _lines(member, ""))


def _lines(result: Result, indent: str) -> Iterator[str]:
    box = "[X]" if result.truth is Truth.HOLDS else "[ ]"
    if isinstance(result, LeafResult):
        problem = result.error or result.missing
        yield f"{indent}- {box} {_code(result.condition.text)}{f' ⚠️ {problem}' if problem else ''}"
        return
    yield f"{indent}- {box} {_title(result)}:"
    for member in result.members:
        yield from _lines(member, f"{indent}  ")


def _code(text: str) -> str:
    """A code span that no backtick inside can end."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def _title(result: GroupResult) -> str:
    if isinstance(result.condition, Not):
        return "not"
    return "all of" if isinstance(result.condition, All) else "any of"
