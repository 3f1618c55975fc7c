"""Evaluated conditions as a checklist, with the value that each condition saw."""

from collections.abc import Iterator

from mergecast.language.conditions.attribute import CLOCK_KINDS, Scalar, ValueKind
from mergecast.language.conditions.errors import excerpt
from mergecast.language.conditions.result import GroupResult, LeafResult, Result, Truth, leaf_results
from mergecast.language.conditions.tree import All, AnyOf, Not
from mergecast.language.report.outline import (
    Block,
    Checklist,
    ChecklistItem,
    Code,
    Inline,
    Line,
    Paragraph,
    Prose,
)
from mergecast.language.rules.commands import is_about_sender
from mergecast.queues.model.instant import SECOND, format_instant

_LABELS = {All: "all of:", AnyOf: "any of:", Not: "not:"}


def checklist(root: GroupResult, *, when_empty: str) -> Block:
    """The members of the root; readers know that all of them must hold."""
    members = root.members if isinstance(root.condition, All) else (root,)
    items = tuple(item for member in members for item in _items(member, 0))
    return Checklist(items) if items else Paragraph((when_empty,))


def _items(result: Result, depth: int) -> Iterator[ChecklistItem]:
    if isinstance(result, LeafResult):
        label = Code(result.condition.text)
        yield ChecklistItem(depth, _box(result), (label, *_description(result), *remark(result)))
        return
    yield ChecklistItem(depth, _box(result), (_LABELS[type(result.condition)], *_description(result)))
    for member in result.members:
        yield from _items(member, depth + 1)


def _description(result: Result) -> Line:
    text = result.condition.description
    return () if text is None else (" [", Prose(text), "]")


def _box(result: Result) -> Truth | None:
    """None for conditions that depend on who runs a command; they have no box."""
    if result.truth is Truth.UNKNOWN and any(map(is_about_sender, leaf_results(result))):
        return None
    return result.truth


def has_checks(result: Result) -> bool:
    """Whether any condition refers to a check."""
    return any(leaf.condition.compared.kind is ValueKind.CHECK for leaf in leaf_results(result))


MOST_MEMBERS = 5
LONGEST_VALUE = 200


def remark(result: LeafResult) -> Line:
    """What follows a condition: the value it saw if it does not hold, and when time may change that."""
    return (*_answer(result), *_next_change(result))


def _answer(result: LeafResult) -> Line:
    if result.error is not None:
        return (" ⚠️ ", Prose(result.error))
    if result.missing is not None:
        return (" — ", Prose(result.missing))
    if result.truth is Truth.HOLDS:
        return ()
    return (" — seen: ", *_seen(result), *_awaited(result), *_caveat(result))


def _seen(result: LeafResult) -> Line:
    leaf, seen = result.condition, result.observed
    is_instant = leaf.compared.kind in CLOCK_KINDS and not leaf.is_counted
    values = seen if isinstance(seen, tuple) else (seen,)
    words = sorted({_word(value, is_instant=is_instant) for value in values if value is not None})
    if not words or words == [""]:
        return ("nothing",)
    shown: list[Inline] = []
    for word in words[:MOST_MEMBERS]:
        shown += [", ", Code(word)] if shown else [Code(word)]
    more = len(words) - MOST_MEMBERS
    return (*shown, f" and {more} more") if more > 0 else tuple(shown)


def _word(value: Scalar, *, is_instant: bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if is_instant and isinstance(value, int):
        return format_instant(_whole_second(value))
    return excerpt(str(value), LONGEST_VALUE)


def _awaited(result: LeafResult) -> Line:
    """Why a missing check may still report."""
    if result.is_complete or result.condition.compared.kind is not ValueKind.CHECK:
        return ()
    if result.condition.is_counted:
        return (" (some checks are still awaited)",)
    return (" (still awaited)",) if result.checks else (" (it has not reported)",)


def _caveat(result: LeafResult) -> Line:
    return (" (", Prose(result.caveat), ")") if result.caveat else ()


def _next_change(result: LeafResult) -> Line:
    change = result.next_change
    return () if change is None else (f" (next change {format_instant(_whole_second(change))})",)


def _whole_second(instant: int) -> int:
    """Changes are shown at full seconds."""
    return instant // SECOND * SECOND
