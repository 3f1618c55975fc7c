"""Short spellings for the rows that most tables consist of."""

from collections.abc import Callable

from mergecast.conditions.attribute import Attribute, Count, Kind, Use
from mergecast.conditions.facts.snapshot_view import Reading
from mergecast.model.snapshot import Part


def boolean(
    name: str, help: str, read: Callable[[Reading], bool], *needs: Part, use: Use = Use.ANYWHERE
) -> Attribute:
    return Attribute(name, Kind.BOOLEAN, help, read, frozenset(needs), use=use)


def number(name: str, help: str, read: Callable[[Reading], int], *needs: Part) -> Attribute:
    return Attribute(name, Kind.NUMBER, help, read, frozenset(needs))


def text(
    name: str, help: str, read: Callable[[Reading], str | None], *needs: Part, kind: Kind = Kind.TEXT
) -> Attribute:
    return Attribute(name, kind, help, read, frozenset(needs), count=Count())


def texts(
    name: str,
    help: str,
    read: Callable[[Reading], tuple[str, ...]],
    *needs: Part,
    kind: Kind = Kind.TEXT,
    count: Count | None = None,
) -> Attribute:
    return Attribute(name, kind, help, read, frozenset(needs), is_list=True, count=count or Count())


def time(name: str, help: str, read: Callable[[Reading], int | None], *needs: Part) -> Attribute:
    return Attribute(name, Kind.TIME, help, read, frozenset(needs), is_negatable=False)


def platform_count(read: Callable[[Reading], int]) -> Count:
    """A count that the pull request itself carries."""
    return Count(read, frozenset())
