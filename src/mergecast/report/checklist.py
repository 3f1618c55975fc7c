"""A tree of judged conditions as the lines of a checklist."""

from collections.abc import Iterator

from mergecast.conditions.attribute import ValueKind
from mergecast.conditions.result import GroupResult, LeafResult, Result, Truth
from mergecast.conditions.tree import All, AnyOf, Not
from mergecast.report.outline import Block, Checklist, ChecklistItem, Code, Line, Paragraph, Prose
from mergecast.report.remarks import remark
from mergecast.rules.commands import is_about_sender

_LABELS = {All: "all of:", AnyOf: "any of:", Not: "not:"}


def checklist(root: GroupResult, *, when_empty: str) -> Block:
    """The members of the root; that all of them are needed goes without saying."""
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
    """What depends on who runs a command has no box."""
    return None if result.truth is Truth.UNKNOWN and _depends_on_sender(result) else result.truth


def _depends_on_sender(result: Result) -> bool:
    if isinstance(result, LeafResult):
        return is_about_sender(result)
    return any(_depends_on_sender(member) for member in result.members)


def has_checks(result: Result) -> bool:
    """Whether some condition asks for a check."""
    if isinstance(result, LeafResult):
        return result.condition.subject.kind is ValueKind.CHECK
    return any(has_checks(member) for member in result.members)
