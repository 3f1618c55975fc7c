"""Reads many repositories with few statements."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

T = TypeVar("T")


async def read_many(
    store: Store, repository_ids: Sequence[int], work: Callable[[Reader, Sequence[int]], dict[int, T]]
) -> dict[int, T]:
    """What `work` finds about each of these repositories; it gets as many at once as a reader sees."""
    found: dict[int, T] = {}
    while left := [id for id in repository_ids if id not in found]:
        part = store.read_together(left)[0]
        result = await store.read(part[0], lambda reader, part=part: work(reader, part))  # type: ignore[misc]
        # Otherwise rows of some have moved meanwhile, to a place that this reader may not have seen.
        if store.read_together(part) == [part]:
            found |= result
    return found
