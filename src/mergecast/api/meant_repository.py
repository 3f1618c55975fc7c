"""Suggest the repository that the caller of an unknown name probably meant."""

import re
from collections.abc import Iterable, Sequence

from mergecast.access.rights import Caller, Right
from mergecast.errors import Unavailable
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.store import Store

# Comparing names with more than these would take the event loop too long.
_MOST_COMPARED = 1000
_DIGITS = re.compile(r"[0-9]+")


async def meant_repository(store: Store, caller: Caller, named: Repository) -> Repository | None:
    """The repository with the most similar name, among those that the caller may read."""
    if Right.READ not in caller.rights:
        return None
    try:
        listed = await store.repositories(caller.owner)
    except Unavailable:  # a part of the database, which need not be the one that was asked
        return None
    known = [one.repository for one in listed if one.is_listed]
    return most_similar(named, [one for one in known if caller.reaches(one)])


def most_similar(named: Repository, known: Sequence[Repository]) -> Repository | None:
    """One that differs in its name or in its owner; of two that differ in both, neither is meant.

    >>> str(most_similar(Repository("demo", "habor"), [Repository("demo", "harbor")]))
    'demo/harbor'
    """
    owner, name = named.owner.lower(), named.name.lower()
    by_name = {one.name: one for one in known if one.owner.lower() == owner}
    by_owner = {one.owner: one for one in known if one.name.lower() == name}
    if found := _nearest(named.name, by_name):
        return by_name[found]
    found = _nearest(named.owner, by_owner)
    return by_owner[found] if found else None


def _nearest(written: str, known: Iterable[str]) -> str | None:
    """`widgets-2` is not a misspelled `widgets-1`."""
    others = [name for name in known if _without_digits(name) != _without_digits(written)]
    return nearest(written, others) if len(others) <= _MOST_COMPARED else None


def _without_digits(name: str) -> str:
    return _DIGITS.sub("0", name.lower())
