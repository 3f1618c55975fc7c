"""Constructors for the most common kinds of rows."""

from collections.abc import Callable

from mergecast.language.conditions.attribute import AllowedIn, Attribute, Count, ValueKind
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.queues.model.snapshot import Part


def boolean(
    name: str,
    help: str,
    read: Callable[[SnapshotView], bool],
    *needs: Part,
    allowed_in: AllowedIn = AllowedIn.ANYWHERE,
) -> Attribute:
    return Attribute(name, ValueKind.BOOLEAN, help, read, frozenset(needs), allowed_in=allowed_in)


def number(name: str, help: str, read: Callable[[SnapshotView], int], *needs: Part) -> Attribute:
    return Attribute(name, ValueKind.NUMBER, help, read, frozenset(needs))


def text(
    name: str,
    help: str,
    read: Callable[[SnapshotView], str | None],
    *needs: Part,
    kind: ValueKind = ValueKind.TEXT,
) -> Attribute:
    return Attribute(name, kind, help, read, frozenset(needs), count=Count())


def texts(
    name: str,
    help: str,
    read: Callable[[SnapshotView], tuple[str, ...]],
    *needs: Part,
    kind: ValueKind = ValueKind.TEXT,
    count: Count | None = None,
) -> Attribute:
    return Attribute(name, kind, help, read, frozenset(needs), is_list=True, count=count or Count())


def time(name: str, help: str, read: Callable[[SnapshotView], int | None], *needs: Part) -> Attribute:
    return Attribute(name, ValueKind.TIME, help, read, frozenset(needs), is_negatable=False)


def platform_count(read: Callable[[SnapshotView], int]) -> Count:
    """A count that is part of the pull request, so that no list has to be fetched."""
    return Count(read, frozenset())
