"""The base branches of one pull request, which is in the queue of one of them at a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from mergecast.incoming.sources.github.exits import SAME, is_merge
from mergecast.incoming.sources.github.observation import Observation, Seen

_ENTRIES = (Seen.ENTERED, Seen.QUEUED)


def by_base(seen: Sequence[Observation]) -> dict[str, list[Observation]]:
    """What was seen of a pull request in the queue of each base branch."""
    bases = {one.base_ref for one in seen}
    if len(bases) <= 1:
        return {base_ref: list(seen) for base_ref in bases}
    found: defaultdict[str, list[Observation]] = defaultdict(list)
    for one in _in_the_queue_it_left(seen):
        found[one.base_ref].append(one)
    return dict(found)


def _in_the_queue_it_left(seen: Iterable[Observation]) -> Iterator[Observation]:
    """The observations; an exit counts for the base branch that the pull request was queued for.

    A pull request leaves its queue when its base branch is changed, and GitHub reports the exit with the
    new branch, for which it is not queued.
    """
    queued_for: str | None = None
    left, left_at = "", 0  # the last exit
    unended: set[str] = set()
    for one in sorted(seen, key=lambda one: (_changed_at(one), one.seen in _ENTRIES, one.id)):
        base_ref = one.base_ref
        if _is_exit(one) and base_ref not in unended and not _is_by_queue(one):
            if queued_for is not None:
                base_ref = queued_for
            elif one.seen is Seen.LEFT and left and _changed_at(one) - left_at <= SAME:
                base_ref = left  # the same exit, reported again
        if _is_exit(one):
            unended.discard(base_ref)
            if base_ref == queued_for:
                left, left_at, queued_for = base_ref, _changed_at(one), None
        elif one.seen in _ENTRIES:
            queued_for = base_ref
        if one.seen in _ENTRIES or one.seen is Seen.GROUP_BUILT:
            unended.add(base_ref)
        yield structs.replace(one, base_ref=base_ref)


def _is_exit(one: Observation) -> bool:
    return one.seen in (Seen.LEFT, Seen.CLOSED)


def _is_by_queue(one: Observation) -> bool:
    """Whether the queue of the branch merged the pull request, which was therefore in that queue."""
    return is_merge(one) and (one.seen is Seen.LEFT or one.is_by_queue)


def _changed_at(one: Observation) -> int:
    """The webhook may be late, but the pull request last changed when its base branch did, or afterwards."""
    return one.changed_at or one.instant
